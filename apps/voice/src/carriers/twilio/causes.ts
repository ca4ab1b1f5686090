import type { CarrierCost, CarrierRefusal, EndCause, LegEnd, MachineVerdict } from '@parley/voice-ports'

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
  // Twilio has a price for completed calls, mostly some seconds after the end.
  const costFollows = cost === null && report.status === 'completed'
  return { cause: causeOf(report, own, connectedMs), connectedMs, code, cost, ...(costFollows && { costFollows }) }
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

/** What Twilio refuses with which error (explain.ts has them in words). All others say nothing of the kind. */
const REFUSED: Readonly<Record<number, CarrierRefusal>> = {
  10001: 'funds',
  10002: 'account',
  10005: 'account',
  13214: 'caller_number',
  13223: 'callee_number',
  13224: 'callee_number',
  13225: 'region',
  13227: 'region',
  20003: 'keys',
  20005: 'funds',
  20006: 'keys',
  20008: 'keys',
  20403: 'account',
  21201: 'callee_number',
  21203: 'region',
  21210: 'caller_number',
  21211: 'callee_number',
  21212: 'caller_number',
  21213: 'caller_number',
  21214: 'callee_number',
  21215: 'region',
  21216: 'region',
  21217: 'callee_number',
  21219: 'account',
  32202: 'caller_number',
  573005: 'account',
}
/** Refusals that mean what is known of a callee too. All others end the leg as `failed`. */
const NOT_IN_SERVICE: ReadonlySet<number> = new Set([21_211, 21_214, 21_217])

/** The end of a call that Twilio refused to create. `code`: of its error; null: it named none. */
export function endOfRefusal(code: number | null, status: number): LegEnd {
  const cause = code !== null && NOT_IN_SERVICE.has(code) ? 'not_in_service' : 'failed'
  const refusal = code === null ? undefined : REFUSED[code]
  return { cause, connectedMs: 0, code: `twilio:${code ?? status}`, cost: null, ...(refusal && { refusal }) }
}
