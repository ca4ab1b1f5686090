import { z } from 'zod'
import { E164, FILL_IN_REQUIRED, Id, IdParams, Instant, PageQuery, PhoneInput } from './common.ts'
import { Digits } from './sound.ts'
import { defineRoute } from './route.ts'

export const CALL_MINUTES_MIN = 1
export const CALL_MINUTES_MAX = 30
export const CALL_MINUTES_DEFAULT = 10
export const RECENT_CALLS = 3
export const OBJECTIVES_MAX = 20
export const CONTEXT_MAX_BYTES = 16_384

export const CALL_LANGUAGES = [
  'auto',
  'en',
  'ar',
  'zh',
  'fr',
  'de',
  'el',
  'hi',
  'it',
  'ja',
  'pt',
  'pt-BR',
  'es',
] as const
export const CallLanguage = z.enum(CALL_LANGUAGES)
export type CallLanguage = z.infer<typeof CallLanguage>

/** The dashboard offers the first four; Make Call and Settings offer all five. */
export const TONES = ['friendly', 'professional', 'casual', 'formal', 'empathetic'] as const
export const Tone = z.enum(TONES)
export type Tone = z.infer<typeof Tone>
export const QUICK_CALL_TONE_DEFAULT: Tone = 'friendly'
export const SINGLE_CALL_TONE_DEFAULT: Tone = 'professional'

/** Never backwards. connected: answered. in_progress: the first words were exchanged. */
export const CALL_STATUSES = [
  'initiated',
  'dialing',
  'ringing',
  'connected',
  'in_progress',
  'completed',
  'failed',
] as const
export const CallStatus = z.enum(CALL_STATUSES)
export type CallStatus = z.infer<typeof CallStatus>
export const LIVE_STATUSES = [
  'initiated',
  'dialing',
  'ringing',
  'connected',
  'in_progress',
] as const satisfies readonly CallStatus[]

/** Why a call is over. Those of ANSWERED_END_REASONS complete it; the others fail it. */
export const ANSWERED_END_REASONS = [
  'agent_closed',
  'callee_hung_up',
  'stopped',
  'time_limit',
  'silence',
  'refused_to_talk',
  'opted_out',
  'voicemail',
  'screened',
] as const
export const FAILED_END_REASONS = [
  'canceled',
  'busy',
  'no_answer',
  'not_in_service',
  'carrier_failure',
  'carrier_dropped',
  'fax',
  'not_allowed',
  'interrupted',
] as const
export const END_REASONS = [...ANSWERED_END_REASONS, ...FAILED_END_REASONS] as const
export const EndReason = z.enum(END_REASONS)
export type EndReason = z.infer<typeof EndReason>

/** Stages shown to a person; objectives and endings are written by the two functions below. */
export const PHASES = {
  queued: 'queued',
  waitingForHours: 'waiting for calling hours',
  dialing: 'dialing',
  ringing: 'ringing',
  greeting: 'greeting',
  menu: 'finding the way through a menu',
  screening: 'speaking to a screening assistant',
  onHold: 'on hold',
  voicemail: 'voicemail',
  wrappingUp: 'wrapping up',
  askingToRecord: 'asking whether the call may be recorded',
  notRecorded: 'not recorded: the callee did not agree',
  takingOver: 'saying who is calling before you speak',
  takenOver: 'taken over by you',
} as const

export function objectivePhase(index: number, count: number): string {
  return `objective ${index + 1} of ${count}`
}

const ENDED_AS: Partial<Record<EndReason, string>> = {
  busy: 'busy',
  no_answer: 'no answer',
  refused_to_talk: 'refused to talk',
  opted_out: 'refused to talk',
  voicemail: 'voicemail',
  canceled: 'stopped',
  not_in_service: 'carrier failure',
  carrier_failure: 'carrier failure',
  carrier_dropped: 'carrier failure',
  fax: 'fax machine',
  not_allowed: 'not allowed',
  interrupted: 'interrupted',
}

export function endedPhase(reason: EndReason): string {
  return `ended: ${ENDED_AS[reason] ?? 'answered'}`
}

export const Turn = z
  .object({
    index: z.int().min(0).describe('Place in the call; a turn sent again under its index replaces the earlier one'),
    speaker: z.enum(['agent', 'user']).describe('user is the callee'),
    text: z.string().describe("What was said. The agent's text is cut at the last word that was heard"),
    startMs: z.int().min(0).describe('Call time since the answer'),
    endMs: z.int().min(0).nullable().describe('null while it is being spoken'),
    heard: z.boolean().describe('false while it is being spoken and when it was cut short'),
  })
  .meta({ id: 'Turn' })
export type Turn = z.infer<typeof Turn>

/**
 * met: exactly as asked. met_within_limits: agreed otherwise, within the call's limits. offered: something else was
 * offered and not agreed; the user decides. refused, open: not reached or not settled.
 */
export const OUTCOME_STATUSES = ['met', 'met_within_limits', 'offered', 'refused', 'open'] as const
export type OutcomeStatus = (typeof OUTCOME_STATUSES)[number]

/** Success: as asked, or within the call's limits. */
export function isMet({ status }: { readonly status: OutcomeStatus }): boolean {
  return status === 'met' || status === 'met_within_limits'
}

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
    earlierRule: z
      .boolean()
      .optional()
      .describe(
        'Judged before 2026-11-22, when an offer that was taken counted as met, and the quote does not show that just this was agreed',
      ),
  })
  .meta({ id: 'Outcome' })
export type Outcome = z.infer<typeof Outcome>

export const CallEvent = z.object({ status: CallStatus, phase: z.string(), at: Instant }).meta({ id: 'CallEvent' })
export type CallEvent = z.infer<typeof CallEvent>

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
    purpose: z.string(),
    objectives: z.array(z.string()),
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
    clockSpeed: z.number().describe('Call time runs this many times faster than the wall clock; 1 on real networks'),
    createdAt: Instant,
    connectedAt: Instant.nullable(),
    completedAt: Instant.nullable(),
  })
  .meta({ id: 'Call' })
export type Call = z.infer<typeof Call>

export const CallDetails = Call.extend({
  turns: z.array(Turn),
  events: z.array(CallEvent),
  wordsKeptUntil: Instant.nullable().describe(
    'Of what was said later nothing is kept: the callee did not want to be recorded',
  ),
  outcomes: z.array(Outcome),
  nextSteps: z.array(z.string()).describe('What its summary advises to do next'),
}).meta({ id: 'CallDetails' })
export type CallDetails = z.infer<typeof CallDetails>

export const NewCall = z
  .object({
    userId: Id.optional(),
    callee: PhoneInput,
    purpose: CallPurpose,
    objectives: Objectives.default([]),
    tone: Tone.optional().describe("Default: the account's default tone"),
    maxDurationMinutes: z.int().min(CALL_MINUTES_MIN).max(CALL_MINUTES_MAX).optional(),
    context: CallContext.default({}),
    language: CallLanguage.default('auto'),
    confirmOutsideHours: z.boolean().optional().describe('Dial although it is early or late where the callee is'),
  })
  .meta({ id: 'NewCall' })
export type NewCall = z.output<typeof NewCall>

export const CallChange = z
  .union([
    z.object({ action: z.literal('stop') }),
    z.object({ action: z.literal('say'), text: z.string().trim().min(1).max(500) }),
    z.object({ action: z.literal('press'), digits: Digits.max(32) }),
    z.object({ action: z.literal('take_over') }),
    z.object({ action: z.literal('hand_back') }),
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

/** The matches of a search are counted up to one more than this. */
export const CALLS_FOUND_MAX = 1000

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

const room = 'calls'

export const callsRoutes = {
  place: defineRoute({
    id: 'placeCall',
    room,
    method: 'POST',
    path: '/api/calls',
    access: 'account',
    summary: 'Place a call. It holds up to maxDurationMinutes credits and charges one for each minute begun',
    body: NewCall,
    reply: Call,
    status: 201,
    idempotent: true,
    errors: [
      'secret_in_order',
      'insufficient_credits',
      'debt_outstanding',
      'number_invalid',
      'number_emergency',
      'number_short_code',
      'number_premium',
      'number_shared_cost',
      'number_personal',
      'number_satellite',
      'number_directory',
      'number_extension',
      'number_unknown_type',
      'country_not_allowed',
      'number_not_verified',
      'outside_calling_hours',
      'do_not_call',
      'attempts_exceeded',
      'live_calls_exceeded',
      'hourly_calls_exceeded',
      'daily_spend_exceeded',
      'dialing_off',
      'unavailable',
    ],
  }),
  get: defineRoute({
    id: 'getCall',
    room,
    method: 'GET',
    path: '/api/calls/:id',
    access: 'account',
    summary: 'A call with its turns, events and outcomes',
    params: IdParams,
    reply: CallDetails,
  }),
  change: defineRoute({
    id: 'changeCall',
    room,
    method: 'PATCH',
    path: '/api/calls/:id',
    access: 'account',
    summary: 'Stop a call, steer its agent, or change notes and tags',
    params: IdParams,
    body: CallChange,
    reply: Call,
    errors: ['call_ended', 'secret_in_order'],
  }),
  recording: defineRoute({
    id: 'getCallRecording',
    room,
    method: 'GET',
    path: '/api/calls/:id/recording',
    access: 'account',
    summary: 'The recording as a WAV file, the callee left and the agent right, from the answer on; takes Range',
    params: IdParams,
    query: z.object({ download: z.literal('1').optional().describe('Answers with a file name to save it under') }),
    status: 200,
  }),
  active: defineRoute({
    id: 'listActiveCalls',
    room,
    method: 'GET',
    path: '/api/user/:id/calls/active',
    access: 'account',
    summary: 'Calls that have not ended',
    params: IdParams,
    reply: z.array(Call),
  }),
} as const
