import type { Clock } from '@parley/voice-ports'

/** Gives the place back; more than once does nothing. */
export type Release = () => void

type LimitRefusal = 'too_many_at_once' | 'too_many_a_second'

/**
 * What a carrier may be given. An implementation that several nodes share stands behind the same port: it needs a store
 * with a clock of its own (Redis), and places that expire when a node dies.
 */
export interface CarrierLimits {
  /** Waits a little for the carrier's pace. Rejects never; an aborted wait is refused. */
  take(carrier: string, signal: AbortSignal): Promise<Release | LimitRefusal>
}

export interface CarrierLimit {
  /** A token bucket of one second's tokens, at least one. */
  readonly callsPerSecond: number
  readonly callsAtOnce: number
}

/** Longest wait for a start: a callee of somebody who waits longer is dialed over another carrier. */
const START_WAIT_MAX_MS = 3000

class Bucket {
  readonly #limit: CarrierLimit
  readonly #clock: Clock
  /** Starts that the pace allows now; below 0: starts that wait. */
  #tokens: number
  #filledMs: number
  #live = 0

  constructor(limit: CarrierLimit, clock: Clock) {
    this.#limit = limit
    this.#clock = clock
    this.#tokens = this.#size
    this.#filledMs = clock.nowMs()
  }

  get #size(): number {
    return Math.max(1, this.#limit.callsPerSecond)
  }

  async take(signal: AbortSignal): Promise<Release | LimitRefusal> {
    if (this.#live >= this.#limit.callsAtOnce) return 'too_many_at_once'
    const waitMs = this.#waitMs()
    if (waitMs > START_WAIT_MAX_MS || signal.aborted) return 'too_many_a_second'
    this.#tokens--
    this.#live++
    const release = this.#releaseOnce()
    if (waitMs > 0 && !(await this.#pause(waitMs, signal))) {
      // Its start goes to the next one.
      this.#tokens++
      release()
      return 'too_many_a_second'
    }
    return release
  }

  #waitMs(): number {
    const { callsPerSecond } = this.#limit
    if (callsPerSecond === Infinity) return 0
    const nowMs = this.#clock.nowMs()
    const made = ((nowMs - this.#filledMs) / 1000) * callsPerSecond
    this.#tokens = Math.min(this.#size, this.#tokens + made)
    this.#filledMs = nowMs
    return this.#tokens >= 1 ? 0 : ((1 - this.#tokens) / callsPerSecond) * 1000
  }

  /** False when the wait was aborted. */
  #pause(waitMs: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const aborted = () => {
        cancel()
        resolve(false)
      }
      const cancel = this.#clock.after(waitMs, () => {
        signal.removeEventListener('abort', aborted)
        resolve(true)
      })
      signal.addEventListener('abort', aborted, { once: true })
    })
  }

  #releaseOnce(): Release {
    let isHeld = true
    return () => {
      if (isHeld) this.#live--
      isHeld = false
    }
  }
}

/** Limits of this process alone. A carrier without a limit of its own has none. */
export function inProcessLimits(limits: Readonly<Record<string, CarrierLimit>>, clock: Clock): CarrierLimits {
  const buckets = new Map(Object.entries(limits).map(([name, limit]) => [name, new Bucket(limit, clock)]))
  return { take: async (carrier, signal) => buckets.get(carrier)?.take(signal) ?? (() => undefined) }
}
