import { setTimeout as pause } from 'node:timers/promises'
import type { CallDetails } from '@parley/contract'
import { type Cluster, startCluster } from '../chaos/cluster/cluster.ts'
import type { Name } from '../chaos/cluster/programs.ts'
import { collect } from '../chaos/collect.ts'
import { type Finding, judge } from '../chaos/invariants/invariants.ts'
import { type Give, openAccount, openAccounts } from '../chaos/load/accounts.ts'
import { Load } from '../chaos/load/load.ts'
import { settle, type Settled } from '../chaos/settle.ts'
import { LeaseWatch } from '../chaos/watch.ts'
import { type Person, until } from '../world.ts'
import { type Ended, giveCredits, migrate, startBeside } from './commands.ts'
import { unexpectedIn } from './logs.ts'
import { failedReads } from './reads.ts'

// An upgrade of several machines in the order of UPGRADE.md, while people call, buy and stop.

/** In the order in which they are renewed. */
const NODES = ['worker-1', 'api-1', 'api-2', 'voice-1', 'voice-2'] as const satisfies readonly Name[]
const AROUND = ['redis', 'sandbox'] as const satisfies readonly Name[]
/** Calls at once of each voice node: one of them carries most of what is ordered while the other is renewed. */
const CAPACITY = 8
const ACCOUNTS = 4
const SEED = 20
/** Of the load before the migration, and after the last renewal. */
const ROUND_MS = 4000
/** So long at least, the previous release works on the new schema. */
const OLD_ON_NEW_MS = 15_000
const DONE_MS = 90_000
const LOOK_EVERY_MS = 500
const SETTLE_MS = 120_000
/** Agreeable, and speaks for some seconds. */
const CALLEE = '+12025550100'

/** What was ordered since a moment, and is done. */
type Done = Readonly<Record<'calls' | 'lists' | 'payments' | 'optOuts', number>>

const DONE = `select
  (select count(*)::int from call where created_at > $1 and credits_charged > 0) as calls,
  (select count(*)::int from batch where created_at > $1 and status = 'done') as lists,
  (select count(*)::int from ledger_tx where at > $1 and idem_key like 'pi:%') as payments,
  (select count(*)::int from do_not_call where created_at > $1 and source = 'callee') as "optOuts"`

/** Calls that ended with their node, or as if. The simulated network drops those to numbers that end with 12 itself. */
const DROPPED = `select id, end_reason as "endReason" from call
  where end_reason = 'interrupted' or (end_reason = 'carrier_dropped' and callee not like '%12')`

export interface Upgraded extends OldOnNew {
  readonly migration: Ended
  readonly dropped: readonly { readonly id: string; readonly endReason: string }[]
  /** Lines of the nodes' logs. */
  readonly unexpected: readonly string[]
  readonly settled: Settled
  readonly findings: readonly Finding[]
}

/** What the previous release did on the new schema. */
interface OldOnNew {
  readonly done: Done
  /** Of an account that was opened there. */
  readonly call: CallDetails
  readonly failedReads: readonly string[]
  /** A start of it. */
  readonly start: Ended
  /** How often each node was started until it was renewed. */
  readonly starts: Readonly<Record<string, number>>
}

interface Options {
  /** For the data and the logs. */
  readonly dir: string
  /** The checkout of the previous release. */
  readonly previous: string
}

export async function upgrade({ dir, previous }: Options): Promise<Upgraded> {
  const names = [...AROUND, ...NODES]
  const cluster = await startCluster({ dir, root: previous, names, capacity: CAPACITY, say: () => undefined })
  try {
    const give: Give = (_, person, credits) => giveCredits(previous, cluster, person, credits)
    const people = await openAccounts(cluster, ACCOUNTS, give)
    const watch = await LeaseWatch.open(cluster.database)
    const load = new Load(cluster, people, SEED)
    await pause(ROUND_MS)
    const migration = await migrate(cluster)
    const oldOnNew = await workOnNewSchema({ cluster, previous, load, people, give })
    for (const name of NODES) await cluster.renew(name)
    await pause(ROUND_MS)
    await load.stop()
    const settled = await settle(cluster, people, SETTLE_MS)
    await watch.stop()
    const { rows: dropped } = await cluster.database.pool.query<Upgraded['dropped'][number]>(DROPPED)
    const findings = judge(await collect({ cluster, load, watch, troubles: watch.stalls }))
    const unexpected = await unexpectedIn(dir, NODES)
    return { migration, ...oldOnNew, dropped, unexpected, settled, findings }
  } finally {
    await cluster.close()
  }
}

interface Stage {
  readonly cluster: Cluster
  readonly previous: string
  readonly load: Load
  readonly people: readonly Person[]
  readonly give: Give
}

/** Until something of each kind was ordered of the previous release and is done. */
async function workOnNewSchema({ cluster, previous, load, people, give }: Stage): Promise<OldOnNew> {
  const { pool } = cluster.database
  const { rows } = await pool.query<{ now: string }>('select now()::text as now')
  const enough = pause(OLD_ON_NEW_MS)
  const newcomer = await openAccount(cluster, 'newcomer', give)
  const placed = await newcomer.place(CALLEE, { purpose: 'Ask about an order of a new account' })
  const start = await startBeside(previous, cluster)
  const failed = await Promise.all(people.map((person) => failedReads(cluster, person, load)))
  const call = await newcomer.ended(placed.id, DONE_MS)
  await enough
  const isDone = async () => {
    const [counts] = (await pool.query<Done>(DONE, [rows[0]?.now])).rows
    return counts !== undefined && Object.values(counts).every((count) => count > 0) && counts
  }
  const done = await until('orders of each kind to be done', isDone, DONE_MS, LOOK_EVERY_MS)
  const starts = Object.fromEntries(NODES.map((name) => [name, cluster.programs.get(name)?.starts ?? 0]))
  return { done, call, failedReads: failed.flat(), start, starts }
}
