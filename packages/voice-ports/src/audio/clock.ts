/** The time a call lives in. All durations of the voice service are milliseconds of this clock. */
export interface Clock {
  /** Monotonic call time, in ms; only differences mean anything. */
  nowMs(): number
  /** Runs `task` once, `delayMs` of call time from now. Returns its cancellation. */
  after(delayMs: number, task: () => void): () => void
  /**
   * Runs `task` once everything was read that waits at sockets: after a stall timers run first. Absent where no sockets
   * are read.
   */
  whenRead?(task: () => void): void
  /**
   * The time at which something came from outside, in call time: after a stall nowMs() stands at the first task that is
   * due until it has run. Absent where nothing comes from outside.
   */
  arrivalMs?(): number
  /** How many times faster than the wall clock it runs; 1 on real networks. */
  readonly speed: number
}

/**
 * Runs `task` once, `delayMs` of call time from now, but not before what waits at sockets is read: after a stall it may
 * make the task void. Returns its cancellation.
 */
export function afterReading(clock: Pick<Clock, 'after' | 'whenRead'>, delayMs: number, task: () => void): () => void {
  let isCancelled = false
  const run = () => {
    if (!isCancelled) task()
  }
  const cancel = clock.after(delayMs, () => (clock.whenRead ? clock.whenRead(run) : run()))
  return () => {
    isCancelled = true
    cancel()
  }
}

/** When something came that is read now; a packet that seemed to come early would count as the fastest of all. */
export function arrivalOf(clock: Pick<Clock, 'nowMs' | 'arrivalMs'>): number {
  return clock.arrivalMs?.() ?? clock.nowMs()
}
