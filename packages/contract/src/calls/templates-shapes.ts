import { Id, Instant } from '../common-shapes.ts'
import { CALL_MINUTES_DEFAULT, CALL_MINUTES_MAX, CALL_MINUTES_MIN } from './calls.ts'
import { fitObjectives, Mandates, MANDATES_UNFIT } from './mandate-shapes.ts'
import { CallContext, CallLanguage, CallPurpose, Objectives, Tone } from './shapes.ts'
import { CALL_TEMPLATE_NAME_MAX, NAMELESS } from './templates.ts'
import { z } from 'zod'

const Name = z.string(NAMELESS).trim().min(1, NAMELESS).max(CALL_TEMPLATE_NAME_MAX)

/** An order to start from: everything but whom to call and what is private. */
export const CallTemplate = z
  .object({
    id: Id,
    userId: Id,
    name: z.string(),
    purpose: z.string(),
    objectives: z.array(z.string()),
    mandates: Mandates.default([]),
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
    mandates: Mandates.default([]),
    tone: Tone,
    maxDurationMinutes: z.int().min(CALL_MINUTES_MIN).max(CALL_MINUTES_MAX).default(CALL_MINUTES_DEFAULT),
    context: CallContext.default({}),
    language: CallLanguage.default('auto'),
  })
  .refine(fitObjectives, MANDATES_UNFIT)
  .meta({ id: 'NewCallTemplate' })
export type NewCallTemplate = z.output<typeof NewCallTemplate>

export const CallTemplateChange = z.object({ name: Name }).meta({ id: 'CallTemplateChange' })
