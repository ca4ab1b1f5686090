import type { Call, CallStatus, Outcome, PageQuery } from '@parley/contract'
import { and, count, desc, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../platform/db.ts'
import type { Page } from '../platform/http.ts'
import { newestFirst } from '../platform/pages.ts'
import { outcomesOf, toCall } from './read.ts'
import { call } from './schema.ts'

/** Sample for the average length of an account's calls. */
const RECENT_CALLS = 500
const MINUTES_PER_CALL_DEFAULT = 2

const MINUTE_MS = 60_000

/** The calls of a batch so far. */
export interface Begun {
  /** A minute of call time, by the clock of the newest call that voice accepted. */
  readonly minuteMs: number
  /** Calls begun in the last such minute, and when the first of them was. */
  readonly lastMinute: number
  readonly firstOfMinute: Date | null
  /** When the newest call was begun. */
  readonly lastAt: Date | null
}

const inMs = (at: SQL) => sql`(extract(epoch from ${at}) * 1000)::float8`

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

  /** What was begun for each of the batches, in one statement. */
  async begun(reader: Reader, batchIds: readonly string[], now: Date): Promise<ReadonlyMap<string, Begun>> {
    const { rows } = await reader.execute<{
      id: string
      speed: number
      calls: number
      first: number | null
      last: number | null
    }>(sql`
      select asked.id, speed.clock as speed, minute.calls, ${inMs(sql`minute.first`)} as first,
        ${inMs(sql`(select created_at from call where batch_id = asked.id order by created_at desc limit 1)`)} as last
      from unnest(${sql.param([...batchIds])}::text[]) as asked (id)
      cross join lateral (select coalesce((select clock_speed from call
        where batch_id = asked.id and taken_at is not null order by created_at desc limit 1), 1)::float8 as clock) as speed
      cross join lateral (select count(*)::int as calls, min(created_at) as first from call where batch_id = asked.id
        and created_at > ${sql.param(now, call.createdAt)}::timestamptz - interval '1 minute' / speed.clock) as minute`)
    const at = (ms: number | null) => (ms === null ? null : new Date(ms))
    return new Map(
      rows.map(({ id, speed, calls, first, last }) => [
        id,
        { minuteMs: MINUTE_MS / speed, lastMinute: calls, firstOfMinute: at(first), lastAt: at(last) },
      ]),
    )
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
