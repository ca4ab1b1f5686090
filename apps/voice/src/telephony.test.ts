import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'

import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VoiceHealth } from '@parley/contract'
import { CheckedParts, type CheckResult } from '@parley/contract/checks'
import { SANDBOX } from '@parley/sandbox'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type App, createApp } from './app.ts'
import { ScriptedCarrier } from './carriers/routed/testing/scripted.ts'
import { readConfig } from './config.ts'
import { type Context, createContext, type Overrides } from './context.ts'
import { noJournal } from './journal.ts'
import { type FakeApi, startFakeApi } from './session/testing/fake-api.ts'
import { anOrder, quietLog, steadyMouth } from './session/testing/fakes.ts'
import type { Adapters } from './telephony.ts'

const SECRET = 'a secret of some length'
const REAL = '+12024561111'
const TEST = '+12025550101'
const GOOD: CheckResult = { ok: true, detail: 'The account can call.' }
const TWILIO = {
  CARRIER: 'twilio',
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'f'.repeat(32),
  TWILIO_FROM_NUMBER: '+12025550123',
  PUBLIC_VOICE_URL: 'https://voice.invalid',
}

let api: FakeApi
let dataDir: string
let carrier: ScriptedCarrier
/** Of each way that the carrier has. */
let found: CheckResult[]
let context: Context
let app: App | undefined
let url: string
const adapters: Adapters = {
  twilio: {
    create: () => carrier,
    checks: () =>
      found.map((_, at) => ({ part: at === 0 ? '' : `way ${at}`, mend: '', run: async () => found[at] ?? GOOD })),
  },
}

beforeEach(async () => {
  api = await startFakeApi()
  dataDir = await mkdtemp(join(tmpdir(), 'parley-voice-'))
  carrier = new ScriptedCarrier('twilio')
  found = [GOOD]
})
afterEach(async () => {
  for (const leg of carrier.dialed.slice(-1)) if (leg) carrier.end('busy')
  await app?.calls.drain()
  await app?.server.close()
  if (app) await context.carrier.close()
  app = undefined
  await api.close()
  await rm(dataDir, { recursive: true })
})

const made = (environment: Record<string, string>, overrides: Overrides = {}) => {
  const given = { API_URL: api.url, VOICE_SECRET: SECRET, DATA_DIR: dataDir, SPEECH_DETECTOR: 'level' }
  const config = readConfig({ ...given, ...TWILIO, ...environment })
  return createContext(config, { log: quietLog(), mouth: steadyMouth, journal: noJournal, adapters, ...overrides })
}

async function start(environment: Record<string, string> = {}, overrides: Overrides = {}) {
  context = await made(environment, overrides)
  app = createApp(context)
  url = await app.server.listen({ host: '127.0.0.1', port: 0 })
}

const headers = { 'content-type': 'application/json', authorization: `Bearer ${SECRET}` }
const order = (callee: string, callId: string) =>
  fetch(`${url}/v1/calls`, { method: 'POST', headers, body: JSON.stringify(anOrder({ callee, callId })) })
const readyz = async () => (await fetch(`${url}/readyz`)).json()
const phone = async () => VoiceHealth.parse(await (await fetch(`${url}/health`)).json()).phone

describe('a service with a real carrier', () => {
  it('refuses calls while no ear understands real lines, and is not ready', async () => {
    await start()
    const answer = await order(REAL, 'deaf-1')
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'not_permitted' }])
    expect(carrier.dialed).toEqual([])
    expect(await readyz()).toEqual({
      status: 'not_ready',
      reason: 'Nothing here understands what is said on a real line.',
    })
    expect(await phone()).toBe('deaf')
  })

  it('dials over it where who assembles the service says that its ears understand', async () => {
    await start({}, { hearsRealLines: true })
    expect((await order(REAL, 'real-1')).status).toBe(202)
    expect(carrier.dialed).toMatchObject([{ to: REAL, webhookBase: 'https://voice.invalid' }])
    carrier.place('CA1')
    await api.until('real-1', (facts) => facts.some((f) => f.type === 'placed' && f.carrierCallId === 'twilio:CA1'))
  })

  it('sends test numbers to the simulated network with SANDBOX_NUMBERS=on, and no other number', async () => {
    await start({ SANDBOX_NUMBERS: 'on' }, { sandbox: SANDBOX })
    expect((await order(TEST, 'test-1')).status).toBe(202)
    await api.until('test-1', (facts) => facts.some((f) => f.type === 'ended' && f.reason === 'busy'))
    expect(api.facts.get('test-1')?.[1]).toMatchObject({ carrierCallId: expect.stringMatching(/^simulated:SIM-/) })
    expect((await order(REAL, 'real-2')).status).toBe(403)
    expect((await order('+12125550101', 'other-area')).status).toBe(403)
    expect(carrier.dialed).toEqual([])
  })

  it('is ready once one of its carriers would place calls, and says why not', async () => {
    const bad = { ok: false, problem: 'The account is closed.', mend: 'Open it.' } as const
    found = [bad, bad]
    await start({}, { hearsRealLines: true })
    expect([await phone(), (await fetch(`${url}/readyz`)).status]).toEqual(['checking', 503])
    await context.checks.look()
    expect([await phone(), await readyz()]).toEqual([
      'broken',
      { status: 'not_ready', reason: 'None of its carriers would place a call.' },
    ])
    found[1] = GOOD
    await context.checks.look()
    expect([await phone(), await readyz()]).toEqual(['ready', { status: 'ready', reason: null }])
  })

  it('takes no call while the limits that its nodes share cannot be asked', async () => {
    const mute = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    await once(mute, 'listening')
    const { port } = mute.address() as AddressInfo
    await start({ REDIS_URL: `redis://127.0.0.1:${port}` }, { hearsRealLines: true })
    await context.checks.look()
    expect([await phone(), (await fetch(`${url}/readyz`)).status]).toEqual(['broken', 503])
    const part = context.checks.results.find(({ part: name }) => name === 'shared limits of carriers')
    expect(part).toMatchObject({ ok: false, mend: expect.stringContaining(`Start Redis at 127.0.0.1:${port}`) })
    await order(REAL, 'unlimited-1')
    await api.until('unlimited-1', (facts) => facts.some((f) => f.type === 'ended' && f.reason === 'carrier_failure'))
    expect(carrier.dialed).toEqual([])
    mute.close()
  })

  it('tells every part and where to mend it, with the secret alone', async () => {
    await start()
    expect((await fetch(`${url}/v1/checks`)).status).toBe(401)
    const { parts } = CheckedParts.parse(await (await fetch(`${url}/v1/checks`, { headers })).json())
    expect(parts.map(({ part, ok }) => [part, ok])).toEqual([
      ['carrier twilio', true],
      ['calls over twilio', true],
      ['ear', false],
      ['mouth', true],
      ['mind', true],
      ['PUBLIC_VOICE_URL', false],
    ])
    expect(parts.at(-1)).toMatchObject({ mend: expect.stringContaining('correct PUBLIC_VOICE_URL') })
  })

  it('counts a carrier that failed five calls in a row as broken', async () => {
    await start({ CARRIER_LIMITS: 'twilio=1000' }, { hearsRealLines: true })
    for (let call = 0; call < 5; call++) {
      await order(REAL, `fails-${call}`)
      carrier.end('failed', '503')
      await api.until(`fails-${call}`, (facts) => facts.some(({ type }) => type === 'ended'))
    }
    const [, part] = await context.checks.look()
    expect(part).toMatchObject({
      ok: false,
      says: 'It is passed over: 5 calls in a row failed on it, the last with the code 503. 5 of the last 5 calls failed on it.',
      mend: expect.stringMatching(/tries it again in (?:30|2\d) s\.$/),
    })
    expect(await phone()).toBe('broken')
  })
})

describe('createContext', () => {
  it('refuses a carrier that is not in this build', async () => {
    await expect(made({}, { adapters: {} })).rejects.toThrow('CARRIER=twilio is not available in this build.')
  })

  it('refuses SANDBOX_NUMBERS=on without the simulated network', async () => {
    await expect(made({ SANDBOX_NUMBERS: 'on' })).rejects.toThrow('SANDBOX_NUMBERS=on need the simulated network')
  })
})
