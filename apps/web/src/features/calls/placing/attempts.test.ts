import { describe, expect, it } from 'vitest'
import { randomKey } from '../../../lib/random.ts'
import { createAttempts } from './attempts.ts'

function counted() {
  let n = 0
  return createAttempts(() => `key-${++n}`)
}

describe('idempotency key', () => {
  it('is the same for a double click and for a retry after a lost response', () => {
    const attempts = counted()
    expect(attempts.keyFor({ callee: '+12025550100' })).toBe('key-1')
    expect(attempts.keyFor({ callee: '+12025550100' })).toBe('key-1')
  })

  it('differs for a different call', () => {
    const attempts = counted()
    attempts.keyFor({ callee: '+12025550100' })
    expect(attempts.keyFor({ callee: '+12025550100', confirmOutsideHours: true })).toBe('key-2')
  })

  it('differs after the server has responded', () => {
    const attempts = counted()
    attempts.keyFor({ callee: '+12025550100' })
    attempts.settle({ callee: '+12025550101' })
    expect(attempts.keyFor({ callee: '+12025550100' })).toBe('key-1')
    attempts.settle({ callee: '+12025550100' })
    expect(attempts.keyFor({ callee: '+12025550100' })).toBe('key-2')
  })

  it('has 32 random hex digits', () => {
    expect(randomKey()).toMatch(/^[0-9a-f]{32}$/)
    expect(randomKey()).not.toBe(randomKey())
  })
})
