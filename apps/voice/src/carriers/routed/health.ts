import type { Clock } from '@parley/voice-ports'

/** Attempts that the figures are made of: the last so many, and none older. */
const WINDOW_ATTEMPTS = 100
const WINDOW_MS = 10 * 60_000
/** Failures of the carrier in a row that open its circuit. */
const FAILURES_TO_OPEN = 5
/** How long an open circuit lets no call through; each failed probe doubles it. */
const OPEN_MS = 30_000
const OPEN_MAX_MS = 5 * 60_000
/** A probe without a result for so long is given up: another one may go. */
const PROBE_MS = 120_000

/** How one attempt to place a call went, once its carrier has said so. */
export interface Attempt {
  /** reached: the callee's network answered in some way, be it with busy. failed: the carrier's fault. */
  readonly result: 'reached' | 'failed'
  /** From dialing to ringing; null where it did not ring. */
  readonly postDialMs: number | null
  readonly answered: boolean
  /** The carrier's own code of a failure. */
  readonly code?: string | null
}

/** Figures of the sliding window. */
export interface CarrierFigures {
  readonly attempts: number
  readonly failures: number
  /** Share of attempts that were answered (ITU-T E.425); null without an attempt. */
  readonly answerSeizureRatio: number | null
  /** Median; null when nothing rang. */
  readonly postDialMs: number | null
  readonly circuit: 'closed' | 'open' | 'half_open'
  /** Failures since a call was last placed, and the code of the latest; null: it told none, or none failed. */
  readonly failuresInRow: number
  readonly lastCode: string | null
  /** Until a call probes an open circuit. */
  readonly openForMs: number
}

/** How well a carrier places calls, with a circuit breaker: closed, open, and half open for one probe at a time. */
export class CarrierHealth {
  readonly #clock: Clock
  readonly #attempts: (Attempt & { readonly atMs: number })[] = []
  #failuresInRow = 0
  #lastCode: string | null = null
  /** null: the circuit is closed. */
  #openUntilMs: number | null = null
  #openMs = OPEN_MS
  #probeSinceMs: number | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get circuit(): CarrierFigures['circuit'] {
    if (this.#openUntilMs === null) return 'closed'
    return this.#clock.nowMs() < this.#openUntilMs ? 'open' : 'half_open'
  }

  /** Whether a call may be tried now. In a half open circuit this takes the one place of the probe. */
  admit(): boolean {
    const { circuit } = this
    if (circuit !== 'half_open') return circuit === 'closed'
    const nowMs = this.#clock.nowMs()
    if (this.#probeSinceMs !== null && nowMs - this.#probeSinceMs < PROBE_MS) return false
    this.#probeSinceMs = nowMs
    return true
  }

  /** An admitted call was not tried after all, or tells nothing about the carrier. */
  withdraw(): void {
    this.#probeSinceMs = null
  }

  note(attempt: Attempt): void {
    this.#attempts.push({ ...attempt, atMs: this.#clock.nowMs() })
    if (this.#attempts.length > WINDOW_ATTEMPTS) this.#attempts.shift()
    this.#probeSinceMs = null
    if (attempt.result === 'reached') return this.#close()
    this.#failuresInRow++
    this.#lastCode = attempt.code ?? null
    const { circuit } = this
    if (circuit === 'half_open') this.#openMs = Math.min(2 * this.#openMs, OPEN_MAX_MS)
    if (circuit === 'half_open' || (circuit === 'closed' && this.#failuresInRow >= FAILURES_TO_OPEN))
      this.#openUntilMs = this.#clock.nowMs() + this.#openMs
  }

  figures(): CarrierFigures {
    const sinceMs = this.#clock.nowMs() - WINDOW_MS
    const recent = this.#attempts.filter(({ atMs }) => atMs >= sinceMs)
    const delays = recent.flatMap(({ postDialMs }) => postDialMs ?? []).toSorted((one, other) => one - other)
    return {
      attempts: recent.length,
      failures: recent.filter(({ result }) => result === 'failed').length,
      answerSeizureRatio: recent.length === 0 ? null : recent.filter(({ answered }) => answered).length / recent.length,
      postDialMs: delays[Math.floor((delays.length - 1) / 2)] ?? null,
      circuit: this.circuit,
      failuresInRow: this.#failuresInRow,
      lastCode: this.#lastCode,
      openForMs: Math.max(0, (this.#openUntilMs ?? -Infinity) - this.#clock.nowMs()),
    }
  }

  #close(): void {
    this.#failuresInRow = 0
    this.#lastCode = null
    this.#openUntilMs = null
    this.#openMs = OPEN_MS
  }
}
