import type { CarrierCost, EndCause, LegEnd, MachineVerdict } from '@parley/voice-ports'

/** What Twilio says about a call, whether in a callback or in an answer of its API. */
export interface CallReport {
  readonly status: string
  /** Whole seconds since the answer, as Twilio counts them; null: not told. */
  readonly durationSeconds: number | null
  readonly sipCode: string | null
  readonly errorCode: string | null
  readonly cost: CarrierCost | null
}

/** What the leg itself knows, which Twilio's status does not tell. */
export interface OwnKnowledge {
  /** We asked Twilio to hang up. */
  readonly hangsUp: boolean
  readonly answered: boolean
  /** The time limit of the call; null where it is not known. */
  readonly limitMs: number | null
  /** Since the answer by our clock; counts where Twilio tells no duration. */
  readonly elapsedMs: number
}

/** Order of a call's statuses: a callback of a lower rank than one before came late. */
const RANKS: Readonly<Record<string, number>> = {
  queued: 0,
  initiated: 0,
  ringing: 1,
  'in-progress': 2,
  completed: 3,
  busy: 3,
  'no-answer': 3,
  canceled: 3,
  failed: 3,
}
export const RINGING = 1
export const IN_PROGRESS = 2
const FINAL = 3

/** Null: no status of a call. */
export const rankOf = (status: string): number | null => (Object.hasOwn(RANKS, status) ? (RANKS[status] ?? null) : null)

export const isFinal = (status: string): boolean => rankOf(status) === FINAL

/**
 * Twilio's final statuses (Call resource, "Call Status Values"). `completed` does not say who hung up, and `failed` is
 * refined by the SIP response.
 */
const BY_STATUS: Readonly<Record<string, EndCause>> = {
  completed: 'remote',
  busy: 'busy',
  'no-answer': 'no_answer',
  canceled: 'canceled',
  failed: 'failed',
}

/** SIP responses (RFC 3261 section 21) of calls that failed; all others stay `failed`. */
const BY_SIP: Readonly<Record<string, EndCause>> = {
  '404': 'not_in_service',
  '410': 'not_in_service',
  '484': 'not_in_service',
  '604': 'not_in_service',
  '408': 'no_answer',
  '480': 'no_answer',
  '487': 'no_answer',
  '486': 'busy',
  '600': 'busy',
  '603': 'busy',
}

export function endOf(report: CallReport, own: OwnKnowledge): LegEnd {
  const connectedMs = connectedMsOf(report, own)
  const { sipCode, errorCode, cost } = report
  const code = errorCode === null ? sipCode : `twilio:${errorCode}`
  return { cause: causeOf(report, own, connectedMs), connectedMs, code, cost }
}

function connectedMsOf({ status, durationSeconds }: CallReport, { elapsedMs, answered }: OwnKnowledge): number {
  if (status !== 'completed') return 0
  if (durationSeconds !== null) return durationSeconds * 1000
  return answered ? elapsedMs : 0
}

function causeOf({ status, sipCode }: CallReport, own: OwnKnowledge, connectedMs: number): EndCause {
  const cause = BY_STATUS[status] ?? 'failed'
  if (cause === 'failed') return BY_SIP[sipCode ?? ''] ?? cause
  if (cause !== 'remote') return cause
  if (own.hangsUp) return connectedMs === 0 && !own.answered ? 'canceled' : 'local'
  return own.limitMs !== null && connectedMs >= own.limitMs ? 'local' : 'remote'
}

/** AnsweredBy (Answering Machine Detection). The end of a greeting with a beep proves the machine and its beep. */
const VERDICTS: Readonly<Record<string, readonly MachineVerdict[]>> = {
  human: ['human'],
  machine_start: ['machine'],
  machine_end_beep: ['machine', 'beep'],
  machine_end_silence: ['machine'],
  machine_end_other: ['machine'],
  fax: ['fax'],
  unknown: ['unknown'],
}

export const verdictsOf = (answeredBy: string): readonly MachineVerdict[] =>
  Object.hasOwn(VERDICTS, answeredBy) ? (VERDICTS[answeredBy] ?? []) : []

/** Twilio writes what it charges as a negative decimal, some time after the end; null: not known yet. */
export function costOf(price: unknown, unit: unknown): CarrierCost | null {
  const written = typeof price === 'number' ? String(price) : price
  if (typeof written !== 'string' || !/^-?\d{1,9}(\.\d{1,9})?$/.test(written)) return null
  if (typeof unit !== 'string' || !/^[A-Za-z]{3}$/.test(unit)) return null
  return { amountMicros: Math.round(Math.abs(Number(written)) * 1_000_000), currency: unit.toUpperCase() }
}

/** Words for people about a transfer that did not come about (DialCallStatus of the Dial verb). */
const TRANSFER_FAILURES: Readonly<Record<string, string>> = {
  busy: 'The number was busy.',
  'no-answer': 'Nobody answered.',
  canceled: 'The attempt was canceled.',
  failed: 'The number could not be reached.',
}

export const transferFailure = (dialStatus: string): string =>
  TRANSFER_FAILURES[dialStatus] ?? 'The number could not be reached.'

/** Refusals of Twilio that mean what is known of a callee too. All others end the leg as `failed`. */
const REFUSED_AS: Readonly<Record<number, EndCause>> = {
  21211: 'not_in_service',
  21214: 'not_in_service',
  21217: 'not_in_service',
}

export const causeOfRefusal = (code: number | null): EndCause =>
  (code === null ? 'failed' : REFUSED_AS[code]) ?? 'failed'
