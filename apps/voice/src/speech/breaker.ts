import type { Clock } from '@parley/voice-ports'
import type { SpeechFailure } from './failure.ts'

/** Failures in a row before a vendor is left alone for a while. */
const FAILURES_MAX = 2
const REST_MS = 15_000
const REST_MAX_MS = 240_000

/** Leaves a vendor that fails alone for a while, for all calls of this process; then one call tries it. */
export class Breaker {
  readonly #clock: Clock
  #failures = 0
  #rests = 0
  #untilMs: number | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Whether it may be used now. After a rest the first who asks tries it, and the others wait for the result. */
  admits(): boolean {
    if (this.#untilMs === null) return true
    if (this.#clock.nowMs() < this.#untilMs) return false
    this.#untilMs = this.#clock.nowMs() + REST_MS
    return true
  }

  worked(): void {
    this.#failures = 0
    this.#rests = 0
    this.#untilMs = null
  }

  failed({ kind }: SpeechFailure): void {
    // Another voice or language may work.
    if (kind === 'unable') return
    this.#failures++
    // What is refused once is refused again until somebody mends it.
    if (kind !== 'refused' && this.#failures < FAILURES_MAX) return
    const restMs = kind === 'refused' ? REST_MAX_MS : Math.min(REST_MAX_MS, REST_MS * 2 ** this.#rests)
    this.#rests++
    this.#untilMs = this.#clock.nowMs() + restMs
  }
}
