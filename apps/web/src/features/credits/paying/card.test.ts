import { describe, expect, it } from 'vitest'
import { checkCard, cvcDigits, groupedNumber, slashedExpiry } from './card.ts'

const NOW = new Date('2026-11-21T12:00:00Z')
const good = { number: '4242 4242 4242 4242', expiry: '12 / 30', cvc: '123' }
const problemsOf = (change: Partial<typeof good>) => {
  const checked = checkCard({ ...good, ...change }, NOW)
  return 'problems' in checked ? checked.problems : {}
}

describe('card fields', () => {
  it.each([
    ['42424', '4242 4'],
    ['4242-4242 4242a4242', '4242 4242 4242 4242'],
    ['378282246310005', '3782 822463 10005'],
    ['37', '37'],
    ['', ''],
  ])('groups the number %j as on the card', (typed, shown) => expect(groupedNumber(typed)).toBe(shown))

  it.each([
    ['1', '', '1'],
    ['12', '1', '12 / '],
    ['12 /', '12 / ', '12'],
    ['12 / 3', '12 / ', '12 / 3'],
    ['1230', '', '12 / 30'],
    ['12/2030', '', '12 / 30'],
    ['5', '', '05 / '],
  ])('formats the expiry %j typed after %j', (typed, before, shown) => expect(slashedExpiry(typed, before)).toBe(shown))

  it('keeps the digits of a security code, 4 at most', () => expect(cvcDigits('12a345')).toBe('1234'))
})

describe('card', () => {
  it('is accepted when complete', () => {
    expect(checkCard(good, NOW)).toEqual({
      card: { number: '4242424242424242', expMonth: 12, expYear: 2030, cvc: '123' },
    })
  })

  it('is valid to the end of its month', () => {
    expect(problemsOf({ expiry: '11 / 26' })).toEqual({})
    expect(problemsOf({ expiry: '10 / 26' })).toEqual({ expiry: "Your card's expiration date is in the past." })
  })

  it.each([
    [{ number: '4242' }, { number: 'Your card number is incomplete.' }],
    [{ number: '4242 4242 4242 4241' }, { number: 'Your card number is invalid.' }],
    [{ expiry: '' }, { expiry: "Your card's expiration date is incomplete." }],
    [{ expiry: '12 / 3' }, { expiry: "Your card's expiration date is incomplete." }],
    [{ expiry: '13 / 30' }, { expiry: "Your card's expiration date is invalid." }],
    [{ cvc: '12' }, { cvc: "Your card's security code is incomplete." }],
    [{ number: '3782 822463 10005' }, { cvc: "Your card's security code is incomplete." }],
  ])('reports what is wrong: %j', (change, problems) => expect(problemsOf(change)).toEqual(problems))

  it('reports every field at once', () => {
    expect(Object.keys(problemsOf({ number: '', expiry: '', cvc: '' }))).toEqual(['number', 'expiry', 'cvc'])
  })
})
