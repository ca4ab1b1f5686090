import type { CallOrder } from '@parley/contract'
import { CallSession, type SessionParts } from './session.ts'

/** Ended calls are remembered, so that a repeated order is not dialed twice; so many of them. */
const REMEMBERED = 20_000

/** Which calls were given to the carrier, beyond the life of this process. */
export interface DialedCalls {
  /** Written down before the carrier has it. */
  dials(callId: string): void
  /** By an earlier process. */
  dialedBefore(callId: string): boolean
}

export type Taken = 'taken' | 'known' | 'full' | 'draining'

/** The calls of this process: live ones, and the numbers of those that were. */
export class Calls {
  readonly #capacity: number
  readonly #partsFor: (order: CallOrder) => SessionParts
  readonly #live = new Map<string, CallSession>()
  readonly #ended = new Set<string>()
  readonly #unreported = new Set<Promise<void>>()
  readonly #dialed: DialedCalls
  #draining = false

  constructor(capacity: number, dialed: DialedCalls, partsFor: (order: CallOrder) => SessionParts) {
    this.#capacity = capacity
    this.#dialed = dialed
    this.#partsFor = partsFor
  }

  get count(): number {
    return this.#live.size
  }

  get status(): 'ok' | 'full' | 'draining' {
    if (this.#draining) return 'draining'
    return this.#live.size < this.#capacity ? 'ok' : 'full'
  }

  take(order: CallOrder): Taken {
    const { callId } = order
    // One of an earlier process is not dialed again: the api is told that it was lost when it asks.
    if (this.#live.has(callId) || this.#ended.has(callId) || this.#dialed.dialedBefore(callId)) return 'known'
    if (this.status !== 'ok') return this.status
    this.#dialed.dials(callId)
    const session = new CallSession(order, this.#partsFor(order))
    this.#live.set(callId, session)
    void session.ended.then(() => this.#forget(callId))
    const reported = session.reported.finally(() => this.#unreported.delete(reported))
    this.#unreported.add(reported)
    return 'taken'
  }

  live(callId: string): CallSession | undefined {
    return this.#live.get(callId)
  }

  /**
   * lost: an earlier process dialed it, and nobody has it any more. never: nobody was dialed for it, as far as is
   * remembered.
   */
  standing(callId: string): 'live' | 'over' | 'lost' | 'never' {
    if (this.#live.has(callId)) return 'live'
    if (this.#ended.has(callId)) return 'over'
    return this.#dialed.dialedBefore(callId) ? 'lost' : 'never'
  }

  /** Takes nothing more, ends what is live and waits until the facts are delivered. */
  async drain(): Promise<void> {
    this.#draining = true
    for (const session of this.#live.values()) session.stop('interrupted')
    await Promise.all(this.#unreported)
  }

  #forget(callId: string): void {
    this.#live.delete(callId)
    this.#ended.add(callId)
    const [oldest] = this.#ended
    if (this.#ended.size > REMEMBERED && oldest !== undefined) this.#ended.delete(oldest)
  }
}
