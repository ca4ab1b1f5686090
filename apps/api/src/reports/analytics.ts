import { ANALYTICS_DAYS_DEFAULT, ANALYTICS_DAYS_MAX, type Analytics, CALL_OUTCOMES } from '@parley/contract'
import { and, eq, isNull, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
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

const FIGURES = [
  ...(['answered', 'voicemail', 'noAnswer', 'failed', 'seconds', 'credits'] as const),
  ...(['met', 'metWithinLimits', 'offered', 'refused', 'open'] as const),
] as const
type Figure = (typeof FIGURES)[number]

function summed(of: Readonly<Record<Figure, SQLWrapper>>): Record<Figure, SQL.Aliased<number>> {
  const columns = FIGURES.map((name) => [name, sql`coalesce(sum(${of[name]}), 0)`.mapWith(Number).as(name)] as const)
  // Cast: exactly the names of FIGURES.
  return Object.fromEntries(columns) as Record<Figure, SQL.Aliased<number>>
}

const NOTHING = {
  answered: 0,
  voicemail: 0,
  no_answer: 0,
  failed: 0,
  seconds: 0,
  credits: 0,
  met: 0,
  met_within_limits: 0,
  offered: 0,
  refused: 0,
  open: 0,
}

/** Figures of a period by local day and hour. */
export async function readAnalytics(
  reader: Reader,
  userId: string,
  timezone: string,
  asked: Asked,
  now = new Date(),
): Promise<Analytics> {
  const period = periodOf(asked, dateOf(now, timezone))
  const [rows, running] = await Promise.all([
    readFigures(reader, userId, timezone, period),
    reader.$count(call, and(eq(call.userId, userId), isNull(call.completedAt))),
  ])
  const byDate = new Map(rows.flatMap(({ date, ...figures }) => (date === null ? [] : [[date, dayOf(date, figures)]])))
  const days = datesOf(period).map((date) => byDate.get(date) ?? { date, ...NOTHING })
  const hours = rows.flatMap(({ date, weekday, hour, answered, voicemail, noAnswer, failed }) => {
    const calls = answered + voicemail + noAnswer + failed
    return date === null && calls > 0 ? [{ weekday, hour, calls, answered }] : []
  })
  return { ...period, timezone, totals: { ...totalsOf(days), running }, days, hours }
}

function dayOf(date: string, { noAnswer, metWithinLimits, ...rest }: Record<Figure, number>): Day {
  const { answered, voicemail, failed, seconds, credits, met, offered, refused, open } = rest
  const calls = { answered, voicemail, no_answer: noAnswer, failed, seconds, credits }
  return { date, ...calls, met, met_within_limits: metWithinLimits, offered, refused, open }
}

/**
 * One row per day, then one per hour of the week with a null date. Quarter hours are grouped to local hours first,
 * since reading a year's 35,000 rows takes most of the time.
 */
async function readFigures(reader: Reader, userId: string, timezone: string, period: Period) {
  const clock = sql`date_trunc('hour', ${callFigure.at} at time zone ${timezone})`.as('clock')
  const hours = reader
    .select({ clock, ...summed(callFigure) })
    .from(callFigure)
    .where(and(eq(callFigure.userId, userId), within(sql`${callFigure.at}`, period, timezone)))
    .groupBy(sql`1`)
    .as('hours')
  const date = sql`to_char(${hours.clock}, 'YYYY-MM-DD')`
  const weekday = sql`extract(isodow from ${hours.clock})`
  const hour = sql`extract(hour from ${hours.clock})`
  return reader
    .select({
      date: sql<string | null>`${date}`,
      weekday: weekday.mapWith(Number),
      hour: hour.mapWith(Number),
      ...summed(hours),
    })
    .from(hours)
    .groupBy(sql`grouping sets ((1), (2, 3))`)
    .orderBy(sql`1`, sql`2`, sql`3`)
}

/** The requested days, or the last ones. */
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
  const midnight = (date: string, more: number) =>
    sql`(${date}::date + ${more}::int)::timestamp at time zone ${timezone}`
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
    met_within_limits: total('met_within_limits'),
    offered: total('offered'),
    refused: total('refused'),
    open: total('open'),
  }
}
