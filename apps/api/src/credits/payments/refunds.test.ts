import fc from 'fast-check'
import { expect, test } from 'vitest'
import { share } from './refunds.ts'

const premium = { credits: 25, bonusCredits: 5, amountCents: 1999 }

test.each([
  [0, 0, 0],
  [1, 0, 0],
  [1000, 12, 2],
  [1998, 24, 4],
  [1999, 25, 5],
  [5000, 25, 5],
])('a refund of %d of 1999 cents takes back %d credits and %d bonus credits', (cents, credits, bonusCredits) => {
  expect(share(premium, cents)).toEqual({ credits, bonusCredits })
})

test('partial refunds sum to the whole and never give credits back', () => {
  const parts = fc.array(fc.integer({ min: 1, max: 700 }), { maxLength: 20 })
  fc.assert(
    fc.property(parts, (cents) => {
      let sum = 0
      let before = share(premium, 0)
      for (const part of cents) {
        sum += part
        const after = share(premium, sum)
        expect(after.credits).toBeGreaterThanOrEqual(before.credits)
        expect(after.bonusCredits).toBeGreaterThanOrEqual(before.bonusCredits)
        before = after
      }
      expect(share(premium, sum + 1999)).toEqual({ credits: 25, bonusCredits: 5 })
    }),
  )
})
