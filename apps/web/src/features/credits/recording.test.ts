import { describe, expect, it } from 'vitest'
import { HttpError } from '../../lib/server/http.ts'
import { creditsIn, recordedBy, recordedToast } from './recording.ts'
import { returnIn } from './billing/return.ts'
import { packageNamed, perCredit } from './packages.ts'
import { createDismissal } from './dismissal.ts'
import { PACKAGES } from '@parley/contract'

const result = (status: 'added' | 'already_added' | 'processing' | 'unpaid') => ({
  success: status === 'added' || status === 'already_added',
  credits: 30,
  status,
  message: status,
})

describe('result of recording a payment', () => {
  it.each([
    [result('added'), undefined, 'added'],
    [result('already_added'), undefined, 'already'],
    [result('processing'), undefined, 'later'],
    [result('unpaid'), undefined, 'later'],
    [undefined, new HttpError(503, 'Service Unavailable', ''), 'later'],
    [undefined, new TypeError('Failed to fetch'), 'unknown'],
    [undefined, null, undefined],
  ])('reply %j with error %s is %s', (reply, error, recorded) => expect(recordedBy(reply, error)).toBe(recorded))

  // screens.md: notice-of-each-payment
  it.each([
    ['added', 'Payment Successful!', '30 credits added'],
    ['already', 'Payment Confirmed!', '30 credits added'],
    ['later', 'Payment Received - credits will be added shortly', undefined],
    [
      'unknown',
      'Payment Processing',
      "Your payment was successful. Credits will be added shortly. If credits don't appear, contact support.",
    ],
  ] as const)('%s is announced as %s', (recorded, title, description) => {
    expect(recordedToast(recorded, 30)).toMatchObject(description ? { title, description } : { title })
  })
})

// screens.md: address-comes-back
describe('return address', () => {
  it.each([
    [{}, undefined],
    [{ payment_intent: 'pi_1' }, undefined],
    [{ payment_success: 'false' }, undefined],
    [
      { payment_success: 'true', payment_intent: 'pi_1', credits: '30' },
      { kind: 'paid', intentId: 'pi_1', credits: 30 },
    ],
    [
      { success: 'true', payment_intent: 'pi_1', credits: '-1' },
      { kind: 'paid', intentId: 'pi_1', credits: undefined },
    ],
    [
      { success: 'true', payment_intent: 'pi_1', redirect_status: 'failed' },
      { kind: 'refused', intentId: 'pi_1', credits: undefined },
    ],
    [{ success: 'true' }, { kind: 'paid', intentId: undefined, credits: undefined }],
  ])('%j', (search, returned) => expect(returnIn(search)).toEqual(returned))

  it.each([
    ['30', 30],
    ['', undefined],
    [undefined, undefined],
    ['2.5', undefined],
    ['0', undefined],
    ['ten', undefined],
  ])('reads credits from %j: %s', (text, credits) => expect(creditsIn(text)).toBe(credits))
})

describe('package', () => {
  // screens.md: costs-less-credit-more
  it('price per credit falls with the package size, bonus included', () => {
    expect(PACKAGES.map(perCredit)).toEqual(['$1.00', '$0.67', '$0.50'])
  })

  it('is found by its id, or by the default when none is named', () => {
    expect(packageNamed(undefined, 'light')?.id).toBe('light')
    expect(packageNamed('pro', 'light')?.id).toBe('pro')
    expect(packageNamed('gold', 'light')).toBeUndefined()
  })
})

it('remembers that a low balance was dismissed until forgotten', () => {
  const kept = new Map<string, string>()
  const dismissal = createDismissal('ada', {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
  })
  expect(dismissal.isDismissed()).toBe(false)
  dismissal.remember()
  expect(dismissal.isDismissed()).toBe(true)
  dismissal.forget()
  expect(dismissal.isDismissed()).toBe(false)
})
