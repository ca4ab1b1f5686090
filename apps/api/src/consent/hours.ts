import { CALLING_HOURS } from '@parley/contract'

const formatters = new Map<string, Intl.DateTimeFormat>()

/** What the clock shows there: summer time as the zone keeps it. */
export function localTime(at: Date, zone: string): { readonly hour: number; readonly text: string } {
  const formatter =
    formatters.get(zone) ?? new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  formatters.set(zone, formatter)
  const text = formatter.format(at)
  return { hour: Number(text.slice(0, 2)), text }
}

function isGood(at: Date, zones: readonly string[]): boolean {
  return zones.every((zone) => {
    const { hour } = localTime(at, zone)
    return hour >= CALLING_HOURS.fromHour && hour < CALLING_HOURS.untilHour
  })
}

const QUARTER_MS = 15 * 60_000
/** Every set of zones has a good hour every day; two days reach over any change of the clocks. */
const STEPS_MAX = (48 * 3_600_000) / QUARTER_MS

/** Now, when it is a good hour in every zone; else the first moment that is. */
export function nextGoodHour(now: Date, zones: readonly string[]): Date {
  if (isGood(now, zones)) return now
  const quarter = Math.floor(now.getTime() / QUARTER_MS) * QUARTER_MS
  for (let step = 1; step <= STEPS_MAX; step++) {
    const at = new Date(quarter + step * QUARTER_MS)
    if (isGood(at, zones)) return at
  }
  throw new Error(`No hour is good in all of ${zones.join(', ')}`)
}
