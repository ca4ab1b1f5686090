import type { Clock, Ticker } from '@parley/voice-ports'

interface Time {
  readonly clock: Clock
  readonly ticker: Ticker
}

/** The time of one call: whatever its timers and beats throw is met by `guard`, and reaches no other call. */
export function containedTime<T extends Time>(parts: T, guard: (task: () => void) => void): T {
  const { clock, ticker } = parts
  return {
    ...parts,
    clock: { ...clock, after: (delayMs, task) => clock.after(delayMs, () => guard(task)) },
    ticker: { join: (task) => ticker.join(() => guard(task)) },
  }
}
