import type { CallOrder } from '@parley/contract'
import { CallSession, type SessionParts } from './session.ts'

/** Ended calls are remembered, so that a repeated order is not dialed twice; so many of them. */
const REMEMBERED = 20_000

export type Taken = 'taken' | 'known' | 'full' | 'draining'

/** The calls of this process: live ones, and the numbers of those that were. */
export class Calls {
  readonly #capacity: number
  readonly #partsFor: (order: CallOrder) => SessionParts
  readonly #live = new Map<string, CallSession>()
  readonly #ended = new Set<string>()
  readonly #unreported = new Set<Promise<void>>()
  #draining = false

  constructor(capacity: number, partsFor: (order: CallOrder) => SessionParts) {
    this.#capacity = capacity
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
    if (this.#live.has(order.callId) || this.#ended.has(order.callId)) return 'known'
    if (this.status !== 'ok') return this.status
    const session = new CallSession(order, this.#partsFor(order))
    this.#live.set(order.callId, session)
    void session.ended.then(() => this.#forget(order.callId))
    const reported = session.reported.finally(() => this.#unreported.delete(reported))
    this.#unreported.add(reported)
    return 'taken'
  }

  live(callId: string): CallSession | undefined {
    return this.#live.get(callId)
  }

  /** Whether it was ever here, as far as is remembered. */
  knows(callId: string): boolean {
    return this.#live.has(callId) || this.#ended.has(callId)
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
