import {
  type Carrier,
  type CarrierHost,
  type CarrierStanding,
  type Clock,
  type DialOptions,
  isPhoneNumber,
  type Leg,
  type LegEnd,
  type LegEvent,
} from '@parley/voice-ports'
import { Book } from './book.ts'
import { CALLS_PATH, mountCallbacks } from './callbacks.ts'
import { isCallSid, type KnownCall, TwilioCalls } from './api/calls.ts'
import { endOf, isFinal } from './causes.ts'
import { TwilioLeg } from './leg.ts'
import { CAPABILITIES, Counts, DEFAULT_WAITS, NO_LOG, type TwilioCounts, type TwilioOptions } from './options.ts'
import { type Answered, createRest, TwilioError } from './api/rest.ts'
import { freshToken } from './media/streams.ts'

/** A leg whose end was never told is forgotten so long after its last possible moment. */
const FORGET_AFTER_MS = 600_000

export interface TwilioCarrier extends Carrier {
  readonly counts: TwilioCounts
}

/** Calls over Twilio: its REST API, its callbacks, and its media streams. */
export function createTwilioCarrier(options: TwilioOptions): TwilioCarrier {
  const waits = { ...DEFAULT_WAITS, ...options.waits }
  const calls = new TwilioCalls(createRest(options, waits.requestMs))
  const counts = new Counts()
  const log = options.log ?? NO_LOG
  const book = new Book()
  let host: CarrierHost | null = null
  let closed = false

  function place(dial: DialOptions, clock: Clock, onEvent: (event: LegEvent) => void): Leg {
    const publicUrl = host?.publicUrl ?? null
    const from = dial.from ?? options.fromNumber
    const isDialable = isPhoneNumber(dial.to) && isPhoneNumber(from)
    if (closed || host === null || publicUrl === null || !isDialable) {
      const code = closed ? 'closed' : isDialable ? 'no_public_url' : 'no_number'
      log.error({ code, callId: dial.callId }, 'call not dialed')
      const refusal = isPhoneNumber(from) ? 'callee_number' : 'caller_number'
      const end: LegEnd = { cause: 'failed', connectedMs: 0, code, cost: null, ...(!isDialable && { refusal }) }
      return failedLeg(end, clock, onEvent)
    }
    const token = freshToken()
    // An ended leg is kept for its late callbacks: with it, the whole session would be.
    let listener: typeof onEvent | null = onEvent
    const leg = new TwilioLeg({
      dial,
      clock,
      onEvent(event) {
        listener?.(event)
        if (event.type === 'ended') listener = null
      },
      calls,
      host,
      publicUrl,
      accountSid: options.accountSid,
      from,
      waits,
      counts,
      log,
      callbackPath: `${CALLS_PATH}/${token}`,
      isTaken: (sid) => book.knows(sid),
      onPlaced: (sid) => book.placed(sid, leg),
      onEnded: (sid, end) => book.ended(token, sid, end),
    })
    const lastMs = dial.answerTimeoutMs + dial.limitMs + FORGET_AFTER_MS
    const cancelExpiry = clock.after(lastMs, () => book.forgotten(token))
    book.opened(token, leg, cancelExpiry)
    return leg
  }

  return {
    name: 'twilio',
    counts,
    dial: place,
    mount(mounted) {
      host = mounted
      mountCallbacks(mounted, { ...options, counts, log, legOf: (token) => book.legOf(token) })
    },
    ask: (id, signal) => ask(id, signal, calls, book),
    hangUp: (id, signal) => hangUp(id, signal, calls, book),
    async close() {
      closed = true
      const dropped = Promise.allSettled(book.live().map((leg) => leg.drop()))
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, waits.closeMs)))
      await Promise.race([dropped, late])
      clearTimeout(timer)
    },
  }
}

async function hangUp(id: string, signal: AbortSignal, calls: TwilioCalls, book: Book): Promise<void> {
  if (!isCallSid(id)) return
  book.liveLeg(id)?.willHangUp()
  book.hangsUp(id)
  try {
    const call = await calls.hangUp(id, 'completed', signal)
    book.liveLeg(id)?.hangUpTaken(call)
  } catch (error) {
    if (!(error instanceof TwilioError && (error.isOver || error.isUnknownCall))) throw error
  }
}

async function ask(id: string, signal: AbortSignal, calls: TwilioCalls, book: Book): Promise<CarrierStanding | null> {
  if (!isCallSid(id)) return null
  const transferred = book.endOf(id)
  // The callee goes on talking to somebody else; our part is over.
  if (transferred?.cause === 'transferred') return { state: 'ended', ...transferred }
  let answer: Answered<KnownCall>
  try {
    answer = await calls.fetch(id, signal)
  } catch (error) {
    if (error instanceof TwilioError && error.isUnknownCall) return null
    throw error
  }
  const { value: call, atMs } = answer
  if (!isFinal(call.status)) {
    const leg = book.liveLeg(id)
    // Of a leg of another process only the time of dialing is known: at most so much.
    const sinceDialedMs = call.status === 'in-progress' ? (atMs ?? Date.now()) - (call.startedMs ?? Infinity) : 0
    return { state: 'live', connectedMs: leg ? leg.connectedMs : Math.max(0, sinceDialedMs) }
  }
  book.liveLeg(id)?.settle(call)
  const end = book.endOf(id) ?? endOf(call, { hangsUp: book.hungUp(id), answered: false, limitMs: null, elapsedMs: 0 })
  return { state: 'ended', ...end, cost: call.cost ?? end.cost }
}

function failedLeg(end: LegEnd, clock: Clock, onEvent: (event: LegEvent) => void): Leg {
  clock.after(0, () => {
    onEvent({ type: 'hung_up' })
    onEvent({ type: 'ended', ...end })
  })
  const nothing = () => undefined
  return {
    capabilities: CAPABILITIES,
    send: nothing,
    mark: nothing,
    clear: nothing,
    sendDigits: nothing,
    transfer: nothing,
    hangUp: nothing,
  }
}
