import type { Clock } from '@parley/voice-ports'

/** Gives the place back; more than once does nothing. */
export type Release = () => void

/** limits_unknown: what the other nodes have taken cannot be asked. */
export type LimitRefusal = 'too_many_at_once' | 'too_many_a_second' | 'limits_unknown'

/** What a carrier may be given, by this process alone or by all nodes (shared-limits.ts). */
export interface CarrierLimits {
  /** Waits a little for the carrier's pace. Rejects never; an aborted wait is refused. */
  take(carrier: string, signal: AbortSignal): Promise<Release | LimitRefusal>
  close(): Promise<void>
}

export interface CarrierLimit {
  /** A token bucket of one second's tokens, at least one. */
  readonly callsPerSecond: number
  readonly callsAtOnce: number
}

/** Tokens that an idle bucket holds. */
export const bucketSize = ({ callsPerSecond }: CarrierLimit): number => Math.max(1, callsPerSecond)

/** Longest wait for a start: a callee of somebody who waits longer is dialed over another carrier. */
export const START_WAIT_MAX_MS = 3000

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
    this.#tokens = bucketSize(limit)
    this.#filledMs = clock.nowMs()
  }

  async take(signal: AbortSignal): Promise<Release | LimitRefusal> {
    if (this.#live >= this.#limit.callsAtOnce) return 'too_many_at_once'
    const waitMs = this.#waitMs()
    if (waitMs > START_WAIT_MAX_MS || signal.aborted) return 'too_many_a_second'
    this.#tokens--
    this.#live++
    const release = this.#releaseOnce()
    if (waitMs > 0 && !(await paused(this.#clock, waitMs, signal))) {
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
    this.#tokens = Math.min(bucketSize(this.#limit), this.#tokens + made)
    this.#filledMs = nowMs
    return this.#tokens >= 1 ? 0 : ((1 - this.#tokens) / callsPerSecond) * 1000
  }

  #releaseOnce(): Release {
    let isHeld = true
    return () => {
      if (isHeld) this.#live--
      isHeld = false
    }
  }
}

/** False when the wait was aborted. */
export function paused(clock: Clock, waitMs: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const aborted = () => {
      cancel()
      resolve(false)
    }
    const cancel = clock.after(waitMs, () => {
      signal.removeEventListener('abort', aborted)
      resolve(true)
    })
    signal.addEventListener('abort', aborted, { once: true })
  })
}

/** Limits of this process alone. A carrier without a limit of its own has none. */
export function inProcessLimits(limits: Readonly<Record<string, CarrierLimit>>, clock: Clock): CarrierLimits {
  const buckets = new Map(Object.entries(limits).map(([name, limit]) => [name, new Bucket(limit, clock)]))
  return {
    take: async (carrier, signal) => buckets.get(carrier)?.take(signal) ?? (() => undefined),
    close: () => Promise.resolve(),
  }
}
