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
  /** How many times faster than the wall clock it runs; 1 on real networks. */
  readonly speed: number
}
