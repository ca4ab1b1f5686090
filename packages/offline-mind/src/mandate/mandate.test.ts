import { describe, expect, test } from 'vitest'
import { extract } from '../hearing/extract.ts'
import { englishTopic } from '../wording/objective.en.ts'
import { isUnlimited } from './limits.ts'
import { mandateFor } from './mandate.ts'
import { permits, type Permission } from './permits.ts'
import { readNote, readOrder } from './reading.ts'

const speaker = { tone: 'professional', owner: 'Anna' } as const

/** [objective, context, said during the call, what is offered, may the agent agree?] */
const OFFERS: readonly (readonly [string, Record<string, unknown>, readonly string[], string, Permission])[] = [
  ['Table at 7 pm', {}, [], '7 pm', 'as_asked'],
  ['Table at 7 pm', {}, [], '8 pm', 'no'],
  ['Table at 7 pm', { latest: '8:30 pm' }, [], '9 pm', 'no'],
  ['Table at 7 pm', { latest: '8:30 pm' }, [], '8 pm', 'within'],
  ['Table at 7 pm', { earliest_time: '6 pm' }, [], '5 pm', 'no'],
  ['Table at 7 pm', { flexible: false }, [], '8 pm', 'no'],
  ['Table at 7 pm', { flexible: true }, [], '8 pm', 'within'],
  ['Table at 7 pm', { alternatives: ['8 pm', '6 pm'] }, [], '8 pm', 'within'],
  ['Table at 7 pm', {}, ['no later than 8'], '9 pm', 'no'],
  ['Table at 7 pm', {}, ['no later than 8'], '8 pm', 'within'],
  ['Table at 7 pm', {}, ['8:30 is fine'], '8:30 pm', 'within'],
  ['Table at 7 pm', { flexible: true }, ['not on Sunday'], 'Sunday at 8 pm', 'no'],
  ['Table at 7 pm', { notes: 'only on Friday' }, [], 'Saturday', 'no'],
  ['Get the room for 120 euros', {}, [], '110 euros', 'within'],
  ['Get the room for 120 euros', {}, [], '110 dollars', 'no'],
  ['Get the room for 120 euros', {}, [], '140 euros', 'no'],
  ['Get the room for 120 euros', { max_price: 150 }, [], '140 euros', 'within'],
  ['Get the room for 120 euros', { budget: '150 euros' }, [], '160 euros', 'no'],
  ['Get the room for 120 euros', { max_price: 130 }, ['you may go up to 150'], '140 euros', 'within'],
  ['Get the room for 120 euros', {}, ['max 150'], '160 euros', 'no'],
  ['Get a discount of 10%', {}, [], '15%', 'within'],
  ['Get a discount of 10%', {}, [], '5%', 'no'],
  ['Get a discount of 10%', { minDiscount: '8%' }, [], '8%', 'within'],
  ['Table for four people', {}, [], 'two people', 'no'],
  ['Late checkout at 2 pm', {}, [], '20 euros', 'no'],
]

describe('permits', () => {
  test.each(OFFERS)(
    'judges, for "%s" with context %j and instructions %j, an offer of %s',
    (objective, context, steering, offered, permission) => {
      const order = { purpose: objective, objectives: [objective], context, language: 'en' } as const
      const { expecting } = englishTopic(objective, speaker)
      const { wants } = readOrder(objective, 'en', expecting)
      const mandate = mandateFor({ ...order, objectives: [objective] }, steering, {
        text: objective,
        wants,
        expecting,
        isPurpose: false,
        isAlone: true,
      })
      expect(permits(mandate, extract(offered, 'en'))).toBe(permission)
    },
  )
})

test.each([
  ['you may go up to 150', true],
  ['do not accept alternatives', true],
  ['not later than 8 pm', true],
  ['8 pm is also fine', true],
  ['tell them we are five', false],
  ['ask about parking', false],
])('readNote takes "%s" for a limit: %s', (text, isLimit) => {
  expect(!isUnlimited(readNote(text, 'en', 'money'))).toBe(isLimit)
})

/** [order, what the callee is asked for]; empty for a rule. */
test.each([
  ['A table at 7 pm, or up to 8:30', 'A table at 7 pm'],
  ['A table at 7 pm or 8:30', 'A table at 7 pm'],
  ['Preferably a table at 7 pm, otherwise at 8:30', 'a table at 7 pm'],
  ['Move it to 8 pm. If that is not possible, do not accept another time.', 'Move it to 8 pm.'],
  ['A table for two or three people on Friday', 'A table for two or three people on Friday'],
  ['A price below 120 dollars', 'A price below 120 dollars'],
  ['If they cannot come, another day that suits them', 'If they cannot come, another day that suits them'],
  ['A table with Dr. Weber at 7 pm', 'A table with Dr. Weber at 7 pm'],
  ['Do not accept another time', ''],
  ['8:30 is fine too', ''],
])('readOrder of "%s" asks the callee for "%s"', (text, asked) => {
  const read = readOrder(text, 'en', 'time')
  expect(read.isRule ? '' : read.asked).toBe(asked)
})

/** Each bound is checked against every offer of a range. */
describe('permits agrees exactly inside the limit', () => {
  const verdict = (objective: string, offered: string): Permission => {
    const { expecting } = englishTopic(objective, speaker)
    const { wants } = readOrder(objective, 'en', expecting)
    const order = { purpose: objective, objectives: [objective], context: {}, language: 'en' } as const
    const mandate = mandateFor({ ...order, objectives: [objective] }, [], {
      text: objective,
      wants,
      expecting,
      isPurpose: false,
      isAlone: true,
    })
    return permits(mandate, extract(offered, 'en'))
  }
  const clock = (minutes: number): string =>
    `${Math.floor(minutes / 60) - 12}:${String(minutes % 60).padStart(2, '0')} pm`
  const times = Array.from({ length: 24 }, (_, at) => 16 * 60 + 15 * at)
  const amounts = Array.from({ length: 21 }, (_, at) => 110 + at)
  const allowed = <T>(all: readonly T[], objective: string, said: (one: T) => string): readonly T[] =>
    all.filter((one) => verdict(objective, said(one)) !== 'no')

  test.each([
    ['or up to', (bound: number) => (one: number) => one >= 1140 && one <= bound],
    ['no later than', (bound: number) => (one: number) => one >= 1140 && one <= bound],
    ['or any time before', (bound: number) => (one: number) => one >= 1140 && one < bound],
  ] as const)('of a table at 7 pm, %s a bound', (words, isInside) => {
    for (const bound of times.filter((minutes) => minutes > 1140))
      expect(allowed(times, `A table at 7 pm, ${words} ${clock(bound)}`, clock)).toEqual(times.filter(isInside(bound)))
  })

  test.each([
    ['at most', 120],
    ['up to', 120],
    ['no more than', 120],
    ['below', 119],
    ['less than', 119],
  ])('of a price of %s 120 dollars', (words, most) => {
    expect(allowed(amounts, `A price ${words} 120 dollars`, (amount) => `${amount} dollars`)).toEqual(
      amounts.filter((amount) => amount <= most),
    )
    expect(allowed(amounts, `A price ${words} 120 dollars`, (amount) => `${amount} euros`)).toEqual([])
  })
})
