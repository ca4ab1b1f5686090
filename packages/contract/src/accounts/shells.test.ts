import { describe, expect, test } from 'vitest'
import { returnTargetOf } from './shells.ts'

describe('returnTargetOf', () => {
  test.each([
    ['?to=/billing', '/billing'],
    [
      '?to=%2Fbilling%2Fsuccess%3Fpayment_intent%3Dpi_1%26credits%3D10',
      '/billing/success?payment_intent=pi_1&credits=10',
    ],
    [
      '?to=/billing/success&payment_intent=pi_1&redirect_status=failed',
      '/billing/success?payment_intent=pi_1&redirect_status=failed',
    ],
    ['?to=/settings&setup_intent=seti_1', '/settings?setup_intent=seti_1'],
  ])('gives the page of %s with what the provider added', (query, path) => {
    expect(returnTargetOf(new URLSearchParams(query))).toBe(path)
  })

  test.each([
    '',
    '?to=',
    '?to=dashboard',
    '?to=//evil.example/billing',
    '?to=/\\evil.example/billing',
    '?to=https://evil.example/billing',
    '?to=javascript:alert(1)',
    '?to=/admin',
    '?to=/billing/../admin',
    `?to=/billing?${'a'.repeat(1000)}`,
  ])('gives nothing for %s', (query) => {
    expect(returnTargetOf(new URLSearchParams(query))).toBeUndefined()
  })

  test('leaves out client secrets and values that are none of the provider', () => {
    const query =
      '?to=/billing%3Fpayment_intent_client_secret%3Dpi_1_secret_2&payment_intent_client_secret=pi_1_secret_2'
    expect(returnTargetOf(new URLSearchParams(`${query}&payment_intent=%3Cscript%3E`))).toBe('/billing')
  })
})
