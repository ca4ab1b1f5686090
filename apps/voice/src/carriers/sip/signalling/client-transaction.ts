import type { Buffer } from 'node:buffer'
import type { Clock } from '@parley/voice-ports'
import { type Facts, Headers, serialise, type SipRequest, type SipResponse } from './message.ts'
import { GIVE_UP_MS, isReliable, type SendFailure, T1_MS, T2_MS, T4_MS, type Target, type Wire } from './wire.ts'

export interface ClientHandlers {
  /** Provisional responses, then one final; with INVITE every 2xx, also again (RFC 6026). */
  readonly onResponse: (response: SipResponse, facts: Facts) => void
  /** No final response: nobody answered in time, or the request could not be sent. */
  readonly onFailed: (failure: RequestFailure) => void
}

export interface RequestFailure {
  readonly kind: 'timeout' | SendFailure['kind']
  readonly message: string
}

type State = 'trying' | 'proceeding' | 'accepted' | 'completed' | 'over'

export interface ClientOptions {
  readonly clock: Clock
  readonly wire: Wire
  readonly request: SipRequest
  readonly target: Target
  readonly handlers: ClientHandlers
  readonly onOver: () => void
}

/** RFC 3261 section 17.1, with the accepted state of RFC 6026. */
export class ClientTransaction {
  readonly request: SipRequest
  readonly target: Target
  readonly #options: ClientOptions
  readonly #bytes: Buffer
  readonly #timers = new Set<() => void>()
  #cancelRetransmission: (() => void) | null = null
  #state: State = 'trying'
  #ack: Buffer | null = null

  constructor(options: ClientOptions) {
    this.#options = options
    this.request = options.request
    this.target = options.target
    this.#bytes = serialise(options.request)
  }

  /** Whether its final response is still to come. */
  get isPending(): boolean {
    return this.#state === 'trying' || this.#state === 'proceeding'
  }

  get isInvite(): boolean {
    return this.request.method === 'INVITE'
  }

  start(): void {
    this.#send(this.#bytes)
    // Timers B and F.
    this.#after(GIVE_UP_MS, () => {
      if (this.#state === 'trying' || !this.isInvite)
        this.#fail({ kind: 'timeout', message: 'No answer came within 32 s.' })
    })
    // Timers A and E.
    if (!isReliable(this.target)) this.#retransmitAfter(T1_MS)
  }

  take(response: SipResponse, facts: Facts): void {
    const { onResponse } = this.#options.handlers
    if (this.#state === 'over') return
    const provisional = response.status < 200
    if (this.#state === 'completed') {
      // The final response again: our ACK was lost.
      if (!provisional && this.#ack) this.#send(this.#ack)
      return
    }
    if (this.#state === 'accepted') {
      if (response.status >= 200 && response.status < 300) onResponse(response, facts)
      return
    }
    if (provisional) {
      this.#state = 'proceeding'
      if (this.isInvite) this.#stopRetransmission()
      return onResponse(response, facts)
    }
    this.#clearTimers()
    if (!this.isInvite) this.#complete(isReliable(this.target) ? 0 : T4_MS)
    else if (response.status < 300) {
      this.#state = 'accepted'
      this.#after(GIVE_UP_MS, () => this.#finish())
    } else {
      this.#ack = serialise(ackOf(this.request, response))
      this.#send(this.#ack)
      // Timer D.
      this.#complete(isReliable(this.target) ? 0 : GIVE_UP_MS)
    }
    onResponse(response, facts)
  }

  /** Without a word to the handlers. */
  abandon(): void {
    this.#finish()
  }

  #complete(lingerMs: number): void {
    if (this.#isOver) return
    this.#state = 'completed'
    if (lingerMs === 0) this.#finish()
    else this.#after(lingerMs, () => this.#finish())
  }

  get #isOver(): boolean {
    return this.#state === 'over'
  }

  #retransmitAfter(delayMs: number): void {
    this.#cancelRetransmission = this.#after(delayMs, () => {
      this.#send(this.#bytes)
      if (this.#isOver) return
      // INVITE doubles without bound until timer B; others stay at T2, as they do once a provisional came.
      const nextMs = this.isInvite ? 2 * delayMs : this.#state === 'proceeding' ? T2_MS : Math.min(2 * delayMs, T2_MS)
      this.#retransmitAfter(nextMs)
    })
  }

  #stopRetransmission(): void {
    this.#cancelRetransmission?.()
    this.#cancelRetransmission = null
  }

  #send(bytes: Buffer): void {
    this.#options.wire.send(bytes, this.target, (failure) => {
      if (this.#state === 'trying' || this.#state === 'proceeding') this.#fail(failure)
    })
  }

  #fail(failure: RequestFailure): void {
    if (this.#state === 'over') return
    this.#finish()
    this.#options.handlers.onFailed(failure)
  }

  #finish(): void {
    if (this.#state === 'over') return
    this.#state = 'over'
    this.#clearTimers()
    this.#options.onOver()
  }

  #after(delayMs: number, task: () => void): () => void {
    const cancel = this.#options.clock.after(delayMs, () => {
      this.#timers.delete(cancel)
      task()
    })
    this.#timers.add(cancel)
    return () => {
      this.#timers.delete(cancel)
      cancel()
    }
  }

  #clearTimers(): void {
    this.#cancelRetransmission = null
    for (const cancel of this.#timers) cancel()
    this.#timers.clear()
  }
}

/** The ACK of a failure response, which belongs to the transaction (RFC 3261 section 17.1.1.3). */
function ackOf(invite: SipRequest, response: SipResponse): SipRequest {
  const headers = new Headers()
    .add('via', invite.headers.get('via') ?? '')
    .add('max-forwards', '70')
    .add('from', invite.headers.get('from') ?? '')
    .add('to', response.headers.get('to') ?? '')
    .add('call-id', invite.headers.get('call-id') ?? '')
    .add('cseq', (invite.headers.get('cseq') ?? '').replace('INVITE', 'ACK'))
  for (const route of invite.headers.all('route')) headers.add('route', route)
  return { type: 'request', method: 'ACK', uri: invite.uri, headers, body: '' }
}

/** Withdraws an INVITE that has been answered provisionally (RFC 3261 section 9.1): same branch, same CSeq number. */
export function cancelOf(invite: SipRequest): SipRequest {
  const headers = new Headers().add('via', invite.headers.get('via') ?? '').add('max-forwards', '70')
  for (const name of ['from', 'to', 'call-id'] as const) headers.add(name, invite.headers.get(name) ?? '')
  headers.add('cseq', (invite.headers.get('cseq') ?? '').replace('INVITE', 'CANCEL'))
  for (const route of invite.headers.all('route')) headers.add('route', route)
  return { type: 'request', method: 'CANCEL', uri: invite.uri, headers, body: '' }
}
