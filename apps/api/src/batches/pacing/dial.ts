import type { LiveMessage, NewCall } from '@parley/contract'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { announce, limitSecondsOf, longestLifeMs, placeForBatch } from '../../calls/index.ts'
import { audit, dialRulesOf, mayDial } from '../../consent/index.ts'
import { balance, balanceMessage } from '../../credits/index.ts'
import { type Db, type Reader, type Tx, withTx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { endIfDone, moveCounts } from '../results/ended.ts'
import { type Contact, nextContact } from './queue.ts'
import { lockBatch } from '../read.ts'
import { ACCOUNT_END_MS } from './pacing.ts'
import type { BatchesRoom, BatchHooks } from '../room.ts'
import { batch, batchContact, type BatchRecord } from '../schema.ts'
import { lease, takeSlot } from './slots.ts'
import { fillOrder, withMapped } from '../intake/variables.ts'

/** The result of an attempt to dial the next contact of a batch. */
export type Dialed =
  /** There may be more to dial. */
  | 'placed'
  /** The contact was postponed or removed. */
  | 'skipped'
  /** No contact is due or no slot is free. */
  | 'nothing'
  /** The batch was paused or must wait; its status message says why. */
  | 'held'

const LEASE_MARGIN_MS = 5 * 60_000

/** Dials the next due contact: checks, hold, call, slot and counts in one transaction. */
export async function dialNext(
  room: Pick<BatchesRoom, 'bus' | 'calls' | 'config' | 'db' | 'hooks' | 'tell'>,
  row: BatchRecord,
  openPlaces: readonly string[] | null,
): Promise<Dialed> {
  let messages: LiveMessage[] = []
  try {
    return await withTx(room.db, async (tx) => {
      messages = []
      const now = new Date()
      const { batchConcurrency } = room.config
      const slotId = batchConcurrency === undefined ? undefined : await takeSlot(tx, batchConcurrency, now)
      const contact = slotId === null ? undefined : await nextContact(tx, row.id, openPlaces, now)
      if (slotId === null || !contact?.callee) return 'nothing'
      await lockNumber(tx, row.userId, contact.callee)
      const order = {
        userId: row.userId,
        callee: contact.callee,
        confirmOutsideHours: false,
        batchId: row.id,
        place: contact.place,
      }
      const verdict = await mayDial(tx, dialRulesOf(room.config), order, now)
      if (verdict.answer === 'no' && verdict.code === 'dialing_off') return hold(tx, row, verdict.message)
      if (verdict.answer === 'not_before') return putOff(tx, contact, verdict.at)
      if (verdict.answer === 'no') return takeOut(room.hooks, tx, row, contact, verdict.code)
      const { call, available } = await placeForBatch(room.calls, tx, {
        userId: row.userId,
        body: orderOf(row, contact),
        callee: verdict.callee,
        batchId: row.id,
      })
      const leasedMs = longestLifeMs(limitSecondsOf(call)) + LEASE_MARGIN_MS
      if (slotId !== undefined) await lease(tx, slotId, call.id, new Date(now.getTime() + leasedMs))
      await beginCall(tx, row, contact, call.id)
      messages = [{ type: 'call_status', call }, balanceMessage(available)]
      return 'placed'
    })
  } catch (error) {
    if (error instanceof AppError) return await held(room.db, row, error)
    throw error
  } finally {
    announce(room.bus, row.userId, messages)
    room.tell(row.id)
  }
}

/** Serializes batches of one account that dial the same number, so that attempts are counted right. */
async function lockNumber(tx: Tx, userId: string, callee: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${userId} ${callee}`}, 0))`)
}

function orderOf(row: BatchRecord, { order, context, callee, name, phone }: Contact): NewCall {
  const plan = { ...row.plan, ...order }
  const { purpose, objectives, mandates, tone, maxDurationMinutes, language } = fillOrder(
    { ...plan, mandates: plan.mandates ?? [] },
    withMapped(context, { name, phone }),
  )
  return { callee: callee ?? '', purpose, objectives, mandates, vault: [], tone, maxDurationMinutes, language, context }
}

async function beginCall(tx: Tx, row: BatchRecord, contact: Contact, callId: string): Promise<void> {
  await tx
    .update(batchContact)
    .set({ status: 'calling', attempts: contact.attempts + 1, nextAttemptAt: null, callId })
    .where(and(eq(batchContact.batchId, row.id), eq(batchContact.row, contact.row)))
  await stillRunning(tx, row.id)
  await moveCounts(tx, row, { waiting: -1, calling: 1 })
}

/** Throws if the batch was paused or stopped meanwhile. */
async function stillRunning(tx: Tx, batchId: string): Promise<void> {
  const { status } = await lockBatch(tx, batchId)
  if (status !== 'running') throw new AppError('conflict', 'The batch is not running.')
}

/** Postpones a contact; the next one can be dialed meanwhile. */
async function putOff(tx: Tx, contact: Contact, nextAttemptAt: Date): Promise<Dialed> {
  await tx
    .update(batchContact)
    .set({ nextAttemptAt })
    .where(and(eq(batchContact.batchId, contact.batchId), eq(batchContact.row, contact.row)))
  return 'skipped'
}

async function takeOut(
  hooks: BatchHooks,
  tx: Tx,
  row: BatchRecord,
  contact: Contact,
  code: NonNullable<Contact['code']>,
): Promise<Dialed> {
  await tx
    .update(batchContact)
    .set({ status: 'cancelled', code, nextAttemptAt: null })
    .where(and(eq(batchContact.batchId, row.id), inArray(batchContact.row, [contact.row])))
  await audit(tx, { userId: row.userId, kind: 'refused', phone: contact.callee, batchId: row.id, detail: code })
  await endIfDone(hooks, tx, await moveCounts(tx, await lockBatch(tx, row.id), { waiting: -1, cancelled: 1 }))
  return 'skipped'
}

async function hold(tx: Tx, row: BatchRecord, statusMessage: string): Promise<Dialed> {
  await tx.update(batch).set({ statusMessage, lookAt: new Date() }).where(eq(batch.id, row.id))
  return 'held'
}

const WAITS_FOR_CREDITS = 'The calls that run hold the credits that are left. It goes on when they end.'

/** Handles an error that stops all further calls of the batch: no credits pauses it, anything else waits. */
async function held(db: Db, { id, userId, lookAt }: BatchRecord, { code, message }: AppError): Promise<Dialed> {
  if (code === 'conflict') return 'held'
  const paused = { status: 'paused' as const, pausedBy: 'credits' as const, statusMessage: message, waitsFor: null }
  const mayCome = code === 'insufficient_credits' && (await mayComeBack(db, userId))
  const outOfCredits = !mayCome && (code === 'insufficient_credits' || code === 'debt_outstanding')
  // Unless a call of the batch has ended meanwhile, which brings a look at once.
  const later = sql`case when ${batch.lookAt} = ${sql.param(lookAt, batch.lookAt)} then
    ${sql.param(new Date(Date.now() + ACCOUNT_END_MS), batch.lookAt)} else ${batch.lookAt} end`
  const waiting = {
    statusMessage: mayCome ? WAITS_FOR_CREDITS : message,
    waitsFor: mayCome ? ('credits' as const) : ('account' as const),
    lookAt: later,
  }
  await db
    .update(batch)
    .set(outOfCredits ? paused : waiting)
    .where(and(eq(batch.id, id), eq(batch.status, 'running')))
  return 'held'
}

/** Whether credits may become available: a running call holds its maximum cost and releases the rest. */
async function mayComeBack(reader: Reader, userId: string): Promise<boolean> {
  const { available, held: inCalls } = await balance(reader, userId)
  return available > 0 || inCalls > 0
}
