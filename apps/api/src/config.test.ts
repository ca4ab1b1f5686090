import { ConfigError } from '@parley/contract/environment'
import { expect, test } from 'vitest'
import { Environment, readConfig } from './config.ts'

const SECRETS = { AUTH_SECRET: 'a'.repeat(32), VOICE_SECRET: 'v'.repeat(32) }

/** Variables for which any text is valid. */
const TEXTS = new Set(
  `HOST INTERNAL_HOST METRICS_HOST ALLOWED_ORIGINS DATA_DIR S3_BUCKET S3_REGION S3_ACCESS_KEY_ID S3_SECRET_ACCESS_KEY MAIL_FROM GOOGLE_CLIENT_ID
   GOOGLE_CLIENT_SECRET APPLE_CLIENT_IDS TRUSTED_PROXIES WEB_DIR SIP_TRUNKS APNS_KEY_FILE FCM_ACCOUNT_FILE`.split(
    /\s+/,
  ),
)

test.each(Object.keys(Environment.shape).filter((name) => !TEXTS.has(name)))(
  'an invalid %s stops the start with its name and the valid form',
  (name) => {
    const read = () => readConfig({ ...SECRETS, [name]: '~' })
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(new RegExp(String.raw`^${name}: must .+\. Correct it[^\n]*\.$`))
    expect(read).not.toThrow(/Invalid/)
  },
)

test.each([
  ['voice', 'PARLEY_ROLE=voice is another program: start apps/voice/src/server.ts'],
  ['api', 'PARLEY_ROLE=api needs DATABASE_URL'],
  ['worker', 'PARLEY_ROLE=worker needs DATABASE_URL'],
])('PARLEY_ROLE=%s without a database stops the start with one sentence', (role, sentence) => {
  const read = () => readConfig({ ...SECRETS, PARLEY_ROLE: role })
  expect(read).toThrow(ConfigError)
  expect(read).toThrow(sentence)
})

test('GOOGLE_CLIENT_ID without GOOGLE_CLIENT_SECRET stops the start', () => {
  const read = () => readConfig({ ...SECRETS, GOOGLE_CLIENT_ID: 'one' })
  expect(read).toThrow(ConfigError)
  expect(read).toThrow('Set both GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET, or neither.')
})

test.each([
  [{ APNS_KEY_ID: 'KEY1234567' }, 'APNS_KEY_FILE, APNS_KEY_ID and APPLE_TEAM_ID belong together. Set all three.'],
  [
    { APNS_KEY_ID: 'KEY1234567', APPLE_TEAM_ID: 'TEAM123456', APNS_KEY_FILE: '/no/such/file' },
    'APNS_KEY_FILE: the file /no/such/file cannot be read (ENOENT). Correct the path or its permissions.',
  ],
  [
    { APNS_KEY_ID: 'KEY1234567', APPLE_TEAM_ID: 'TEAM123456', APNS_KEY_FILE: import.meta.filename },
    `APNS_KEY_FILE: ${import.meta.filename} is no .p8 key of Apple. Download it from the developer account.`,
  ],
  [
    { FCM_ACCOUNT_FILE: import.meta.filename },
    `FCM_ACCOUNT_FILE: ${import.meta.filename} is no JSON key of a service account. Download it from the console.`,
  ],
])('%j stops the start with one sentence', (environment, sentence) => {
  expect(() => readConfig({ ...SECRETS, ...environment })).toThrow(sentence)
})

test.each([
  [{}, 'simulated'],
  [{ SANDBOX_NUMBERS: 'on' }, 'simulated'],
  [{ CARRIER: 'twilio' }, 'real'],
  [{ CARRIER: 'twilio', SANDBOX_NUMBERS: 'on' }, 'real_and_test'],
])('%j: the numbers that can be called are %s', (environment, numbers) => {
  expect(readConfig({ ...SECRETS, ...environment }).numbers).toBe(numbers)
})

test('CALLING_HOURS=off stops the start with a real carrier, unless its address is this machine', () => {
  const off = { ...SECRETS, CALLING_HOURS: 'off', CARRIER: 'twilio' }
  expect(() => readConfig(off)).toThrow(
    'CALLING_HOURS=off is for the simulated carrier only. Remove it, or set CARRIER=simulated.',
  )
  expect(readConfig({ ...off, TWILIO_API_BASE: 'http://127.0.0.1:9' }).callingHours).toBe(false)
})
