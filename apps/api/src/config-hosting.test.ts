import { SANDBOX_KEYS } from '@parley/contract'
import { ConfigError } from '@parley/contract/environment'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const GOOD = {
  PARLEY_ENV: 'production',
  DATABASE_URL: 'postgres://parley@db/parley',
  REDIS_URL: 'redis://cache:6379',
  S3_BUCKET: 'recordings',
  SMTP_URL: 'smtp://mail:587',
  PUBLIC_URL: 'https://parley.example',
  CARRIER: 'twilio',
  AUTH_SECRET: 'Zq3vT0bW8nXk5yHs2LmP9dRgC7fJ4aUe',
  VOICE_SECRET: 'k1Gd7YwQ0zRb5NxV3hTs9McJ6pLf2EaU',
}

test('production takes settings without a danger', () => {
  expect(readConfig(GOOD)).toMatchObject({ isProduction: true, databasePoolSize: 20, jobsPoolSize: 4 })
  expect(readConfig({ ...GOOD, BEHIND_PROXY: 'on', TRUSTED_PROXIES: '10.0.0.0/8' }).isProduction).toBe(true)
  expect(readConfig({ ...GOOD, CARRIER: 'simulated' }).numbers).toBe('simulated')
})

test.each([
  [{ SMTP_URL: '' }, /^SMTP_URL is not set: nobody could confirm an address or reset a password\. /],
  [{ S3_BUCKET: '' }, /^S3_BUCKET is not set: with DATABASE_URL, other nodes would not find the recordings/],
  [{ REDIS_URL: '' }, /^REDIS_URL is not set: with DATABASE_URL, each node would count its own limits/],
  [{ CARRIER: '' }, /^CARRIER is not set, and without it no call reaches a real phone\. /],
  [{ PUBLIC_URL: '' }, /^PUBLIC_URL is http:\/\/localhost:3000: links in mails would lead to the machine/],
  [{ PUBLIC_URL: 'https://127.0.0.1' }, /^PUBLIC_URL is https:\/\/127\.0\.0\.1: links in mails/],
  [{ PUBLIC_URL: 'http://parley.example' }, /^PUBLIC_URL is http:\/\/parley\.example: passwords and sessions/],
  [{ BEHIND_PROXY: 'on' }, /^TRUSTED_PROXIES is not set: with BEHIND_PROXY=on, all clients would share/],
  [{ AUTH_SECRET: 'ab'.repeat(16) }, /^AUTH_SECRET has hardly any different characters\. Make one with /],
  [{ VOICE_SECRET: `change-me-${GOOD.AUTH_SECRET}` }, /^VOICE_SECRET reads like one of an example\. /],
  [{ VOICE_SECRET: GOOD.AUTH_SECRET }, /^AUTH_SECRET and VOICE_SECRET are the same: a voice node could sign/],
])('production refuses %j with one sentence, which development takes', (wrong, sentence) => {
  const read = () => readConfig({ ...GOOD, ...wrong })
  expect(read).toThrow(ConfigError)
  expect(read).toThrow(sentence)
  expect(read).not.toThrow('\n')
  expect(readConfig({ ...GOOD, ...wrong, PARLEY_ENV: '' }).isProduction).toBe(false)
})

test.each([
  [{ AUTH_SECRET: `2:${GOOD.AUTH_SECRET},1:${'ab'.repeat(16)}` }, /^AUTH_SECRET, key 1, has hardly any different/],
  [{ VOICE_SECRET: `2:${GOOD.VOICE_SECRET},1:change-me-${GOOD.VOICE_SECRET}` }, /^VOICE_SECRET, key 1, reads like one/],
  [{ VOICE_SECRET: `2:${GOOD.VOICE_SECRET},1:${GOOD.AUTH_SECRET}` }, /^AUTH_SECRET and VOICE_SECRET are the same/],
  [
    { AUTH_SECRET: `3:${GOOD.AUTH_SECRET},2:${GOOD.VOICE_SECRET}` },
    /^AUTH_SECRET, key 2, is in VOICE_SECRET too: a voice/,
  ],
])('production refuses %j, in whichever key of a list it is', (wrong, sentence) => {
  expect(() => readConfig({ ...GOOD, ...wrong })).toThrow(sentence)
  expect(readConfig({ ...GOOD, ...wrong, PARLEY_ENV: '' }).isProduction).toBe(false)
})

test('production takes a list of good secrets', () => {
  const { authKeys } = readConfig({ ...GOOD, AUTH_SECRET: `2:${GOOD.AUTH_SECRET}x,1:${GOOD.AUTH_SECRET}` })
  expect(authKeys.map(({ id }) => id)).toEqual([2, 1])
})

test('production refuses test cards for real calls, and takes them in the simulated network', () => {
  const sandbox = {
    STRIPE_SECRET_KEY: SANDBOX_KEYS.secret,
    STRIPE_PUBLISHABLE_KEY: SANDBOX_KEYS.publishable,
    STRIPE_WEBHOOK_SECRET: 'whsec_x',
    STRIPE_API_BASE: 'http://127.0.0.1:3002',
  }
  expect(() => readConfig({ ...GOOD, ...sandbox })).toThrow(/^STRIPE_SECRET_KEY is not set: the test cards of the/)
  expect(readConfig({ ...GOOD, ...sandbox, CARRIER: 'simulated' }).payments.kind).toBe('sandbox')
})

test('production says every danger at once, and needs neither Redis nor S3 with the embedded database', () => {
  const alone = { ...GOOD, DATABASE_URL: '', REDIS_URL: '', S3_BUCKET: '' }
  expect(readConfig(alone).isProduction).toBe(true)
  expect(() => readConfig({ ...alone, SMTP_URL: '', CARRIER: '' })).toThrow(/^SMTP_URL .+\nCARRIER [^\n]+$/)
})

test('DATABASE_DIRECT_URL without DATABASE_URL stops the start', () => {
  expect(() => readConfig({ ...GOOD, DATABASE_DIRECT_URL: GOOD.DATABASE_URL, DATABASE_URL: '' })).toThrow(
    'DATABASE_DIRECT_URL needs DATABASE_URL, the address of the pooler. Set both, or neither.',
  )
})
