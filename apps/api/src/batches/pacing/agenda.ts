import { and, asc, eq, inArray, isNotNull, lte, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../platform/db.ts'
import { isNotPassedOver } from '../../platform/rounds/each-alone.ts'
import { batch, type BatchRecord } from '../schema.ts'

// When the pacer looks at which batch. Without a time it looks at once; a batch that can do nothing before a time or an
// event is not looked at until then.

export const PACE_TASK = 'batches.pace'
export const DIAL_TASK = 'batches.dial'
/** A batch that is due for so long is looked at, whether or not a call has room. */
const PATIENCE_MS = 3000
/** Of those that are due for longer, and of the others. */
const OVERDUE_MAX = 10_000
const CANDIDATES_MAX = 1000
const CANDIDATES_PER_PLACE = 10
const STARTED_MAX = 1000
/** Batches that one free line of the account wakes. */
const WOKEN_MAX = 8

/** The texts of the indexes batch_due and batch_awaiting. */
export const isPaced = sql`(${batch.status} = 'running' or ${batch.status} = 'paused' and ${batch.pausedBy} = 'hours')`
const dueAt = sql`coalesce(${batch.lookAt}, '-infinity'::timestamptz)`
const isAwaiting = and(eq(batch.status, 'running'), isNotNull(batch.waitsFor))

const among = (ids: readonly string[]) => sql`${batch.id} = any(${sql.param([...ids])}::text[])`
const timeOf = (at: Date) => sql`${sql.param(at, batch.lookAt)}::timestamptz`

export async function startScheduled(db: Db, now: Date): Promise<void> {
  const due = db
    .select({ id: batch.id })
    .from(batch)
    .where(and(eq(batch.status, 'scheduled'), lte(batch.scheduledFor, now)))
    .orderBy(asc(batch.scheduledFor))
    .limit(STARTED_MAX)
    .for('update', { skipLocked: true })
  await db.update(batch).set({ status: 'running', startedAt: now, lookAt: null }).where(inArray(batch.id, due))
}

export interface Due {
  readonly id: string
  readonly isOverdue: boolean
}

/**
 * Every account's first batch, then every account's second, so that one account with many batches delays no other:
 * those that are overdue, and a bounded number of the others.
 */
export async function dueBatches(db: Db, now: Date): Promise<Due[]> {
  const overdue = timeOf(new Date(now.getTime() - PATIENCE_MS))
  const part = (when: SQL, most: number) => sql`(
    select id, user_id, created_at, ${dueAt} as due_at from ${batch}
    where ${isPaced} and ${when} and ${isNotPassedOver(PACE_TASK, batch.id)} and ${isNotPassedOver(DIAL_TASK, batch.id)}
    order by ${dueAt} limit ${most})`
  const { rows } = await db.execute<{ id: string; overdue: boolean }>(sql`
    select id, due_at <= ${overdue} as overdue from (
      ${part(sql`${dueAt} <= ${overdue}`, OVERDUE_MAX)} union all
      ${part(sql`${dueAt} > ${overdue} and ${dueAt} <= ${timeOf(now)}`, CANDIDATES_MAX)}) as due
    order by row_number() over (partition by user_id order by due_at, created_at), due_at, created_at`)
  return rows.map(({ id, overdue: isOverdue }) => ({ id, isOverdue }))
}

/** Of those that are due, the ones to look at with so many places for calls; and whether some are left. */
export function withPlaces(due: readonly Due[], places: number): { ids: readonly string[]; isMore: boolean } {
  let candidates = places * CANDIDATES_PER_PLACE
  const chosen = due.filter(({ isOverdue }) => isOverdue || candidates-- > 0)
  return { ids: chosen.map(({ id }) => id), isMore: places > 0 && chosen.length < due.length }
}

type Known = Pick<BatchRecord, 'id' | 'status' | 'pausedBy' | 'statusMessage' | 'waitsFor' | 'waiting' | 'calling'> & {
  readonly lookAt: Date | null
}

export interface Note {
  /** The batch as it was read. */
  readonly row: Known
  readonly status: 'running' | 'paused'
  readonly pausedBy: 'hours' | null
  readonly statusMessage: string | null
  readonly waitsFor: BatchRecord['waitsFor']
  readonly lookAt: Date
}

/**
 * Stores what each batch waits for, in one statement, unless a user, a call or another event changed the batch since it
 * was read: then it is due as before.
 */
export async function note(db: Db, notes: readonly Note[]): Promise<void> {
  if (notes.length === 0) return
  const given = notes.map(({ row, ...noted }) => ({ id: row.id, was: row, noted }))
  const ids = sql.param(notes.map(({ row }) => row.id))
  await db.execute(sql`
    with given as (
      select given.id, was.*, noted.status as new_status, noted."pausedBy" as new_paused_by,
        noted."lookAt" as new_look_at, noted."statusMessage" as new_message, noted."waitsFor" as new_waits_for
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given (id text, was jsonb, noted jsonb)
      cross join lateral jsonb_to_record(given.was) as was (status text, "pausedBy" text, waiting int, calling int,
        "lookAt" timestamptz)
      cross join lateral jsonb_to_record(given.noted) as noted (status text, "pausedBy" text, "lookAt" timestamptz,
        "statusMessage" text, "waitsFor" text)
    ), mine as (select id from ${batch} where id = any(${ids}::text[]) order by id for update skip locked)
    update ${batch} as b set status = new_status, paused_by = new_paused_by, look_at = new_look_at,
      status_message = new_message, waits_for = new_waits_for
    from given join mine using (id)
    where b.id = given.id and b.status = given.status and b.waiting = given.waiting and b.calling = given.calling
      and b.paused_by is not distinct from given."pausedBy" and b.look_at is not distinct from given."lookAt"`)
}

/** Looks at these batches no later than at a time. */
export async function lookAgain(db: Db, batchIds: readonly string[], at: Date): Promise<void> {
  if (batchIds.length === 0) return
  const later = db
    .select({ id: batch.id })
    .from(batch)
    .where(and(among(batchIds), isPaced, sql`${batch.lookAt} > ${timeOf(at)}`))
    .for('update', { skipLocked: true })
  await db.update(batch).set({ lookAt: at }).where(inArray(batch.id, later))
}

/**
 * An event may let the account's batches dial: those that have waited longest are due. Returns whether there is one.
 * Of a batch that another transaction changes at the same time, the next look comes at its time.
 */
export async function wake(tx: Tx, userId: string): Promise<boolean> {
  const waiting = tx
    .select({ id: batch.id })
    .from(batch)
    .where(and(eq(batch.userId, userId), isAwaiting, sql`${batch.lookAt} > now()`))
    .orderBy(asc(batch.lookAt))
    .limit(WOKEN_MAX)
    .for('update', { skipLocked: true })
  const { rowCount } = await tx
    .update(batch)
    .set({ lookAt: new Date(), waitsFor: null })
    .where(inArray(batch.id, waiting))
  return (rowCount ?? 0) > 0
}

/** While no batch can dial, each says why once; they stay due. */
export async function noteObstacle(db: Db, due: readonly Due[], statusMessage: string): Promise<void> {
  const isNew = sql`${batch.statusMessage} is distinct from ${statusMessage}`
  const dueNow = among(due.map(({ id }) => id))
  await db
    .update(batch)
    .set({ statusMessage })
    .where(and(dueNow, isPaced, isNew))
}
