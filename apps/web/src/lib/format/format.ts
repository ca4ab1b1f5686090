import { dateFormat } from './intl.ts'
import { locale } from '../language.ts'
import { words } from '../../words/index.ts'

export { clock } from './clock.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

type Moment = string | number | Date | null | undefined

function momentOf(moment: Moment): Date | undefined {
  if (moment === null || moment === undefined || moment === '') return undefined
  const date = new Date(moment)
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** 'Just now', then minutes, hours and days ago. */
export function relativeTime(moment: Moment, now: number = Date.now()): string {
  const { time } = words()
  const date = momentOf(moment)
  if (!date) return time.unknown
  const agoMs = now - date.getTime()
  if (agoMs < MINUTE_MS) return time.justNow
  if (agoMs < HOUR_MS) return time.minutesAgo(Math.floor(agoMs / MINUTE_MS))
  if (agoMs < DAY_MS) return time.hoursAgo(Math.floor(agoMs / HOUR_MS))
  return time.daysAgo(Math.floor(agoMs / DAY_MS))
}

/** The exact time in the user's locale and zone. */
export function exactTime(moment: Moment): string {
  const date = momentOf(moment)
  return date ? dateFormat({ dateStyle: 'medium', timeStyle: 'short' }).format(date) : words().time.unknown
}

/** Hour, minute and second. */
export function clockTime(moment: string): string {
  return dateFormat({ timeStyle: 'medium' }).format(new Date(moment))
}

export function exactDate(moment: Moment): string {
  const date = momentOf(moment)
  return date ? dateFormat({ dateStyle: 'medium' }).format(date) : words().time.unknown
}

/** 'Xm Ys', or its translation. */
export function duration(seconds: number | null | undefined): string {
  const whole = Math.max(0, Math.round(seconds ?? 0))
  return words().time.duration(Math.floor(whole / 60), whole % 60)
}

export function percent(value: number): string {
  return words().common.percent(Math.round(value))
}

/** A whole number with thousands separators. Below 1000 none are needed, and Intl is slow to start. */
export function count(value: number | string): string {
  const number = Number(value)
  return Number.isInteger(number) && Math.abs(number) < 1000 ? String(number) : number.toLocaleString(locale())
}

/** A number with one decimal. */
export function tenths(value: number): string {
  return value.toLocaleString(locale(), { minimumFractionDigits: 1, maximumFractionDigits: 1 })
}

export function credits(value: number | string): string {
  return words().common.credits(Number(value), count(value))
}

/** A file size in a readable unit. */
export function bytes(size: number): string {
  const [unit, divisor] = size < 1_000_000 ? (['kilobyte', 1000] as const) : (['megabyte', 1_000_000] as const)
  return (size / divisor).toLocaleString(locale(), { style: 'unit', unit, maximumFractionDigits: 1 })
}

export function dollars(amount: number): string {
  return amount.toLocaleString(locale(), { style: 'currency', currency: 'USD' })
}
