import { ConfigError } from '@parley/contract/environment'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

const VOICE_SECRET = 'a secret of some length'
const STRONG = 'Zq3vT0bW8nXk5yHs2LmP9dRgC7fJ4aUe'
const TWILIO = {
  CARRIER: 'twilio',
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'f'.repeat(32),
  TWILIO_FROM_NUMBER: '+12025550123',
  PUBLIC_VOICE_URL: 'https://v1.example/',
}

describe('readConfig', () => {
  it('fills in every default when only VOICE_SECRET is set', () => {
    expect(readConfig({ VOICE_SECRET })).toEqual({
      host: '127.0.0.1',
      port: 3001,
      apiUrl: 'http://127.0.0.1:3003',
      keys: [{ id: null, secret: VOICE_SECRET }],
      publicUrl: null,
      telephony: {
        carriers: ['simulated'],
        used: ['simulated'],
        routes: {},
        isReal: false,
        isLoopback: false,
        isTwilioLoopback: false,
        testNumbers: false,
        trunks: null,
      },
      carrierLimits: {
        simulated: { callsPerSecond: Infinity, callsAtOnce: null },
        twilio: { callsPerSecond: 1, callsAtOnce: null },
        sip: { callsPerSecond: 10, callsAtOnce: null },
      },
      redisUrl: null,
      twilio: null,
      vendors: {
        ears: [],
        mouths: [],
        mind: { kind: 'scripted' },
        access: {},
        models: expect.objectContaining({ localDir: null }),
        voicesFile: null,
      },
      prices: expect.objectContaining({ ears: expect.any(Object) }),
      costCapMicros: undefined,
      clockSpeed: 1,
      speechDetector: 'silero',
      turnEndModel: undefined,
      capacity: 200,
      nodeId: undefined,
      privateUrl: undefined,
      drainMs: 0,
      dataDir: '.data',
      recordsDir: '.data/simulated-calls',
      spoolDir: '.data/recordings-under-way',
      logLevel: 'info',
    })
  })

  it('listens on 0.0.0.0 in production and derives its port from PORT', () => {
    expect(readConfig({ VOICE_SECRET, NODE_ENV: 'production', PORT: '8080' })).toMatchObject({
      host: '0.0.0.0',
      port: 8081,
      apiUrl: 'http://127.0.0.1:8083',
    })
    expect(readConfig({ VOICE_SECRET, NODE_ENV: 'production', HOST: '10.0.0.1', VOICE_PORT: '99' })).toMatchObject({
      host: '10.0.0.1',
      port: 99,
    })
  })

  it('reads how this node is called and reached, and how long it drains', () => {
    const addresses = { PRIVATE_URL: 'http://10.0.0.5:3001/', PUBLIC_VOICE_URL: 'https://v1.example' }
    expect(readConfig({ VOICE_SECRET, NODE_ID: 'voice-1', DRAIN_MINUTES: '31', ...addresses })).toMatchObject({
      nodeId: 'voice-1',
      privateUrl: 'http://10.0.0.5:3001',
      publicUrl: 'https://v1.example',
      drainMs: 31 * 60_000,
    })
  })

  it('treats an empty variable as unset', () => {
    expect(readConfig({ VOICE_SECRET, CAPACITY: '', CARRIER: '' })).toMatchObject({
      capacity: 200,
      publicUrl: null,
      telephony: { used: ['simulated'] },
    })
  })

  it('reads an account of Twilio', () => {
    const twilio = { accountSid: TWILIO.TWILIO_ACCOUNT_SID, fromNumber: '+12025550123' }
    expect(readConfig({ VOICE_SECRET, ...TWILIO })).toMatchObject({
      publicUrl: 'https://v1.example',
      twilio: { ...twilio, authToken: TWILIO.TWILIO_AUTH_TOKEN, apiKey: null, apiBase: null },
    })
    const pair = { TWILIO_AUTH_TOKEN: '', TWILIO_API_KEY: `SK${'0'.repeat(32)}`, TWILIO_API_SECRET: 'secret12' }
    const local = { TWILIO_API_BASE: 'http://127.0.0.1:9/', PUBLIC_VOICE_URL: 'http://127.0.0.1:3001' }
    expect(readConfig({ VOICE_SECRET, ...TWILIO, ...pair, ...local })).toMatchObject({
      twilio: {
        authToken: null,
        apiKey: { sid: pair.TWILIO_API_KEY, secret: 'secret12' },
        apiBase: 'http://127.0.0.1:9',
      },
      telephony: { isLoopback: true },
    })
  })

  it('never shows a token or secret that is malformed', () => {
    const read = () =>
      readConfig({ VOICE_SECRET, ...TWILIO, TWILIO_AUTH_TOKEN: 'too-short', TWILIO_API_SECRET: 'tiny' })
    expect(read).toThrow('TWILIO_AUTH_TOKEN: must')
    expect(read).not.toThrow(/too-short|tiny/)
  })

  it('reads SIP trunks and limits of carriers', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'trunks-')), 'trunks.json')
    writeFileSync(file, '{"trunks":[{"host":"127.0.0.1"}]}')
    const given = { CARRIER: 'sip', SIP_TRUNKS: file, CARRIER_LIMITS: 'twilio=0.5,sip=20/30' }
    expect(readConfig({ VOICE_SECRET, ...given })).toMatchObject({
      twilio: null,
      telephony: { isLoopback: true, trunks: '{"trunks":[{"host":"127.0.0.1"}]}' },
      carrierLimits: {
        twilio: { callsPerSecond: 0.5, callsAtOnce: null },
        sip: { callsPerSecond: 20, callsAtOnce: 30 },
      },
    })
  })

  it.each([
    [{ CARRIER: 'sip' }, 'CARRIER=sip needs SIP_TRUNKS'],
    [{ CARRIER: 'pigeon' }, 'CARRIER: must be simulated, or twilio and sip in order of preference, such as sip,twilio'],
    [
      { CARRIER: 'twilio' },
      'CARRIER=twilio needs TWILIO_ACCOUNT_SID, and TWILIO_AUTH_TOKEN or TWILIO_API_KEY with TWILIO_API_SECRET. Set them.',
    ],
    [{ ...TWILIO, TWILIO_AUTH_TOKEN: '' }, 'CARRIER=twilio needs TWILIO_ACCOUNT_SID, and TWILIO_AUTH_TOKEN or'],
    [{ ...TWILIO, TWILIO_API_KEY: `SK${'0'.repeat(32)}` }, 'TWILIO_API_KEY and TWILIO_API_SECRET belong together.'],
    [{ ...TWILIO, TWILIO_FROM_NUMBER: '' }, 'CARRIER=twilio needs TWILIO_FROM_NUMBER'],
    [{ ...TWILIO, TWILIO_FROM_NUMBER: '555' }, 'TWILIO_FROM_NUMBER: must be'],
    [{ ...TWILIO, TWILIO_ACCOUNT_SID: 'AC1' }, 'TWILIO_ACCOUNT_SID: must be AC and 32 hexadecimal digits'],
    [{ ...TWILIO, PUBLIC_VOICE_URL: '' }, 'CARRIER=twilio needs PUBLIC_VOICE_URL'],
    [{ ...TWILIO, PUBLIC_VOICE_URL: 'http://v1.example' }, 'PUBLIC_VOICE_URL must begin with https'],
    [{ ...TWILIO, SANDBOX_SPEED: '2' }, 'SANDBOX_SPEED is for the simulated carrier only.'],
    [{ CARRIER_LIMITS: 'twilio=0' }, 'CARRIER_LIMITS: must name each carrier once, with numbers above 0'],
    [{ CARRIER_LIMITS: 'twilio=1,twilio=2' }, 'CARRIER_LIMITS: must name each carrier once'],
    [{ CARRIER_LIMITS: 'sip=5/0' }, 'CARRIER_LIMITS: must name each carrier once'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent, not "loud".'],
    [{ SANDBOX_SPEED: '500' }, 'SANDBOX_SPEED: must be a number from 1 to 100, not "500".'],
    [{ SANDBOX_SPEED: '0.5' }, 'SANDBOX_SPEED'],
    [{ VOICE_SECRET: 'short' }, 'VOICE_SECRET: must be the secret of at least 16 characters'],
    [
      { VOICE_SECRET: '' },
      'VOICE_SECRET: must be the secret of at least 16 characters that api and voice share, and is missing. Set it.',
    ],
    [{ PARLEY_ENV: 'production' }, /^CARRIER is not set, .+\nVOICE_SECRET reads like one of an example\. /],
    [{ PARLEY_ENV: 'production', CARRIER: 'simulated' }, /^VOICE_SECRET reads like one of an example\. [^\n]+$/],
    [
      { PARLEY_ENV: 'production', CARRIER: 'simulated', VOICE_SECRET: `2:${STRONG},1:${'ab'.repeat(16)}` },
      /^VOICE_SECRET, key 1, has hardly any different characters\. [^\n]+$/,
    ],
    [{ VOICE_SECRET: `2:${STRONG},2:${STRONG}x` }, 'VOICE_SECRET: has two keys with the id 2. Correct it.'],
    [{ API_URL: 'ftp://api' }, 'API_URL'],
    [
      { DRAIN_MINUTES: '30' },
      'DRAIN_MINUTES=30 is shorter than the longest call, 31 minutes with its ringing. ' +
        'Set it to 31 or more, or to 0 to hang up at once.',
    ],
    [{ NODE_ID: 'a/b' }, 'NODE_ID: must be up to 63 letters, digits, dots, dashes and underscores, not "a/b".'],
    [{ PRIVATE_URL: '10.0.0.5' }, 'PRIVATE_URL: must be an address such as http://10.0.0.5:3001'],
    [{ PUBLIC_VOICE_URL: 'wss://x' }, 'PUBLIC_VOICE_URL: must be an address'],
  ])('throws a ConfigError for %o', (environment, sentence) => {
    expect(() => readConfig({ VOICE_SECRET, ...environment })).toThrow(ConfigError)
    expect(() => readConfig({ VOICE_SECRET, ...environment })).toThrow(sentence)
  })
})
