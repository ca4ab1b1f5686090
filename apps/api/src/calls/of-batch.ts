import type { Call, CallStatus, Outcome, PageQuery } from '@parley/contract'
import { and, count, desc, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Reader } from '../platform/db.ts'
import type { Page } from '../platform/http.ts'
import { newestFirst } from '../platform/pages.ts'
import { outcomesOf, toCall } from './read.ts'
import { call } from './schema.ts'

/** Sample for the average length of an account's calls. */
const RECENT_CALLS = 500
const MINUTES_PER_CALL_DEFAULT = 2

/** Queries about calls for the batches room. */
export const callsOfBatch = {
  /** Live calls by batch and status. */
  async live(
    reader: Reader,
    batchIds: readonly string[],
  ): Promise<{ batchId: string; status: CallStatus; calls: number }[]> {
    if (batchIds.length === 0) return []
    const rows = await reader
      .select({ batchId: call.batchId, status: call.status, calls: count() })
      .from(call)
      .where(and(inArray(call.batchId, [...batchIds]), isNull(call.completedAt)))
      .groupBy(call.batchId, call.status)
    return rows.flatMap(({ batchId, ...rest }) => (batchId === null ? [] : [{ batchId, ...rest }]))
  },

  async liveIds(reader: Reader, batchId: string): Promise<string[]> {
    const rows = await reader
      .select({ id: call.id })
      .from(call)
      .where(and(eq(call.batchId, batchId), isNull(call.completedAt)))
    return rows.map(({ id }) => id)
  },

  /** Clock speed of the newest call that voice accepted; 1 without one. */
  async clockSpeed(reader: Reader, batchId: string): Promise<number> {
    const [row] = await reader
      .select({ clockSpeed: call.clockSpeed })
      .from(call)
      .where(and(eq(call.batchId, batchId), isNotNull(call.takenAt)))
      .orderBy(desc(call.createdAt))
      .limit(1)
    return row?.clockSpeed ?? 1
  },

  /** Calls started since a time: count and earliest start. */
  async begunSince(reader: Reader, batchId: string, since: Date): Promise<{ calls: number; first: Date | null }> {
    const [row] = await reader
      .select({ calls: count(), first: sql<Date | null>`min(${call.createdAt})`.mapWith(call.createdAt) })
      .from(call)
      .where(and(eq(call.batchId, batchId), gt(call.createdAt, since)))
    return row ?? { calls: 0, first: null }
  },

  /** Calls to this number that a crash ended before they were dialed. */
  async neverDialed(reader: Reader, batchId: string, callee: string): Promise<number> {
    const isUndialed = and(eq(call.endReason, 'interrupted'), isNull(call.dispatchedAt))
    const [row] = await reader
      .select({ calls: count() })
      .from(call)
      .where(and(eq(call.batchId, batchId), eq(call.callee, callee), isUndialed))
    return row?.calls ?? 0
  },

  /** Newest first. */
  async page(reader: Reader, batchId: string, query: PageQuery): Promise<Page<Call>> {
    const wanted = eq(call.batchId, batchId)
    const { after, order, limit, page } = newestFirst(query, { at: call.createdAt, id: call.id })
    const [rows, total] = await Promise.all([
      reader
        .select()
        .from(call)
        .where(and(wanted, after))
        .orderBy(...order)
        .limit(limit),
      reader.$count(call, wanted),
    ])
    return page(rows, total).map(toCall)
  },

  async byId(
    reader: Reader,
    callIds: readonly string[],
  ): Promise<Map<string, Call & { readonly outcomes: Outcome[] }>> {
    if (callIds.length === 0) return new Map()
    const rows = await reader
      .select()
      .from(call)
      .where(inArray(call.id, [...callIds]))
    return new Map(rows.map((row) => [row.id, { ...toCall(row), outcomes: outcomesOf(row) }]))
  },

  /** Number of calls with an offer that was not agreed. */
  async offers(reader: Reader, batchId: string): Promise<number> {
    return reader.$count(
      call,
      and(eq(call.batchId, batchId), sql`${call.outcomes} @> ${JSON.stringify([{ status: 'offered' }])}::jsonb`),
    )
  },

  /** Average credits per ended call of this account. */
  async minutesPerCall(reader: Reader, userId: string): Promise<number> {
    const recent = reader
      .select({ credits: call.creditsCharged })
      .from(call)
      .where(and(eq(call.userId, userId), isNotNull(call.completedAt)))
      .orderBy(desc(call.createdAt))
      .limit(RECENT_CALLS)
      .as('recent')
    const [row] = await reader.select({ average: sql<string | null>`avg(${recent.credits})` }).from(recent)
    return row?.average == null ? MINUTES_PER_CALL_DEFAULT : Number(row.average)
  },
}
