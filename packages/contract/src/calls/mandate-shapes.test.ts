import { describe, expect, test } from 'vitest'
import { Call, NewCall } from './shapes.ts'
import { NewCallTemplate } from './templates-shapes.ts'

const order = { callee: '+12025550100', purpose: 'Book a table' }
const exactly = { rule: 'exactly' } as const
const refusalOf = (body: object) => NewCall.safeParse(body).error?.issues.map(({ message, path }) => [path[0], message])

describe('mandates of a new call', () => {
  test('are none where none are given', () => {
    expect(NewCall.parse(order)).toMatchObject({ mandates: [], vault: [] })
  })

  test('are taken one for each objective, null for as written', () => {
    const mandates = [exactly, null]
    expect(NewCall.parse({ ...order, objectives: ['A', 'B'], mandates }).mandates).toEqual(mandates)
  })

  const sentence =
    'Give one mandate for each objective, in their order, or none. An objective that is named twice counts once.'
  test.each([
    [['A', 'B'], [exactly]],
    [[], [exactly]],
    [
      ['A', 'A'],
      [exactly, null],
    ],
  ])('are refused in one sentence for objectives %j and mandates %j', (objectives, mandates) => {
    expect(refusalOf({ ...order, objectives, mandates })).toEqual([['mandates', sentence]])
    const template = { name: 'Mine', purpose: 'Book', tone: 'formal', objectives, mandates }
    expect(NewCallTemplate.safeParse(template).error?.issues.map(({ message }) => message)).toEqual([sentence])
  })

  test('are refused with limits that contradict each other', () => {
    const limits = { timeFrom: '20:00', timeTo: '19:00' }
    expect(refusalOf({ ...order, objectives: ['A'], mandates: [{ rule: 'within_limits', limits }] })).toEqual([
      ['mandates', 'The earliest time is later than the latest.'],
    ])
  })
})

describe('the vault of a new call', () => {
  const booking = { name: 'Booking number', value: 'AB 12' }

  test('tells a value when it is asked for, unless it says otherwise', () => {
    expect(NewCall.parse({ ...order, vault: [booking] }).vault).toEqual([{ ...booking, condition: { when: 'asked' } }])
  })

  test('is refused when two values have the same name', () => {
    const vault = [booking, { ...booking, name: 'booking number' }]
    expect(refusalOf({ ...order, vault })).toEqual([['vault', 'Two private values have the same name.']])
  })
})

test('a call of before mandates is read without any', () => {
  expect(Call.shape.mandates.parse(undefined)).toEqual([])
  expect(Call.shape.vault.parse(undefined)).toEqual([])
})
