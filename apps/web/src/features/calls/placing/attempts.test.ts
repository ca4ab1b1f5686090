import { describe, expect, it } from 'vitest'
import { randomKey } from '../../../lib/random.ts'
import { createAttempts } from './attempts.ts'

function counted() {
  let n = 0
  return createAttempts(() => `key-${++n}`)
}

describe('the key of an attempt', () => {
  it('is the same for a double click and for a try after an answer that never came', () => {
    const attempts = counted()
    expect(attempts.keyFor({ callee: '+12025550100' })).toBe('key-1')
    expect(attempts.keyFor({ callee: '+12025550100' })).toBe('key-1')
  })

  it('is another for another order', () => {
    const attempts = counted()
    attempts.keyFor({ callee: '+12025550100' })
    expect(attempts.keyFor({ callee: '+12025550100', confirmOutsideHours: true })).toBe('key-2')
  })

  it('is another once the server has answered', () => {
    const attempts = counted()
    attempts.keyFor({ callee: '+12025550100' })
    attempts.settle({ callee: '+12025550101' })
    expect(attempts.keyFor({ callee: '+12025550100' })).toBe('key-1')
    attempts.settle({ callee: '+12025550100' })
    expect(attempts.keyFor({ callee: '+12025550100' })).toBe('key-2')
  })

  it('is long and random', () => {
    expect(randomKey()).toMatch(/^[0-9a-f]{32}$/)
    expect(randomKey()).not.toBe(randomKey())
  })
})
