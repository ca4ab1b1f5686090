import { SETTINGS_LANGUAGES } from '../accounts/accounts.ts'
import { Voice } from '../accounts/shapes.ts'
import { E164, Id, IdParams, Instant } from '../common-shapes.ts'
import { SummaryType } from '../reports/shapes.ts'
import { defineRoute } from '../route.ts'
import { CONTEXT_MAX_BYTES } from './calls.ts'
import { CallFigures } from './figures-shapes.ts'
import { Mandate, Telling, Vault } from './mandate-shapes.ts'
import { CallLanguage, EndReason, Outcome, OwnerLegEnd, Tone, Turn } from './shapes.ts'
import { Digits } from './sound-shapes.ts'
import { FACTS_PER_REPORT_MAX, OWNER_QUESTION_MAX, RECORDING_MAX_BYTES, SUMMARISED_TURNS_MAX } from './voice.ts'
import { z } from 'zod'

export const CallOrder = z.object({
  callId: Id,
  callee: E164,
  language: CallLanguage,
  purpose: z.string(),
  objectives: z.array(z.string()),
  /** One for each objective, in order; null or none: what its words say. */
  mandates: z.array(Mandate.nullable()).optional(),
  /** Told on their conditions only. */
  vault: Vault.optional(),
  tone: Tone,
  voiceId: Voice,
  /** What the agent may know; data, never instructions. */
  context: z.record(z.string(), z.unknown()).refine((context) => JSON.stringify(context).length <= CONTEXT_MAX_BYTES),
  /** The caller's name as told to the callee. */
  onBehalfOf: z.string().min(1),
  /** BCP 47: of summary, insights and next steps. Without it, that of the call. */
  readerLanguage: z.string().max(20).optional(),
  /** Hard end, in connected seconds. */
  limitSeconds: z.int().min(1),
  answerTimeoutSeconds: z.int().min(5).max(120).default(45),
  record: z.boolean().default(false),
  /** All parties must agree: the agent asks, and nothing is recorded before a yes. A no also drops the transcript. */
  askToRecord: z.boolean().default(false),
  /** Needed for ...555 0199, which rings in this user's browser. */
  userId: Id,
  /** IANA name, of the callee's number where it tells, else of the account. */
  timezone: z.string().optional(),
  /** E.164 of the number to call from; the carrier's own without it. */
  from: E164.optional(),
  /** For this call alone: facts, sound and commands must show it. An api before voice nodes sends none. */
  token: z.string().optional(),
  /** Of the lease of this call. Facts with an older fence are refused. */
  fence: z.int().min(1).optional(),
})
export type CallOrder = z.output<typeof CallOrder>

export const OrderTaken = z.object({ callId: Id, clockSpeed: z.number().positive() })
export type OrderTaken = z.infer<typeof OrderTaken>

/** lost: an earlier process of the voice service dialed it and died; no process has it now. */
export const CallStanding = z.object({ standing: z.enum(['live', 'over', 'lost']) })
export type CallStanding = z.infer<typeof CallStanding>

/** As in a fact: the carrier's own id of a call. */
export const CarrierCallId = z.string().min(1).max(200)
export const CarrierCallParams = z.object({ carrierCallId: CarrierCallId })

/** What a carrier charges for a call. */
export const CarrierCost = z.object({ amountMicros: z.number().min(0), currency: z.string().regex(/^[A-Z]{3}$/) })

/** How a call ended for the carrier. */
export const CarrierEnd = z.object({
  cause: z.enum([
    'remote',
    'local',
    'canceled',
    'busy',
    'no_answer',
    'not_in_service',
    'failed',
    'dropped',
    'transferred',
  ]),
  connectedMs: z.number().min(0),
  /** The carrier's own, as a SIP status. */
  code: z.string().nullable(),
  cost: CarrierCost.nullable(),
  /** The cost comes later: asking again tells it. */
  costFollows: z.boolean().optional(),
})

/** What the carrier itself knows about a call, whichever process of ours dialed it. */
export const CarrierStanding = z.discriminatedUnion('state', [
  z.object({ state: z.literal('live'), connectedMs: z.number().min(0) }),
  CarrierEnd.extend({ state: z.literal('ended') }),
])
export type CarrierStanding = z.infer<typeof CarrierStanding>

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
  /**
   * Rings the owner's own phone on a second leg and puts the callee through. 'browser' is take_over. The seconds of both
   * legs are paid from the hold of the call, whose time limit shrinks accordingly.
   */
  z.object({
    type: z.literal('ring_in'),
    to: E164.or(z.literal('browser')),
    /** When the owner hangs up: the agent goes on, or the call ends. */
    after: z.enum(['hand_back', 'hang_up']).default('hand_back'),
  }),
])
export type CallCommand = z.output<typeof CallCommand>

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

/** A call that is over, to be summarised once more by the mind. */
export const SummaryWanted = z.object({
  order: CallOrder,
  endReason: EndReason,
  turns: z.array(Turn).max(SUMMARISED_TURNS_MAX),
  /** As they are kept: the summary tells these. */
  outcomes: z.array(Outcome),
})
export type SummaryWanted = z.infer<typeof SummaryWanted>

/** What the carrier said of a call, for the operator alone. */
export const CarrierFacts = z.object({
  name: z.string().max(60),
  code: z.string().max(60).nullable(),
  cost: CarrierCost.nullable(),
  costFollows: z.boolean(),
})
export type CarrierFacts = z.infer<typeof CarrierFacts>

/** Numbered from 1 without gaps within a call; at is the wall clock, callMs call time since the order was taken. */
const stamp = { seq: z.int().min(1), at: Instant, callMs: z.int().min(0) }

export const Fact = z.discriminatedUnion('type', [
  z.object({ ...stamp, type: z.literal('dialing') }),
  /** The carrier has the call, under its own id: what is asked about after a crash. */
  z.object({ ...stamp, type: z.literal('placed'), carrierCallId: CarrierCallId }),
  z.object({ ...stamp, type: z.literal('ringing') }),
  z.object({ ...stamp, type: z.literal('answered') }),
  /** The finer stage shown to a person; never changes the status. */
  z.object({ ...stamp, type: z.literal('phase'), phase: z.string().max(120) }),
  /** A repeated index replaces the turn. The first turn sets in_progress. */
  z.object({ ...stamp, type: z.literal('turn'), turn: Turn }),
  z.object({ ...stamp, type: z.literal('outcomes'), outcomes: z.array(Outcome) }),
  z.object({ ...stamp, type: z.literal('opted_out'), quote: z.string() }),
  /** The callee asked what only the owner can answer. An older api takes the number and changes nothing. */
  z.object({ ...stamp, type: z.literal('asks_owner'), question: z.string().min(1).max(OWNER_QUESTION_MAX) }),
  /** A private value was told; its name, never the value. */
  z.object({ ...stamp, type: z.literal('told'), name: z.string(), by: Telling.shape.by, turn: Telling.shape.turn }),
  /** A further leg of the call, numbered from 2. The last fact of each comes before `ended`. */
  z.object({
    ...stamp,
    type: z.literal('leg'),
    leg: z.int().min(2),
    /** null: no carrier had it. */
    carrierCallId: CarrierCallId.nullable(),
    /** The carrier's own connected time; null until it is over. */
    connectedSeconds: z.number().min(0).nullable(),
    /** Once it is over; a voice service of before does not say. */
    end: OwnerLegEnd.optional(),
    carrier: CarrierFacts.optional(),
  }),
  /** The carrier's own connected time. Comes once; only wrapped_up may follow. */
  z.object({
    ...stamp,
    type: z.literal('ended'),
    reason: EndReason,
    message: z.string(),
    connectedSeconds: z.number().min(0),
    /** A voice service of before does not say. */
    carrier: CarrierFacts.optional(),
  }),
  z.object({
    ...stamp,
    type: z.literal('wrapped_up'),
    outcomes: z.array(Outcome),
    summary: CallSummary,
    language: z.string().max(20),
    /** Of an answered call; an older voice service tells none. */
    figures: CallFigures.optional(),
  }),
])
export type Fact = z.infer<typeof Fact>

const FACT_TYPES: ReadonlySet<string> = new Set(Fact.options.map(({ shape }) => shape.type.value))
/** Of a newer voice service: takes its number and changes nothing. */
const UnknownFact = z
  .object({ ...stamp, type: z.string().max(60) })
  .refine(({ type }) => !FACT_TYPES.has(type), 'This fact is not what its type says.')
  .transform(({ seq, at, callMs }) => ({ seq, at, callMs, type: 'unknown' as const }))

/** A fact as the api reads it. */
export type ReportedFact = Fact | z.output<typeof UnknownFact>
export const FactReport = z.object({
  facts: z
    .array(z.union([Fact, UnknownFact]))
    .min(1)
    .max(FACTS_PER_REPORT_MAX),
})
export type FactReport = z.output<typeof FactReport>

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

/** Sent once, after the end, where the order said to record; the api alone decides who may hear it. */
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

/** A voice of Settings in a language of Settings. */
export const VoicePreview = z.object({ voice: Voice, language: z.enum(SETTINGS_LANGUAGES) })
export type VoicePreview = z.infer<typeof VoicePreview>

export const VoiceHealth = z.object({
  status: z.enum(['ok', 'draining', 'full']),
  calls: z.int().min(0),
  capacity: z.int().min(0),
  carrier: z.string(),
  mind: z.string(),
  /**
   * Whether real lines can be used. deaf: no ear understands them; broken: no carrier would place a call; checking:
   * not known yet. A voice service of before does not say.
   */
  phone: z.enum(['ready', 'checking', 'deaf', 'broken']).optional(),
})
export type VoiceHealth = z.infer<typeof VoiceHealth>
