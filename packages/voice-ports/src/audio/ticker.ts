import type { Clock } from './clock.ts'
import { FRAME_MS } from './frame.ts'

const PHASES = 4
const PHASE_MS = FRAME_MS / PHASES
/** Phases whose loads differ by less count as equal: the sooner one is taken. */
const EVEN_ENOUGH = 8

export interface Ticker {
  /** Runs the task every 20 ms, first within 20 ms. Returns a function that ends it. */
  join(task: () => void): () => void
}

interface Phase {
  readonly offsetMs: number
  readonly tasks: Set<() => void>
  beating: boolean
}

/** One 20 ms beat for all calls of a process, in four phases so that not all frames fall due at once. */
export function frameTicker(clock: Clock): Ticker {
  const phases = Array.from({ length: PHASES }, (_, index): Phase => ({
    offsetMs: index * PHASE_MS,
    tasks: new Set(),
    beating: false,
  }))

  const waitMs = (phase: Phase) => (((phase.offsetMs - clock.nowMs()) % FRAME_MS) + FRAME_MS) % FRAME_MS

  function beat(phase: Phase): void {
    phase.beating = phase.tasks.size > 0
    if (!phase.beating) return
    clock.after(FRAME_MS, () => beat(phase))
    for (const task of phase.tasks) task()
  }

  function soonestOfTheLightest(): Phase {
    const least = Math.min(...phases.map((phase) => phase.tasks.size))
    const light = phases.filter((phase) => phase.tasks.size < least + EVEN_ENOUGH)
    return light.reduce((best, phase) => (waitMs(phase) < waitMs(best) ? phase : best))
  }

  return {
    join(task) {
      const phase = soonestOfTheLightest()
      const own = () => task()
      phase.tasks.add(own)
      if (!phase.beating) {
        phase.beating = true
        clock.after(waitMs(phase), () => beat(phase))
      }
      return () => void phase.tasks.delete(own)
    },
  }
}
