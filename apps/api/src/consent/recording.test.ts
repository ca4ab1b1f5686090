import { describe, expect, test } from 'vitest'
import { mustAskToRecord } from './recording.ts'

describe('mustAskToRecord', () => {
  test.each([
    ['Washington, DC', '+12025550100'],
    ['New York', '+12125550123'],
    ['Toronto', '+14165550123'],
    ['London', '+442079460123'],
    ['Madrid', '+34911234567'],
  ])('is false for a callee in %s, who is only informed', (_, number) => {
    expect(mustAskToRecord(number)).toBe(false)
  })

  test.each([
    ['Los Angeles', '+12135550123'],
    ['Seattle', '+12065550100'],
    ['Miami', '+13055550123'],
    ['Philadelphia', '+12155550123'],
    ['an unknown place (toll-free number)', '+18005550123'],
    ['Berlin', '+493012345678'],
    ['Paris', '+33142685300'],
    ['no country (unassigned code)', '+999123456789'],
  ])('is true for a callee in %s', (_, number) => {
    expect(mustAskToRecord(number)).toBe(true)
  })
})
