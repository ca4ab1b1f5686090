import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'

const SECRETS = { AUTH_SECRET: 'a'.repeat(32), VOICE_SECRET: 'v'.repeat(32) }
const KEYS = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }

function paymentsOf(environment: Record<string, string>) {
  return readConfig({ ...SECRETS, ...environment }).payments
}

test('payments are off without keys', () => {
  expect(paymentsOf({})).toEqual({ kind: 'off' })
  expect(paymentsOf({ STRIPE_SECRET_KEY: '', STRIPE_PUBLISHABLE_KEY: '' })).toEqual({ kind: 'off' })
})

test('keys select Stripe, at its own address or STRIPE_API_BASE', () => {
  const keys = { secretKey: 'sk_test_1', publishableKey: 'pk_test_1', webhookSecret: 'whsec_1' }
  expect(paymentsOf(KEYS)).toEqual({ kind: 'stripe', ...keys, apiBase: undefined })
  expect(paymentsOf({ ...KEYS, STRIPE_API_BASE: 'https://stripe.example/' })).toEqual({
    kind: 'stripe',
    ...keys,
    apiBase: 'https://stripe.example',
  })
  expect(paymentsOf({ ...KEYS, STRIPE_SECRET_KEY: 'rk_test_1' }).kind).toBe('stripe')
})

test("the sandbox's keys select the sandbox and need STRIPE_API_BASE", () => {
  const keys = { ...KEYS, STRIPE_SECRET_KEY: 'sk_test_sandbox', STRIPE_PUBLISHABLE_KEY: 'pk_test_sandbox' }
  expect(paymentsOf({ ...keys, STRIPE_API_BASE: 'http://127.0.0.1:3002' })).toMatchObject({
    kind: 'sandbox',
    apiBase: 'http://127.0.0.1:3002',
  })
  expect(() => paymentsOf(keys)).toThrow('STRIPE_API_BASE is missing')
})

test.each([
  [{ STRIPE_SECRET_KEY: 'pk_test_1' }, 'STRIPE_SECRET_KEY: must begin with sk_ or rk_: it is the secret key'],
  [
    { STRIPE_PUBLISHABLE_KEY: 'sk_test_1' },
    'STRIPE_PUBLISHABLE_KEY: must begin with pk_: it is the publishable key, which pages show',
  ],
  [
    { STRIPE_WEBHOOK_SECRET: 'secret' },
    "STRIPE_WEBHOOK_SECRET: must begin with whsec_: it is the signing secret of the webhook's endpoint",
  ],
  [{ STRIPE_API_BASE: 'stripe.example' }, 'STRIPE_API_BASE'],
  [
    { STRIPE_WEBHOOK_SECRET: '' },
    'Set all of STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET, or none of them.',
  ],
  [
    { STRIPE_PUBLISHABLE_KEY: 'pk_live_1' },
    'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY are of different modes: use two live keys, or two test keys.',
  ],
])('%o stops the start with the reason', (wrong, sentence) => {
  expect(() => paymentsOf({ ...KEYS, ...wrong })).toThrow(sentence)
})
