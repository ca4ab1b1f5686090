import { z } from 'zod'
import {
  CallContext,
  CallLanguage,
  CALL_MINUTES_DEFAULT,
  CALL_MINUTES_MAX,
  CALL_MINUTES_MIN,
  CallPurpose,
  Objectives,
  Tone,
} from './calls.ts'
import { Id, IdParams, Instant, MessageReply } from './common.ts'
import { defineRoute } from './route.ts'

/** A list that one page can show. */
export const CALL_TEMPLATES_MAX = 100
export const CALL_TEMPLATE_NAME_MAX = 80

const NAMELESS = 'A template needs a name.'
const Name = z.string(NAMELESS).trim().min(1, NAMELESS).max(CALL_TEMPLATE_NAME_MAX)

/** A saved call without its callee. */
export const CallTemplate = z
  .object({
    id: Id,
    userId: Id,
    name: z.string(),
    purpose: z.string(),
    objectives: z.array(z.string()),
    tone: Tone,
    maxDurationMinutes: z.int(),
    context: z.record(z.string(), z.unknown()),
    language: CallLanguage,
    createdAt: Instant,
  })
  .meta({ id: 'CallTemplate' })
export type CallTemplate = z.infer<typeof CallTemplate>

export const NewCallTemplate = z
  .object({
    userId: Id.optional(),
    name: Name,
    purpose: CallPurpose,
    objectives: Objectives.default([]),
    tone: Tone,
    maxDurationMinutes: z.int().min(CALL_MINUTES_MIN).max(CALL_MINUTES_MAX).default(CALL_MINUTES_DEFAULT),
    context: CallContext.default({}),
    language: CallLanguage.default('auto'),
  })
  .meta({ id: 'NewCallTemplate' })
export type NewCallTemplate = z.output<typeof NewCallTemplate>

export const CallTemplateChange = z.object({ name: Name }).meta({ id: 'CallTemplateChange' })

const room = 'calls'

export const templatesRoutes = {
  list: defineRoute({
    id: 'listCallTemplates',
    room,
    method: 'GET',
    path: '/api/user/:id/call-templates',
    access: 'account',
    summary: `Saved orders to start from, by name, at most ${CALL_TEMPLATES_MAX}`,
    params: IdParams,
    reply: z.array(CallTemplate),
  }),
  save: defineRoute({
    id: 'saveCallTemplate',
    room,
    method: 'POST',
    path: '/api/call-templates',
    access: 'account',
    summary: 'Save an order to start from. Names are unique, whatever their capitals',
    body: NewCallTemplate,
    reply: CallTemplate,
    status: 201,
    errors: ['conflict', 'secret_in_order'],
  }),
  rename: defineRoute({
    id: 'renameCallTemplate',
    room,
    method: 'PATCH',
    path: '/api/call-templates/:id',
    access: 'account',
    summary: 'Rename a saved order',
    params: IdParams,
    body: CallTemplateChange,
    reply: CallTemplate,
    errors: ['conflict'],
  }),
  remove: defineRoute({
    id: 'deleteCallTemplate',
    room,
    method: 'DELETE',
    path: '/api/call-templates/:id',
    access: 'account',
    summary: 'Delete a saved order',
    params: IdParams,
    reply: MessageReply,
  }),
} as const
