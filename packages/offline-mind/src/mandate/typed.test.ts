import type { CallOrder } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { extract } from '../hearing/extract.ts'
import { englishTopic } from '../wording/objective.en.ts'
import { dayOf } from './days.ts'
import { mandateFor } from './mandate.ts'
import { permits, permitsThing, type Permission } from './permits.ts'

type Chosen = NonNullable<CallOrder['mandates']>[number]
const speaker = { tone: 'professional', owner: 'Anna' } as const
const exactly: Chosen = { rule: 'exactly' }
const askMe: Chosen = { rule: 'ask_me' }
const within = (limits: Extract<Chosen, { rule: 'within_limits' }>['limits']): Chosen => ({
  rule: 'within_limits',
  limits,
})
const dollars = (amount: number) => ({ amountCents: amount * 100, currency: 'USD' })
/** A Friday. */
const TODAY = '2026-11-20'

function mandateOf(objective: string, chosen: Chosen, said: readonly string[] = []) {
  const order = {
    purpose: 'Call them',
    objectives: [objective],
    mandates: [chosen],
    context: {},
    language: 'en' as const,
  }
  const { wants, expecting } = englishTopic(objective, speaker)
  return mandateFor(order, said, { text: objective, wants, expecting, isPurpose: false, isAlone: true }, TODAY)
}

/** [objective, what the person chose, said during the call, what is offered, may the agent agree?] */
const OFFERS: readonly (readonly [string, Chosen, readonly string[], string, Permission])[] = [
  ['Table at 7 pm', exactly, [], '7 pm', 'as_asked'],
  ['Table at 7 pm', exactly, [], '8 pm', 'no'],
  ['Table at 7 pm, or up to 8:30', exactly, [], '8 pm', 'no'],
  ['Get the room for 120 euros', exactly, [], '110 euros', 'no'],
  ['Table at 7 pm', exactly, ['8:30 is fine'], '8:30 pm', 'within'],
  ['Table at 7 pm', askMe, [], '7 pm', 'no'],
  ['Table at 7 pm, or up to 8:30', askMe, [], '8 pm', 'no'],
  ['Table at 7 pm', askMe, ['8:30 is fine'], '8:30 pm', 'within'],
  ['Table at 7 pm', askMe, ['8:30 is fine'], '9 pm', 'no'],
  ['Table at 7 pm', within({ timeTo: '20:30' }), [], '8:30 pm', 'within'],
  ['Table at 7 pm', within({ timeTo: '20:30' }), [], '8:45 pm', 'no'],
  ['Table at 7 pm', within({ timeTo: '20:30' }), [], '6 pm', 'no'],
  ['Table at 7 pm', within({ timeFrom: '18:00', timeTo: '20:30' }), [], '6 pm', 'within'],
  ['Table at 7 pm', within({ timeFrom: '18:00' }), [], '8 pm', 'no'],
  ['Table at 7 pm, not after 8', within({ timeTo: '21:00' }), [], '8:30 pm', 'no'],
  ['Table at 7 pm', within({ alternatives: ['9 pm'] }), [], '9 pm', 'within'],
  ['Table at 7 pm', within({ alternatives: ['9 pm'] }), [], '8 pm', 'no'],
  ['Get the room for 100 dollars', within({ priceMax: dollars(120) }), [], '120 dollars', 'within'],
  ['Get the room for 100 dollars', within({ priceMax: dollars(120) }), [], '121 dollars', 'no'],
  ['Get the room for 100 dollars', within({ priceMax: dollars(120) }), [], '110 euros', 'no'],
  ['Get the room for 100 dollars', within({ priceMax: dollars(120) }), [], '110 dollars a night', 'no'],
  ['Table for four people', within({ peopleMin: 3 }), [], 'three people', 'within'],
  ['Table for four people', within({ peopleMin: 3 }), [], 'two people', 'no'],
  ['Table for four people', within({ peopleMax: 5 }), [], 'five people', 'within'],
  ['Table for four people', within({ peopleMax: 5 }), [], 'six people', 'no'],
  ['An appointment on 23 November', within({ dateTo: '2026-11-25' }), [], '24 November', 'within'],
  ['An appointment on 23 November', within({ dateTo: '2026-11-25' }), [], '26 November', 'no'],
  ['An appointment on 23 November', within({ dateTo: '2026-11-25' }), [], 'Wednesday', 'within'],
  ['An appointment on 23 November', within({ dateTo: '2026-11-25' }), [], 'Thursday', 'no'],
  ['An appointment on 30 December', within({ dateTo: '2027-01-05' }), [], '4 January', 'within'],
  ['An appointment on 30 December', within({ dateTo: '2027-01-05' }), [], '6 January', 'no'],
]

describe('permits with a chosen mandate', () => {
  test.each(OFFERS)('"%s" with %j and %j, offered %s: %s', (objective, chosen, said, offered, permission) => {
    const mandate = mandateOf(objective, chosen, said)
    expect(permits(mandate, extract(offered, 'en'))).toBe(permission)
  })

  test('allows a thing that is named among the alternatives, and no other', () => {
    const mandate = mandateOf('Table at 7 pm', within({ alternatives: ['a table on the terrace'] }))
    expect(permitsThing(mandate, 'a table outside on the terrace')).toBe(true)
    expect(permitsThing(mandate, 'a table at the bar')).toBe(false)
  })

  test('proposes the alternatives in their order, and none with exactly', () => {
    const alternatives = within({ alternatives: ['9 pm', '6 pm'] })
    const times = mandateOf('Table at 7 pm', alternatives).preferences.flat()
    expect(times.map((value) => (value.type === 'time' ? value.minutes / 60 : null))).toEqual([21, 18])
    expect(mandateOf('Table at 7 pm, or at 8', exactly).preferences).toEqual([])
  })
})

test.each([
  ['+1', '2026-11-21'],
  ['day0', '2026-11-23'],
  ['day4', null],
  ['day0+', null],
  ['11-19', '2027-11-19'],
  ['11-20', '2026-11-20'],
  ['2-29', '2028-02-29'],
  ['-19', '2026-12-19'],
  ['-31', '2026-12-31'],
  ['next weekend', null],
])('the date %s on 20 November 2026 is %s', (key, day) => {
  expect(dayOf(key, TODAY)).toBe(day)
})
