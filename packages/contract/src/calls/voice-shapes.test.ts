import { describe, expect, test } from 'vitest'
import { Fact, FactReport } from './voice-shapes.ts'

const stamp = { seq: 1, at: '2026-01-15T12:00:00.000Z', callMs: 0 }

describe('a report of facts', () => {
  test('reads a fact of a type that it does not know as unknown, with its number and times alone', () => {
    const [read] = FactReport.parse({ facts: [{ ...stamp, type: 'teleported', where: 'here' }] }).facts
    expect(read).toEqual({ ...stamp, type: 'unknown' })
  })

  test.each([
    ['a known type with wrong contents', { ...stamp, type: 'ended', reason: 'unheard of' }],
    ['an unknown type without a number', { at: stamp.at, callMs: 0, type: 'teleported' }],
    ['no type', stamp],
    ['a type longer than 60 characters', { ...stamp, type: 'x'.repeat(61) }],
  ])('is refused for %s', (_, fact) => {
    expect(FactReport.safeParse({ facts: [fact] }).success).toBe(false)
  })

  test.each([
    { ...stamp, type: 'placed', carrierCallId: 'CA1' },
    { ...stamp, type: 'asks_owner', question: 'Is half past eight fine?' },
    { ...stamp, type: 'told', name: 'Booking number', by: 'keys', turn: null },
  ])('keeps a fact of a known type as it is: $type', (fact) => {
    expect(FactReport.parse({ facts: [fact] }).facts).toEqual([fact])
  })
})

test('a fact to be sent must be of a known type', () => {
  expect(Fact.safeParse({ ...stamp, type: 'unknown' }).success).toBe(false)
})
