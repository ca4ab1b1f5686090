import type { AiSummary, Call, CallsQuery, CallStatus, PageQuery } from '@parley/contract'
import { LIVE_STATUSES } from '@parley/contract'
import { and, count, desc, eq, ilike, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { toCall } from '../calls/index.ts'
import { call, type CallRow, callSummary } from '../calls/schema.ts'
import type { Reader } from '../platform/db.ts'
import { Page } from '../platform/http.ts'
import { decodeCursor, encodeCursor } from '../platform/pages.ts'

/** Calls, newest first, of one kind and with certain words, if so asked. */
export async function listCalls(reader: Reader, userId: string, query: z.output<typeof CallsQuery>): Promise<Page<Call>> {
  const wanted = and(eq(call.userId, userId), ofStatus(query.status), withWords(query.q), toNumber(query.callee))
  const [rows, [counted]] = await Promise.all([
    reader
      .select()
      .from(call)
      .where(and(wanted, before(query.cursor)))
      .orderBy(desc(call.createdAt), desc(call.id))
      .limit(query.limit + 1),
    reader.select({ total: count() }).from(call).where(wanted),
  ])
  return pageOf(rows, query.limit, counted?.total ?? 0, (row) => row, toCall)
}

/** Summaries of ended calls, those of the newest calls first. */
export async function listSummaries(reader: Reader, userId: string, query: PageQuery): Promise<Page<AiSummary>> {
  const own = eq(call.userId, userId)
  const [rows, [counted]] = await Promise.all([
    reader
      .select({ call, summary: callSummary })
      .from(call)
      .innerJoin(callSummary, eq(callSummary.callId, call.id))
      .where(and(own, before(query.cursor)))
      .orderBy(desc(call.createdAt), desc(call.id))
      .limit(query.limit + 1),
    reader.select({ total: count() }).from(call).innerJoin(callSummary, eq(callSummary.callId, call.id)).where(own),
  ])
  return pageOf(rows, query.limit, counted?.total ?? 0, (row) => row.call, toSummary)
}

/** One row more than the page holds says that there is another page. */
function pageOf<Row, T>(
  rows: readonly Row[],
  limit: number,
  total: number,
  callOf: (row: Row) => Pick<CallRow, 'id' | 'createdAt'>,
  show: (row: Row) => T,
): Page<T> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next = rows.length > limit && last !== undefined ? callOf(last) : undefined
  return new Page(shown.map(show), total, next ? encodeCursor({ at: next.createdAt, id: next.id }) : null)
}

function before(cursor: string | undefined): SQL | undefined {
  const position = decodeCursor(cursor)
  return position && sql`(${call.createdAt}, ${call.id}) < (${position.at.toISOString()}::timestamptz, ${position.id})`
}

function ofStatus(status: z.output<typeof CallsQuery>['status']): SQL | undefined {
  if (status === 'all') return undefined
  const statuses: readonly CallStatus[] = status === 'in_progress' ? LIVE_STATUSES : [status]
  return inArray(call.status, [...statuses])
}

function toNumber(callee: string | undefined): SQL | undefined {
  return callee === undefined ? undefined : eq(call.callee, callee)
}

function withWords(words: string | undefined): SQL | undefined {
  if (words === undefined || words === '') return undefined
  const pattern = `%${words.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return or(...[call.callee, call.purpose, call.transcript, call.summary].map((column) => ilike(column, pattern)))
}

export function toSummary(row: { call: CallRow; summary: typeof callSummary.$inferSelect }): AiSummary {
  const { callId, type, title, description, insights, nextSteps, actionRequired, actionText } = row.summary
  const { callee, completedAt, createdAt } = row.call
  const date = (completedAt ?? createdAt).toISOString()
  return { callId, type, title, description, insights, nextSteps, callee, date, actionRequired, actionText }
}
