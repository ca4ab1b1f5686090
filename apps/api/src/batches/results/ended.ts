import { type CallRow, callsOfBatch } from '../../calls/index.ts'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '../../platform/db.ts'
import { lockBatch, readOverview, waitingFor } from '../read.ts'
import { afterCall, CARRIER_FAILURES_MAX, isCarrierFailure, type Next } from './outcome.ts'
import type { BatchesRoom, BatchHooks } from '../room.ts'
import { batch, batchContact, type BatchRecord } from '../schema.ts'
import { releaseSlot } from '../pacing/slots.ts'

/** Attempts that one contact gets back after crashes. */
const GIVEN_BACK_MAX = 2

/** Applies an ended call to its batch: the contact is done or waits for a retry, and the slot is freed. */
export async function callEnded(
  room: Pick<BatchesRoom, 'hooks' | 'since' | 'tell'>,
  tx: Tx,
  call: CallRow,
): Promise<void> {
  const { batchId, endReason, id: callId } = call
  if (batchId === null || endReason === null) return
  await releaseSlot(tx, callId)
  const [contact] = await tx
    .select()
    .from(batchContact)
    .where(and(eq(batchContact.batchId, batchId), eq(batchContact.callId, callId), eq(batchContact.status, 'calling')))
    .for('update')
  if (!contact) return
  const row = await lockBatch(tx, batchId)
  const stopped = row.status === 'stopped'
  const { retries } = row.plan
  const max = contact.attemptsMax ?? retries.attempts
  // A rule or a crash stopped the call before it was dialed: the contact waits again and gets its attempt back.
  const isUndialed =
    call.dispatchedAt === null && (endReason === 'not_allowed' || (await isAwayAgain(tx, call, batchId)))
  const attempts = contact.attempts - (isUndialed ? 1 : 0)
  const next: Next = isUndialed
    ? { status: 'waiting', nextAttemptAt: null }
    : afterCall(
        endReason,
        { made: attempts, max, outcomes: call.outcomes },
        retries,
        call.completedAt ?? new Date(),
        call.clockSpeed,
      )
  // A stopped batch makes no retries.
  const kept: Next = stopped && next.status === 'waiting' ? { status: 'failed' } : next
  await tx
    .update(batchContact)
    .set({ status: kept.status, attempts, nextAttemptAt: kept.status === 'waiting' ? kept.nextAttemptAt : null })
    .where(and(eq(batchContact.batchId, batchId), eq(batchContact.row, contact.row)))
  const moved = await moveCounts(tx, row, { calling: -1, [kept.status]: 1 }, call.creditsCharged ?? 0)
  // A call of an earlier process may have failed because of our restart, not the carrier.
  const wasAway = call.createdAt < room.since
  const carrierFailures = isUndialed
    ? row.carrierFailures
    : !isCarrierFailure(endReason)
      ? 0
      : row.carrierFailures + (wasAway ? 0 : 1)
  await tx.update(batch).set({ carrierFailures, lookAt: null }).where(eq(batch.id, batchId))
  if (carrierFailures >= CARRIER_FAILURES_MAX && row.status === 'running') await breakCircuit(tx, batchId)
  await endIfDone(room.hooks, tx, moved)
  room.tell(batchId)
}

/** False after some crashes: a call that crashes the product each time must not be dialed for ever. */
async function isAwayAgain(tx: Tx, { endReason, callee }: CallRow, batchId: string): Promise<boolean> {
  return endReason === 'interrupted' && (await callsOfBatch.neverDialed(tx, batchId, callee)) <= GIVEN_BACK_MAX
}

async function breakCircuit(tx: Tx, batchId: string): Promise<void> {
  const statusMessage = `The last ${CARRIER_FAILURES_MAX} calls failed in the network. Look at their numbers, and resume when the network is well.`
  await tx.update(batch).set({ status: 'paused', pausedBy: 'failures', statusMessage }).where(eq(batch.id, batchId))
}

type Counted = 'waiting' | 'calling' | 'completed' | 'failed' | 'cancelled'

/** Moves the batch's counts along with its contacts' status. The caller has locked the batch. */
export async function moveCounts(
  tx: Tx,
  row: BatchRecord,
  by: Partial<Record<Counted, number>>,
  credits = 0,
): Promise<BatchRecord> {
  const names: readonly Counted[] = ['waiting', 'calling', 'completed', 'failed', 'cancelled']
  const changes = Object.fromEntries(
    names.flatMap((name) => (by[name] ? [[name, sql`${batch[name]} + ${by[name]}`]] : [])),
  )
  const [moved] = await tx
    .update(batch)
    .set({ ...changes, creditsCharged: sql`${batch.creditsCharged} + ${credits}` })
    .where(eq(batch.id, row.id))
    .returning()
  return moved ?? row
}

const UNDER_WAY: readonly BatchRecord['status'][] = ['scheduled', 'running', 'paused']

/** Finishes a batch without waiting or live contacts and notifies in the same transaction. */
export async function endIfDone(hooks: BatchHooks, tx: Tx, row: BatchRecord): Promise<void> {
  if (row.waiting === 0 && row.calling === 0 && UNDER_WAY.includes(row.status)) await finish(hooks, tx, row)
}

export async function finish(hooks: BatchHooks, tx: Tx, row: BatchRecord): Promise<void> {
  const now = new Date()
  const ending = {
    status: 'done' as const,
    pausedBy: null,
    statusMessage: null,
    startedAt: row.startedAt ?? now,
    endedAt: now,
  }
  const [done] = await tx.update(batch).set(ending).where(eq(batch.id, row.id)).returning()
  if (!done) return
  const overview = await readOverview(tx, done)
  await hooks.run('completed', tx, done.userId, overview)
}

/** Cancels waiting contacts with these numbers in every batch of the account (opt-out). */
export async function cancelWaiting(
  room: Pick<BatchesRoom, 'hooks' | 'tell'>,
  tx: Tx,
  userId: string,
  phones: readonly string[],
): Promise<void> {
  const found = await tx
    .select({ batchId: batchContact.batchId, row: batchContact.row })
    .from(batchContact)
    .innerJoin(batch, eq(batch.id, batchContact.batchId))
    .where(waitingFor(userId, phones))
    .orderBy(batchContact.batchId, batchContact.row)
    .for('update', { of: batchContact })
  for (const [batchId, contacts] of Map.groupBy(found, (contact) => contact.batchId)) {
    const rows = contacts.map(({ row }) => row)
    const row = await lockBatch(tx, batchId)
    // In a draft, which has not started, the row is dropped instead.
    const status = row.status === 'draft' ? ('dropped' as const) : ('cancelled' as const)
    await tx
      .update(batchContact)
      .set({ status, code: 'do_not_call', nextAttemptAt: null })
      .where(and(eq(batchContact.batchId, batchId), inArray(batchContact.row, rows)))
    if (status === 'dropped') {
      const counts = { waiting: row.waiting - rows.length, dropped: row.dropped + rows.length }
      await tx.update(batch).set(counts).where(eq(batch.id, batchId))
    } else {
      await endIfDone(room.hooks, tx, await moveCounts(tx, row, { waiting: -rows.length, cancelled: rows.length }))
    }
    room.tell(batchId)
  }
}
