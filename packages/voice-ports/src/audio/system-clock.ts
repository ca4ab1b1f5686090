import type { Clock } from './clock.ts'
import { TimerQueue } from './timers.ts'

/** Due tasks run for so long before the event loop goes on. */
const STEP_MAX_MS = 50
/** Longest hold of call time. */
const HOLD_MAX_MS = 10_000

export interface SystemClock extends Clock {
  /** At speeds above 1, stops call time during real work until the returned release. At speed 1 does nothing. */
  hold(): () => void
}

/**
 * Call time driven by the machine's monotonic clock. It steps from due time to due time, never ahead of the wall clock:
 * tasks chained from nowMs() do not drift, and times do not depend on the speed.
 */
export function systemClock(speed = 1): SystemClock {
  const timers = new TimerQueue()
  const wall = stoppableWall()
  let reachedMs = 0
  let stepping = false
  let wake: { readonly dueMs: number; readonly handle: NodeJS.Timeout } | null = null

  const limitMs = () => (wall.stopped() ? reachedMs : wall.elapsedMs() * speed)
  // Timers due when hold() was called wait as well.
  const isDue = () => !wall.stopped() && (timers.nextDueMs() ?? Infinity) <= limitMs()

  function nowMs(): number {
    if (!stepping) reachedMs = Math.max(reachedMs, Math.min(limitMs(), timers.nextDueMs() ?? Infinity))
    return reachedMs
  }

  function arm(): void {
    const dueMs = timers.nextDueMs()
    if (dueMs === null || wall.stopped() || (wake && wake.dueMs <= dueMs)) return
    if (wake) clearTimeout(wake.handle)
    wake = { dueMs, handle: setTimeout(run, Math.max(0, Math.ceil((dueMs - limitMs()) / speed))) }
  }

  function run(): void {
    wake = null
    stepping = true
    try {
      // At speed 1 (real networks) everything due runs at once, but sockets are read in between when that never ends.
      const untilMs = performance.now() + STEP_MAX_MS
      do stepOnce()
      while (speed === 1 && isDue() && performance.now() < untilMs)
    } finally {
      if (speed === 1) rest()
      // Above speed 1, promises settle before time goes on.
      else setImmediate(() => (isDue() ? run() : rest()))
    }
  }

  function rest(): void {
    stepping = false
    arm()
  }

  function stepOnce(): void {
    const dueMs = timers.nextDueMs()
    if (dueMs === null || wall.stopped() || dueMs > limitMs()) return
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
    ...(speed === 1 && {
      whenRead: (task: () => void) => void setImmediate(task),
      arrivalMs: () => Math.max(reachedMs, limitMs()),
    }),
    hold: () => (speed === 1 ? () => undefined : wall.stop(arm)),
  }
}

/** Monotonic time since creation, without the time spent stopped. */
function stoppableWall() {
  let startedAt = performance.now()
  let stoppedAt = 0
  let stops = 0
  return {
    stopped: () => stops > 0,
    elapsedMs: () => performance.now() - startedAt,
    stop(onStart: () => void): () => void {
      if (stops++ === 0) stoppedAt = performance.now()
      const start = () => {
        if (!patience) return
        clearTimeout(patience)
        patience = null
        if (--stops > 0) return
        startedAt += performance.now() - stoppedAt
        onStart()
      }
      let patience: NodeJS.Timeout | null = setTimeout(start, HOLD_MAX_MS)
      return start
    },
  }
}
