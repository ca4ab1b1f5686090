import type { Mandate } from '@parley/contract'
import { expect, test } from 'vitest'
import { AS_WRITTEN, mandateFieldsOf, mandateIn } from './mandateFields.ts'

const WHOLE: Mandate = {
  rule: 'within_limits',
  limits: {
    priceMax: { amountCents: 9950, currency: 'EUR' },
    timeFrom: '19:00',
    timeTo: '20:30',
    dateFrom: '2026-11-30',
    dateTo: '2026-11-30',
    peopleMin: 2,
    peopleMax: 2,
    alternatives: ['the terrace', 'the bar'],
  },
}

test.each([
  null,
  { rule: 'exactly' },
  { rule: 'ask_me' },
  WHOLE,
  { rule: 'within_limits', limits: { timeTo: '20:30' } },
] as const)('a mandate is the same after it went through the fields: %j', (mandate) => {
  expect(mandateIn(mandateFieldsOf(mandate))).toEqual({ mandate })
})

test.each([
  [{ price: '-1' }],
  [{ price: 'NaN' }],
  [{ price: '1e9' }],
  [{ peopleMax: '0' }],
  [{ peopleMin: '1.5' }],
  [{ alternatives: 'x'.repeat(201) }],
])('limits that the server would refuse are a problem: %j', (typed) => {
  expect(mandateIn({ ...AS_WRITTEN, rule: 'within_limits', ...typed })).toHaveProperty('problem')
})
