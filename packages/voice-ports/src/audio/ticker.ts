import type { Clock } from './clock.ts'
import { FRAME_MS } from './frame.ts'

const PHASES = 4
const PHASE_MS = FRAME_MS / PHASES
/** Phases whose loads differ by less count as equal: the sooner one is taken. */
const EVEN_ENOUGH = 8

export interface Ticker {
  /** Runs the task every 20 ms, first within 20 ms. Returns a function that ends it. */
  join(task: () => void): () => void
  /** Runs the task at each beat from a time on that is set, and moved on, at next to no cost. */
  watch(task: () => void): Watch
}

export interface Watch {
  /** ms of the clock; Infinity: never. */
  dueFrom(atMs: number): void
  leave(): void
}

/** An object of its own, because one task may join several times. */
interface Joined {
  readonly task: () => void
}

interface Phase {
  readonly offsetMs: number
  readonly tasks: Set<Joined>
  beating: boolean
}

const NOTHING = () => undefined

/** The times of all watches side by side: what a beat reads for thousands of calls is a few kilobytes. */
class Watches {
  readonly #clock: Clock
  readonly #join: (task: () => void) => () => void
  readonly #tasks: (() => void)[] = []
  readonly #free: number[] = []
  #dueMs = new Float64Array(64)
  #leaveBeat: (() => void) | null = null

  constructor(clock: Clock, join: (task: () => void) => () => void) {
    this.#clock = clock
    this.#join = join
  }

  add(task: () => void): Watch {
    const slot = this.#free.pop() ?? this.#tasks.length
    if (slot === this.#dueMs.length) this.#grow()
    this.#tasks[slot] = task
    this.set(slot, Infinity)
    this.#leaveBeat ??= this.#join(() => this.#beat())
    return new SlotWatch(this, slot)
  }

  set(slot: number, atMs: number): void {
    this.#dueMs[slot] = atMs
  }

  remove(slot: number): void {
    this.set(slot, Infinity)
    this.#tasks[slot] = NOTHING
    this.#free.push(slot)
    if (this.#free.length < this.#tasks.length) return
    this.#leaveBeat?.()
    this.#leaveBeat = null
  }

  #beat(): void {
    const nowMs = this.#clock.nowMs()
    for (let slot = 0; slot < this.#tasks.length; slot++)
      if ((this.#dueMs[slot] ?? Infinity) <= nowMs) this.#tasks[slot]?.()
  }

  #grow(): void {
    const before = this.#dueMs
    this.#dueMs = new Float64Array(2 * before.length)
    this.#dueMs.set(before)
  }
}

class SlotWatch implements Watch {
  readonly #slot: number
  /** null: it has left. */
  #watches: Watches | null

  constructor(watches: Watches, slot: number) {
    this.#watches = watches
    this.#slot = slot
  }

  dueFrom(atMs: number): void {
    this.#watches?.set(this.#slot, atMs)
  }

  leave(): void {
    this.#watches?.remove(this.#slot)
    this.#watches = null
  }
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
    for (const { task } of phase.tasks) task()
  }

  function soonestOfTheLightest(): Phase {
    const least = Math.min(...phases.map((phase) => phase.tasks.size))
    const light = phases.filter((phase) => phase.tasks.size < least + EVEN_ENOUGH)
    return light.reduce((best, phase) => (waitMs(phase) < waitMs(best) ? phase : best))
  }

  function join(task: () => void): () => void {
    const phase = soonestOfTheLightest()
    const joined = { task }
    phase.tasks.add(joined)
    if (!phase.beating) {
      phase.beating = true
      clock.after(waitMs(phase), () => beat(phase))
    }
    return () => void phase.tasks.delete(joined)
  }

  const watches = new Watches(clock, join)
  return { join, watch: (task) => watches.add(task) }
}
