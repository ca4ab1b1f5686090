import type { Buffer } from 'node:buffer'
import type { Clock } from '@parley/voice-ports'
import { type Facts, Headers, serialise, type SipRequest, type SipResponse } from './message.ts'
import { GIVE_UP_MS, isReliable, T1_MS, T2_MS, T4_MS, type Target, type Wire } from './wire.ts'

type State = 'proceeding' | 'accepted' | 'completed' | 'confirmed' | 'over'

export interface ServerOptions {
  readonly clock: Clock
  readonly wire: Wire
  readonly request: SipRequest
  readonly facts: Facts
  readonly source: Target
  readonly onOver: () => void
}

/** What goes into an answer beside what every answer has. */
export interface Answer {
  readonly status: number
  readonly reason: string
  /** Ours in a dialog; without one a random tag is made for answers above 100. */
  readonly toTag?: string
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body?: string
  /** With 2xx to INVITE: its ACK, or null where none came in time. */
  readonly onAck?: (ack: SipRequest | null) => void
}

/** RFC 3261 section 17.2, with the accepted state of RFC 6026; 2xx to INVITE are repeated here until their ACK. */
export class ServerTransaction {
  readonly request: SipRequest
  readonly facts: Facts
  readonly source: Target
  readonly #options: ServerOptions
  readonly #replyTo: Target
  readonly #timers = new Set<() => void>()
  #state: State = 'proceeding'
  #last: Buffer | null = null
  #onAck: ((ack: SipRequest | null) => void) | null = null

  constructor(options: ServerOptions) {
    this.#options = options
    this.request = options.request
    this.facts = options.facts
    this.source = options.source
    const { via } = options.facts
    // RFC 3581 section 4: with rport to where it came from; without, to the port that Via names.
    const port = !via || via.params.has('rport') ? options.source.port : (via.port ?? 5060)
    this.#replyTo = isReliable(options.source) ? options.source : { ...options.source, port }
    // A request that nobody answers must not stay for ever.
    this.#after(4 * GIVE_UP_MS, () => {
      if (this.#state === 'proceeding') this.#finish()
    })
  }

  get isInvite(): boolean {
    return this.request.method === 'INVITE'
  }

  get isAnswered(): boolean {
    return this.#state !== 'proceeding'
  }

  respond(answer: Answer, tag: string): void {
    if (this.#state !== 'proceeding') return
    const response = responseTo(this.request, this.source, answer, tag)
    this.#last = serialise(response)
    this.#sendLast()
    if (answer.status < 200) return
    if (!this.isInvite) {
      // Timer J.
      this.#state = 'completed'
      return this.#finishAfter(isReliable(this.source) ? 0 : GIVE_UP_MS)
    }
    this.#state = answer.status < 300 ? 'accepted' : 'completed'
    this.#onAck = answer.onAck ?? null
    // Timer G; a 2xx goes end to end, so that it is repeated over TCP too (RFC 3261 section 13.3.1.4).
    if (this.#state === 'accepted' || !isReliable(this.source)) this.#repeatAfter(T1_MS)
    // Timers H and L.
    this.#after(GIVE_UP_MS, () => {
      const onAck = this.#onAck
      this.#onAck = null
      this.#finish()
      onAck?.(null)
    })
  }

  /** The same request again. */
  retransmitted(): void {
    if (this.#last && this.#state !== 'confirmed') this.#sendLast()
  }

  /** An ACK of a failure response by its branch, or of a 2xx by its dialog. */
  acknowledged(ack: SipRequest): void {
    if (this.#state !== 'completed' && this.#state !== 'accepted') return
    this.#clearTimers()
    const onAck = this.#onAck
    this.#onAck = null
    // Timer I takes late retransmissions in.
    this.#state = 'confirmed'
    this.#finishAfter(isReliable(this.source) ? 0 : T4_MS)
    onAck?.(ack)
  }

  get awaitsAck(): boolean {
    return this.#state === 'accepted'
  }

  abandon(): void {
    this.#onAck = null
    this.#finish()
  }

  #repeatAfter(delayMs: number): void {
    this.#after(delayMs, () => {
      if (this.#state !== 'completed' && this.#state !== 'accepted') return
      this.#sendLast()
      this.#repeatAfter(Math.min(2 * delayMs, T2_MS))
    })
  }

  #sendLast(): void {
    if (this.#last) this.#options.wire.send(this.#last, this.#replyTo, () => undefined)
  }

  #finishAfter(lingerMs: number): void {
    if (lingerMs === 0) this.#finish()
    else this.#after(lingerMs, () => this.#finish())
  }

  #finish(): void {
    if (this.#state === 'over') return
    this.#state = 'over'
    this.#clearTimers()
    this.#options.onOver()
  }

  #after(delayMs: number, task: () => void): void {
    const cancel = this.#options.clock.after(delayMs, () => {
      this.#timers.delete(cancel)
      task()
    })
    this.#timers.add(cancel)
  }

  #clearTimers(): void {
    for (const cancel of this.#timers) cancel()
    this.#timers.clear()
  }
}

function responseTo(request: SipRequest, source: Target, answer: Answer, tag: string): SipResponse {
  const headers = new Headers()
  for (const [at, via] of request.headers.values('via').entries())
    headers.add('via', at === 0 ? `${withoutRport(via)};received=${source.address};rport=${source.port}` : via)
  for (const route of request.headers.all('record-route')) headers.add('record-route', route)
  headers.add('from', request.headers.get('from') ?? '')
  const to = request.headers.get('to') ?? ''
  const tagged = /;\s*tag=/i.test(to) || answer.status === 100
  headers.add('to', tagged ? to : `${to};tag=${answer.toTag ?? tag}`)
  headers.add('call-id', request.headers.get('call-id') ?? '').add('cseq', request.headers.get('cseq') ?? '')
  for (const [name, value] of answer.headers ?? []) headers.add(name, value)
  return { type: 'response', status: answer.status, reason: answer.reason, headers, body: answer.body ?? '' }
}

const withoutRport = (via: string): string => via.replaceAll(/;\s*(?:rport|received)(?:=[^;]*)?(?=;|$)/gi, '')
