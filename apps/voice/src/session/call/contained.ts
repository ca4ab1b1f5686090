import type { Clock, Ticker } from '@parley/voice-ports'

interface Time {
  readonly clock: Clock
  readonly ticker: Ticker
}

/** Clock and ticker of one call: errors thrown by its timers and beats go to `guard` and reach no other call. */
export function containedTime<T extends Time>(adapters: T, guard: (task: () => void) => void): T {
  const { clock, ticker } = adapters
  return {
    ...adapters,
    clock: { ...clock, after: (delayMs, task) => clock.after(delayMs, () => guard(task)) },
    ticker: { join: (task) => ticker.join(() => guard(task)) },
  }
}
