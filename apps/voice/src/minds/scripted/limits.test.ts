import { describe, expect, test } from 'vitest'
import { extract } from './hearing/extract.ts'
import { limitsFrom, permits, setsLimit, type Permission } from './limits.ts'
import { englishTopic } from './wording/objective.en.ts'

const speaker = { tone: 'professional', owner: 'Anna' } as const

/** [objective, context, said during the call, what is offered, asked for better before, may the agent agree?] */
const OFFERS: readonly (readonly [string, Record<string, unknown>, readonly string[], string, boolean, Permission])[] = [
  ['Table at 7 pm', {}, [], '8 pm', false, 'yes'],
  ['Table at 7 pm', { latest: '8:30 pm' }, [], '9 pm', false, 'no'],
  ['Table at 7 pm', { latest: '8:30 pm' }, [], '8 pm', false, 'yes'],
  ['Table at 7 pm', { earliest_time: '6 pm' }, [], '5 pm', false, 'no'],
  ['Table at 7 pm', { flexible: false }, [], '8 pm', false, 'no'],
  ['Table at 7 pm', { alternatives: ['8 pm', '6 pm'] }, [], '8 pm', false, 'yes'],
  ['Table at 7 pm', {}, ['no later than 8'], '9 pm', false, 'no'],
  ['Table at 7 pm', {}, ['not on Sunday'], 'Sunday at 8 pm', false, 'no'],
  ['Table at 7 pm', { notes: 'only on Friday' }, [], 'Saturday', false, 'no'],
  ['Get the room for 120 euros', {}, [], '110 euros', false, 'yes'],
  ['Get the room for 120 euros', {}, [], '140 euros', false, 'push'],
  ['Get the room for 120 euros', {}, [], '140 euros', true, 'no'],
  ['Get the room for 120 euros', { max_price: 150 }, [], '140 euros', false, 'yes'],
  ['Get the room for 120 euros', { budget: '150 euros' }, [], '160 euros', false, 'push'],
  ['Get the room for 120 euros', { max_price: 130 }, ['you may go up to 150'], '140 euros', false, 'yes'],
  ['Get the room for 120 euros', {}, ['max 150'], '160 euros', true, 'no'],
  ['Get a discount of 10%', {}, [], '15%', false, 'yes'],
  ['Get a discount of 10%', {}, [], '5%', false, 'push'],
  ['Get a discount of 10%', {}, [], '5%', true, 'yes'],
  ['Get a discount of 10%', { minDiscount: '8%' }, [], '5%', true, 'no'],
  ['Table for four', {}, [], 'a table for two people', true, 'no'],
  ['Late checkout at 2 pm', { max_price: 150 }, [], '20 euros', false, 'no'],
]

describe('may the agent agree?', () => {
  test.each(OFFERS)('%s %j %j: %s (pushed: %s)', (objective, context, steering, offered, pushed, permission) => {
    expect(permits(limitsFrom(context, steering, 'en'), englishTopic(objective, speaker), extract(offered, 'en'), pushed)).toBe(permission)
  })
})

test.each([
  ['you may go up to 150', true],
  ['do not accept alternatives', true],
  ['not later than 8 pm', true],
  ['8 pm is also fine', true],
  ['tell them we are five', false],
  ['ask about parking', false],
])('%s is a limit: %s', (text, limit) => {
  expect(setsLimit(text, 'en')).toBe(limit)
})
