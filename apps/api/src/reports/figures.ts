import { USAGE_HISTORY_DAYS, type Usage, type UserStats } from '@parley/contract'
import { and, eq, gte, isNull, type SQL, sql } from 'drizzle-orm'
import { call } from '../calls/schema.ts'
import type { Reader } from '../platform/db.ts'
import type { z } from 'zod'
import { callFigure } from './schema.ts'

const number = (value: SQL) => sql`coalesce(${value}, 0)`.mapWith(Number)

/** Totals over all calls of a person. */
export async function readStats(reader: Reader, userId: string): Promise<UserStats> {
  const { answered, voicemail, noAnswer, failed, completed, completedSeconds, credits } = callFigure
  const ended = sql`sum(${answered} + ${voicemail} + ${noAnswer} + ${failed})`
  const [[stats], running] = await Promise.all([
    reader
      .select({
        ended: number(ended),
        successRate: number(sql`100.0 * sum(${completed}) / nullif(${ended}, 0)`),
        avgDuration: number(sql`sum(${completedSeconds})::float / nullif(sum(${completed}), 0)`),
        creditsUsed: number(sql`sum(${credits})`),
      })
      .from(callFigure)
      .where(eq(callFigure.userId, userId)),
    reader.$count(call, and(eq(call.userId, userId), isNull(call.completedAt))),
  ])
  const { ended: endedCalls, ...figures } = stats ?? { ended: 0, successRate: 0, avgDuration: 0, creditsUsed: 0 }
  return { totalCalls: endedCalls + running, ...figures }
}

const DAY_MS = 24 * 3_600_000

/** The last days by completion date, in the person's time zone, newest first; days without calls too. */
export async function readUsage(reader: Reader, userId: string, timezone: string, now = new Date()): Promise<z.output<typeof Usage>> {
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

/** Noon is on the same date in every step of a day, whatever the clocks do. */
function lastDates(timezone: string, now: Date): string[] {
  const noonMs = Date.parse(`${dateOf(now, timezone)}T12:00:00Z`)
  return Array.from({ length: USAGE_HISTORY_DAYS }, (_, back) => new Date(noonMs - back * DAY_MS).toISOString().slice(0, 10))
}

/** The date of a moment somewhere, as YYYY-MM-DD. */
export function dateOf(moment: Date, timezone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: timezone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(moment)
}
