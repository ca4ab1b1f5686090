import { describe, expect, it } from 'vitest'
import { clock, credits, dollars, duration, exactDate, exactTime, percent, relativeTime } from './format.ts'

const NOW = Date.parse('2026-03-01T12:00:00Z')
const ago = (ms: number) => relativeTime(new Date(NOW - ms), NOW)
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

// screens.md: relative-times
describe('relative times', () => {
  it.each([
    [0, 'Just now'],
    [59 * SECOND, 'Just now'],
    [MINUTE, '1 minute ago'],
    [59 * MINUTE + 59 * SECOND, '59 minutes ago'],
    [HOUR, '1 hour ago'],
    [23 * HOUR + 59 * MINUTE, '23 hours ago'],
    [DAY, '1 day ago'],
    [400 * DAY, '400 days ago'],
  ])('%i ms before now', (ms, text) => expect(ago(ms)).toBe(text))

  it('shows a time in the future as now', () => expect(ago(-5 * MINUTE)).toBe('Just now'))

  // screens.md: says-date
  it.each(['', 'yesterday-ish', null, undefined, Number.NaN])('shows %s as an unknown date', (moment) => {
    expect(relativeTime(moment, NOW)).toBe('Unknown date')
    expect(exactTime(moment)).toBe('Unknown date')
    expect(exactDate(moment)).toBe('Unknown date')
  })
})

describe('numbers', () => {
  // screens.md: duration-seconds
  it.each([
    [0, '0m 0s'],
    [59.6, '1m 0s'],
    [64, '1m 4s'],
    [1800, '30m 0s'],
    [null, '0m 0s'],
  ])('a duration of %s seconds', (seconds, text) => expect(duration(seconds)).toBe(text))

  it('shows a clock without rounding up', () => {
    expect(clock(134.9)).toBe('02:14')
    expect(clock(-1)).toBe('00:00')
  })

  it('rounds percents and pluralizes credits', () => {
    expect(percent(66.6)).toBe('67%')
    expect(credits(1)).toBe('1 credit')
    expect(credits('10')).toBe('10 credits')
    expect(dollars(9.99)).toBe('$9.99')
  })
})
