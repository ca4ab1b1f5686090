import type { Traces } from '@parley/traces'
import { sql } from 'drizzle-orm'
import type { Database, Db } from '../db.ts'
import { passedOver, repeatedTask } from '../schema.ts'
import type { Metrics } from './metrics.ts'

interface Queue extends Record<string, unknown> {
  readonly job: string
  readonly waiting: number
  readonly failed: number
  /** Since the oldest was due. */
  readonly age: number
}

/** Figures of the jobs and of the repeated tasks, of the pool's connections and of spans. */
export function addPlatformFigures(
  metrics: Metrics,
  { db, pool }: Pick<Database, 'db' | 'pool'>,
  traces: Pick<Traces, 'lost'>,
): void {
  const queues = shared(() => queuesOf(db))
  const of = (key: 'waiting' | 'failed' | 'age') => async () =>
    (await queues()).map((queue) => ({ labels: { job: queue.job }, value: queue[key] }))
  const labels = ['job']
  metrics.figure({ name: 'parley_jobs_waiting', help: 'Jobs that are due and wait', labels, read: of('waiting') })
  metrics.figure({ name: 'parley_jobs_failed', help: 'Jobs given up after all tries', labels, read: of('failed') })
  metrics.figure({
    name: 'parley_jobs_oldest_seconds',
    help: 'How long the oldest due job has waited',
    labels,
    read: of('age'),
  })
  metrics.figure({
    name: 'parley_database_pool_connections',
    help: 'Connections of the pool by state; waiting: requests for one',
    labels: ['state'],
    read: () => [
      { labels: { state: 'open' }, value: pool.totalCount },
      { labels: { state: 'idle' }, value: pool.idleCount },
      { labels: { state: 'waiting' }, value: pool.waitingCount },
    ],
  })
  metrics.figure({
    name: 'parley_spans_lost_count',
    help: 'Spans of this process that could not be exported',
    read: () => [{ value: traces.lost }],
  })
  metrics.figure({
    name: 'parley_rounds_overdue_seconds',
    help: 'How long a repeated task has gone without success beyond its interval; 0: it is in time',
    labels: ['round'],
    read: () => overdueOf(db),
  })
  metrics.figure({
    name: 'parley_passed_over_count',
    help: 'Accounts and things that a repeated task passes over because they failed',
    labels: ['round'],
    async read() {
      const { rows } = await db.execute<{ task: string; value: number }>(
        sql`select task, count(*)::int as value from ${passedOver} group by task`,
      )
      return rows.map(({ task, value }) => ({ labels: { round: task }, value }))
    },
  })
}

async function overdueOf(db: Db) {
  const { rows } = await db.execute<{ name: string; value: number }>(sql`
    select name, greatest(0, extract(epoch from now() - coalesce(last_succeeded_at, last_started_at, now()))
      - interval_ms / 1000.0)::float8 as value
    from ${repeatedTask}`)
  return rows.map(({ name, value }) => ({ labels: { round: name }, value }))
}

async function queuesOf(db: Db): Promise<readonly Queue[]> {
  const { rows } = await db.execute<Queue>(sql`
    select name as job,
      count(*) filter (where state in ('created', 'retry') and start_after <= now())::int as waiting,
      count(*) filter (where state = 'failed')::int as failed,
      coalesce(extract(epoch from now() - min(start_after) filter (
        where state in ('created', 'retry') and start_after <= now())), 0)::float8 as age
    from jobs.job where name not like '\\_\\_%' group by name`)
  return rows
}

/** One reading for the figures that are made of it. */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined
  return () => {
    reading ??= read().finally(() => (reading = undefined))
    return reading
  }
}
