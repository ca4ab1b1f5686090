import { sql } from 'drizzle-orm'
import type { Db } from '../../platform/db.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { call, callLease, voiceNode } from '../schema.ts'

interface Line extends Record<string, unknown> {
  readonly live: number
  readonly waiting: number
  readonly oldest: number
}

interface Node extends Record<string, unknown> {
  readonly state: string
  readonly nodes: number
  readonly places: number
  readonly taken: number
}

/** Calls that run and that wait for a free line, and the places of the voice nodes. */
export function addCallFigures({ metrics, db }: { readonly metrics: Metrics; readonly db: Db }): void {
  metrics.figure({
    name: 'parley_calls_count',
    help: 'Calls that are not over, and those of them that wait for a free line',
    labels: ['state'],
    async read() {
      const { live, waiting } = await lineOf(db)
      return [
        { labels: { state: 'live' }, value: live - waiting },
        { labels: { state: 'waiting' }, value: waiting },
      ]
    },
  })
  metrics.figure({
    name: 'parley_calls_waiting_oldest_seconds',
    help: 'How long the first of the line has waited for a free line',
    read: async () => [{ value: (await lineOf(db)).oldest }],
  })
  const ofNodes = (key: 'nodes' | 'places' | 'taken') => async () =>
    (await nodesOf(db)).map((row) => ({ labels: { state: row.state }, value: row[key] }))
  const labels = ['state']
  metrics.figure({ name: 'parley_voice_nodes_count', help: 'Voice nodes by state', labels, read: ofNodes('nodes') })
  metrics.figure({
    name: 'parley_voice_places_count',
    help: 'Places for calls on the voice nodes, by state of the node',
    labels,
    read: ofNodes('places'),
  })
  metrics.figure({
    name: 'parley_voice_leases_count',
    help: 'Places that calls have taken, by state of the node',
    labels,
    read: ofNodes('taken'),
  })
}

async function lineOf(db: Db): Promise<Line> {
  const { rows } = await db.execute<Line>(sql`
    select count(*)::int as live, count(waiting_since)::int as waiting,
      coalesce(extract(epoch from now() - min(waiting_since)), 0)::float8 as oldest
    from ${call} where completed_at is null`)
  return rows[0] ?? { live: 0, waiting: 0, oldest: 0 }
}

/** A node whose heartbeat is 10 s old counts as dead. */
async function nodesOf(db: Db): Promise<readonly Node[]> {
  const { rows } = await db.execute<Node>(sql`
    select case when n.heartbeat_at < now() - interval '10 seconds' then 'dead' else n.state end as state,
      count(*)::int as nodes, sum(n.capacity)::int as places,
      sum((select count(*) from ${callLease} l where l.node_id = n.node_id))::int as taken
    from ${voiceNode} n group by 1`)
  return rows
}
