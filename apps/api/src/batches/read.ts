import {
  type Batch,
  type BatchContact,
  type BatchCounts,
  type BatchEstimate,
  type BatchOverview,
  type ConsentEvidence,
  LIVE_STATUSES,
  type PageQuery,
} from '@parley/contract'
import { and, eq, inArray, isNull, or, type SQL } from 'drizzle-orm'
import { callsOfBatch } from '../calls/index.ts'
import { firstOpeningAt, limitsOf } from '../consent/index.ts'
import { balance, purchasedCredits } from '../credits/index.ts'
import type { Reader, Tx } from '../platform/db.ts'
import { notFound } from '../platform/errors.ts'
import type { Page } from '../platform/http.ts'
import { inRowOrder, newestFirst } from '../platform/pages.ts'
import { estimateOf } from './estimate.ts'
import type { Config } from '../config.ts'
import type { BatchesRoom } from './room.ts'
import { batch, batchContact, type BatchRecord } from './schema.ts'

const own = (userId: string, batchId: string) =>
  and(eq(batch.id, batchId), eq(batch.userId, userId), eq(batch.incoming, false))

export async function findBatch(reader: Reader, userId: string, batchId: string): Promise<BatchRecord> {
  const [row] = await reader.select().from(batch).where(own(userId, batchId))
  if (!row) throw notFound('The batch')
  return row
}

/** The batch, locked until the transaction ends. Lock order: wallets, contacts, batch. */
export async function lockBatch(tx: Tx, batchId: string, userId?: string): Promise<BatchRecord> {
  const wanted = userId === undefined ? eq(batch.id, batchId) : own(userId, batchId)
  const [row] = await tx.select().from(batch).where(wanted).for('update')
  if (!row) throw notFound('The batch')
  return row
}

export async function listBatches(reader: Reader, userId: string, query: PageQuery): Promise<Page<BatchOverview>> {
  const wanted = and(eq(batch.userId, userId), eq(batch.incoming, false))
  const { after, order, limit, page } = newestFirst(query, { at: batch.createdAt, id: batch.id })
  const [rows, total] = await Promise.all([
    reader
      .select()
      .from(batch)
      .where(and(wanted, after))
      .orderBy(...order)
      .limit(limit),
    reader.$count(batch, wanted),
  ])
  const shown = page(rows, total)
  const live = await liveStatuses(
    reader,
    shown.items.map(({ id }) => id),
  )
  return shown.map((row) => toOverview(row, live.get(row.id)))
}

/** Live calls of each batch by status. */
async function liveStatuses(reader: Reader, batchIds: readonly string[]): Promise<Map<string, BatchCounts>> {
  const counts = new Map<string, BatchCounts>()
  for (const { batchId, status, calls } of await callsOfBatch.live(reader, batchIds)) {
    counts.set(batchId, { ...counts.get(batchId), [status]: calls })
  }
  return counts
}

export async function readOverview(reader: Reader, row: BatchRecord): Promise<BatchOverview> {
  return toOverview(row, (await liveStatuses(reader, [row.id])).get(row.id))
}

/** Contacts by the status of their newest call: waiting contacts count as initiated, cancelled ones as failed. */
function toOverview(row: BatchRecord, live: BatchCounts = {}): BatchOverview {
  const { dropped, waiting, calling, completed, failed, cancelled } = row
  const counts: BatchCounts = { initiated: waiting, completed, failed: failed + cancelled }
  for (const status of LIVE_STATUSES) counts[status] = (counts[status] ?? 0) + (live[status] ?? 0)
  const { id, name, description, status, pausedBy, statusMessage, creditsCharged, fileName } = row
  return {
    id,
    name,
    description,
    status,
    pausedBy,
    statusMessage,
    goesOnAt: status === 'paused' && pausedBy === 'hours' ? (row.lookAt?.toISOString() ?? null) : null,
    creditsCharged,
    fileName,
    totalCalls: waiting + calling + completed + failed + cancelled,
    counts: Object.fromEntries(Object.entries(counts).filter(([, contacts]) => contacts > 0)),
    contacts: { dropped, waiting, calling, completed, failed, cancelled },
    createdAt: row.createdAt.toISOString(),
    scheduledFor: row.scheduledFor?.toISOString() ?? null,
    startedAt: row.startedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
  }
}

/** The batch with one page of its calls; total and cursor belong to the calls. */
export async function readBatch(
  { db: reader, config }: Pick<BatchesRoom, 'config' | 'db'>,
  userId: string,
  batchId: string,
  query: PageQuery,
) {
  const row = await findBatch(reader, userId, batchId)
  const [overview, calls, estimate] = await Promise.all([
    readOverview(reader, row),
    callsOfBatch.page(reader, batchId, query),
    readEstimate(reader, row, config),
  ])
  const full: Batch = { ...overview, plan: row.plan, consent: evidenceOf(row), estimate, calls: [...calls.items] }
  return { batch: full, total: calls.total, nextCursor: calls.nextCursor }
}

async function readEstimate(reader: Reader, row: BatchRecord, config: Config): Promise<BatchEstimate> {
  const { userId, plan, waiting: contacts } = row
  const [{ available }, bought, minutesPerCall] = await Promise.all([
    balance(reader, userId),
    purchasedCredits(reader, userId),
    callsOfBatch.minutesPerCall(reader, userId),
  ])
  const limits = limitsOf(config.limits, bought)
  const opensAt = config.callingHours && contacts > 0 ? firstOpeningAt(row.places, new Date()) : null
  return estimateOf({ contacts, plan, limits, availableCredits: Math.max(0, available), minutesPerCall, opensAt })
}

function evidenceOf({
  marketing,
  permission,
  permissionDetails,
  permissionBy,
  permissionAt,
}: BatchRecord): ConsentEvidence | null {
  if (marketing === null || permission === null || permissionAt === null) return null
  return {
    marketing,
    permission,
    details: permissionDetails ?? '',
    givenBy: permissionBy ?? '',
    givenAt: permissionAt.toISOString(),
  }
}

interface ContactsQuery extends PageQuery {
  readonly status: BatchContact['status'] | 'all'
}

export async function listContacts(
  reader: Reader,
  userId: string,
  batchId: string,
  query: ContactsQuery,
): Promise<Page<BatchContact>> {
  const row = await findBatch(reader, userId, batchId)
  const { after, limit, page } = inRowOrder(query, batchContact.row, row.createdAt)
  const status = query.status === 'all' ? undefined : eq(batchContact.status, query.status)
  const found = await readContacts(reader, batchId, { limit, wanted: and(after, status) })
  return page(found, query.status === 'all' ? sumOf(row) : row[query.status])
}

function sumOf({ dropped, waiting, calling, completed, failed, cancelled }: BatchRecord): number {
  return dropped + waiting + calling + completed + failed + cancelled
}

/** Contacts in row order, each with its newest call. */
export async function readContacts(
  reader: Reader,
  batchId: string,
  { limit, wanted }: { readonly limit: number; readonly wanted: SQL | undefined },
): Promise<BatchContact[]> {
  const rows = await reader
    .select()
    .from(batchContact)
    .where(and(eq(batchContact.batchId, batchId), wanted))
    .orderBy(batchContact.row)
    .limit(limit)
  const calls = await callsOfBatch.byId(
    reader,
    rows.flatMap(({ callId }) => (callId === null ? [] : [callId])),
  )
  return rows.map(({ row, phone, callee, name, context, status: at, code, attempts, nextAttemptAt, callId }) => {
    const call = callId === null ? undefined : calls.get(callId)
    return {
      row,
      phone,
      callee,
      name,
      context,
      status: at,
      code,
      attempts,
      callId,
      nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
      callStatus: call?.status ?? null,
      phase: call?.phase ?? null,
      endReason: call?.endReason ?? null,
      outcomes: call?.outcomes ?? [],
      summary: call?.summary ?? null,
      durationSeconds: call?.durationSeconds ?? null,
      creditsCharged: call?.creditsCharged ?? null,
    }
  })
}

/** Batches in progress in which one of the numbers waits. */
export function waitingFor(userId: string, phones: readonly string[]): SQL | undefined {
  return and(
    eq(batch.userId, userId),
    // An upload in progress counts its rows at its end; the gate checks each number again at dialing.
    eq(batch.incoming, false),
    inArray(batchContact.callee, [...phones]),
    eq(batchContact.status, 'waiting'),
    or(isNull(batch.endedAt), eq(batch.status, 'draft')),
  )
}
