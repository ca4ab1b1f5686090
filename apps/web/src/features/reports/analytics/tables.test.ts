import { expect, test } from 'vitest'
import { lastDays, weekdayName } from './period.ts'
import { bestHour, successOf, successTable } from './tables.ts'

test('the best hour has the highest answer rate among hours with enough calls', () => {
  const hour = (weekday: number, calls: number, answered: number) => ({ weekday, hour: 9, calls, answered })
  expect(bestHour([hour(1, 1, 1), hour(2, 10, 8), hour(3, 4, 3)])).toMatchObject({ weekday: 2 })
  expect(bestHour([hour(1, 1, 1), hour(2, 1, 0)])).toMatchObject({ weekday: 1 })
  expect(bestHour([hour(1, 5, 0)])).toBeUndefined()
})

test('the last n days end today in the user’s time zone', () => {
  const now = new Date('2026-03-01T03:00:00Z')
  expect(lastDays(7, 'America/New_York', now)).toEqual({ from: '2026-02-22', until: '2026-02-28' })
  expect(lastDays(7, 'UTC', now)).toEqual({ from: '2026-02-23', until: '2026-03-01' })
  expect(weekdayName(1)).toBe('Monday')
})

test('success is objectives met, also within limits, of all objectives', () => {
  const figures = { answered: 4, voicemail: 0, no_answer: 0, failed: 0, seconds: 60, credits: 1 }
  const day = { date: '2026-01-14', ...figures, met: 2, met_within_limits: 1, offered: 3, refused: 1, open: 1 }
  expect(successOf(day)).toEqual({ met: 3, of: 8 })
  const analytics = {
    from: day.date,
    until: day.date,
    timezone: 'UTC',
    totals: { ...day, calls: 4, running: 0 },
    days: [day],
    hours: [],
  }
  expect(successTable(analytics)).toEqual([
    ['Date', 'Met', 'Met within limits', 'Offered', 'Refused', 'Open'],
    ['2026-01-14', 2, 1, 3, 1, 1],
  ])
})
