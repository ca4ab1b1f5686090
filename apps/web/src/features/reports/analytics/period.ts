import { locale } from '../../../lib/language.ts'

export const PERIODS = ['7', '30', '90', '365', 'own'] as const
export type PeriodName = (typeof PERIODS)[number]

export interface Days {
  readonly from: string
  readonly until: string
}

const DAY_MS = 24 * 3_600_000

/** The last n days in a time zone, including today. */
export function lastDays(days: number, timezone: string, now: Date = new Date()): Days {
  const until = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(now)
  const from = new Date(Date.parse(until) - (days - 1) * DAY_MS).toISOString().slice(0, 10)
  return { from, until }
}

/** A date short enough for an axis. */
export function shortDate(date: string): string {
  return new Date(`${date}T12:00:00Z`).toLocaleDateString(locale(), { day: 'numeric', month: 'short', timeZone: 'UTC' })
}

/** 1 is Monday; 4 January 2021 was one. */
export function weekdayName(weekday: number, style: 'long' | 'short' = 'long'): string {
  return new Date(Date.UTC(2021, 0, 3 + weekday)).toLocaleDateString(locale(), { weekday: style, timeZone: 'UTC' })
}

export function hourName(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`
}
