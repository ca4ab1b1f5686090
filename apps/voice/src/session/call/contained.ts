import type { Clock, Ticker } from '@parley/voice-ports'
import type { Logger } from 'pino'

interface Time {
  readonly clock: Clock
  readonly ticker: Ticker
}

type Guard = (task: () => void) => void

/**
 * Clock and ticker of one call: errors thrown by its timers and beats go to `guard` and reach no other call. `release`
 * takes another guard, which knows nothing of the call: a carrier may keep the clock of a leg for long after its end.
 */
export function containedTime<T extends Time>(adapters: T, guard: Guard) {
  const { clock, ticker } = adapters
  let contain = guard
  const time: T = {
    ...adapters,
    clock: { ...clock, after: (delayMs, task) => clock.after(delayMs, () => contain(task)) },
    ticker: { join: (task) => ticker.join(() => contain(task)) },
  }
  return { time, release: (other: Guard) => void (contain = other) }
}

/** The faults of one call end it, and no other call; its timers end with it. */
export class Containment {
  readonly #isOver: () => boolean
  readonly #onFault: (error: unknown) => void
  readonly #timers = new Set<() => void>()

  constructor(isOver: () => boolean, onFault: (error: unknown) => void) {
    this.#isOver = isOver
    this.#onFault = onFault
  }

  readonly guard = (task: () => void, afterEnd = false): void => {
    try {
      if (afterEnd || !this.#isOver()) task()
    } catch (error) {
      this.#onFault(error)
    }
  }

  /** Guards what takes the events of a leg: a closure for each of 50 frames a second would cost. */
  taking<T>(take: (event: T) => void): (event: T) => void {
    return (event) => {
      try {
        if (!this.#isOver()) take(event)
      } catch (error) {
        this.#onFault(error)
      }
    }
  }

  after(clock: Clock, delayMs: number, task: () => void): void {
    const cancel = clock.after(delayMs, () => {
      this.#timers.delete(cancel)
      this.guard(task)
    })
    this.#timers.add(cancel)
  }

  cancelTimers(): void {
    for (const cancel of this.#timers) cancel()
  }
}

/** Errors of what is left of a call after its end. */
export function loggingGuard(log: Logger): Guard {
  return (task) => {
    try {
      task()
    } catch (error) {
      log.error({ err: error }, 'fault after the end of a call')
    }
  }
}
