import { USAGE_HISTORY_DAYS, type Usage, type UserStats } from '@parley/contract'
import { and, eq, gte, isNull, type SQL, sql } from 'drizzle-orm'
import { call } from '../calls/schema.ts'
import type { Reader } from '../platform/db.ts'
import type { z } from 'zod'
import { callTotal } from './schema.ts'

const number = (value: SQL) => sql`coalesce(${value}, 0)`.mapWith(Number)

/** A user's calls of each kind that a list can filter by. */
export interface CallCounts {
  readonly all: number
  readonly completed: number
  readonly failed: number
  readonly running: number
  readonly summarized: number
}

async function readTotals(reader: Reader, userId: string) {
  const [[totals = NONE], running] = await Promise.all([
    reader.select().from(callTotal).where(eq(callTotal.userId, userId)),
    reader.$count(call, and(eq(call.userId, userId), isNull(call.completedAt))),
  ])
  return { ...totals, running, ended: totals.answered + totals.voicemail + totals.noAnswer + totals.failed }
}
const NONE = {
  answered: 0,
  voicemail: 0,
  noAnswer: 0,
  failed: 0,
  completed: 0,
  completedSeconds: 0,
  credits: 0,
  summarized: 0,
}

export async function readCounts(reader: Reader, userId: string): Promise<CallCounts> {
  const { ended, completed, running, summarized } = await readTotals(reader, userId)
  return { all: ended + running, completed, failed: ended - completed, running, summarized }
}

/** Totals over all calls of a user. */
export async function readStats(reader: Reader, userId: string): Promise<UserStats> {
  const { ended, completed, completedSeconds, credits, running } = await readTotals(reader, userId)
  return {
    totalCalls: ended + running,
    successRate: ended === 0 ? 0 : (100 * completed) / ended,
    avgDuration: completed === 0 ? 0 : completedSeconds / completed,
    creditsUsed: credits,
  }
}

const DAY_MS = 24 * 3_600_000

/** The last days by completion date, in the user's time zone, newest first, including days without calls. */
export async function readUsage(
  reader: Reader,
  userId: string,
  timezone: string,
  now = new Date(),
): Promise<z.output<typeof Usage>> {
  const dates = lastDates(timezone, now)
  const date = sql<string>`to_char(${call.completedAt} at time zone ${timezone}, 'YYYY-MM-DD')`
  const oldest = sql`(${dates.at(-1)}::date)::timestamp at time zone ${timezone}`
  const rows = await reader
    .select({
      date: date.as('date'),
      calls: number(sql`count(*)`),
      seconds: number(sql`sum(${call.durationSeconds})`),
      credits: number(sql`sum(${call.creditsCharged})`),
    })
    .from(call)
    .where(and(eq(call.userId, userId), gte(call.completedAt, oldest)))
    .groupBy(sql`1`)
  const byDate = new Map(rows.map((row) => [row.date, row]))
  const days = dates.map((each) => byDate.get(each) ?? { date: each, calls: 0, seconds: 0, credits: 0 })
  const total = (key: 'calls' | 'seconds' | 'credits') => days.reduce((sum, day) => sum + day[key], 0)
  return { days, totals: { calls: total('calls'), seconds: total('seconds'), credits: total('credits') } }
}

/** Stepping from noon stays on the right date across clock changes. */
function lastDates(timezone: string, now: Date): string[] {
  const noonMs = Date.parse(`${dateOf(now, timezone)}T12:00:00Z`)
  return Array.from({ length: USAGE_HISTORY_DAYS }, (_, back) =>
    new Date(noonMs - back * DAY_MS).toISOString().slice(0, 10),
  )
}

/** The local date of a moment, as YYYY-MM-DD. */
export function dateOf(moment: Date, timezone: string): string {
  return new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(moment)
}
