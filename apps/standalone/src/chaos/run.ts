import { availableParallelism, loadavg } from 'node:os'
import { type Cluster, concernedBy, startCluster } from './cluster/cluster.ts'
import { APART } from './cluster/links.ts'
import { collect } from './collect.ts'
import { type Figures, figuresOf } from './figures.ts'
import type { Trouble } from './invariants/evidence.ts'
import { type Finding, judge } from './invariants/invariants.ts'
import { openAccounts } from './load/accounts.ts'
import { Load } from './load/load.ts'
import { strike } from './nemeses.ts'
import { type Fault, scheduleOf, sentenceOf } from './schedule.ts'
import { settle, type Settled } from './settle.ts'
import { LeaseWatch } from './watch.ts'

export interface RunOptions {
  readonly seed: number
  /** Faults begin within this time. */
  readonly faultsForMs: number
  /** After the last fault, until everything that was ordered is done. */
  readonly settleMs: number
  /** For the data and the logs of the cluster. */
  readonly dir: string
  readonly say: (line: string) => void
}

/** A fault as it was. */
export interface Suffered extends Fault {
  readonly startedAtMs: number
  /** From the end of the fault until all that it concerns were well; null: it was not waited for any longer. */
  readonly recoveryMs: number | null
  readonly overAtMs: number
}

export interface Outcome {
  readonly seed: number
  readonly faultsForMs: number
  readonly figures: Figures
  readonly faults: readonly Suffered[]
  /** false: faults of kind `link` were left out. */
  readonly hasNamespace: boolean
  /** The load average is of the last 5 minutes. */
  readonly machine: { readonly processors: number; readonly load: number }
  readonly settled: Settled
  readonly findings: readonly Finding[]
}

/** Calls at once of each voice node: fewer than are placed at times, so that calls wait in line. */
const CAPACITY = 4
const ACCOUNTS = 4
const RECOVERY_MS = 90_000
const LOOK_EVERY_MS = 250

/** Starts a cluster, loads it, breaks it by the schedule of the seed, and judges what is left. */
export async function runChaos({ seed, faultsForMs, settleMs, dir, say }: RunOptions): Promise<Outcome> {
  say(`Seed ${seed}.`)
  const cluster = await startCluster({ dir, capacity: CAPACITY, say })
  try {
    const people = await openAccounts(cluster, ACCOUNTS)
    const watch = await LeaseWatch.open(cluster.database)
    const load = new Load(cluster, people, seed)
    const startedAt = performance.now()
    const targets = { processes: [...cluster.programs.keys()], links: [...cluster.links.keys()], apart: APART }
    const schedule = scheduleOf({ seed, forMs: faultsForMs, targets })
    const faults = await sufferAll(cluster, schedule, say)
    await load.stop()
    const loadedMs = performance.now() - startedAt
    const settled = await settle(cluster, people, settleMs)
    await watch.stop()
    say(`Settled after ${(settled.afterMs / 1000).toFixed(1)} s${settled.left.map((each) => `; ${each}`).join('')}.`)
    const troubles = [...troublesOf(faults), ...watch.stalls]
    const evidence = await collect({ cluster, load, watch, troubles })
    const figures = figuresOf({ evidence, counts: load.counts, loadedMs })
    const hasNamespace = cluster.namespace !== undefined
    const machine = { processors: availableParallelism(), load: loadavg()[1] ?? 0 }
    return { seed, faultsForMs, figures, faults, hasNamespace, machine, settled, findings: judge(evidence) }
  } finally {
    await cluster.close()
  }
}

async function sufferAll(
  cluster: Cluster,
  schedule: readonly Fault[],
  say: (line: string) => void,
): Promise<Suffered[]> {
  const startedAt = performance.now()
  const possible = schedule.filter(({ kind }) => kind !== 'link' || cluster.namespace !== undefined)
  const broken: Broken = { now: new Set(), restarting: new Set() }
  return Promise.all(
    possible.map(async (fault) => {
      await pause(fault.atMs - (performance.now() - startedAt))
      say(`${seconds(performance.now() - startedAt)}  ${fault.number}. ${sentenceOf(fault)}`)
      const suffered = await suffer(cluster, fault, broken)
      const recovered = suffered.recoveryMs === null ? 'not well yet' : `well after ${seconds(suffered.recoveryMs)}`
      say(`${seconds(performance.now() - startedAt)}  ${fault.number}. ${recovered}`)
      return suffered
    }),
  )
}

/** What a fault does not wait for, since another one does. */
interface Broken {
  /** Targets of faults that are not over. */
  readonly now: Set<string>
  /** Processes that were killed and do not work again. */
  readonly restarting: Set<string>
}

async function suffer(cluster: Cluster, fault: Fault, broken: Broken): Promise<Suffered> {
  const { target, forMs } = fault
  const startedAtMs = Date.now()
  broken.now.add(target)
  if (fault.kind === 'kill') broken.restarting.add(target)
  const heal = await strike(cluster, fault)
  await pause(forMs)
  await heal()
  broken.now.delete(target)
  const healedAt = performance.now()
  const isWell = async () => {
    const others = new Set([...broken.now].flatMap(concernedBy))
    const isOthers = (part: string) => others.has(part) || (part !== target && broken.restarting.has(part))
    const wanted = concernedBy(target).filter((each) => !isOthers(each))
    return (await Promise.all(wanted.map(cluster.isWell))).every(Boolean)
  }
  for (;;) {
    await pause(LOOK_EVERY_MS)
    const isOver = await isWell()
    const recoveryMs = performance.now() - healedAt
    if (!isOver && recoveryMs <= RECOVERY_MS) continue
    broken.restarting.delete(target)
    return { ...fault, startedAtMs, recoveryMs: isOver ? recoveryMs : null, overAtMs: Date.now() }
  }
}

/** When nobody could be expected to settle leases in time: something else than one voice node was broken. */
export function troublesOf(faults: readonly Suffered[]): Trouble[] {
  const times = faults.map(({ startedAtMs, overAtMs, target }) => ({
    fromMs: startedAtMs,
    untilMs: overAtMs,
    isOfVoice: isOfVoice(target),
  }))
  const both = times.flatMap((one, at) =>
    times.slice(at + 1).map((other) => ({
      fromMs: Math.max(one.fromMs, other.fromMs),
      untilMs: Math.min(one.untilMs, other.untilMs),
    })),
  )
  const others = times.filter((time) => !time.isOfVoice)
  return [...others, ...both]
    .filter(({ fromMs, untilMs }) => fromMs < untilMs)
    .map(({ fromMs, untilMs }) => ({ fromMs, untilMs }))
}

function isOfVoice(target: string): boolean {
  return target.includes('voice-')
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1).padStart(6)} s`

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)))
}
