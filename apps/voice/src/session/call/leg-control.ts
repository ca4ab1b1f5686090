import type { CallOrder } from '@parley/contract'
import type { Logger } from 'pino'
import {
  areDigits,
  type Carrier,
  type CarrierStanding,
  type Clock,
  type DialOptions,
  type Frame,
  FRAME_MS,
  isPhoneNumber,
  type Leg,
  type LegEnd,
  type LegEvent,
} from '@parley/voice-ports'
import * as limits from '../limits.ts'

/** What the session hears of the leg while it is connected. */
export type LiveLegEvent = Exclude<LegEvent, { type: 'frame' | 'hung_up' | 'ended' | 'transfer_failed' }>

/** An object and not a callback: 50 frames a second of each call are passed on with less memory to reach. */
export interface FrameSink {
  /** A frame that came after the answer; throws nothing. */
  push(frame: Frame, mediaMs: number): void
}

export interface LegControlOptions {
  readonly carrier: Carrier
  readonly clock: Clock
  readonly log: Logger
  readonly dial: DialOptions
  readonly onEvent: (event: LiveLegEvent) => void
  readonly frames?: FrameSink
  /** The connection is over; how long it was may not be known yet. */
  readonly onHungUp: () => void
  /** Once and last. connectedMs is the carrier's count, or the time in which sound came where it cannot be asked. */
  readonly onEnded: (end: LegEnd) => void
}

export function dialOptions(
  { callId, callee, from, userId, answerTimeoutSeconds, limitSeconds }: CallOrder,
  language: string,
  webhookBase: string | null,
): DialOptions {
  return {
    callId,
    to: callee,
    from: from ?? null,
    userId,
    language,
    answerTimeoutMs: answerTimeoutSeconds * 1000,
    limitMs: limitSeconds * 1000,
    detectMachine: true,
    webhookBase,
  }
}

/**
 * One leg until it is certain that it is over, and how long it was: a hang-up that the carrier does not confirm is tried
 * again and then asked about, and so is a duration that does not come.
 */
export class LegControl {
  readonly leg: Leg
  readonly #options: LegControlOptions
  readonly #frames: FrameSink | null
  readonly #wake = new Set<() => void>()
  /** A carrier may remember a leg for long after its end: it does not keep the call with it. */
  readonly #unlink: () => void
  #carrierCallId: string | null = null
  #answered = false
  #hangsUp = false
  #hungUp = false
  #asking = false
  #over = false
  #soundSinceMs: number | null = null
  #soundUntilMs = 0

  constructor(options: LegControlOptions) {
    this.#options = options
    this.#frames = options.frames ?? null
    const { carrier, dial, clock } = options
    const { listener, unlink } = LegControl.#linked(this)
    this.leg = carrier.dial(dial, clock, listener)
    this.#unlink = unlink
  }

  /** Apart from the constructor, whose closures would keep each other's variables. */
  static #linked(control: LegControl): { readonly listener: (event: LegEvent) => void; readonly unlink: () => void } {
    let linked: LegControl | null = control
    return { listener: (event) => void (linked && linked.#take(event)), unlink: () => void (linked = null) }
  }

  /** Keys that the callee's side hears; false where they cannot be sent. */
  press(digits: string): boolean {
    const { carrier, log } = this.#options
    const why = !this.leg.capabilities.digits ? 'the carrier sends none' : areDigits(digits) ? null : 'not digits'
    if (why === null) this.leg.sendDigits(digits)
    else log.warn({ why, carrier: carrier.name }, 'digits not sent')
    return why === null
  }

  /** Puts the callee through to an E.164 number; false where it cannot be tried. */
  transfer(to: string): boolean {
    const { carrier, log } = this.#options
    const why = !this.leg.capabilities.transfer ? 'the carrier cannot' : isPhoneNumber(to) ? null : 'not a phone number'
    if (why === null) this.leg.transfer(to)
    else log.warn({ why, carrier: carrier.name }, 'not transferred')
    return why === null
  }

  hangUp(): void {
    if (this.#hangsUp || this.#over) return
    this.#hangsUp = true
    void this.#hangUpUntilSure()
  }

  #take(event: LegEvent): void {
    if (this.#over) return
    switch (event.type) {
      case 'frame':
        return this.#takeFrame(event.frame, event.mediaMs)
      case 'hung_up':
        return this.#disconnect()
      case 'ended':
        return this.#settle(event)
      case 'transfer_failed':
        return this.#options.log.warn({ why: event.message }, 'transfer failed')
      case 'placed':
        this.#carrierCallId = event.carrierCallId
        break
      case 'answered':
        this.#answered = true
        break
      case 'ringing':
      case 'media':
      case 'digit':
      case 'mark':
      case 'machine':
    }
    if (!this.#hungUp) this.#options.onEvent(event)
  }

  #takeFrame(frame: Frame, mediaMs: number): void {
    this.#soundUntilMs = Math.max(this.#soundUntilMs, mediaMs + FRAME_MS)
    if (!this.#answered) return
    this.#soundSinceMs ??= mediaMs
    if (!this.#hungUp) this.#frames?.push(frame, mediaMs)
  }

  #disconnect(): void {
    if (this.#hungUp) return
    this.#hungUp = true
    this.#wakeAll()
    this.#options.onHungUp()
    void this.#awaitDuration()
  }

  async #awaitDuration(): Promise<void> {
    await this.#pause(limits.ENDED_WAIT_MS)
    await this.#ask()
  }

  async #hangUpUntilSure(): Promise<void> {
    const { carrier, log } = this.#options
    for (let attempt = 1; attempt <= limits.HANG_UP_TRIES && !this.#isDone; attempt++) {
      if (attempt > 1) log.warn({ attempt, carrier: carrier.name }, 'hang-up not confirmed')
      try {
        if (attempt <= limits.HANG_UP_TRIES_BY_LEG) this.leg.hangUp()
        else await this.#hangUpById()
      } catch (error) {
        log.error({ attempt, err: error }, 'hang-up failed')
      }
      await this.#pause(limits.HANG_UP_CONFIRM_MS)
    }
    if (!this.#isDone) await this.#ask()
  }

  get #isDone(): boolean {
    return this.#hungUp || this.#over
  }

  /** Asks the carrier until it says that the call is over; after the budget the call ends here alone. */
  async #ask(): Promise<void> {
    if (this.#asking || this.#over) return
    this.#asking = true
    const { clock, log } = this.#options
    const giveUpMs = clock.nowMs() + limits.ASK_BUDGET_MS * clock.speed
    for (let waitMs = limits.ASK_AGAIN_MS; !this.#over; waitMs = Math.min(2 * waitMs, limits.ASK_AGAIN_MAX_MS)) {
      const standing = await this.#standing()
      if (this.#over) return
      if (standing?.state === 'ended') return this.#settle(standing)
      if (standing === null || clock.nowMs() + waitMs * clock.speed > giveUpMs) break
      if (standing.state === 'live')
        await this.#hangUpById().catch((error: unknown) => log.error({ err: error }, 'hang-up failed'))
      await this.#pause(waitMs * clock.speed)
    }
    if (this.#over) return
    const connectedMs = this.#soundSinceMs === null ? 0 : this.#soundUntilMs - this.#soundSinceMs
    const { callId } = this.#options.dial
    log.error(
      { callId, carrierCallId: this.#carrierCallId, connectedMs },
      'end not confirmed: ended by the sound heard',
    )
    const cause = this.#hangsUp ? (this.#answered ? 'local' : 'canceled') : 'dropped'
    this.#settle({ cause, connectedMs, code: null, cost: null })
  }

  /** 'unknown': the carrier could not be asked this time. */
  async #standing(): Promise<CarrierStanding | null | { readonly state: 'unknown' }> {
    const { carrier, log } = this.#options
    const id = this.#carrierCallId
    if (id === null) return null
    try {
      return await this.#bounded((signal) => carrier.ask(id, signal))
    } catch (error) {
      log.warn({ err: error }, 'carrier not asked')
      return { state: 'unknown' }
    }
  }

  async #hangUpById(): Promise<void> {
    const id = this.#carrierCallId
    if (id === null) return this.leg.hangUp()
    await this.#bounded((signal) => this.#options.carrier.hangUp(id, signal))
  }

  /** A carrier that does not heed its signal must not hold the call open. */
  async #bounded<T>(request: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { clock } = this.#options
    const abort = new AbortController()
    const late = Promise.withResolvers<never>()
    const cancel = clock.after(limits.CARRIER_REQUEST_MS * clock.speed, () => {
      abort.abort()
      late.reject(new Error('The carrier did not answer in time.'))
    })
    try {
      return await Promise.race([request(abort.signal), late.promise])
    } finally {
      cancel()
    }
  }

  #settle({ cause, connectedMs, code, cost, costFollows, refusal, carrier }: LegEnd): void {
    if (this.#over) return
    this.#over = true
    this.#hungUp = true
    this.#unlink()
    this.#wakeAll()
    this.#options.log.debug({ cause, code }, 'leg ended')
    this.#options.onEnded({
      cause,
      connectedMs,
      code,
      cost,
      costFollows: costFollows ?? false,
      carrier: carrier ?? this.#carrierName,
      ...(refusal && { refusal }),
    })
  }

  /** Of several carriers only the id of the call tells which one it was. */
  get #carrierName(): string {
    const { name } = this.#options.carrier
    return name.includes(',') ? (/^[a-z]+(?=:)/.exec(this.#carrierCallId ?? '')?.[0] ?? name) : name
  }

  /** Ends early once the connection or the leg is over. */
  #pause(waitMs: number): Promise<void> {
    if (this.#over) return Promise.resolve()
    return new Promise((resolve) => {
      const wake = () => {
        cancel()
        this.#wake.delete(wake)
        resolve()
      }
      const cancel = this.#options.clock.after(waitMs, wake)
      this.#wake.add(wake)
    })
  }

  #wakeAll(): void {
    for (const wake of this.#wake) wake()
  }
}
