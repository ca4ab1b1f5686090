import { z } from 'zod'
import { IdParams, MessageReply } from '../common-shapes.ts'
import { defineRoute } from '../route.ts'
import { CALL_TEMPLATES_MAX } from './templates.ts'
import { CallTemplate, NewCallTemplate, CallTemplateChange } from './templates-shapes.ts'
import { templatesPaths } from '../paths.ts'

const room = 'calls'

export const templatesRoutes = {
  list: defineRoute({
    ...templatesPaths.list,
    room,
    access: 'account',
    summary: `Call templates by name, at most ${CALL_TEMPLATES_MAX}`,
    params: IdParams,
    reply: z.array(CallTemplate),
  }),
  save: defineRoute({
    ...templatesPaths.save,
    room,
    access: 'account',
    summary: 'Save a call template. Names are unique, ignoring case',
    body: NewCallTemplate,
    reply: CallTemplate,
    status: 201,
    errors: ['conflict', 'secret_in_order'],
  }),
  rename: defineRoute({
    ...templatesPaths.rename,
    room,
    access: 'account',
    summary: 'Rename a call template',
    params: IdParams,
    body: CallTemplateChange,
    reply: CallTemplate,
    errors: ['conflict'],
  }),
  remove: defineRoute({
    ...templatesPaths.remove,
    room,
    access: 'account',
    summary: 'Delete a call template',
    params: IdParams,
    reply: MessageReply,
  }),
} as const
