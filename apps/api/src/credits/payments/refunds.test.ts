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
])('%d cents back of 1999 take %d credits and %d bonus credits', (cents, credits, bonusCredits) => {
  expect(share(premium, cents)).toEqual({ credits, bonusCredits })
})

test('parts in any number and order come to the whole, and none gives anything back', () => {
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
