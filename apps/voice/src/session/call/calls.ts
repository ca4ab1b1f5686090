import type { CallOrder, VerificationOrder } from '@parley/contract'
import type { SpanContext } from '@parley/traces'
import type { SessionAdapters } from './adapters.ts'
import { Announcement, type AnnouncementAdapters } from './announcement.ts'
import { CallSession } from './session.ts'

/** Ended calls to remember, so that a repeated order is not dialed twice. */
const REMEMBERED = 20_000

/** Calls given to the carrier, remembered across processes. */
export interface DialedCalls {
  /** Call before the carrier gets the order. */
  dials(callId: string): void
  /** Whether an earlier process dialed the call. */
  dialedBefore(callId: string): boolean
}

type Ordered = Pick<CallOrder, 'callId' | 'token'>
/** `trace`: the span of the order. */
type AdaptersFor = (order: Ordered, trace: SpanContext | undefined) => Adapters

export type Taken = 'taken' | 'known' | 'full' | 'draining'

type Session = CallSession | Announcement
type Adapters = SessionAdapters & AnnouncementAdapters

/** Live calls of this process, and the ids of ended ones. */
export class Calls {
  readonly #capacity: number
  readonly #adaptersFor: AdaptersFor
  readonly #live = new Map<string, Session>()
  readonly #ended = new Set<string>()
  readonly #unreported = new Set<Promise<void>>()
  readonly #dialed: DialedCalls
  #draining = false

  constructor(capacity: number, dialed: DialedCalls, adaptersFor: AdaptersFor) {
    this.#capacity = capacity
    this.#dialed = dialed
    this.#adaptersFor = adaptersFor
  }

  get count(): number {
    return this.#live.size
  }

  get status(): 'ok' | 'full' | 'draining' {
    if (this.#draining) return 'draining'
    return this.#live.size < this.#capacity ? 'ok' : 'full'
  }

  take(order: CallOrder, trace?: SpanContext): Taken {
    return this.#begin(order.callId, () => new CallSession(order, this.#adaptersFor(order, trace)))
  }

  /** A call that tells a code takes a place like any other. */
  announce(order: VerificationOrder, trace?: SpanContext): Taken {
    return this.#begin(order.callId, () => new Announcement(order, this.#adaptersFor(order, trace)))
  }

  #begin(callId: string, create: () => Session): Taken {
    // A call of an earlier process is not dialed again; standing() reports it as lost.
    if (this.#live.has(callId) || this.#ended.has(callId) || this.#dialed.dialedBefore(callId)) return 'known'
    if (this.status !== 'ok') return this.status
    this.#dialed.dials(callId)
    const session = create()
    this.#live.set(callId, session)
    void session.ended.then(() => this.#forget(callId))
    const reported = session.reported.finally(() => this.#unreported.delete(reported))
    this.#unreported.add(reported)
    return 'taken'
  }

  /** A call that can be steered and listened to. */
  live(callId: string): CallSession | undefined {
    const session = this.#live.get(callId)
    return session instanceof CallSession ? session : undefined
  }

  /** Resolves at the end of a live call; undefined: none is live. */
  ending(callId: string): Promise<unknown> | undefined {
    return this.#live.get(callId)?.ended
  }

  /** lost: an earlier process dialed it and is gone. never: not dialed, as far as is remembered. */
  standing(callId: string): 'live' | 'over' | 'lost' | 'never' {
    if (this.#live.has(callId)) return 'live'
    if (this.#ended.has(callId)) return 'over'
    return this.#dialed.dialedBefore(callId) ? 'lost' : 'never'
  }

  /** Refuses new orders; live calls go on. Resolves when all have ended and their facts are delivered. */
  async close(): Promise<void> {
    this.#draining = true
    await Promise.all(this.#unreported)
  }

  /** The same at once: ends live calls. */
  async drain(): Promise<void> {
    for (const session of this.#live.values()) session.stop('interrupted')
    await this.close()
  }

  #forget(callId: string): void {
    this.#live.delete(callId)
    this.#ended.add(callId)
    const [oldest] = this.#ended
    if (this.#ended.size > REMEMBERED && oldest !== undefined) this.#ended.delete(oldest)
  }
}
