import type { Clock } from './clock.ts'
import { TimerQueue } from './timers.ts'

/**
 * Call time driven by the machine's monotonic clock. It steps from due time to due time and never past the wall:
 * a task that sets its next one from nowMs() does not drift, and a fast call sees the same times as a slow one.
 */
export function systemClock(speed = 1): Clock {
  const timers = new TimerQueue()
  const startedAt = performance.now()
  let reachedMs = 0
  let stepping = false
  let wake: { readonly dueMs: number; readonly handle: NodeJS.Timeout } | null = null

  const wallMs = () => (performance.now() - startedAt) * speed

  function nowMs(): number {
    if (!stepping) reachedMs = Math.max(reachedMs, Math.min(wallMs(), timers.nextDueMs() ?? Infinity))
    return reachedMs
  }

  function arm(): void {
    const dueMs = timers.nextDueMs()
    if (dueMs === null || (wake && wake.dueMs <= dueMs)) return
    if (wake) clearTimeout(wake.handle)
    wake = { dueMs, handle: setTimeout(run, Math.max(0, Math.ceil((dueMs - wallMs()) / speed))) }
  }

  function run(): void {
    wake = null
    stepping = true
    try {
      // On real networks everything due runs at once; faster than that, what a task awaits settles before time goes on.
      do stepOnce()
      while (speed === 1 && isDue())
    } finally {
      if (isDue()) setImmediate(run)
      else {
        stepping = false
        arm()
      }
    }
  }

  function isDue(): boolean {
    return (timers.nextDueMs() ?? Infinity) <= wallMs()
  }

  function stepOnce(): void {
    const dueMs = timers.nextDueMs()
    if (dueMs === null || dueMs > wallMs()) return
    reachedMs = Math.max(reachedMs, dueMs)
    timers.runDue(reachedMs)
  }

  return {
    speed,
    nowMs,
    after(delayMs, task) {
      const cancel = timers.add(nowMs() + Math.max(0, delayMs), task)
      if (!stepping) arm()
      return cancel
    },
  }
}
