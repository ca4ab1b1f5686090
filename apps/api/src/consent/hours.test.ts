import { expect, test } from 'vitest'
import { localTime, nextGoodHour, zoneNamed } from './hours.ts'

/** The time, the callee's possible zones, and the first time within calling hours. */
const HOURS: readonly (readonly [now: string, zones: readonly string[], at: string])[] = [
  // 08:00 to 21:00 in New York, in winter and in summer.
  ['2026-01-15T12:59:59.999Z', ['America/New_York'], '2026-01-15T13:00:00.000Z'],
  ['2026-01-15T13:00:00.000Z', ['America/New_York'], '2026-01-15T13:00:00.000Z'],
  ['2026-01-16T01:59:59.999Z', ['America/New_York'], '2026-01-16T01:59:59.999Z'],
  ['2026-01-16T02:00:00.000Z', ['America/New_York'], '2026-01-16T13:00:00.000Z'],
  ['2026-07-15T11:59:00.000Z', ['America/New_York'], '2026-07-15T12:00:00.000Z'],
  // Clock changes: 8 March and 1 November 2026 in New York.
  ['2026-03-08T03:00:00.000Z', ['America/New_York'], '2026-03-08T12:00:00.000Z'],
  ['2026-11-01T04:00:00.000Z', ['America/New_York'], '2026-11-01T13:00:00.000Z'],
  ['2026-03-29T00:30:00.000Z', ['Europe/Berlin'], '2026-03-29T06:00:00.000Z'],
  ['2026-10-25T00:30:00.000Z', ['Europe/Berlin'], '2026-10-25T07:00:00.000Z'],
  // Arizona keeps no summer time, Sydney has its summer in January, India is half an hour off, Nepal three quarters.
  ['2026-07-15T14:30:00.000Z', ['America/Phoenix'], '2026-07-15T15:00:00.000Z'],
  ['2026-01-15T20:30:00.000Z', ['Australia/Sydney'], '2026-01-15T21:00:00.000Z'],
  ['2026-01-15T02:00:00.000Z', ['Asia/Kolkata'], '2026-01-15T02:30:00.000Z'],
  ['2026-01-15T02:00:00.000Z', ['Asia/Kathmandu'], '2026-01-15T02:15:00.000Z'],
  // Within the hours of both: from 08:00 in Denver until 21:00 in New York.
  ['2026-01-15T13:30:00.000Z', ['America/New_York', 'America/Denver'], '2026-01-15T15:00:00.000Z'],
  ['2026-01-16T02:30:00.000Z', ['America/New_York', 'America/Denver'], '2026-01-16T15:00:00.000Z'],
]

test.each(HOURS)('at %s in %j the next good hour is %s', (now, zones, at) => {
  expect(nextGoodHour(new Date(now), { zones })?.toISOString()).toBe(at)
})

test('zoneNamed normalises the case of a zone and rejects unknown zones', () => {
  const written = ['america/new_york', 'AMERICA/NEW_YORK', 'America/New_York', 'us/Eastern']
  expect(new Set(written.map(zoneNamed))).toEqual(new Set(['America/New_York']))
  expect(['EST', '+02:00', 'Europe/Atlantis', ''].map(zoneNamed)).toEqual([undefined, undefined, undefined, undefined])
})

test('nextGoodHour returns a good time itself, and null for zones without a common hour', () => {
  const now = new Date('2026-01-15T15:00:00Z')
  expect(nextGoodHour(now, { zones: ['America/New_York'] })).toBe(now)
  expect(nextGoodHour(now, { zones: ['Asia/Tokyo', 'America/Los_Angeles', 'Europe/London'] })).toBeNull()
  expect(localTime(now, 'America/New_York')).toEqual({ hour: 10, text: '10:00' })
})
