import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { noticesRoutes, pathOf } from '@parley/contract'
import type { Person } from '../world.ts'
import type { Cluster } from './cluster/cluster.ts'
import { creditedIn, paidAt } from './collect.ts'
import { ask } from './load/client.ts'

const LOOK_EVERY_MS = 500
/** A webhook that failed twice comes again after 5 minutes: its owner has it sent now. */
const REPLAYED_FROM_S = 15

/** What is counted until nothing is left of it, by what it is. */
const LEFT: Readonly<Record<string, string>> = {
  'live calls': 'select count(*) from call where completed_at is null',
  'active lists': `select count(*) from batch where status in ('scheduled', 'running', 'paused')`,
  'active holds': `select count(*) from hold where state = 'active'`,
  leases: 'select count(*) from call_lease',
  'webhooks under way': `select count(*) from webhook_delivery where status = 'waiting'`,
}
const TO_REPLAY = `select id, user_id from webhook_delivery where status = 'failed'
  or (status = 'waiting' and next_attempt_at > now() + make_interval(secs => ${REPLAYED_FROM_S})) limit 50`

export interface Settled {
  /** Until nothing was left, or the time was over. */
  readonly afterMs: number
  /** What was left then. */
  readonly left: readonly string[]
}

/** Waits until the cluster has done all that it was ordered, for so long at most. */
export async function settle(cluster: Cluster, people: readonly Person[], timeoutMs: number): Promise<Settled> {
  const startedAt = performance.now()
  for (;;) {
    const left = await leftIn(cluster).catch((error: unknown) => [`It cannot be read: ${String(error)}`])
    const afterMs = performance.now() - startedAt
    if (left.length === 0 || afterMs > timeoutMs) return { afterMs, left }
    await replay(cluster, people).catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

async function leftIn(cluster: Cluster): Promise<string[]> {
  const { database, dirs, programs, isWell, paymentsUrl } = cluster
  const well = await Promise.all(
    [...programs.keys()].map(async (name) => ((await isWell(name)) ? [] : [`${name} is ill`])),
  )
  const counts = await Promise.all(
    Object.entries(LEFT).map(async ([what, query]) => {
      const { rows } = await database.pool.query<{ count: string }>(query)
      return Number(rows[0]?.count) > 0 ? [`${rows[0]?.count} ${what}`] : []
    }),
  )
  const spooled = await Promise.all(dirs.voices.map((dir) => filesIn(join(dir, 'facts-under-way'))))
  const files = spooled.flat().length
  const [paid, credited] = await Promise.all([paidAt(paymentsUrl), creditedIn(cluster)])
  const due = paid.filter((each) => !credited.includes(each)).length
  return [
    ...well.flat(),
    ...counts.flat(),
    ...(files > 0 ? [`${files} calls with facts under way`] : []),
    ...(due > 0 ? [`${due} payments that are not credited`] : []),
  ]
}

function filesIn(dir: string): Promise<string[]> {
  return readdir(dir).catch(() => [])
}

async function replay(cluster: Cluster, people: readonly Person[]): Promise<void> {
  const { rows } = await cluster.database.pool.query<{ id: string; user_id: string }>(TO_REPLAY)
  for (const { id: deliveryId, user_id: id } of rows) {
    const person = people.find(({ user }) => user.id === id)
    const path = pathOf(noticesRoutes.replay, { id, deliveryId })
    if (person) await ask(cluster, person, { method: 'POST', path, body: {} }, Math.random)
  }
}
