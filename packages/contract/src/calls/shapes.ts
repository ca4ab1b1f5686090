import { E164, Id, Instant, PageQuery, PhoneInput } from '../common-shapes.ts'
import { FILL_IN_REQUIRED } from '../common.ts'
import {
  CALLS_FOUND_MAX,
  CALL_LANGUAGES,
  CALL_MINUTES_MAX,
  CALL_MINUTES_MIN,
  CALL_STATUSES,
  CONTEXT_MAX_BYTES,
  END_REASONS,
  OBJECTIVES_MAX,
  OUTCOME_STATUSES,
  OWNER_LEG_ENDS,
  TONES,
} from './calls.ts'
import {
  areNamedApart,
  fitObjectives,
  MANDATES_UNFIT,
  Mandates,
  NAMED_ALIKE,
  ObjectiveReading,
  OutcomeValue,
  Telling,
  Vault,
  VaultItem,
} from './mandate-shapes.ts'
import { Digits } from './sound-shapes.ts'
import { z } from 'zod'

export const CallLanguage = z.enum(CALL_LANGUAGES)
export type CallLanguage = z.infer<typeof CallLanguage>
export const Tone = z.enum(TONES)
export type Tone = z.infer<typeof Tone>
export const CallStatus = z.enum(CALL_STATUSES)
export type CallStatus = z.infer<typeof CallStatus>
export const EndReason = z.enum(END_REASONS)
export type EndReason = z.infer<typeof EndReason>
export const OwnerLegEnd = z.enum(OWNER_LEG_ENDS)
export type OwnerLegEnd = z.infer<typeof OwnerLegEnd>

export const Turn = z
  .object({
    index: z.int().min(0).describe('Place in the call; a turn sent again under its index replaces the earlier one'),
    speaker: z.enum(['agent', 'user']).describe('user is the callee'),
    text: z.string().describe("What was said. The agent's text is cut at the last word that was heard"),
    startMs: z.int().min(0).describe('Call time since the answer'),
    endMs: z.int().min(0).nullable().describe('null while it is being spoken'),
    heard: z.boolean().describe('false while it is being spoken and when it was cut short'),
    estimated: z
      .boolean()
      .optional()
      .describe('How much was heard is estimated by time: the voice gave no times of words'),
  })
  .meta({ id: 'Turn' })
export type Turn = z.infer<typeof Turn>

export const Outcome = z
  .object({
    objective: z.string(),
    status: z.enum(OUTCOME_STATUSES),
    quote: z.string().nullable().describe('What the callee said that shows it'),
    turn: z.int().min(0).nullable().describe('Index of the turn quoted'),
    offer: z
      .string()
      .nullable()
      .optional()
      .describe('What the callee offered in the place of what was asked; with met_within_limits it is what was agreed'),
    value: OutcomeValue.nullable().optional().describe('What was agreed or found out, where it is countable'),
    earlierRule: z
      .boolean()
      .optional()
      .describe(
        'Judged before 2026-11-22, when an offer that was taken counted as met, and the quote does not show that just this was agreed',
      ),
  })
  .meta({ id: 'Outcome' })
export type Outcome = z.infer<typeof Outcome>

export const CallEvent = z
  .object({
    status: CallStatus,
    phase: z.string(),
    at: Instant,
    question: z.string().optional().describe('The callee asked this, and only you can answer it; the call went on'),
  })
  .meta({ id: 'CallEvent' })
export type CallEvent = z.infer<typeof CallEvent>

export const CallQuestion = CallEvent.required().meta({ id: 'CallQuestion' })
export type CallQuestion = z.infer<typeof CallQuestion>

export const CallPurpose = z.string(FILL_IN_REQUIRED).trim().min(1, FILL_IN_REQUIRED).max(2000)
export const Objectives = z
  .array(z.string().trim().min(1).max(300))
  .max(OBJECTIVES_MAX)
  .transform((list) => [...new Set(list)])
export const CallContext = z
  .record(z.string(), z.unknown())
  .refine(
    (context) => JSON.stringify(context).length <= CONTEXT_MAX_BYTES,
    `The context may hold at most ${CONTEXT_MAX_BYTES} characters of JSON.`,
  )

export const Call = z
  .object({
    id: Id,
    userId: Id,
    batchId: Id.nullable(),
    callee: z.string().describe('E.164'),
    from: z.string().nullable().describe("E.164 of the number it comes from; null: the carrier's own"),
    purpose: z.string(),
    objectives: z.array(z.string()),
    // Kept answers and events of before have neither.
    mandates: Mandates.default([]).describe(
      'What may be agreed to, one for each objective in order; empty: as their words say',
    ),
    vault: z.array(VaultItem).default([]).describe('The private values of this call, without the values'),
    tone: Tone,
    maxDurationMinutes: z.int(),
    context: z.record(z.string(), z.unknown()),
    language: CallLanguage,
    status: CallStatus,
    phase: z.string(),
    transcript: z.string().nullable().describe("A line a turn: 'Agent: ...' or 'User: ...'"),
    summary: z.string().nullable(),
    durationSeconds: z.int().min(0).nullable().describe('Connected seconds, in call time'),
    creditsHeld: z.int().min(0).describe('Held when it was placed: its limit in minutes'),
    creditsCharged: z.int().min(0).nullable(),
    endReason: EndReason.nullable(),
    endMessage: z.string().nullable().describe('The end in a sentence'),
    offers: z.int().min(0).describe('Objectives for which something else was offered, to be decided on'),
    notes: z.string().nullable(),
    tags: z.array(z.string()),
    hasRecording: z.boolean(),
    isTest: z
      .boolean()
      .describe('To a test number of the simulated network: nobody real was called, and nothing is held or charged'),
    clockSpeed: z.number().describe('Call time runs this many times faster than the wall clock; 1 on real networks'),
    createdAt: Instant,
    connectedAt: Instant.nullable(),
    completedAt: Instant.nullable(),
  })
  .meta({ id: 'Call' })
export type Call = z.infer<typeof Call>

const MeteredLeg = z
  .object({
    leg: z.int().min(1),
    to: z.enum(['callee', 'owner']).describe('owner: your own phone, rung in'),
    seconds: z.int().min(0).nullable().describe('Connected; null while it is not over'),
    credits: z.int().min(0).nullable().describe('Its part of creditsCharged; null while the call runs'),
    end: OwnerLegEnd.nullable().describe('What became of ringing your phone'),
  })
  .meta({ id: 'MeteredLeg' })

export const CallDetails = Call.extend({
  turns: z.array(Turn),
  events: z.array(CallEvent),
  wordsKeptUntil: Instant.nullable().describe(
    'Of what was said later nothing is kept: the callee did not want to be recorded',
  ),
  outcomes: z.array(Outcome),
  told: z.array(Telling).describe('Private values that the callee was told, and when'),
  legs: z
    .array(MeteredLeg)
    .describe('The phones of this call, where yours was rung too: each is charged by the minute begun'),
  nextSteps: z.array(z.string()).describe('What its summary advises to do next'),
}).meta({ id: 'CallDetails' })
export type CallDetails = z.infer<typeof CallDetails>

export const NewCall = z
  .object({
    userId: Id.optional(),
    callee: PhoneInput,
    from: PhoneInput.nullable()
      .optional()
      .describe("A number of the account to call from; null: the carrier's own. Default: the account's default number"),
    purpose: CallPurpose,
    objectives: Objectives.default([]),
    tone: Tone.optional().describe("Default: the account's default tone"),
    maxDurationMinutes: z.int().min(CALL_MINUTES_MIN).max(CALL_MINUTES_MAX).optional(),
    context: CallContext.default({}),
    language: CallLanguage.default('auto'),
    confirmOutsideHours: z.boolean().optional().describe('Dial although it is early or late where the callee is'),
    mandates: Mandates.default([]).describe(
      'What the agent may agree to, one for each objective in order; null or none: as its words say',
    ),
    vault: Vault.default([]).describe(
      'Values for this call alone, each told only on its condition; deleted when the call has ended',
    ),
    repeats: Id.optional().describe('The call that this one repeats: what was private in it must be given again'),
  })
  .refine(fitObjectives, MANDATES_UNFIT)
  .refine(({ vault }) => areNamedApart(vault), NAMED_ALIKE)
  .meta({ id: 'NewCall' })
export type NewCall = z.output<typeof NewCall>

export const NewReading = z
  .object({
    purpose: z.string().trim().max(2000).default(''),
    objectives: Objectives,
    language: CallLanguage.default('auto'),
  })
  .meta({ id: 'NewReading' })
export type NewReading = z.output<typeof NewReading>

export const Readings = z
  .object({ objectives: z.array(ObjectiveReading).describe('One for each objective, in order') })
  .meta({ id: 'Readings' })
export type Readings = z.infer<typeof Readings>

export const CallChange = z
  .union([
    z.object({ action: z.literal('stop') }),
    z.object({ action: z.literal('say'), text: z.string().trim().min(1).max(500) }),
    z.object({ action: z.literal('press'), digits: Digits.max(32) }),
    z.object({ action: z.literal('take_over') }),
    z.object({ action: z.literal('hand_back') }),
    z.object({
      action: z.literal('ring_in'),
      to: E164.or(z.literal('browser'))
        .optional()
        .describe(
          'A verified phone of your own, which is rung and put through; browser: as take_over. Default: the only verified one',
        ),
      after: z
        .enum(['hand_back', 'hang_up'])
        .optional()
        .describe('When you hang up: the agent goes on (default), or the call ends'),
    }),
    // Strict: an instruction to the agent under a wrong name must not be ignored.
    z.strictObject({
      action: z.undefined().optional(),
      notes: z.string().max(5000).nullable().optional(),
      tags: z.array(z.string().trim().min(1).max(40)).max(20).optional(),
    }),
  ])
  .meta({
    id: 'CallChange',
    description: 'Stop the call, steer it, speak in the place of the agent, or change notes and tags',
  })
export type CallChange = z.output<typeof CallChange>

export const CallsQuery = PageQuery.extend({
  status: z
    .enum(['all', 'completed', 'failed', 'in_progress'])
    .default('all')
    .describe('in_progress: every call that has not ended'),
  q: z
    .string()
    .trim()
    .max(200)
    .optional()
    .describe(
      `Searches callee (a number however it is written), purpose, transcript and summary. X-Total-Count then stops at ${CALLS_FOUND_MAX + 1}`,
    ),
  callee: E164.optional().describe('Calls to this number'),
})
