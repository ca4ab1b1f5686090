import { between, pick, type Random, randomOf, shuffled } from './random.ts'

/**
 * kill: -9, and the process is started again. stop: SIGSTOP for longer than a lease, then SIGCONT. postgres: an
 * immediate shutdown, and a start. redis: -9 and a start without its data. delay, cut: by the proxy between two.
 * link: the network interface of a voice node is set down.
 */
export const FAULT_KINDS = ['kill', 'stop', 'postgres', 'redis', 'delay', 'cut', 'link'] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

/** reset: connections are closed, and new ones too. silent: nothing comes through, and nobody is told. */
const CUTS = ['reset', 'silent'] as const
export type Cut = (typeof CUTS)[number]

export interface Fault {
  /** From 1, in order of time. */
  readonly number: number
  /** After the beginning of the run. */
  readonly atMs: number
  readonly kind: FaultKind
  /** A process or a link. */
  readonly target: string
  /** 0: it is over at once, and what it ended is started again. */
  readonly forMs: number
  readonly cut?: Cut
  /** Each way. */
  readonly delayMs?: number
}

/** What there is to break. */
interface Targets {
  readonly processes: readonly string[]
  readonly links: readonly string[]
  /** The process that stands in a network namespace of its own. */
  readonly apart: string
}

interface Wish {
  readonly seed: number
  /** Faults begin within this time. */
  readonly forMs: number
  readonly targets: Targets
}

/** Between the beginnings of two faults: some begin before the one before is over. */
const PAUSE_MS = [2500, 5500] as const
/** After each fault of every kind: time to come to rest, in which the bounds of recovery count. */
const CALM_MS = [15_000, 25_000] as const
/** A node is dead after 10 s without a heartbeat, and a task without its runner after as long. */
const STOP_MS = [12_000, 16_000] as const
/** Twice as long as a lease at most: its node lives, and nobody hears of it. */
const CUT_MS = [3000, 24_000] as const
const DELAY_MS = [20, 400] as const
const DELAYED_MS = [8000, 16_000] as const
const LINK_MS = [6000, 16_000] as const

/** A schedule of this length has each kind once. */
export const FIRST_ROUND_MS = FAULT_KINDS.length * PAUSE_MS[1]

/** A pure function of its arguments: one fault of each kind in random order, a calm time, and so on. */
export function scheduleOf({ seed, forMs, targets }: Wish): Fault[] {
  const random = randomOf(seed)
  const faults: Fault[] = []
  /** Until when a target is under a fault. */
  const busy = new Map<string, number>()
  let atMs = 0
  for (;;) {
    for (const kind of shuffled(random, FAULT_KINDS)) {
      atMs += between(random, ...PAUSE_MS)
      if (atMs > forMs) return faults
      const free = targetsOf(kind, targets).filter((each) => (busy.get(each) ?? 0) <= atMs)
      // Drawn in any case, so that what is busy changes nothing of the faults after it.
      const drawn = random()
      const how = detailsOf(kind, random)
      const target = free[Math.floor(drawn * free.length)]
      if (target === undefined) continue
      busy.set(target, atMs + how.forMs + RESTART_MS)
      faults.push({ number: faults.length + 1, atMs, kind, target, ...how })
    }
    atMs += between(random, ...CALM_MS)
  }
}

/** A process that was killed is spared until it runs again. */
const RESTART_MS = 5000

function targetsOf(kind: FaultKind, { processes, links, apart }: Targets): readonly string[] {
  switch (kind) {
    case 'kill':
    case 'stop':
      return processes
    case 'postgres':
    case 'redis':
      return [kind]
    case 'delay':
    case 'cut':
      return links
    case 'link':
      return [apart]
  }
}

function detailsOf(kind: FaultKind, random: Random): Pick<Fault, 'forMs' | 'cut' | 'delayMs'> {
  switch (kind) {
    case 'kill':
    case 'postgres':
    case 'redis':
      return { forMs: 0 }
    case 'stop':
      return { forMs: between(random, ...STOP_MS) }
    case 'delay':
      return { forMs: between(random, ...DELAYED_MS), delayMs: between(random, ...DELAY_MS) }
    case 'cut':
      return { forMs: between(random, ...CUT_MS), cut: pick(random, CUTS) }
    case 'link':
      return { forMs: between(random, ...LINK_MS) }
  }
}

/** As a line of the run's log. */
export function sentenceOf({ kind, target, forMs, cut, delayMs }: Fault): string {
  const how = cut ?? (delayMs === undefined ? '' : `${delayMs} ms`)
  const long = forMs === 0 ? '' : `for ${(forMs / 1000).toFixed(1)} s`
  return [kind, target === kind ? '' : target, how, long].filter((each) => each !== '').join(' ')
}
