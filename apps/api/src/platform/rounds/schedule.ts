import { sql } from 'drizzle-orm'
import type { Db, Reader, Tx } from '../db.ts'
import { repeatedTask } from '../schema.ts'

// The schedule of the repeated tasks. A runner holds a lease of its task, never a connection or a lock of a session.

/** One run of a task, until its lease lapses. */
export interface Claim {
  readonly name: string
  readonly fence: number
}

export interface Interval {
  readonly name: string
  readonly intervalMs: number
}

/** What is known of a task. */
export type RoundState = Pick<
  typeof repeatedTask.$inferSelect,
  'name' | 'lastStartedAt' | 'lastSucceededAt' | 'lastFailedAt' | 'failuresInRow' | 'lastErrorKind'
>

const FIRST_RETRY_MS = 3000
/** More doublings exceed every interval. */
const DOUBLINGS_MAX = 20

const after = (ms: number) => sql`now() + make_interval(secs => ${ms / 1000})`
const ofRun = ({ name, fence }: Claim) => sql`name = ${name} and fence = ${fence}`
const namedIn = (names: readonly string[]) => sql`name = any(${sql.param([...names])}::text[])`
/** Of a free task its next run, of one that runs the end of its lease. */
const claimableAt = sql`case when owner is null then next_run_at else lease_until end`

/** New tasks are due at once; those of a longer interval are brought forward. */
export async function register(db: Db, tasks: readonly Interval[]): Promise<void> {
  const names = sql.param(tasks.map(({ name }) => name))
  const intervals = sql.param(tasks.map(({ intervalMs }) => intervalMs))
  await db.execute(sql`
    insert into ${repeatedTask} as known (name, interval_ms)
    select * from unnest(${names}::text[], ${intervals}::int[]) as given (name, interval_ms) order by name
    on conflict (name) do update set interval_ms = excluded.interval_ms,
      next_run_at = least(known.next_run_at, now() + excluded.interval_ms * interval '1 ms')
    where known.interval_ms <> excluded.interval_ms`)
}

/** For a process that is alone on its database: every lease is of a dead one. */
export async function releaseAll(db: Db): Promise<void> {
  await db.execute(sql`update ${repeatedTask} set owner = null, lease_until = null, next_run_at = now()`)
}

export interface Claimed {
  readonly claims: readonly Claim[]
  /** Until another one of the tasks can be claimed; null without one. */
  readonly nextInMs: number | null
}

/** Claims those of the tasks that are due or whose runner is gone. */
export async function claimDue(
  db: Db,
  { names, owner, leaseMs }: { readonly names: readonly string[]; readonly owner: string; readonly leaseMs: number },
): Promise<Claimed> {
  // One statement, because it is asked at every look: its two halves see the same state of the tasks.
  const { rows } = await db.execute<{ name: string | null; fence: string; ms: string | null }>(sql`
    with claimed as (update ${repeatedTask} set owner = ${owner}, fence = fence + 1, lease_until = ${after(leaseMs)},
      next_run_at = now() + interval_ms * interval '1 ms', last_started_at = now()
    where name in (select name from ${repeatedTask} where ${namedIn(names)} and ${claimableAt} <= now()
      order by name for update skip locked)
    returning name, fence),
    next as (select extract(epoch from min(${claimableAt}) - now()) * 1000 as ms from ${repeatedTask}
      where ${namedIn(names)} and name not in (select name from claimed))
    select name, fence, ms from next left join claimed on true`)
  const claims = rows.flatMap(({ name, fence }) => (name === null ? [] : { name, fence: Number(fence) }))
  const ms = rows[0]?.ms ?? null
  return { claims, nextInMs: ms === null ? null : Number(ms) }
}

/** Prolongs the leases and returns the names of those that are still held. */
export async function prolong(db: Db, claims: readonly Claim[], leaseMs: number): Promise<ReadonlySet<string>> {
  const names = sql.param(claims.map(({ name }) => name))
  const fences = sql.param(claims.map(({ fence }) => fence))
  const { rows } = await db.execute<{ name: string }>(sql`
    update ${repeatedTask} as task set lease_until = ${after(leaseMs)}
    from unnest(${names}::text[], ${fences}::bigint[]) as held (name, fence)
    where task.name = held.name and task.fence = held.fence and task.owner is not null
    returning task.name`)
  return new Set(rows.map(({ name }) => name))
}

/** Whether the run still has its lease; nobody else claims the task before the transaction has ended. */
export async function isHeld(tx: Tx, claim: Claim): Promise<boolean> {
  const { rows } = await tx.execute<{ held: number }>(
    sql`select 1 as held from ${repeatedTask} where ${ofRun(claim)} and owner is not null for share`,
  )
  return rows.length > 0
}

/** A run that was asked for meanwhile stays due. */
export async function noteSuccess(db: Db, claim: Claim): Promise<void> {
  await db.execute(sql`update ${repeatedTask} set owner = null, lease_until = null, last_succeeded_at = now(),
    failures_in_row = 0 where ${ofRun(claim)}`)
}

/** The next run waits for the back-off, at most for the interval. */
export async function noteFailure(db: Db, claim: Claim, errorKind: string): Promise<void> {
  const backOffMs = sql`${FIRST_RETRY_MS}::int * 2.0 ^ least(failures_in_row, ${DOUBLINGS_MAX}::int)`
  await db.execute(sql`update ${repeatedTask} set owner = null, lease_until = null, last_failed_at = now(),
    failures_in_row = failures_in_row + 1, last_error_kind = ${errorKind},
    next_run_at = now() + least(interval_ms, ${backOffMs}) * interval '1 ms' where ${ofRun(claim)}`)
}

/** Of a process that stops: another one continues. */
export async function giveBack(db: Db, claim: Claim): Promise<void> {
  await db.execute(
    sql`update ${repeatedTask} set owner = null, lease_until = null, next_run_at = now() where ${ofRun(claim)}`,
  )
}

/** A task that fails keeps its back-off. */
export async function markDue(db: Db, name: string): Promise<void> {
  await db.execute(sql`update ${repeatedTask} set next_run_at = now()
    where name = ${name} and next_run_at > now() and failures_in_row = 0`)
}

export function readStates(reader: Reader): Promise<RoundState[]> {
  const { name, lastStartedAt, lastSucceededAt, lastFailedAt, failuresInRow, lastErrorKind } = repeatedTask
  const columns = { name, lastStartedAt, lastSucceededAt, lastFailedAt, failuresInRow, lastErrorKind }
  return reader.select(columns).from(repeatedTask).orderBy(name)
}
