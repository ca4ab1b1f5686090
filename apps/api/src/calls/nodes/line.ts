import { PHASES } from '@parley/contract'
import { and, asc, eq, isNotNull, isNull, lt, ne, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../../platform/db.ts'
import type { Jobs } from '../../platform/jobs.ts'
import { isNotPassedOver } from '../../platform/rounds/each-alone.ts'
import { keep, type Kept } from '../facts.ts'
import { enter } from '../lifecycle.ts'
import { dialJob } from '../placing/job.ts'
import type { CallHooks } from '../room.ts'
import { call, type CallRow } from '../schema.ts'
import { countPlaces, hasLivingNode } from './leases.ts'

// The waiting line: calls for which no voice node has a place. Single calls first, then the longest wait.

const isWaiting = and(isNull(call.completedAt), isNotNull(call.waitingSince))
const ofBatch = sql`(${call.batchId} is not null)`

/** Shows the call as waiting for a free line. */
export async function enterLine(hooks: CallHooks, tx: Tx, row: CallRow, now: Date): Promise<Kept> {
  if (row.waitingSince !== null) return { row, messages: [] }
  await tx.update(call).set({ waitingSince: now, dispatchedAt: null }).where(eq(call.id, row.id))
  return keep(hooks, tx, row, enter(row, PHASES.waitingForLine, now))
}

/** The call has got its place: its dial budget runs from now on. */
export async function leaveLine(hooks: CallHooks, tx: Tx, row: CallRow, now: Date): Promise<Kept> {
  if (row.waitingSince === null) return { row, messages: [] }
  await tx.update(call).set({ waitingSince: null }).where(eq(call.id, row.id))
  return keep(hooks, tx, row, enter(row, PHASES.queued, now))
}

/** Whether it is the call's turn: fewer calls wait before it than places are free. */
export async function isInTurn(tx: Tx, row: CallRow, now: Date): Promise<boolean> {
  const isSingle = row.batchId === null
  const since = sql.param(row.waitingSince ?? now, call.waitingSince)
  const isBefore = sql`(${ofBatch}, ${call.waitingSince}, ${call.id}) < (${!isSingle}::boolean, ${since}, ${row.id}::text)`
  const before = await tx.$count(call, and(isWaiting, ne(call.id, row.id), isBefore))
  if (before === 0) return true
  const { places, held } = await countPlaces(tx, isSingle)
  return before < places - held
}

/**
 * Dials the first of the line, where a place is free for it. One is enough: a call that gets a place wakes the next.
 */
export async function wakeNext(jobs: Pick<Jobs, 'enqueue'>, tx: Tx): Promise<void> {
  const [first] = await tx
    .select({ id: call.id, batchId: call.batchId, traceparent: call.traceparent })
    .from(call)
    .where(isWaiting)
    .orderBy(ofBatch, asc(call.waitingSince), asc(call.id))
    .limit(1)
  if (!first) return
  const { places, held } = await countPlaces(tx, first.batchId === null)
  if (places <= held && (await hasLivingNode(tx))) return
  const { id, batchId, traceparent } = first
  // In its own trace, and not in that of the call which leaves its place.
  await jobs.enqueue(tx, dialJob, { callId: id }, { key: id, priority: batchId === null ? 1 : 0, traceparent })
}

/** Calls that have waited since before a time, the longest wait first, without those that the task passes over. */
export async function listWaiting(reader: Reader, since: Date, most: number, task: string): Promise<string[]> {
  const rows = await reader
    .select({ id: call.id })
    .from(call)
    .where(and(isWaiting, lt(call.waitingSince, since), isNotPassedOver(task, call.id)))
    .orderBy(asc(call.waitingSince))
    .limit(most)
  return rows.map(({ id }) => id)
}
