import { expect, test } from 'vitest'
import { readMandates } from './understood.ts'

const within = (limits: object) => ({ rule: 'within_limits', limits })
const [seven, halfPastEight] = ['19:00', '20:30']

/** [objective, in figures, in words] */
const READ: readonly (readonly [string, object | null, string | null])[] = [
  ['Table at 7 pm, or up to 8:30', within({ timeFrom: seven, timeTo: halfPastEight }), '7 pm, or up to 8:30 pm'],
  ['A table between 7 and 8:30 pm', within({ timeFrom: seven, timeTo: halfPastEight }), 'from 7 pm to 8:30 pm'],
  ['Appointment on Friday before 5 pm', within({ timeTo: '16:59' }), 'Friday, before 5 pm'],
  ['Table at 7 pm, otherwise 8:30 pm', within({ alternatives: ['8:30 pm'] }), '7 pm, otherwise 8:30 pm'],
  [
    'A price of at most 120 dollars',
    within({ priceMax: { amountCents: 12_000, currency: 'USD' } }),
    'at most 120 dollars',
  ],
  ['A room for 100 euros, at most 120 euros a night', null, '100 euros, at most 120 euros'],
  ['Tisch um 19 Uhr, oder bis 20:30 Uhr', within({ timeFrom: seven, timeTo: halfPastEight }), '19 Uhr, oder bis 20:30'],
  ['Only at 7 pm', { rule: 'exactly' }, '7 pm, nothing else'],
  ['A table for four at 7', null, '4 people, 7 pm'],
  ['Ask for a vegetarian menu', null, null],
]

test.each(READ)('reads "%s" as %j: %j', (objective, mandate, understood) => {
  expect(readMandates({ purpose: 'Book', objectives: [objective], language: 'auto' })).toEqual([
    { mandate, understood },
  ])
})

test('reads limits of the purpose for each objective of their kind', () => {
  const order = { purpose: 'Book a table at 7 pm, or up to 8:30', objectives: ['Table at 7 pm', 'A vegetarian menu'] }
  expect(readMandates({ ...order, language: 'en' })).toMatchObject([
    { mandate: within({ timeFrom: seven, timeTo: halfPastEight }) },
    { understood: null },
  ])
})
