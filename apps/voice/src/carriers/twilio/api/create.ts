import type { DialOptions } from '@parley/voice-ports'
import type { CallOrderForTwilio, KnownCall, TwilioCalls } from './calls.ts'
import type { Counts, Log, Waits } from '../options.ts'
import { TwilioError } from './rest.ts'
import { seconds, streamTwiml } from '../twiml.ts'
import type { Waiting } from '../waiting.ts'

/** Twilio's maxima (Call resource). */
const RING_MAX_SECONDS = 600
const LIMIT_MAX_SECONDS = 86_400
/** Looks at the list of calls, and how many of them must have found nothing. */
const LOOKS_MAX = 5
const EMPTY_LOOKS = 2
/** Twilio's times are whole seconds, and no two clocks agree. */
const CLOCKS_APART_MS = 5000

export type Created =
  /** call: as the API told it; null: a callback told the id. */
  | { readonly type: 'placed'; readonly call: KnownCall | null }
  | { readonly type: 'refused'; readonly error: TwilioError }
  /** Twilio knows no such call, or could not be asked long enough. */
  | { readonly type: 'lost' }

export interface CreateOptions {
  readonly calls: TwilioCalls
  readonly order: CallOrderForTwilio
  readonly waits: Waits
  readonly waiting: Waiting
  readonly log: Log
  readonly counts: Counts
  /** A callback on the call's own path has told its id. */
  readonly isKnown: () => boolean
  /** A call that another leg of ours has. */
  readonly isTaken: (sid: string) => boolean
}

/** `from`: E.164; `callbackUrl`: of this call alone, without a slash at its end; `streamUrl`: good for one socket. */
export const orderFor = (
  { to, answerTimeoutMs, limitMs, detectMachine }: DialOptions,
  from: string,
  callbackUrl: string,
  streamUrl: string,
): CallOrderForTwilio => ({
  to,
  from,
  twiml: streamTwiml(streamUrl),
  statusCallback: `${callbackUrl}/status`,
  ringSeconds: seconds(answerTimeoutMs, RING_MAX_SECONDS),
  limitSeconds: seconds(limitMs, LIMIT_MAX_SECONDS),
  amdCallback: detectMachine ? `${callbackUrl}/amd` : null,
})

/**
 * Creates a call, once. Where it stays unknown whether Twilio took it, the call is looked for: first by its callbacks,
 * then in the list of calls. It is never dialed again.
 */
export async function createCall(options: CreateOptions): Promise<Created> {
  const { calls, order, log, isKnown } = options
  const dialedMs = Date.now()
  try {
    return { type: 'placed', call: await calls.create(order) }
  } catch (error) {
    if (isKnown()) return { type: 'placed', call: null }
    if (!(error instanceof TwilioError)) throw error
    const { status, twilioCode, retryAfterSeconds, isRefusal } = error
    log.warn({ status, twilioCode, retryAfterSeconds }, isRefusal ? 'call refused' : 'call created or not: looking')
    if (isRefusal) return { type: 'refused', error }
    const found = await look(options, dialedMs)
    if (found.type === 'placed') options.counts.adoptedCalls++
    return found
  }
}

async function look({ calls, order, waits, waiting, isKnown, isTaken, log }: CreateOptions, dialedMs: number) {
  let empty = 0
  let waitMs = waits.callbackMs
  for (let looks = 0; looks < LOOKS_MAX && empty < EMPTY_LOOKS; looks++) {
    if (await waiting.until(isKnown, waitMs)) return { type: 'placed', call: null } as const
    waitMs = waits.listAgainMs
    try {
      const { value, atMs } = await calls.list(order.to, order.from)
      if (isKnown()) return { type: 'placed', call: null } as const
      const aheadMs = atMs === null ? 0 : atMs - Date.now()
      const sinceMs = dialedMs + aheadMs - CLOCKS_APART_MS
      const call = value.find(({ sid, createdMs }) => (createdMs ?? 0) >= sinceMs && !isTaken(sid))
      if (call) return { type: 'placed', call } as const
      empty++
    } catch (error) {
      log.warn({ status: error instanceof TwilioError ? error.status : 0 }, 'calls not listed')
    }
  }
  return { type: 'lost' } as const
}
