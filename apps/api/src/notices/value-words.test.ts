import type { OutcomeValue } from '@parley/contract'
import { expect, test } from 'vitest'
import { valueWords } from './value-words.ts'

test.each<[OutcomeValue, string]>([
  [
    { type: 'date_time', at: '2026-11-27T20:30', timezone: 'America/New_York' },
    'Friday, November 27, 2026 at 8:30 PM, New York time',
  ],
  [{ type: 'date', date: '2026-11-30' }, 'Monday, November 30, 2026'],
  [{ type: 'money', amountCents: 125_050, currency: 'EUR' }, '€1,250.50'],
  [{ type: 'money', amountCents: 500, currency: 'points' }, '5.00 points'],
  [{ type: 'number', number: 1200, unit: 'people' }, '1,200 people'],
  [{ type: 'number', number: 4, unit: null }, '4'],
  [{ type: 'name', name: 'Maria Ruiz' }, 'name: Maria Ruiz'],
  [{ type: 'reference', reference: 'AB12-9X' }, 'reference: AB12-9X'],
])('a letter tells %j as "%s"', (value, words) => expect(valueWords(value)).toBe(words))
