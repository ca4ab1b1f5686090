import type { Outcome } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { judgedByEarlierRule } from './earlier-rule.ts'

type Asked = [objective: string, quote: string | null]

const met = (objective: string, quote: string | null): Outcome => ({ objective, status: 'met', quote, turn: 1 })
const isFlagged = (objective: string, quote: string | null, purpose = 'Ask') =>
  judgedByEarlierRule(met(objective, quote), purpose)

describe('an outcome stored as met by the earlier rule', () => {
  test.each<Asked>([
    ['A table at 7 pm', 'Half past eight would be possible.'],
    ['A table at 7 pm', 'We have eight thirty.'],
    ['A table at 19:00', '8:30 pm would work.'],
    ['A table at 7 pm', 'Yes, at half past eight.'],
    ['A table at 7 pm', null],
    ['Opening hours', '  '],
    ['A table on Friday', 'Saturday would be fine.'],
    ['A table for four', 'We have one for two.'],
    ['Ten percent less', 'Five percent less would be possible.'],
    ['A better price', 'I could offer you five percent less.'],
    ['A discount of 10 %', '5% is what I can do.'],
    ['A room below 120 dollars', '150 dollars a night.'],
    ['Una mesa a las siete', 'A las ocho y media sería posible.'],
    ['Una mesa a las siete', 'Tenemos a las once.'],
    ['A table at 7 pm', 'We are full that evening.'],
    ['Book a table on the terrace', 'Perhaps, I would have to look.'],
    ['Move the appointment', 'No.'],
  ])('is flagged for %j and %j', (objective, quote) => {
    expect(isFlagged(objective, quote)).toBe(true)
  })

  test.each<Asked>([
    ['A table at 7 pm', 'Seven is fine.'],
    ['A table at 7 pm', 'Yes, of course.'],
    ['A table at 7 pm', 'That works.'],
    ['A table at 7 pm', '19:00, noted.'],
    ['A table at 7 pm', 'Yes, seven is possible, and the kitchen closes at ten.'],
    ['A table for four', 'For four, certainly.'],
    ['A room below 120 dollars', 'Ninety dollars a night.'],
    ['Vegetarian menu', 'We have three vegetarian dishes.'],
    ['Ask whether it is warm', 'No, it is 5 degrees.'],
    ['Opening hours', 'From nine to five.'],
    ['A taxi at 7 pm', 'Sure, it is 7.50 dollars, and I say it only once.'],
    ['What does it cost?', 'Eighty dollars.'],
    ['Price for two nights', 'It is 240 dollars.'],
    ['Tell them that we are late', 'Thank you.'],
    ['Una mesa a las siete', 'Sí, a las siete está bien.'],
    ['A table at 7 pm', 'Yes, that one is fine. Your number is 4471.'],
    ['Ein Tisch um 19 Uhr', 'Ja, gerne.'],
  ])('is not flagged for %j and %j', (objective, quote) => {
    expect(isFlagged(objective, quote)).toBe(false)
  })
})

test('a value named in the purpose counts as asked for', () => {
  expect(isFlagged('A table, 7 pm', 'Half past seven.', 'Book a table at 7:30 pm')).toBe(false)
  expect(isFlagged('A table, 7 pm', 'Half past seven.', 'Book a table')).toBe(true)
})

test("an outcome of today's rule or with another status is not flagged", () => {
  const old = met('A table at 7 pm', 'Half past eight would be possible.')
  expect(judgedByEarlierRule({ ...old, offer: null }, 'Ask')).toBe(false)
  expect(judgedByEarlierRule({ ...old, status: 'refused' }, 'Ask')).toBe(false)
  expect(judgedByEarlierRule({ ...old, status: 'offered' }, 'Ask')).toBe(false)
})
