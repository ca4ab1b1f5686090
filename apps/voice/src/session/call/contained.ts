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
