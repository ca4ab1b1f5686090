import { remembered } from '@parley/voice-ports'

const DAY_MS = 86_400_000

/**
 * The day that a key of a date means, seen from today (both as 2026-11-30); null where it could be several: "Friday" on
 * a Friday, "next Friday".
 */
export function dayOf(key: string, today: string): string | null {
  const from = Date.parse(`${today}T00:00:00Z`)
  if (Number.isNaN(from)) return null
  const inDays = (days: number): string => new Date(from + days * DAY_MS).toISOString().slice(0, 10)
  const relative = /^\+(\d+)$/.exec(key)
  if (relative !== null) return inDays(Number(relative[1]))
  const weekday = /^day([0-6])$/.exec(key)
  if (weekday !== null) {
    // Monday is day 0.
    const ahead = (Number(weekday[1]) + 1 - new Date(from).getUTCDay() + 7) % 7
    return ahead === 0 ? null : inDays(ahead)
  }
  const fitting = /^(\d+)-(\d+)$/.exec(key)
  if (fitting !== null) return nextDay(from, Number(fitting[2]), Number(fitting[1]))
  const ofMonth = /^-(\d+)$/.exec(key)
  return ofMonth === null ? null : nextDay(from, Number(ofMonth[1]), null)
}

export function daysApart(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS)
}

const MONTHS_AHEAD_MAX = 24

/** The next day with this number, in this month or in any. */
function nextDay(from: number, day: number, month: number | null): string | null {
  const start = new Date(from)
  for (let ahead = 0; ahead <= MONTHS_AHEAD_MAX; ahead += 1) {
    const at = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + ahead, day))
    const isRight = at.getUTCDate() === day && (month === null || at.getUTCMonth() + 1 === month)
    if (isRight && at.getTime() >= from) return at.toISOString().slice(0, 10)
  }
  return null
}

/** Today in a time zone; UTC where the zone is unknown. */
export function dayIn(timezone: string, now: Date): string {
  return calendarOf(timezone)?.format(now) ?? now.toISOString().slice(0, 10)
}

const calendarOf = remembered((timezone) => {
  try {
    return new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' })
  } catch {
    return null
  }
})
