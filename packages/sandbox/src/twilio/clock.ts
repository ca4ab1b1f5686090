import type { Clock } from '@parley/voice-ports'

/** The machine's monotonic time, without the stepping of a session's clock: a beat that comes late knows that it is. */
export const monotonicClock: Clock = {
  speed: 1,
  nowMs: () => performance.now(),
  after(delayMs, task) {
    const timer = setTimeout(task, Math.max(0, Math.ceil(delayMs)))
    return () => clearTimeout(timer)
  },
}

/** What runs later and ends with its owner. */
export class Timers {
  readonly #clock: Clock
  readonly #pending = new Set<() => void>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Returns the task's cancellation. */
  after(delayMs: number, task: () => void): () => void {
    const cancel = this.#clock.after(delayMs, () => {
      this.#pending.delete(cancel)
      task()
    })
    this.#pending.add(cancel)
    return () => {
      this.#pending.delete(cancel)
      cancel()
    }
  }

  clear(): void {
    for (const cancel of this.#pending) cancel()
    this.#pending.clear()
  }
}
