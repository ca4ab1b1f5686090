import { describe, expect, test } from 'vitest'
import { mustAskToRecord } from './recording.ts'

describe('before a call is recorded', () => {
  test.each([
    ['Washington, DC', '+12025550100'],
    ['New York', '+12125550123'],
    ['Toronto', '+14165550123'],
    ['London', '+442079460123'],
    ['Madrid', '+34911234567'],
  ])('it is enough to tell a callee in %s', (_, number) => {
    expect(mustAskToRecord(number)).toBe(false)
  })

  test.each([
    ['Los Angeles', '+12135550123'],
    ['Seattle', '+12065550100'],
    ['Miami', '+13055550123'],
    ['Philadelphia', '+12155550123'],
    ['a toll-free number, wherever it is', '+18005550123'],
    ['Berlin', '+493012345678'],
    ['Paris', '+33142685300'],
    ['a number of no country', '+999123456789'],
  ])('a callee in %s is asked', (_, number) => {
    expect(mustAskToRecord(number)).toBe(true)
  })
})
