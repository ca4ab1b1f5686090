import type { LegEnd } from '@parley/voice-ports'
import type { TwilioLeg } from './leg.ts'

/** Ended legs whose late callbacks are still taken, and ended calls whose cause is remembered. */
const OVER_MAX = 500
const REMEMBERED_MAX = 5000

/** Which leg has which call. Bounded: what is over makes room for what comes. */
export class Book {
  readonly #byToken = new Map<string, { readonly leg: TwilioLeg; readonly cancelExpiry: () => void }>()
  readonly #bySid = new Map<string, TwilioLeg>()
  readonly #over = new Map<string, TwilioLeg>()
  readonly #ends = new Map<string, LegEnd>()
  readonly #hungUp = new Map<string, true>()

  opened(token: string, leg: TwilioLeg, cancelExpiry: () => void): void {
    this.#byToken.set(token, { leg, cancelExpiry })
  }

  placed(sid: string, leg: TwilioLeg): void {
    this.#bySid.set(sid, leg)
  }

  ended(token: string, sid: string | null, end: LegEnd): void {
    if (sid !== null) keep(this.#ends, sid, end, REMEMBERED_MAX)
    this.forgotten(token)
  }

  /** Its late callbacks are still taken. */
  forgotten(token: string): void {
    const opened = this.#byToken.get(token)
    if (!opened) return
    const { leg, cancelExpiry } = opened
    cancelExpiry()
    leg.forget()
    this.#byToken.delete(token)
    if (leg.sid !== null) this.#bySid.delete(leg.sid)
    keep(this.#over, token, leg, OVER_MAX)
  }

  legOf(token: string): TwilioLeg | undefined {
    return this.#byToken.get(token)?.leg ?? this.#over.get(token)
  }

  liveLeg(sid: string): TwilioLeg | undefined {
    return this.#bySid.get(sid)
  }

  live(): TwilioLeg[] {
    return [...this.#byToken.values()].map(({ leg }) => leg)
  }

  /** A call of a leg of this process, live or over. */
  knows(sid: string): boolean {
    return this.#bySid.has(sid) || this.#ends.has(sid)
  }

  endOf(sid: string): LegEnd | undefined {
    return this.#ends.get(sid)
  }

  /** Ended by us, though perhaps by a process that is gone. */
  hangsUp(sid: string): void {
    keep(this.#hungUp, sid, true, REMEMBERED_MAX)
  }

  hungUp(sid: string): boolean {
    return this.#hungUp.has(sid)
  }
}

function keep<T>(map: Map<string, T>, key: string, value: T, max: number): void {
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > max && oldest !== undefined) map.delete(oldest)
}
