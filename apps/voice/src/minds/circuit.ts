import type { Clock } from '@parley/voice-ports'
import type { ModelFailure } from './language-model/failure.ts'

/** Failures in a row before a model is skipped. */
const FAILURES_MAX = 2
const SKIPPED_MS = 15_000
const SKIPPED_MAX_MS = 120_000
/** A key or a model that is refused is mended by an operator. */
const REFUSED_MS = 60_000
const BUSY_MS = 10_000
const FATAL: readonly (number | null)[] = [401, 403, 404]

/** Skips a model that failed, for a while; each further failure doubles it. One reply then tries it again. */
export class Circuit {
  readonly #clock: Clock
  #failures = 0
  #untilMs = -Infinity

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get isOpen(): boolean {
    return this.#clock.nowMs() < this.#untilMs
  }

  worked(): void {
    this.#failures = 0
    this.#untilMs = -Infinity
  }

  failed({ kind, status, retryAfterMs }: ModelFailure): void {
    this.#failures++
    if (kind === 'refused' && FATAL.includes(status)) return this.#skip(REFUSED_MS)
    if (kind === 'busy') return this.#skip(Math.min(SKIPPED_MAX_MS, Math.max(1000, retryAfterMs ?? BUSY_MS)))
    const more = this.#failures - FAILURES_MAX
    if (more >= 0) this.#skip(Math.min(SKIPPED_MAX_MS, SKIPPED_MS * 2 ** Math.min(more, 10)))
  }

  #skip(ms: number): void {
    this.#untilMs = Math.max(this.#untilMs, this.#clock.nowMs() + ms)
  }
}
