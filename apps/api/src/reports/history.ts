import { type AiSummary, type Call, CALLS_FOUND_MAX, type CallsQuery, type PageQuery } from '@parley/contract'
import { and, desc, eq, inArray, isNotNull, isNull, type SQL } from 'drizzle-orm'
import type { z } from 'zod'
import { toCall } from '../calls/index.ts'
import { call, type CallRow, callSummary } from '../calls/schema.ts'
import type { Reader } from '../platform/db.ts'
import type { Page } from '../platform/http.ts'
import { type Cursor, decodeCursor, newestFirst } from '../platform/pages.ts'
import { type CallCounts, readCounts } from './figures.ts'
import { type CallSearch, hasWords, searchIn } from './search.ts'

const NEWEST = { at: call.createdAt, id: call.id }

type ListQuery = z.output<typeof CallsQuery>

/** Calls, newest first, optionally filtered by kind and search words. */
export async function listCalls(
  reader: Reader,
  userId: string,
  query: ListQuery,
  search: CallSearch = searchIn(reader),
): Promise<Page<Call>> {
  if (query.q) return findCalls(reader, userId, { ...query, words: query.q }, search)
  const wanted = and(eq(call.userId, userId), ofStatus(query.status), toNumber(query.callee))
  const { after, order, limit, page } = newestFirst(query, NEWEST)
  const [rows, total] = await Promise.all([
    reader
      .select()
      .from(call)
      .where(and(wanted, after))
      .orderBy(...order)
      .limit(limit),
    query.callee ? reader.$count(call, wanted) : countOf(reader, userId, query.status),
  ])
  return page(rows, total).map(toCall)
}

async function countOf(reader: Reader, userId: string, status: ListQuery['status']): Promise<number> {
  return (await readCounts(reader, userId))[COUNTED_AS[status]]
}

const COUNTED_AS = {
  all: 'all',
  completed: 'completed',
  failed: 'failed',
  in_progress: 'running',
} as const satisfies Record<ListQuery['status'], keyof CallCounts>

/** Ended calls come from the search; the few live ones are read. Matches are counted up to a limit. */
async function findCalls(
  reader: Reader,
  userId: string,
  query: ListQuery & { readonly words: string },
  search: CallSearch,
): Promise<Page<Call>> {
  const { status, words, callee } = query
  const before = decodeCursor(query.cursor)
  const { order, limit, page } = newestFirst(query, NEWEST)
  const ended = (more: { readonly before: Cursor | undefined; readonly limit: number }) => {
    if (status === 'in_progress') return []
    return search.find({ userId, words, callee, status: status === 'all' ? undefined : status, ...more })
  }
  const [all, next, live] = await Promise.all([
    ended({ before: undefined, limit: CALLS_FOUND_MAX + 1 }),
    before ? ended({ before, limit }) : undefined,
    liveWith(reader, userId, query),
  ])
  const liveAfter = before ? live.filter((place) => isBefore(place, before)) : live
  const found = new Map([...liveAfter, ...(next ?? all.slice(0, limit))].map((place) => [place.id, place]))
  const ids = [...found.values()].toSorted((one, other) => (isBefore(one, other) ? 1 : -1)).slice(0, limit)
  const rows = await reader
    .select()
    .from(call)
    .where(
      and(
        eq(call.userId, userId),
        inArray(
          call.id,
          ids.map(({ id }) => id),
        ),
      ),
    )
    .orderBy(...order)
  return page(rows, Math.min(all.length + live.length, CALLS_FOUND_MAX + 1)).map(toCall)
}

async function liveWith(
  reader: Reader,
  userId: string,
  { status, words, callee }: ListQuery & { readonly words: string },
): Promise<readonly Cursor[]> {
  if (status === 'completed' || status === 'failed') return []
  return reader
    .select(NEWEST)
    .from(call)
    .where(
      and(
        eq(call.userId, userId),
        isNull(call.completedAt),
        hasWords([call.callee, call.purpose, call.transcript, call.summary], words),
        toNumber(callee),
      ),
    )
    .orderBy(desc(call.createdAt), desc(call.id))
    .limit(CALLS_FOUND_MAX + 1)
}

/** Whether one stands after the other in a list with the newest first. */
function isBefore(one: Cursor, other: Cursor): boolean {
  const [at, otherAt] = [one.at.getTime(), other.at.getTime()]
  return at < otherAt || (at === otherAt && one.id < other.id)
}

/** Summaries of ended calls, newest calls first. */
export async function listSummaries(reader: Reader, userId: string, query: PageQuery): Promise<Page<AiSummary>> {
  const { after, order, limit, page } = newestFirst(query, NEWEST, placeOf)
  const [rows, { summarized }] = await Promise.all([
    reader
      .select({ call, summary: callSummary })
      .from(call)
      .innerJoin(callSummary, eq(callSummary.callId, call.id))
      .where(and(eq(call.userId, userId), isNotNull(call.summary), after))
      .orderBy(...order)
      .limit(limit),
    readCounts(reader, userId),
  ])
  return page(rows, summarized).map(toSummary)
}

function placeOf({ call: { createdAt: at, id } }: { call: CallRow }): Cursor {
  return { at, id }
}

function ofStatus(status: z.output<typeof CallsQuery>['status']): SQL | undefined {
  if (status === 'all') return undefined
  return status === 'in_progress' ? isNull(call.completedAt) : and(eq(call.status, status), isNotNull(call.completedAt))
}

function toNumber(callee: string | undefined): SQL | undefined {
  return callee === undefined ? undefined : eq(call.callee, callee)
}

export function toSummary(row: { call: CallRow; summary: typeof callSummary.$inferSelect }): AiSummary {
  const { callId, type, title, description, insights, nextSteps, actionRequired, actionText } = row.summary
  const { callee, completedAt, createdAt } = row.call
  const date = (completedAt ?? createdAt).toISOString()
  return { callId, type, title, description, insights, nextSteps, callee, date, actionRequired, actionText }
}
