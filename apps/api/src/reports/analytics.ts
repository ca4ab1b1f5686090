import { ANALYTICS_DAYS_DEFAULT, ANALYTICS_DAYS_MAX, type Analytics, CALL_OUTCOMES } from '@parley/contract'
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { call } from '../calls/schema.ts'
import type { Reader } from '../platform/db.ts'
import { AppError } from '../platform/errors.ts'
import { dateOf } from './figures.ts'
import { callFigure } from './schema.ts'

const DAY_MS = 24 * 3_600_000

interface Period {
  readonly from: string
  readonly until: string
}
interface Asked {
  readonly from?: string | undefined
  readonly until?: string | undefined
}

type Day = Analytics['days'][number]

const sum = (value: SQL) => sql`coalesce(sum(${value}), 0)`.mapWith(Number)

const SUMS = {
  answered: sum(sql`${callFigure.answered}`),
  voicemail: sum(sql`${callFigure.voicemail}`),
  no_answer: sum(sql`${callFigure.noAnswer}`),
  failed: sum(sql`${callFigure.failed}`),
  seconds: sum(sql`${callFigure.seconds}`),
  credits: sum(sql`${callFigure.credits}`),
  met: sum(sql`${callFigure.met}`),
  refused: sum(sql`${callFigure.refused}`),
  open: sum(sql`${callFigure.open}`),
}
const NOTHING = { answered: 0, voicemail: 0, no_answer: 0, failed: 0, seconds: 0, credits: 0, met: 0, refused: 0, open: 0 }

/** The calls of a period by the days and hours of where the person is. */
export async function readAnalytics(reader: Reader, userId: string, timezone: string, asked: Asked, now = new Date()): Promise<Analytics> {
  const period = periodOf(asked, dateOf(now, timezone))
  const local = sql`(${callFigure.at} at time zone ${timezone})`
  const wanted = and(eq(callFigure.userId, userId), within(sql`${callFigure.at}`, period, timezone))
  const calls = sum(sql`${callFigure.answered} + ${callFigure.voicemail} + ${callFigure.noAnswer} + ${callFigure.failed}`)
  const [days, hours, running] = await Promise.all([
    reader
      .select({ date: sql<string>`to_char(${local}, 'YYYY-MM-DD')`, ...SUMS })
      .from(callFigure)
      .where(wanted)
      .groupBy(sql`1`),
    reader
      .select({
        weekday: sql`extract(isodow from ${local})`.mapWith(Number),
        hour: sql`extract(hour from ${local})`.mapWith(Number),
        calls,
        answered: SUMS.answered,
      })
      .from(callFigure)
      .where(wanted)
      .groupBy(sql`1`, sql`2`)
      .orderBy(sql`1`, sql`2`),
    reader.$count(call, and(eq(call.userId, userId), isNull(call.completedAt))),
  ])
  const byDate = new Map(days.map((day) => [day.date, day]))
  const all = datesOf(period).map((date) => byDate.get(date) ?? { date, ...NOTHING })
  return { ...period, timezone, totals: { ...totalsOf(all), running }, days: all, hours: hours.filter((hour) => hour.calls > 0) }
}

/** The days asked for, or the last ones. */
function periodOf({ from, until }: Asked, today: string): Period {
  const last = until ?? today
  const first = from ?? dayBefore(last, ANALYTICS_DAYS_DEFAULT - 1)
  const days = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1
  if (days < 1) throw new AppError('invalid_input', 'The period must begin before it ends.', { field: 'from' })
  if (days > ANALYTICS_DAYS_MAX)
    throw new AppError('invalid_input', `The period may be at most ${ANALYTICS_DAYS_MAX} days long.`, { field: 'from' })
  return { from: first, until: last }
}

function dayBefore(date: string, days: number): string {
  return new Date(Date.parse(date) - days * DAY_MS).toISOString().slice(0, 10)
}

function datesOf({ from, until }: Period): string[] {
  const days = Math.round((Date.parse(until) - Date.parse(from)) / DAY_MS)
  return Array.from({ length: days + 1 }, (_, back) => dayBefore(until, days - back))
}

function within(at: SQL, { from, until }: Period, timezone: string): SQL {
  const midnight = (date: string, more: number) => sql`(${date}::date + ${more}::int)::timestamp at time zone ${timezone}`
  return sql`${at} >= ${midnight(from, 0)} and ${at} < ${midnight(until, 1)}`
}

function totalsOf(days: readonly Day[]): Omit<Analytics['totals'], 'running'> {
  const total = (key: keyof typeof NOTHING) => days.reduce((all, day) => all + day[key], 0)
  return {
    calls: CALL_OUTCOMES.reduce((all, outcome) => all + total(outcome), 0),
    answered: total('answered'),
    voicemail: total('voicemail'),
    no_answer: total('no_answer'),
    failed: total('failed'),
    seconds: total('seconds'),
    credits: total('credits'),
    met: total('met'),
    refused: total('refused'),
    open: total('open'),
  }
}
