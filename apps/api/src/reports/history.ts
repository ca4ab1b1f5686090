import { type AiSummary, type Call, CALLS_FOUND_MAX, type CallsQuery, type PageQuery } from '@parley/contract'
import { and, count, eq, ilike, isNotNull, isNull, or, type SQL } from 'drizzle-orm'
import type { z } from 'zod'
import { toCall } from '../calls/index.ts'
import { call, type CallRow, callSummary } from '../calls/schema.ts'
import type { Reader } from '../platform/db.ts'
import type { Page } from '../platform/http.ts'
import { type Cursor, newestFirst } from '../platform/pages.ts'
import { type CallCounts, readCounts } from './figures.ts'

const NEWEST = { at: call.createdAt, id: call.id }

/** Calls, newest first, optionally filtered by kind and search words. */
export async function listCalls(
  reader: Reader,
  userId: string,
  query: z.output<typeof CallsQuery>,
): Promise<Page<Call>> {
  const wanted = and(eq(call.userId, userId), ofStatus(query.status), withWords(query.q), toNumber(query.callee))
  const { after, order, limit, page } = newestFirst(query, NEWEST)
  const [rows, total] = await Promise.all([
    reader
      .select()
      .from(call)
      .where(and(wanted, after))
      .orderBy(...order)
      .limit(limit),
    countOf(reader, userId, query, wanted),
  ])
  return page(rows, total).map(toCall)
}

async function countOf(
  reader: Reader,
  userId: string,
  { q, callee, status }: z.output<typeof CallsQuery>,
  wanted: SQL | undefined,
): Promise<number> {
  if (q) return countUpTo(reader, wanted)
  if (callee) return reader.$count(call, wanted)
  return (await readCounts(reader, userId))[COUNTED_AS[status]]
}

const COUNTED_AS = {
  all: 'all',
  completed: 'completed',
  failed: 'failed',
  in_progress: 'running',
} as const satisfies Record<z.output<typeof CallsQuery>['status'], keyof CallCounts>

/** Counts matches up to a limit, since searching 100,000 transcripts is slow. */
async function countUpTo(reader: Reader, wanted: SQL | undefined): Promise<number> {
  const found = reader
    .select({ id: call.id })
    .from(call)
    .where(wanted)
    .limit(CALLS_FOUND_MAX + 1)
    .as('found')
  const [counted] = await reader.select({ total: count() }).from(found)
  return counted?.total ?? 0
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

function withWords(words: string | undefined): SQL | undefined {
  if (words === undefined || words === '') return undefined
  const pattern = `%${words.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const said = [call.callee, call.purpose, call.transcript, call.summary].map((column) => ilike(column, pattern))
  return or(...said, ofNumber(words))
}

/** The characters of a phone number, besides its digits. */
const ONLY_A_NUMBER = /^[\d\s+().\-/\u2010-\u2015]*$/
/** From this length on, leading zeros are a trunk or international prefix, which stored numbers lack. */
const TRUNK_DIGITS = 7

/** Matches a number in any notation by its digits. */
function ofNumber(words: string): SQL | undefined {
  const digits = words.replaceAll(/\D/g, '')
  if (digits === '' || !ONLY_A_NUMBER.test(words)) return undefined
  const kept = digits.length < TRUNK_DIGITS ? digits : digits.replace(/^0+/, '')
  return ilike(call.callee, `%${kept || digits}%`)
}

export function toSummary(row: { call: CallRow; summary: typeof callSummary.$inferSelect }): AiSummary {
  const { callId, type, title, description, insights, nextSteps, actionRequired, actionText } = row.summary
  const { callee, completedAt, createdAt } = row.call
  const date = (completedAt ?? createdAt).toISOString()
  return { callId, type, title, description, insights, nextSteps, callee, date, actionRequired, actionText }
}
