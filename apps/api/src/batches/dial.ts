import { type LiveMessage, type NewCall, SECONDS_PER_CREDIT } from '@parley/contract'
import { and, eq, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { announce, longestCallMs, placeForBatch } from '../calls/index.ts'
import { audit, dialRulesOf, mayDial } from '../consent/index.ts'
import { balanceMessage } from '../credits/index.ts'
import { type Reader, type Tx, withTx } from '../platform/db.ts'
import { AppError } from '../platform/errors.ts'
import { endIfDone, moveCounts } from './ended.ts'
import { lockBatch } from './read.ts'
import type { BatchesRoom } from './room.ts'
import { batch, batchContact, type BatchRecord } from './schema.ts'
import { lease, takeSlot } from './slots.ts'
import { fillOrder } from './variables.ts'

type Contact = typeof batchContact.$inferSelect

/** What came of an attempt to dial the next contact of a list. */
export type Dialed =
  /** A call was placed, or the contact is out of the way: there may be more. */
  | 'on'
  /** No contact or no line is there now. */
  | 'nothing'
  /** The list was paused or must wait: its own row says why. */
  | 'held'

const LEASE_MARGIN_MS = 5 * 60_000
/** Others dial for the same list at this moment, and have locked the rows before. */
const CANDIDATES = 8

/** Calls the contact whose turn it is: checks, credits, call, line and count, all or nothing. */
export async function dialNext(room: BatchesRoom, row: BatchRecord, openPlaces: readonly string[] | null): Promise<Dialed> {
  let messages: LiveMessage[] = []
  try {
    return await withTx(room.db, async (tx) => {
      messages = []
      const now = new Date()
      const slotId = await takeSlot(tx, room.config.batchLines, now)
      const contact = slotId === null ? undefined : await nextContact(tx, row.id, openPlaces, now)
      if (slotId === null || !contact?.callee) return 'nothing'
      const order = { userId: row.userId, callee: contact.callee, confirmOutsideHours: false, batchId: row.id, place: contact.place }
      const verdict = await mayDial(tx, dialRulesOf(room.config), order, now)
      if (verdict.answer === 'no' && verdict.code === 'dialing_off') return hold(tx, row, verdict.message)
      if (verdict.answer === 'not_before') return putOff(tx, contact, verdict.at)
      if (verdict.answer === 'no') return takeOut(room, tx, row, contact, verdict.code)
      const { call, available } = await placeForBatch(room.calls, tx, {
        userId: row.userId,
        body: orderOf(row, contact),
        callee: verdict.callee,
        batchId: row.id,
      })
      await lease(tx, slotId, call.id, new Date(now.getTime() + longestCallMs(call.creditsHeld * SECONDS_PER_CREDIT) + LEASE_MARGIN_MS))
      await beginCall(tx, row, contact, call.id)
      messages = [{ type: 'call_status', call }, balanceMessage(available)]
      return 'on'
    })
  } catch (error) {
    if (error instanceof AppError) return await held(room, row.id, error)
    throw error
  } finally {
    announce(room.bus, row.userId, messages)
    room.tell(row.id)
  }
}

/** Retries whose time has come, the longest due first; else the first row of the list that is in an open place. */
async function nextContact(tx: Tx, batchId: string, openPlaces: readonly string[] | null, now: Date): Promise<Contact | undefined> {
  const waiting = and(eq(batchContact.batchId, batchId), eq(batchContact.status, 'waiting'))
  const [due] = await tx
    .select()
    .from(batchContact)
    .where(and(waiting, lte(batchContact.nextAttemptAt, now)))
    .orderBy(batchContact.nextAttemptAt, batchContact.row)
    .limit(1)
    .for('update', { skipLocked: true })
  if (due) return due
  const rows = await firstFreshRows(tx, batchId, openPlaces)
  if (rows.length === 0) return undefined
  const [fresh] = await tx
    .select()
    .from(batchContact)
    .where(and(waiting, inArray(batchContact.row, rows)))
    .orderBy(batchContact.row)
    .limit(1)
    .for('update', { skipLocked: true })
  return fresh
}

/** The first rows that have not had their turn, in any of the places: the first of each place by the index, and of those the first. */
async function firstFreshRows(reader: Reader, batchId: string, places: readonly string[] | null): Promise<number[]> {
  const fresh = and(eq(batchContact.batchId, batchId), eq(batchContact.status, 'waiting'), isNull(batchContact.nextAttemptAt))
  const first = (where: SQL) =>
    sql`(select ${batchContact.row} as row from ${batchContact} where ${fresh} ${where} order by ${batchContact.row} limit ${CANDIDATES}) as f`
  const from =
    places === null
      ? first(sql``)
      : sql`unnest(${sql.param([...places])}::text[]) as p(place) cross join lateral ${first(sql`and ${batchContact.place} = p.place`)}`
  const { rows } = await reader.execute<{ row: number }>(sql`select f.row from ${from} order by f.row limit ${CANDIDATES}`)
  return rows.map(({ row }) => row)
}

function orderOf(row: BatchRecord, { order, context, callee }: Contact): NewCall {
  const { purpose, objectives, tone, maxDurationMinutes, language } = fillOrder({ ...row.plan, ...order }, context)
  return { callee: callee ?? '', purpose, objectives, tone, maxDurationMinutes, language, context }
}

async function beginCall(tx: Tx, row: BatchRecord, contact: Contact, callId: string): Promise<void> {
  await tx
    .update(batchContact)
    .set({ status: 'calling', attempts: contact.attempts + 1, nextAttemptAt: null, callId })
    .where(and(eq(batchContact.batchId, row.id), eq(batchContact.row, contact.row)))
  await stillRunning(tx, row.id)
  await moveCounts(tx, row, { waiting: -1, calling: 1 })
}

/** A list that was paused or stopped a moment ago calls nobody any more. */
async function stillRunning(tx: Tx, batchId: string): Promise<void> {
  const { status } = await lockBatch(tx, batchId)
  if (status !== 'running') throw new AppError('conflict', 'The batch is not running.')
}

/** Its turn comes again then; meanwhile the next one's. */
async function putOff(tx: Tx, contact: Contact, nextAttemptAt: Date): Promise<Dialed> {
  await tx
    .update(batchContact)
    .set({ nextAttemptAt })
    .where(and(eq(batchContact.batchId, contact.batchId), eq(batchContact.row, contact.row)))
  return 'on'
}

async function takeOut(room: BatchesRoom, tx: Tx, row: BatchRecord, contact: Contact, code: NonNullable<Contact['code']>): Promise<Dialed> {
  await tx
    .update(batchContact)
    .set({ status: 'cancelled', code, nextAttemptAt: null })
    .where(and(eq(batchContact.batchId, row.id), inArray(batchContact.row, [contact.row])))
  await audit(tx, { userId: row.userId, kind: 'refused', phone: contact.callee, batchId: row.id, detail: code })
  await endIfDone(room, tx, await moveCounts(tx, await lockBatch(tx, row.id), { waiting: -1, cancelled: 1 }))
  return 'on'
}

async function hold(tx: Tx, row: BatchRecord, statusMessage: string): Promise<Dialed> {
  await tx.update(batch).set({ statusMessage }).where(eq(batch.id, row.id))
  return 'held'
}

/** What keeps every further call of the list from being placed: no credits pauses it, anything else waits. */
async function held(room: BatchesRoom, batchId: string, { code, message }: AppError): Promise<Dialed> {
  const outOfCredits = code === 'insufficient_credits' || code === 'debt_outstanding'
  const paused = { status: 'paused' as const, pausedBy: 'credits' as const, statusMessage: message }
  if (code !== 'conflict') {
    await room.db
      .update(batch)
      .set(outOfCredits ? paused : { statusMessage: message })
      .where(and(eq(batch.id, batchId), eq(batch.status, 'running')))
  }
  return 'held'
}
