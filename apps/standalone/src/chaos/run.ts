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
  readonly figures: Figures
  readonly faults: readonly Suffered[]
  /** false: faults of kind `link` were left out. */
  readonly hasNamespace: boolean
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
    return { seed, figures, faults, hasNamespace: cluster.namespace !== undefined, settled, findings: judge(evidence) }
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
  /** What is under a fault now. */
  const broken = new Set<string>()
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

async function suffer(cluster: Cluster, fault: Fault, broken: Set<string>): Promise<Suffered> {
  const { target, forMs } = fault
  const startedAtMs = Date.now()
  broken.add(target)
  const heal = await strike(cluster, fault)
  await pause(forMs)
  await heal()
  broken.delete(target)
  const healedAt = performance.now()
  const isWell = async () => {
    // What another fault has broken meanwhile is waited for by that one.
    const others = new Set([...broken].flatMap(concernedBy))
    const wanted = concernedBy(target).filter((each) => !others.has(each))
    return (await Promise.all(wanted.map(cluster.isWell))).every(Boolean)
  }
  for (;;) {
    await pause(LOOK_EVERY_MS)
    const isOver = await isWell()
    const recoveryMs = performance.now() - healedAt
    if (isOver || recoveryMs > RECOVERY_MS)
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
