import type { FarParty } from '../../network/leg.ts'
import { Amd, type AmdRequest } from './amd.ts'
import { Timers } from '../clock.ts'
import { Refusal } from '../rest/errors.ts'
import { newSid, placesOf, rfc2822 } from '../formats.ts'
import { Bridge } from './bridge.ts'
import type { AnsweredBy, Pickup } from '../parties.ts'
import { type Host, Program, type Source, type Step } from './program.ts'
import type { StreamCounts } from '../media/stream.ts'
import { TwimlFault, type Verb } from './twiml.ts'
import type { Hook } from '../webhooks.ts'
import type { World } from '../world.ts'

export const API_VERSION = '2010-04-01'

export type CallStatus =
  | 'queued'
  | 'ringing'
  | 'in-progress'
  | 'completed'
  | 'busy'
  | 'no-answer'
  | 'failed'
  | 'canceled'
export type CallEvent = 'initiated' | 'ringing' | 'answered' | 'completed'

/** What a call was ordered with. */
export interface CallOrder {
  readonly to: string
  readonly from: string
  readonly source: Source | null
  readonly timeoutMs: number
  readonly limitMs: number
  readonly sendDigits: string
  readonly statusCallback: { readonly hook: Hook; readonly events: readonly string[] } | null
  readonly amd: AmdRequest | null
  readonly parent: string | null
  /** As they came, for tests. */
  readonly parameters: URLSearchParams
}

/** A call of the far end as a test sees it. */
export interface FarCall {
  readonly sid: string
  readonly to: string
  readonly from: string
  readonly parameters: URLSearchParams
  readonly status: CallStatus
  readonly sipCode: number | null
  readonly answeredBy: AnsweredBy | null
  /** Each media stream of the call, oldest first. */
  readonly streams: readonly StreamCounts[]
  /** Who answered. */
  readonly party: FarParty | null
  /** The callee presses keys. */
  press(digits: string): void
  /** The callee hangs up, or declines. */
  hangUp(): void
  /** Answers a phone that rings without an answer of its own. */
  answer(party: FarParty): void
}

/** One call: rings, runs its TwiML while it lasts, and ends once. */
export class LiveCall implements FarCall, Host {
  readonly sid = newSid('CA')
  readonly order: CallOrder
  readonly createdAt = new Date()
  readonly children: LiveCall[] = []
  startedAt: Date | null = null
  endedAt: Date | null = null
  updatedAt = this.createdAt
  status: CallStatus = 'queued'
  sipCode: number | null = null
  answeredBy: AnsweredBy | null = null
  party: FarParty | null = null
  price: number | null = null
  /** Resolves with the end. */
  readonly over: Promise<void>
  readonly #world: World
  readonly #timers: Timers
  readonly #abort = new AbortController()
  readonly #program: Program
  readonly #makeChild: (order: CallOrder) => LiveCall
  #resolveOver: () => void = () => undefined
  #amd: Amd | null = null
  #answeredMs: number | null = null
  #connectedMs = 0
  #sequence = 0
  #callbacks: Promise<void> = Promise.resolve()
  #pressed = ''
  #leaveBeat: () => void = () => undefined
  #bridge: Bridge | null = null
  /** Runs with the answer, for a parent that waits. */
  onAnswered: () => void = () => undefined

  constructor(world: World, order: CallOrder, makeChild: (order: CallOrder) => LiveCall) {
    this.#world = world
    this.order = order
    this.#makeChild = makeChild
    this.#timers = new Timers(world.clock)
    this.#program = new Program(world, this)
    this.over = new Promise((resolve) => (this.#resolveOver = resolve))
    this.#timers.after(0, () => this.#initiate())
  }

  get to(): string {
    return this.order.to
  }

  get from(): string {
    return this.order.from
  }

  get parameters(): URLSearchParams {
    return this.order.parameters
  }

  get streams(): readonly StreamCounts[] {
    return this.#program.streams
  }

  get isOver(): boolean {
    return this.endedAt !== null
  }

  get wasAnswered(): boolean {
    return this.#answeredMs !== null
  }

  /** Whole seconds since the answer, begun ones counted; 0 without one. */
  get durationSeconds(): number {
    const connectedMs =
      this.#answeredMs === null || this.isOver ? this.#connectedMs : this.#world.clock.nowMs() - this.#answeredMs
    return Math.ceil(connectedMs / 1000)
  }

  press(digits: string): void {
    this.#pressed += digits
  }

  hangUp(): void {
    if (this.isOver) return
    if (this.status === 'in-progress') this.end('completed', 200)
    else this.end('busy', 603)
  }

  answer(party: FarParty): void {
    if (this.status === 'ringing') this.#answer(party, 'human')
  }

  /** By the customer. */
  complete(): void {
    if (this.isOver) return
    if (this.status === 'in-progress') this.end('completed', 200)
    else this.end('canceled', 487)
  }

  /** By the customer: something else instead of what is being done. */
  redirect(source: Source): void {
    if (this.status === 'in-progress') this.#program.start(source)
  }

  /** Ends the call as `status`, with the SIP status that the network would have given. */
  end(status: CallStatus, sipCode: number): void {
    if (this.isOver) return
    this.endedAt = new Date()
    if (this.#answeredMs !== null) this.#connectedMs = this.#world.clock.nowMs() - this.#answeredMs
    this.#to(status)
    this.sipCode = sipCode
    this.#leaveBeat()
    this.#timers.clear()
    this.#abort.abort()
    this.#program.stop()
    this.#amd?.stop()
    this.#post('completed')
    if (this.#answeredMs !== null) this.#world.clock.after(this.#world.timing.priceMs, () => this.#setPrice())
    this.#resolveOver()
  }

  /** Ends it without a word: the far end closes. */
  discard(): void {
    this.#leaveBeat()
    this.#timers.clear()
    this.#abort.abort()
    this.#program.stop()
    this.#amd?.stop()
  }

  // --- Host

  form(more: Readonly<Record<string, string>>): URLSearchParams {
    const accountSid = this.#world.account.sid
    const direction = this.order.parent === null ? 'outbound-api' : 'outbound-dial'
    const form = new URLSearchParams({ CallSid: this.sid, AccountSid: accountSid, From: this.from, To: this.to })
    const numbers = { Caller: this.from, Called: this.to, ...placesOf(this.from, this.to) }
    for (const [name, value] of Object.entries(numbers)) form.set(name, value)
    form.set('CallStatus', this.status)
    form.set('ApiVersion', API_VERSION)
    form.set('Direction', direction)
    if (this.order.parent !== null) form.set('ParentCallSid', this.order.parent)
    if (this.answeredBy !== null) form.set('AnsweredBy', this.answeredBy)
    for (const [name, value] of Object.entries(more)) form.set(name, value)
    return form
  }

  async dial(
    verb: Extract<Verb, { type: 'dial' }>,
    use: (step: Step) => void,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, string>>> {
    const { to, timeoutMs, limitMs, statusCallback } = verb
    const from = this.#callerIdOf(verb)
    try {
      this.#world.account.mayCall(from, to)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.#world.warn(this.sid, error.code === 21215 ? 13227 : 13224, `Dial: ${error.message}`)
      return { DialCallStatus: 'failed', DialBridged: 'false' }
    }
    const child = this.#makeChild({
      to,
      from,
      source: null,
      timeoutMs,
      limitMs,
      sendDigits: '',
      statusCallback,
      amd: null,
      parent: this.sid,
      parameters: new URLSearchParams(),
    })
    this.children.push(child)
    const bridge = new Bridge(child)
    child.#bridge = bridge
    use(bridge)
    signal.addEventListener('abort', () => child.complete(), { once: true })
    await child.over
    const { status, durationSeconds } = child
    const isBridged = child.#answeredMs !== null
    const result = { DialCallSid: child.sid, DialCallStatus: status, DialBridged: String(isBridged) }
    return isBridged ? { ...result, DialCallDuration: String(durationSeconds) } : result
  }

  /** One of the account's numbers; without one, the call's own. */
  #callerIdOf({ callerId }: Extract<Verb, { type: 'dial' }>): string {
    if (callerId !== null && this.#world.account.sidOf(callerId) === null)
      throw new TwimlFault(13214, 'Dial: Invalid callerId value')
    return callerId ?? this.from
  }

  done(code: number | null): void {
    if (code === null) this.end('completed', 200)
    // Twilio says that an application error has occurred, and hangs up.
    else this.end(this.#answeredMs === null ? 'failed' : 'completed', 200)
  }

  // --- its life

  #to(status: CallStatus): void {
    this.status = status
    this.updatedAt = new Date()
  }

  #initiate(): void {
    this.startedAt = new Date()
    this.#post('initiated')
    this.#timers.after(this.#world.timing.setupMs, () => this.#setUp(this.#world.pickup(this.to)))
  }

  #setUp(pickup: Pickup): void {
    if (pickup.type === 'busy') return this.end('busy', 486)
    if (pickup.type === 'fails') return this.end(statusOf(pickup.sipCode), pickup.sipCode)
    this.#to('ringing')
    this.#post('ringing')
    this.#timers.after(this.order.timeoutMs, () => this.#giveUp(487))
    if (pickup.type === 'no_answer') {
      if (pickup.afterMs !== undefined) this.#timers.after(pickup.afterMs, () => this.#giveUp(480))
      return
    }
    const afterMs = pickup.afterMs ?? this.#world.timing.ringMs ?? 0
    this.#timers.after(afterMs, () => {
      const { signal } = this.#abort
      this.#answer(pickup.party({ clock: this.#world.clock, signal }), pickup.answeredBy ?? 'human')
    })
  }

  #giveUp(sipCode: number): void {
    if (this.status === 'ringing') this.end('no-answer', sipCode)
  }

  #answer(party: FarParty, verdict: AnsweredBy): void {
    if (this.status !== 'ringing') return
    this.#answeredMs = this.#world.clock.nowMs()
    this.party = party
    this.#to('in-progress')
    this.#post('answered')
    this.#timers.after(this.order.limitMs, () => this.end('completed', 200))
    this.#leaveBeat = this.#world.beat.join((beat) => this.#tick(party, beat))
    this.onAnswered()
    const { amd, source } = this.order
    const start = () => source && this.#program.start(source, this.#amdForm(), this.order.sendDigits)
    if (!amd) {
      start()
      return
    }
    this.#amd = new Amd(this.#world, amd, verdict, (answeredBy) => {
      this.answeredBy = answeredBy
      this.updatedAt = new Date()
      if (amd.hook === null) start()
      else void this.#world.webhooks.notify(amd.hook, this.form(this.#amdForm()), this.#fault('amd'))
    })
    if (amd.isAsync) start()
  }

  #amdForm(): Readonly<Record<string, string>> {
    const durationMs = this.#amd?.durationMs
    return durationMs === undefined || this.answeredBy === null
      ? {}
      : { MachineDetectionDuration: String(Math.round(durationMs)) }
  }

  #fault(point: 'status' | 'amd', event?: CallEvent) {
    return this.#world.faults.take(point, { to: this.to, ...(event && { event }) })
  }

  #tick(party: FarParty, beat: number): void {
    const nowMs = this.#world.clock.nowMs()
    const { audio, digit } = this.#bridge ? this.#bridge.toChild() : this.#program.next(nowMs)
    if (digit !== null) party.press(digit)
    const did = party.tick(nowMs, audio && { audio })
    const digits = did.digits + this.#pressed
    this.#pressed = ''
    this.#program.hear(did.frame?.audio ?? null, beat)
    this.#bridge?.fromChild(did.frame?.audio ?? null)
    for (const each of digits) this.#program.digit(each)
    if (did.beeped) this.#amd?.beeped()
    if (did.ends) this.end('completed', did.ends === 'remote' ? 200 : 503)
  }

  #setPrice(): void {
    const { minutePrice, account } = this.#world
    const minutes = Math.max(1, Math.ceil(this.durationSeconds / 60))
    this.price = minutes * minutePrice
    account.charge(this.price)
    this.updatedAt = new Date()
  }

  /** The callbacks of a call go in their order, unless a fault says otherwise. */
  #post(event: CallEvent): void {
    const SequenceNumber = String(this.#sequence++)
    const { statusCallback } = this.order
    if (!statusCallback?.events.includes(event)) return
    const form = this.form({
      CallStatus: event === 'initiated' ? 'initiated' : this.status,
      Timestamp: rfc2822(new Date()),
      CallbackSource: 'call-progress-events',
      SequenceNumber,
    })
    if (event === 'completed') {
      const seconds = this.durationSeconds
      form.set('CallDuration', String(seconds))
      // In started minutes.
      form.set('Duration', String(Math.ceil(seconds / 60)))
      form.set('SipResponseCode', String(this.sipCode))
    }
    const fault = this.#fault('status', event)
    const { webhooks } = this.#world
    this.#callbacks = this.#callbacks.then(() => webhooks.notify(statusCallback.hook, form, fault))
  }
}

/** RFC 3261, as Twilio's eight words put it. */
function statusOf(sipCode: number): CallStatus {
  if (sipCode === 486 || sipCode === 600) return 'busy'
  if (sipCode === 408 || sipCode === 480) return 'no-answer'
  return 'failed'
}
