import { CALLING_HOURS } from '@parley/contract'
import type { Hours, Week } from './states.ts'

const { fromHour, untilHour } = CALLING_HOURS
const ORDINARY: Week = {
  workdays: [fromHour, untilHour],
  saturday: [fromHour, untilHour],
  sunday: [fromHour, untilHour],
}

/** Possible places of a callee: calling hours must hold in every zone; `week` is a stricter law. */
export interface Whereabouts {
  readonly zones: readonly string[]
  readonly week?: Week | undefined
}

const formatters = new Map<string, Intl.DateTimeFormat>()

interface LocalTime {
  readonly hour: number
  readonly text: string
}

function partsOf(at: Date, zone: string): LocalTime & { readonly day: string } {
  const formatter =
    formatters.get(zone) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
  formatters.set(zone, formatter)
  const [day = '', text = ''] = formatter.format(at).split(/,? /)
  return { day, hour: Number(text.slice(0, 2)), text }
}

const zones = new Map<string, string>()

/**
 * The canonical name of a zone, so that the cache stays small. Full names only, since abbreviations such as EST have no
 * summer time.
 */
export function zoneNamed(typed: string): string | undefined {
  const name = typed.toLowerCase()
  if (!name.includes('/')) return undefined
  const known = zones.get(name)
  if (known !== undefined) return known
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: typed }).resolvedOptions()
    zones.set(name, timeZone)
    return timeZone
  } catch {
    return undefined
  }
}

/** Whether the zone exists, as a full name or an abbreviation. Offsets such as "UTC+9" and "+09:00" are refused. */
export function isZone(typed: string): boolean {
  if (zoneNamed(typed) !== undefined) return true
  if (typed.includes('/') || !/^[a-z]/i.test(typed)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: typed }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** The local time in a zone, with daylight saving. */
export function localTime(at: Date, zone: string): LocalTime {
  const { hour, text } = partsOf(at, zone)
  return { hour, text }
}

function hoursOf(week: Week, day: string): Hours {
  if (day === 'Sun') return week.sunday
  return day === 'Sat' ? week.saturday : week.workdays
}

/** Today's calling hours in the first zone, for error messages. */
export function hoursToday(now: Date, { zones, week = ORDINARY }: Whereabouts): Hours {
  return hoursOf(week, partsOf(now, zones[0] ?? 'UTC').day)
}

export function isGoodHour(at: Date, { zones, week = ORDINARY }: Whereabouts): boolean {
  return zones.every((zone) => {
    const { day, hour } = partsOf(at, zone)
    const hours = hoursOf(week, day)
    return hours !== null && hour >= hours[0] && hour < hours[1]
  })
}

const QUARTER_MS = 15 * 60_000
/** Calling hours recur within three days, including closed Sundays and clock changes. */
const SEARCH_MS = 72 * 3_600_000
const STEPS_MAX = SEARCH_MS / QUARTER_MS

/**
 * Now, if within calling hours in every zone; else the first such quarter of an hour; null if the zones have none in
 * common. UTC offsets are multiples of 15 minutes.
 */
export function nextGoodHour(now: Date, where: Whereabouts): Date | null {
  if (isGoodHour(now, where)) return now
  const quarter = quarterOf(now)
  for (let step = 1; step <= STEPS_MAX; step++) {
    const at = new Date(quarter + step * QUARTER_MS)
    if (isGoodHour(at, where)) return at
  }
  return null
}

/** When to check zones without common hours again: a clock change may create some. */
export function muchLater(now: Date): Date {
  return new Date(now.getTime() + SEARCH_MS)
}

function quarterOf(at: Date): number {
  return Math.floor(at.getTime() / QUARTER_MS) * QUARTER_MS
}

export interface Opening {
  /** Whether the zones have any calling hours in common. */
  readonly ever: boolean
  readonly open: boolean
  /** The result holds until then: the next opening, or the next quarter of an hour. */
  readonly until: Date
}

/** Whether calls are allowed now, and until when the result may be cached. */
export function openingOf(now: Date, where: Whereabouts): Opening {
  const next = nextGoodHour(now, where)
  return next === now
    ? { ever: true, open: true, until: new Date(quarterOf(now) + QUARTER_MS) }
    : { ever: next !== null, open: false, until: next ?? muchLater(now) }
}
