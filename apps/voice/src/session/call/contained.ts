import type { Clock, Ticker } from '@parley/voice-ports'
import type { Logger } from 'pino'

interface Time {
  readonly clock: Clock
  readonly ticker: Ticker
}

type OnFault = (error: unknown) => void

/**
 * Clock and ticker of one call: errors thrown by its timers and beats go to `onFault` and reach no other call. `release`
 * takes another one, which knows nothing of the call: a carrier may keep the clock of a leg for long after its end.
 */
export function containedTime<T extends Time>(adapters: T, onFault: OnFault) {
  const { clock, ticker } = adapters
  let told = onFault
  const contained = (task: () => void) => () => {
    try {
      task()
    } catch (error) {
      told(error)
    }
  }
  const time: T = {
    ...adapters,
    clock: { ...clock, after: (delayMs, task) => clock.after(delayMs, contained(task)) },
    ticker: { join: (task) => ticker.join(contained(task)), watch: (task) => ticker.watch(contained(task)) },
  }
  return { time, release: (other: OnFault) => void (told = other) }
}

/** The faults of one call end it, and no other call; its timers end with it. */
export class Containment {
  #isOver = false
  readonly #onFault: OnFault
  readonly #timers = new Set<() => void>()

  constructor(onFault: OnFault) {
    this.#onFault = onFault
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** The call is over: nothing is run any more but what is for after its end. */
  end(): void {
    this.#isOver = true
    for (const cancel of this.#timers) cancel()
  }

  readonly guard = (task: () => void, afterEnd = false): void => {
    try {
      if (afterEnd || !this.#isOver) task()
    } catch (error) {
      this.#onFault(error)
    }
  }

  after(clock: Clock, delayMs: number, task: () => void): void {
    const cancel = clock.after(delayMs, () => {
      this.#timers.delete(cancel)
      this.guard(task)
    })
    this.#timers.add(cancel)
  }
}

/** Errors of what is left of a call after its end. */
export function loggedFault(log: Logger): OnFault {
  return (error) => log.error({ err: error }, 'fault after the end of a call')
}
