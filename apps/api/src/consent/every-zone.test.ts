import { CALLING_HOURS } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { isGoodHour, nextGoodHour, openingOf, type Whereabouts } from './hours.ts'
import { COUNTRIES, whereaboutsOf } from './places.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** No zone changes its clock and back within a week. */
const WEEK_MS = 7 * DAY_MS
const FROM = Date.parse('2026-01-01T00:00:00Z')
const UNTIL = Date.parse('2028-01-01T00:00:00Z')

/** All time zones, not only those of callable places. */
const zones = Intl.supportedValuesOf('timeZone')

/** The zone's offset in minutes, computed otherwise than by the rule under test. */
function offsetAt(formatter: Intl.DateTimeFormat, at: number): number {
  const name = formatter.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
  const [, sign, hours, minutes = '0'] = /^GMT([+-])(\d{1,2})(?::(\d{2}))?/.exec(name) ?? []
  return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

/** The clock changes of the zone, in ms, to the minute. */
function changesIn(formatter: Intl.DateTimeFormat): number[] {
  const changes: number[] = []
  let offset = offsetAt(formatter, FROM)
  for (let week = FROM; week < UNTIL; week += WEEK_MS) {
    let [low, high] = [week, week + WEEK_MS]
    if (offsetAt(formatter, high) === offset) continue
    while (high - low > 60_000) {
      const middle = low + Math.floor((high - low) / 120_000) * 60_000
      if (offsetAt(formatter, middle) === offset) low = middle
      else high = middle
    }
    offset = offsetAt(formatter, high)
    changes.push(high)
  }
  return changes
}

const formatterOf = (zone: string) => new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'shortOffset' })

/** A message when the rule is wrong at this time, in ms. */
function wrongAt(zone: string, formatter: Intl.DateTimeFormat, at: number): string[] {
  const hour = new Date(at + offsetAt(formatter, at) * 60_000).getUTCHours()
  const good = hour >= CALLING_HOURS.fromHour && hour < CALLING_HOURS.untilHour
  return isGoodHour(new Date(at), { zones: [zone] }) === good
    ? []
    : [`${zone} at ${new Date(at).toISOString()}, ${hour}:00 there`]
}

/** The wrong answers from a day before a clock change to a day after. */
function wrongAround(zone: string, formatter: Intl.DateTimeFormat, change: number): string[] {
  const wrong: string[] = []
  for (let at = change - DAY_MS; at <= change + DAY_MS; at += HOUR_MS) {
    wrong.push(...wrongAt(zone, formatter, at), ...wrongAt(zone, formatter, at - 1))
  }
  const next = nextGoodHour(new Date(change), { zones: [zone] })
  if (next === null) return [...wrong, `${zone} never opens`]
  const before = new Date(next.getTime() - 1)
  const isFirst = next.getTime() === change || !isGoodHour(before, { zones: [zone] })
  if (!isGoodHour(next, { zones: [zone] }) || !isFirst) wrong.push(`${zone} opens at ${next.toISOString()}`)
  return wrong
}

describe('calling hours over two years', () => {
  test('are right in every time zone, hour by hour around every clock change', { timeout: 120_000 }, () => {
    const wrong: string[] = []
    let changes = 0
    for (const zone of zones) {
      const formatter = formatterOf(zone)
      for (const change of changesIn(formatter)) {
        changes++
        wrong.push(...wrongAround(zone, formatter, change))
      }
      // And on ordinary days, at different hours.
      for (let at = FROM; at < UNTIL; at += 37 * DAY_MS + 7 * HOUR_MS) wrong.push(...wrongAt(zone, formatter, at))
    }
    expect(wrong).toEqual([])
    expect(zones.length).toBeGreaterThan(400)
    expect(changes).toBeGreaterThan(400)
  })

  const places = [...Object.keys(COUNTRIES), 'US305', 'US401', 'US605', 'US512', 'US215', 'US270', 'US202@Asia/Tokyo']
  test.each(places)('openingOf and isGoodHour agree in %s for two weeks', (place) => {
    const where = whereaboutsOf(place)
    let opened = 0
    for (let at = FROM; at < FROM + 14 * DAY_MS;) {
      const { open, until } = openingOf(new Date(at), where)
      expect(until.getTime()).toBeGreaterThan(at)
      expect(isGoodHour(new Date(at), where)).toBe(open)
      const before = new Date(until.getTime() - 1)
      // A closed place opens exactly at `until`; an open place stays open until then.
      expect([isGoodHour(before, where), open || isGoodHour(until, where)]).toEqual([open, true])
      if (!open) opened++
      at = until.getTime()
    }
    expect(opened).toBeGreaterThanOrEqual(10)
  })
})

describe('state laws', () => {
  const good = (place: string, at: string) => isGoodHour(new Date(at), whereaboutsOf(place))
  test.each<[string, string, boolean]>([
    // Florida until 20:00, the rest of the East until 21:00.
    ['US305', '2026-01-15T01:30:00Z', false],
    ['US212', '2026-01-15T01:30:00Z', true],
    // Rhode Island: 9 to 18, Saturdays 10 to 17, never on Sundays.
    ['US401', '2026-01-15T13:30:00Z', false],
    ['US401', '2026-01-15T14:30:00Z', true],
    ['US401', '2026-01-17T14:30:00Z', false],
    ['US401', '2026-01-17T15:30:00Z', true],
    ['US401', '2026-01-18T17:00:00Z', false],
    // Texas from noon on Sundays, in the callee's time zone.
    ['US512', '2026-01-18T17:30:00Z', false],
    ['US512', '2026-01-18T18:30:00Z', true],
    ['US512', '2026-01-19T02:30:00Z', true],
    // A zone in the file narrows the hours of the number's own place and extends none.
    ['US305@Europe/Berlin', '2026-01-15T18:30:00Z', true],
    ['US305@Europe/Berlin', '2026-01-15T19:30:00Z', false],
    ['US305@Europe/Berlin', '2026-01-15T10:00:00Z', false],
    ['US212@America/Los_Angeles', '2026-01-15T15:00:00Z', false],
    ['US212@America/Los_Angeles', '2026-01-15T17:00:00Z', true],
    ['US212@America/Los_Angeles', '2026-01-16T03:00:00Z', false],
    // An area code in two zones: New York and Chicago.
    ['US270@America/New_York', '2026-01-15T13:30:00Z', false],
  ])('%s at %s is open: %s', (place, at, open) => expect(good(place, at)).toBe(open))

  test("a place that shares no hour with the file's zone is closed and checked again in some days", () => {
    const now = new Date('2026-01-15T15:00:00Z')
    const where = whereaboutsOf('US401@Asia/Tokyo')
    expect(nextGoodHour(now, where)).toBeNull()
    expect(openingOf(now, where)).toEqual({ ever: false, open: false, until: new Date('2026-01-18T15:00:00Z') })
  })

  test('a place closed on Sunday opens on Monday', () => {
    for (const place of ['US401', 'US605', 'US225']) {
      const where: Whereabouts = whereaboutsOf(place)
      const sunday = new Date('2026-01-18T06:00:00Z')
      expect(nextGoodHour(sunday, where)?.getUTCDay()).toBe(1)
    }
  })
})
