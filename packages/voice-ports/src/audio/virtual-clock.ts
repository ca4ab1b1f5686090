import type { Clock } from './clock.ts'
import { TimerQueue } from './timers.ts'

export interface VirtualClock extends Clock {
  /** Runs what becomes due, in order, and lets promises settle between due times. */
  advance(ms: number): Promise<void>
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A clock that moves only when it is told to. */
export function virtualClock(): VirtualClock {
  const timers = new TimerQueue()
  let nowMs = 0

  return {
    speed: 1,
    nowMs: () => nowMs,
    after: (delayMs, task) => timers.add(nowMs + Math.max(0, delayMs), task),
    async advance(ms) {
      const untilMs = nowMs + ms
      await settle()
      for (let dueMs = timers.nextDueMs(); dueMs !== null && dueMs <= untilMs; dueMs = timers.nextDueMs()) {
        nowMs = dueMs
        timers.runDue(dueMs)
        await settle()
      }
      nowMs = untilMs
    },
  }
}
