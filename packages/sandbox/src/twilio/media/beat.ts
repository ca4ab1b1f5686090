import { type Clock, FRAME_MS } from '@parley/voice-ports'

/** Phases 5 ms apart: one tick for all calls loses frames from about 400 calls on. */
const PHASES = 4
/** Beats made up for after a stall, a second; what is older is skipped, as packets that nobody buffered. */
const CATCH_UP_MAX = 50

/** `beat` counts 20 ms steps; skipped beats leave gaps in it. */
export type Task = (beat: number) => void

interface Phase {
  readonly offsetMs: number
  readonly tasks: Set<Task>
  done: number
  stop: (() => void) | null
}

/** The 20 ms beat that all calls of a far end share. */
export class Beat {
  readonly #clock: Clock
  readonly #phases: readonly Phase[]

  constructor(clock: Clock) {
    this.#clock = clock
    const startMs = clock.nowMs()
    this.#phases = Array.from({ length: PHASES }, (_, index) => {
      return { offsetMs: startMs + (index * FRAME_MS) / PHASES, tasks: new Set<Task>(), done: 0, stop: null }
    })
  }

  /** Runs the task every 20 ms until the returned function is called. */
  join(task: Task): () => void {
    const phase = this.#phases.reduce((least, each) => (each.tasks.size < least.tasks.size ? each : least))
    phase.tasks.add(task)
    if (!phase.stop) {
      phase.done = this.#due(phase)
      this.#arm(phase)
    }
    return () => {
      phase.tasks.delete(task)
      if (phase.tasks.size > 0) return
      phase.stop?.()
      phase.stop = null
    }
  }

  #due({ offsetMs }: Phase): number {
    return Math.floor((this.#clock.nowMs() - offsetMs) / FRAME_MS)
  }

  #arm(phase: Phase): void {
    const nextMs = phase.offsetMs + (phase.done + 1) * FRAME_MS
    phase.stop = this.#clock.after(nextMs - this.#clock.nowMs(), () => this.#run(phase))
  }

  #run(phase: Phase): void {
    const due = this.#due(phase)
    phase.done = Math.max(phase.done, due - CATCH_UP_MAX)
    while (phase.done < due) {
      phase.done++
      for (const task of phase.tasks) task(phase.done)
    }
    if (phase.tasks.size > 0) this.#arm(phase)
    else phase.stop = null
  }
}
