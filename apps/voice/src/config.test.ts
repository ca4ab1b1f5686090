import { ConfigError } from '@parley/contract/environment'
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

const VOICE_SECRET = 'a secret of some length'

describe('readConfig', () => {
  it('fills in every default when only VOICE_SECRET is set', () => {
    expect(readConfig({ VOICE_SECRET })).toEqual({
      host: '127.0.0.1',
      port: 3001,
      apiUrl: 'http://127.0.0.1:3003',
      secret: VOICE_SECRET,
      publicUrl: null,
      carrier: 'simulated',
      mind: 'scripted',
      clockSpeed: 1,
      speechDetector: 'silero',
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
      carrier: 'simulated',
    })
  })

  it.each([
    [{ CARRIER: 'twilio' }, 'CARRIER=twilio is not available in this build'],
    [{ CARRIER: 'sip' }, 'CARRIER=sip is not available in this build'],
    [{ CARRIER: 'pigeon' }, 'CARRIER: must be one of simulated, twilio, sip, not "pigeon".'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent, not "loud".'],
    [{ MIND: 'realtime' }, 'MIND=realtime is not available in this build'],
    [{ SANDBOX_SPEED: '500' }, 'SANDBOX_SPEED: must be a number from 1 to 100, not "500".'],
    [{ SANDBOX_SPEED: '0.5' }, 'SANDBOX_SPEED'],
    [{ VOICE_SECRET: 'short' }, 'VOICE_SECRET: must be the secret of at least 16 characters'],
    [
      { VOICE_SECRET: '' },
      'VOICE_SECRET: must be the secret of at least 16 characters that api and voice share, and is missing. Set it.',
    ],
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
