import { z } from 'zod'
import { CONTEXT_MAX_BYTES, CallLanguage, EndReason, Outcome, Tone, Turn } from './calls.ts'
import { Voice } from './accounts.ts'
import { E164, Id, IdParams, Instant } from './common.ts'
import { Digits } from './sound.ts'
import { SummaryType } from './reports.ts'
import { defineRoute } from './route.ts'

/**
 * The wire between api and voice. Orders go down, facts come back. Both sides prove themselves with
 * `Authorization: Bearer <the secret they share>`.
 *
 * POST  VOICE/v1/calls               CallOrder     → 202 OrderTaken (the same for an order it has already), 503 when
 *   full
 *   POST  VOICE/v1/calls/:id/commands  CallCommand   → 202, 404 when no such call is live, 409 before the answer
 *   GET   VOICE/v1/calls/:id                         → 200 CallStanding, 404 when nobody was dialed for it
 *   GET   VOICE/health                               → VoiceHealth
 *   GET   VOICE/livez, /readyz                       → Liveness, Readiness (system.ts), without the secret
 *   WS    VOICE/v1/calls/:id/audio, /answer          the sound of a live call (sound.ts)
 *   POST  INTERNAL/internal/calls/:id/facts FactReport    → 200 FactsTaken (reportFacts below)
 *   PUT   INTERNAL/internal/calls/:id/recording a WAV file → 204 (keepRecording below)
 *
 * INTERNAL is a listener of the api's own (INTERNAL_PORT); the public one has nothing under /internal/.
 */
export const VOICE_PATHS = {
  calls: '/v1/calls',
  call: '/v1/calls/:id',
  commands: '/v1/calls/:id/commands',
  health: '/health',
} as const

export const CallOrder = z.object({
  callId: Id,
  callee: E164,
  language: CallLanguage,
  purpose: z.string(),
  objectives: z.array(z.string()),
  tone: Tone,
  voiceId: Voice,
  /** What the agent may know; data, never instructions. */
  context: z.record(z.string(), z.unknown()).refine((context) => JSON.stringify(context).length <= CONTEXT_MAX_BYTES),
  /** The caller's name as told to the callee. */
  onBehalfOf: z.string().min(1),
  /** Hard end, in connected seconds. */
  limitSeconds: z.int().min(1),
  answerTimeoutSeconds: z.int().min(5).max(120).default(45),
  record: z.boolean().default(false),
  /** All parties must agree: the agent asks, and nothing is recorded before a yes. A no also drops the transcript. */
  askToRecord: z.boolean().default(false),
  /** Needed for ...555 0199, which rings in this user's browser. */
  userId: Id,
})
export type CallOrder = z.output<typeof CallOrder>

export const OrderTaken = z.object({ callId: Id, clockSpeed: z.number().positive() })
export type OrderTaken = z.infer<typeof OrderTaken>

/** lost: an earlier process of the voice service dialed it and died; no process has it now. */
export const CallStanding = z.object({ standing: z.enum(['live', 'over', 'lost']) })
export type CallStanding = z.infer<typeof CallStanding>

export const CallCommand = z.discriminatedUnion('type', [
  z.object({ type: z.literal('stop') }),
  z.object({ type: z.literal('say'), text: z.string().min(1).max(500) }),
  z.object({ type: z.literal('press'), digits: Digits.max(32) }),
  /**
   * The person speaks through the audio socket instead of the agent, which resumes on hand_back or when the socket
   * closes.
   */
  z.object({ type: z.literal('take_over') }),
  z.object({ type: z.literal('hand_back') }),
])
export type CallCommand = z.infer<typeof CallCommand>

export const CallSummary = z.object({
  type: SummaryType,
  title: z.string(),
  description: z.string(),
  insights: z.array(z.string()),
  nextSteps: z.array(z.string()),
  actionRequired: z.boolean(),
  actionText: z.string().nullable(),
})
export type CallSummary = z.infer<typeof CallSummary>

/** Numbered from 1 without gaps within a call; at is the wall clock, callMs call time since the order was taken. */
const stamp = { seq: z.int().min(1), at: Instant, callMs: z.int().min(0) }

export const Fact = z.discriminatedUnion('type', [
  z.object({ ...stamp, type: z.literal('dialing') }),
  z.object({ ...stamp, type: z.literal('ringing') }),
  z.object({ ...stamp, type: z.literal('answered') }),
  /** The finer stage shown to a person; never changes the status. */
  z.object({ ...stamp, type: z.literal('phase'), phase: z.string().max(120) }),
  /** A repeated index replaces the turn. The first turn sets in_progress. */
  z.object({ ...stamp, type: z.literal('turn'), turn: Turn }),
  z.object({ ...stamp, type: z.literal('outcomes'), outcomes: z.array(Outcome) }),
  z.object({ ...stamp, type: z.literal('opted_out'), quote: z.string() }),
  /** The carrier's own connected time. Comes once; only wrapped_up may follow. */
  z.object({
    ...stamp,
    type: z.literal('ended'),
    reason: EndReason,
    message: z.string(),
    connectedSeconds: z.number().min(0),
  }),
  z.object({
    ...stamp,
    type: z.literal('wrapped_up'),
    outcomes: z.array(Outcome),
    summary: CallSummary,
    language: z.string().max(20),
  }),
])
export type Fact = z.infer<typeof Fact>
export type FactType = Fact['type']
/** A fact before its report numbers and stamps it. */
export type FactBody = Fact extends infer F ? (F extends Fact ? Omit<F, 'seq' | 'at' | 'callMs'> : never) : never

export const FACTS_PER_REPORT_MAX = 100
export const FactReport = z.object({ facts: z.array(Fact).min(1).max(FACTS_PER_REPORT_MAX) })
export type FactReport = z.infer<typeof FactReport>

/** Everything up to this number is kept; send on from the next. */
export const FactsTaken = z.object({ taken: z.int().min(0) })

export const reportFacts = defineRoute({
  id: 'reportFacts',
  room: 'calls',
  method: 'POST',
  path: '/internal/calls/:id/facts',
  access: 'service',
  summary: 'What happened in a call, as the voice service saw it',
  params: IdParams,
  body: FactReport,
  reply: FactsTaken,
})

export const RECORDING_TYPE = 'audio/wav'
/** Both ends of a call of the longest duration, with a margin. */
export const RECORDING_MAX_BYTES = 64 * 1024 * 1024

/** Sent once after the end if `record` was set; the api decides who may hear it. */
export const keepRecording = defineRoute({
  id: 'keepRecording',
  room: 'calls',
  method: 'PUT',
  path: '/internal/calls/:id/recording',
  access: 'service',
  summary: 'The recording of a call, as a WAV file',
  params: IdParams,
  file: true,
  bodyBytes: RECORDING_MAX_BYTES,
  status: 204,
})

export const VoiceHealth = z.object({
  status: z.enum(['ok', 'draining', 'full']),
  calls: z.int().min(0),
  capacity: z.int().min(0),
  carrier: z.string(),
  mind: z.string(),
})
export type VoiceHealth = z.infer<typeof VoiceHealth>
