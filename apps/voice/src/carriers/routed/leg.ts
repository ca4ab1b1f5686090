import {
  type Carrier,
  type CarrierCapabilities,
  type Clock,
  type DialOptions,
  type Frame,
  type Leg,
  type LegEnd,
  type LegEvent,
  LOST_CODE,
} from '@parley/voice-ports'
import type { Logger } from 'pino'
import type { CarrierHealth } from './health.ts'
import type { CarrierLimits, Release } from './limits.ts'

/** A carrier that says that the connection is over, and not why: so long no other carrier is tried. */
const CAUSE_WAIT_MS = 3000
/** A place of a leg whose end is never told is given back this long after its longest life. */
const PLACE_MARGIN_MS = 60_000
/** A carrier that has not said that it has the call by now has failed, though the call may still be under way. */
const PLACED_LATE_MS = 10_000

/** Before a carrier has the call. */
const NOTHING: CarrierCapabilities = {
  playout: 'ours',
  text: false,
  digits: false,
  transfer: false,
  machineDetection: false,
  silence: 'left_out',
}

export interface Candidate {
  readonly carrier: Carrier
  readonly health: CarrierHealth
}

export interface RoutedLegOptions {
  /** In order of preference. */
  readonly candidates: readonly Candidate[]
  readonly limits: CarrierLimits
  readonly log: Logger
  readonly dial: DialOptions
  readonly clock: Clock
  readonly idOf: (carrier: Carrier, carrierCallId: string) => string
  readonly onEvent: (event: LegEvent) => void
}

/** One carrier's attempt. */
interface Attempt extends Candidate {
  readonly startedMs: number
  readonly release: Release
  leg: Leg | null
  placed: boolean
  /** The callee's network was reached: from here on no other carrier may dial. */
  reached: boolean
  answered: boolean
  postDialMs: number | null
  /** hung_up came before the cause, and is held back. */
  hungUp: boolean
  /** The connection was said to be over: it does not come back on another carrier. */
  told: boolean
  over: boolean
}

/**
 * A leg over the first carrier that takes it. Another one is tried only while the callee's network was certainly not
 * reached: nobody's phone rings twice.
 */
export class RoutedLeg implements Leg {
  readonly #options: RoutedLegOptions
  readonly #waiting = new AbortController()
  #attempt: Attempt | null = null
  #hangsUp = false
  #over = false
  /** Why no carrier was tried, or the last failure. */
  #lastCode: string | null = null
  #lastFailure: Pick<LegEnd, 'refusal' | 'carrier'> = {}

  constructor(options: RoutedLegOptions) {
    this.#options = options
    void this.#tryFrom(0)
  }

  get capabilities(): CarrierCapabilities {
    return this.#attempt?.leg?.capabilities ?? NOTHING
  }

  send(frame: Frame): void {
    this.#attempt?.leg?.send(frame)
  }

  mark(name: string): void {
    this.#attempt?.leg?.mark(name)
  }

  clear(): void {
    this.#attempt?.leg?.clear()
  }

  sendDigits(digits: string): void {
    this.#attempt?.leg?.sendDigits(digits)
  }

  transfer(to: string): void {
    this.#attempt?.leg?.transfer(to)
  }

  hangUp(): void {
    this.#hangsUp = true
    this.#waiting.abort()
    this.#attempt?.leg?.hangUp()
  }

  /** Ends a leg that no carrier has yet. */
  drop(): void {
    this.#waiting.abort()
    if (!this.#attempt) this.#end({ cause: 'dropped', connectedMs: 0, code: null, cost: null })
  }

  async #tryFrom(first: number): Promise<void> {
    const { candidates, limits, log, dial, clock } = this.#options
    for (let at = first; at < candidates.length && !this.#hangsUp && !this.#over; at++) {
      const candidate = candidates[at]
      if (!candidate) break
      const { carrier, health } = candidate
      if (!health.admit()) {
        this.#lastCode ??= 'circuit_open'
        const { failuresInRow, lastCode, openForMs } = health.figures()
        const why = { why: 'circuit_open', failuresInRow, lastCode, openForMs: Math.round(openForMs) }
        log.info({ callId: dial.callId, carrier: carrier.name, ...why }, 'carrier passed over')
        continue
      }
      const taken = await limits.take(carrier.name, this.#waiting.signal)
      if (typeof taken === 'string') {
        health.withdraw()
        this.#lastCode ??= taken
        log.info({ callId: dial.callId, carrier: carrier.name, why: taken }, 'carrier passed over')
        continue
      }
      if (this.#hangsUp || this.#over) {
        health.withdraw()
        taken()
        break
      }
      return this.#dial(candidate, taken, () => void this.#tryFrom(at + 1))
    }
    // Asynchronous, as the events of a carrier are.
    clock.after(0, () => {
      const cause = this.#hangsUp ? 'canceled' : 'failed'
      const code = this.#hangsUp ? null : this.#lastCode
      this.#end({ cause, connectedMs: 0, code, cost: null, ...(!this.#hangsUp && this.#lastFailure) })
    })
  }

  #dial(candidate: Candidate, release: Release, tryNext: () => void): void {
    const { dial, clock, log } = this.#options
    const state = {
      leg: null,
      placed: false,
      reached: false,
      answered: false,
      postDialMs: null,
      hungUp: false,
      told: false,
      over: false,
    }
    const cancelExpiry = clock.after(dial.answerTimeoutMs + dial.limitMs + PLACE_MARGIN_MS, release)
    const giveBack = () => {
      cancelExpiry()
      release()
    }
    const attempt: Attempt = { ...candidate, ...state, startedMs: clock.nowMs(), release: giveBack }
    this.#attempt = attempt
    try {
      attempt.leg = candidate.carrier.dial(dial, clock, (event) => this.#take(attempt, event, tryNext))
    } catch (error) {
      log.error({ err: error, carrier: candidate.carrier.name }, 'dialing failed')
      const end: LegEnd = { cause: 'failed', connectedMs: 0, code: null, cost: null }
      clock.after(0, () => this.#take(attempt, { type: 'ended', ...end }, tryNext))
    }
  }

  #take(attempt: Attempt, event: LegEvent, tryNext: () => void): void {
    if (attempt.over || attempt !== this.#attempt) return
    const { clock, idOf, onEvent } = this.#options
    switch (event.type) {
      case 'placed':
        attempt.placed = true
        return onEvent({ ...event, carrierCallId: idOf(attempt.carrier, event.carrierCallId) })
      case 'hung_up':
        attempt.release()
        if (attempt.reached || this.#hangsUp) return this.#tellHungUp(attempt)
        attempt.hungUp = true
        // Without a cause it is not known that nobody rang.
        clock.after(CAUSE_WAIT_MS, () => {
          if (!attempt.over && attempt === this.#attempt) this.#tellHungUp(attempt)
        })
        return
      case 'ended':
        return this.#settle(attempt, event, tryNext)
      case 'ringing':
        attempt.postDialMs = clock.nowMs() - attempt.startedMs
        break
      case 'answered':
        attempt.answered = true
        break
      case 'media':
      case 'frame':
      case 'digit':
      case 'mark':
      case 'machine':
      case 'transfer_failed':
    }
    attempt.reached = true
    onEvent(event)
  }

  #tellHungUp(attempt: Attempt): void {
    if (attempt.told) return
    attempt.told = true
    this.#options.onEvent({ type: 'hung_up' })
  }

  #settle(attempt: Attempt, told: Extract<LegEvent, { type: 'ended' }>, tryNext: () => void): void {
    const { dial, log, onEvent } = this.#options
    const event = { ...told, carrier: attempt.carrier.name }
    attempt.over = true
    attempt.release()
    const isFault = isCarriersFault(attempt, event)
    this.#note(attempt, isFault, event)
    if (isFault && !this.#hangsUp && !attempt.told) {
      log.warn(
        { callId: dial.callId, carrier: attempt.carrier.name, code: event.code },
        'carrier failed to place a call',
      )
      this.#lastCode = event.code
      this.#lastFailure = { carrier: event.carrier, ...(event.refusal && { refusal: event.refusal }) }
      this.#attempt = null
      return tryNext()
    }
    if (attempt.hungUp) this.#tellHungUp(attempt)
    this.#over = true
    onEvent(event)
  }

  #note({ health, startedMs, placed, reached, answered, postDialMs }: Attempt, isFault: boolean, end: LegEnd): void {
    const tookMs = this.#options.clock.nowMs() - startedMs
    const isLate = this.#hangsUp && !placed && !reached && tookMs >= PLACED_LATE_MS
    const isLost = end.code === LOST_CODE
    if (isFault || isLate || isLost) health.note({ result: 'failed', postDialMs, answered, code: end.code })
    else if (!reached && (end.cause === 'canceled' || end.cause === 'dropped')) health.withdraw()
    else health.note({ result: 'reached', postDialMs, answered })
  }

  #end(end: LegEnd): void {
    if (this.#over) return
    this.#over = true
    const { onEvent } = this.#options
    onEvent({ type: 'hung_up' })
    onEvent({ type: 'ended', ...end })
  }
}

/**
 * SIP answers about the callee, and none about the carrier (RFC 3261, 21.4 and 21.6). Carriers tell them as busy, no
 * answer or not in service; one that does not is not retried all the same.
 */
const ABOUT_CALLEE = /^(?:404|410|480|48[4-7]|6\d\d)$/

/** Whether the carrier could not place the call, so that another one may. */
function isCarriersFault({ reached }: Pick<Attempt, 'reached'>, { cause, code }: LegEnd): boolean {
  return cause === 'failed' && !reached && code !== LOST_CODE && !(code !== null && ABOUT_CALLEE.test(code))
}
