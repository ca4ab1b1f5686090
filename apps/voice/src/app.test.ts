import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BOOT_HEADER, CallSummary, VoiceHealth } from '@parley/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApp, type App } from './app.ts'
import { readConfig } from './config.ts'
import { createContext, type Overrides } from './context.ts'
import { noJournal } from './journal.ts'
import type { DialedCalls } from './session/call/calls.ts'
import { startFakeApi, type FakeApi } from './session/testing/fake-api.ts'
import { anOrder, quietLog, steadyMouth } from './session/testing/fakes.ts'
import { SANDBOX } from '@parley/sandbox'

const SECRET = 'a secret of some length'
let api: FakeApi
let app: App
let journal: DialedCalls = noJournal
let url: string
let dataDir: string

async function start(environment: Record<string, string> = {}, more: Pick<Overrides, 'mind'> = {}) {
  const config = readConfig({
    API_URL: api.url,
    VOICE_SECRET: SECRET,
    SANDBOX_SPEED: '100',
    DATA_DIR: dataDir,
    ...environment,
  })
  const parts = { sandbox: SANDBOX, log: quietLog(), mouth: steadyMouth, journal, ...more }
  app = createApp(await createContext(config, parts))
  url = await app.server.listen({ host: '127.0.0.1', port: 0 })
}

beforeEach(async () => {
  api = await startFakeApi()
  dataDir = await mkdtemp(join(tmpdir(), 'parley-voice-'))
})
afterEach(async () => {
  await app.calls.drain()
  await app.server.close()
  await api.close()
  await rm(dataDir, { recursive: true })
})

const send = (path: string, body: unknown, secret = SECRET, more: Record<string, string> = {}) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}`, ...more },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
const get = (path: string) => fetch(`${url}${path}`, { headers: { authorization: `Bearer ${SECRET}` } })
/** Rings until it is given up, and talks until the time is up: neither is over before the test is. */
const NOBODY_ANSWERS = '+12125550102'
const TALKS_ON = '+12125550111'
/** Counts the time this process gets to run, so that load of other processes does not count as delay. */
function ownTime(stepMs = 10): () => number {
  let steps = 0
  const timer = setInterval(() => steps++, stepMs)
  return () => {
    clearInterval(timer)
    return steps * stepMs
  }
}
const ended = (callId: string) => api.until(callId, (facts) => facts.some(({ type }) => type === 'wrapped_up'))

describe('POST /v1/verifications', () => {
  const aCode = {
    callId: 'verification-1',
    userId: 'user-1',
    callee: '+12025550100',
    code: '480915',
    language: 'en',
    token: 'token of it',
  }

  it('tells the code once when it is posted twice, and reports by the token of the call', async () => {
    await start()
    for (const reply of await Promise.all([send('/v1/verifications', aCode), send('/v1/verifications', aCode)]))
      expect(reply.status).toBe(202)
    const facts = await api.until(aCode.callId, (all) => all.some(({ type }) => type === 'ended'))
    expect(facts.filter(({ type }) => type === 'dialing')).toHaveLength(1)
    expect(facts.find((fact) => fact.type === 'turn')?.turn.text).toContain('4, 8, 0, 9, 1, 5')
    expect(facts.at(-1)).toMatchObject({ type: 'ended', reason: 'agent_closed' })
    expect(api.requests.map(({ authorization }) => authorization)).toContain('Bearer token of it')
    expect(await (await get(`/v1/calls/${aCode.callId}`)).json()).toEqual({ standing: 'over' })
  })

  it('refuses what is no order without telling what was in it, and one for an earlier process', async () => {
    await start()
    const wrong = await send('/v1/verifications', { ...aCode, callee: 'x480915' })
    expect([wrong.status, await wrong.text()]).toEqual([400, expect.not.stringContaining('480915')])
    expect((await send('/v1/verifications', aCode, SECRET, { [BOOT_HEADER]: 'before' })).status).toBe(409)
    expect((await send('/v1/verifications', aCode, 'another secret')).status).toBe(401)
  })

  it('takes a place, cannot be steered or heard, and ends when the service drains', async () => {
    await start({ SANDBOX_SPEED: '1', CAPACITY: '1' })
    await send('/v1/verifications', { ...aCode, callee: NOBODY_ANSWERS })
    expect((await send('/v1/calls', anOrder({ callId: 'one more' }))).status).toBe(503)
    const stop = await send(`/v1/calls/${aCode.callId}/commands`, { type: 'stop' }, aCode.token)
    expect(stop.status).toBe(404)
    await app.calls.drain()
    const facts = await api.until(aCode.callId, (all) => all.some(({ type }) => type === 'ended'))
    expect(facts.at(-1)).toMatchObject({ reason: 'interrupted' })
  })
})

describe('POST /v1/reading', () => {
  const order = { purpose: 'Book a table', objectives: ['Table at 7 pm, or up to 8:30'] }

  it('tells what the words of each objective are understood to allow', async () => {
    await start()
    const limits = { timeFrom: '19:00', timeTo: '20:30' }
    const read = { mandate: { rule: 'within_limits', limits }, understood: '7 pm, or up to 8:30 pm' }
    const answer = await send('/v1/reading', order)
    expect([answer.status, await answer.json()]).toEqual([200, { objectives: [read] }])
  })

  it('is refused without the secret or the objectives', async () => {
    await start()
    expect((await send('/v1/reading', order, 'another')).status).toBe(401)
    expect((await send('/v1/reading', { purpose: 'Book' })).status).toBe(400)
  })
})

describe('POST /v1/calls', () => {
  it('dials an order once when it is posted three times, and reports the call to its end', async () => {
    await start()
    const order = anOrder({ callId: 'busy-1', callee: '+12125550101' })
    const replies = await Promise.all([send('/v1/calls', order), send('/v1/calls', order)])
    for (const reply of replies) {
      expect(reply.status).toBe(202)
      expect(await reply.json()).toEqual({ callId: 'busy-1', clockSpeed: 100 })
    }
    const facts = await ended('busy-1')
    expect((await send('/v1/calls', order)).status).toBe(202)
    expect(facts.map(({ type }) => type)).toEqual(['dialing', 'placed', 'ended', 'wrapped_up'])
    expect(await (await get('/v1/calls/busy-1')).json()).toEqual({ standing: 'over' })
  })

  it('refuses an order for an earlier process of its node with 409, and dials nobody', async () => {
    await start()
    const order = anOrder({ callId: 'late-1', callee: NOBODY_ANSWERS })
    expect((await send('/v1/calls', order, SECRET, { [BOOT_HEADER]: 'before' })).status).toBe(409)
    const answer = await get('/v1/calls/late-1')
    expect(answer.status).toBe(404)
    const bootId = answer.headers.get(BOOT_HEADER) ?? ''
    expect((await send('/v1/calls', order, SECRET, { [BOOT_HEADER]: bootId })).status).toBe(202)
  })

  it('leads a conversation with the callee and numbers its facts without gaps', async () => {
    await start()
    await send('/v1/calls', anOrder({ callId: 'talk-1' }))
    const facts = await ended('talk-1')
    const turns = facts.flatMap((fact) => (fact.type === 'turn' ? [fact.turn] : []))
    expect(turns[0]?.startMs).toBeLessThan(200)
    expect(turns.some(({ speaker }) => speaker === 'user')).toBe(true)
    expect(facts.find(({ type }) => type === 'ended')).toMatchObject({ reason: 'agent_closed' })
    expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_, at) => at + 1))
  })

  it('takes commands of a call with a token by that token alone', async () => {
    await start({ SANDBOX_SPEED: '1' })
    await send('/v1/calls', anOrder({ callId: 'mine', callee: NOBODY_ANSWERS, token: 'token of mine' }))
    await send('/v1/calls', anOrder({ callId: 'other', callee: NOBODY_ANSWERS, token: 'token of other' }))
    await send('/v1/calls', anOrder({ callId: 'older', callee: NOBODY_ANSWERS }))
    const stop = async (callId: string, bearer: string) =>
      (await send(`/v1/calls/${callId}/commands`, { type: 'stop' }, bearer)).status
    expect(await stop('mine', 'token of other')).toBe(401)
    expect(await stop('mine', SECRET)).toBe(401)
    expect(await stop('older', 'token of mine')).toBe(401)
    expect(await stop('mine', 'token of mine')).toBe(202)
    expect(await stop('older', SECRET)).toBe(202)
    await Promise.all([ended('mine'), ended('older')])
    expect(await stop('mine', 'token of mine')).toBe(404)
    expect(api.requests.find(({ path }) => path.includes('mine'))?.authorization).toBe('Bearer token of mine')
    expect(api.requests.find(({ path }) => path.includes('older'))?.authorization).toBe(`Bearer ${SECRET}`)
  })

  it('does not take a token of a call for orders and questions', async () => {
    await start({ SANDBOX_SPEED: '1' })
    await send('/v1/calls', anOrder({ callId: 'mine', callee: NOBODY_ANSWERS, token: 'token of mine' }))
    expect((await send('/v1/calls', anOrder({ callId: 'two' }), 'token of mine')).status).toBe(401)
    const headers = { authorization: 'Bearer token of mine' }
    expect((await fetch(`${url}/v1/calls/mine`, { headers })).status).toBe(401)
  })

  it('answers 401 without the shared secret', async () => {
    await start()
    const reply = await send('/v1/calls', anOrder(), 'another')
    expect(reply.status).toBe(401)
    expect(await reply.json()).toMatchObject({ code: 'unauthenticated' })
    expect((await fetch(`${url}/v1/calls/x`)).status).toBe(401)
  })

  it.each([
    ['not JSON', '{', 'invalid_json'],
    ['not an order', { callId: 'x' }, 'invalid_input'],
    ['an order to an invalid number', { ...anOrder(), callee: '0123' }, 'invalid_input'],
  ])('answers 400 to a body that is %s', async (_, body, code) => {
    await start()
    const reply = await send('/v1/calls', body)
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({ code })
  })

  it('answers 503 with Retry-After while CAPACITY is used up', async () => {
    await start({ CAPACITY: '1', SANDBOX_SPEED: '1' })
    await send('/v1/calls', anOrder({ callId: 'first' }))
    expect(await (await get('/v1/calls/first')).json()).toEqual({ standing: 'live' })
    const reply = await send('/v1/calls', anOrder({ callId: 'second' }))
    expect(reply.status).toBe(503)
    expect(reply.headers.get('retry-after')).not.toBeNull()
    expect((await send('/v1/calls', anOrder({ callId: 'first' }))).status).toBe(202)
    expect((await fetch(`${url}/health`)).status).toBe(503)
  })
})

describe('the journal of dialed calls', () => {
  it('does not dial an order of an earlier process again, and reports its call as lost', async () => {
    const dialed: string[] = []
    journal = { dials: (id) => void dialed.push(id), dialedBefore: (id) => id === 'earlier' }
    await start()
    expect((await send('/v1/calls', anOrder({ callId: 'earlier' }))).status).toBe(202)
    expect(await (await get('/v1/calls/earlier')).json()).toEqual({ standing: 'lost' })
    expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ calls: 0 })
    await send('/v1/calls', anOrder({ callId: 'new', callee: NOBODY_ANSWERS }))
    expect(dialed).toEqual(['new'])
    journal = noJournal
  })

  it('answers 500 and does not dial when the journal cannot be written', async () => {
    const full = () => {
      throw new Error('ENOSPC')
    }
    journal = { dials: full, dialedBefore: () => false }
    await start()
    expect((await send('/v1/calls', anOrder({ callId: 'unwritten' }))).status).toBe(500)
    expect((await get('/v1/calls/unwritten')).status).toBe(404)
    journal = noJournal
  })
})

describe('POST /v1/calls/:id/commands', () => {
  it('ends a ringing call as canceled on the command stop', async () => {
    await start({ SANDBOX_SPEED: '1' })
    await send('/v1/calls', anOrder({ callId: 'stop-1', callee: NOBODY_ANSWERS }))
    expect((await send('/v1/calls/stop-1/commands', { type: 'stop' })).status).toBe(202)
    const facts = await ended('stop-1')
    expect(facts.find(({ type }) => type === 'ended')).toMatchObject({ reason: 'canceled', connectedSeconds: 0 })
  })

  it('rings the owner only once the call was answered, where its hold pays for two legs', async () => {
    await start({ SANDBOX_SPEED: '20' })
    const ringIn = { type: 'ring_in', to: '+12025550155' }
    await send('/v1/calls', anOrder({ callId: 'ring-0', callee: NOBODY_ANSWERS }))
    expect((await send('/v1/calls/ring-0/commands', ringIn)).status).toBe(409)
    expect((await send('/v1/calls/ring-0/commands', { ...ringIn, to: '911' })).status).toBe(400)
    for (const [callId, limitSeconds, status] of [
      ['ring-1', 60, 402],
      ['ring-2', 600, 202],
    ] as const) {
      await send('/v1/calls', anOrder({ callId, callee: TALKS_ON, limitSeconds }))
      await api.until(callId, (facts) => facts.some(({ type }) => type === 'turn'))
      expect((await send(`/v1/calls/${callId}/commands`, ringIn)).status).toBe(status)
    }
    await api.until('ring-2', (facts) => facts.some(({ type }) => type === 'leg'))
  })

  it('ends a conversation within 1 s of the command stop', async () => {
    await start({ SANDBOX_SPEED: '20' })
    await send('/v1/calls', anOrder({ callId: 'stop-2', callee: TALKS_ON }))
    await api.until('stop-2', (facts) => facts.some(({ type }) => type === 'turn'))
    const msOfOurs = ownTime()
    await send('/v1/calls/stop-2/commands', { type: 'stop' })
    await api.until('stop-2', (facts) => facts.some((fact) => fact.type === 'ended' && fact.reason === 'stopped'))
    expect(msOfOurs()).toBeLessThan(1000)
  })

  it('answers 202 to the command say', async () => {
    await start({ SANDBOX_SPEED: '20' })
    await send('/v1/calls', anOrder({ callId: 'say-1', callee: '+12125550107' }))
    expect((await send('/v1/calls/say-1/commands', { type: 'say', text: 'Tell them I said hello.' })).status).toBe(202)
  })

  it('answers 404 for a call that is not live and 400 to an unknown command', async () => {
    await start()
    expect((await send('/v1/calls/nobody/commands', { type: 'stop' })).status).toBe(404)
    expect((await send('/v1/calls/nobody/commands', { type: 'sing' })).status).toBe(400)
    expect((await get('/v1/calls/nobody')).status).toBe(404)
  })
})

describe('GET /livez and GET /readyz', () => {
  const probe = async (path: string) => {
    const reply = await fetch(`${url}${path}`)
    return [reply.status, await reply.json()]
  }

  it('answer 200 while there is free capacity', async () => {
    await start()
    expect(await probe('/livez')).toEqual([200, { status: 'ok' }])
    expect(await probe('/readyz')).toEqual([200, { status: 'ready', reason: null }])
  })

  it('keep /livez at 200 and turn /readyz to 503 when full and when draining', async () => {
    await start({ CAPACITY: '1', SANDBOX_SPEED: '1' })
    await send('/v1/calls', anOrder({ callId: 'only', callee: NOBODY_ANSWERS }))
    expect(await probe('/livez')).toEqual([200, { status: 'ok' }])
    expect(await probe('/readyz')).toEqual([503, { status: 'not_ready', reason: 'Every place for a call is taken.' }])
    await app.calls.drain()
    expect(await probe('/livez')).toEqual([200, { status: 'ok' }])
    expect(await probe('/readyz')).toEqual([503, { status: 'not_ready', reason: 'It is stopping.' }])
  })
})

describe('GET /health', () => {
  it('reports status, calls, capacity and carrier without the secret', async () => {
    await start({ CAPACITY: '7' })
    const reply = await fetch(`${url}/health`)
    expect(reply.status).toBe(200)
    expect(VoiceHealth.parse(await reply.json())).toMatchObject({
      status: 'ok',
      calls: 0,
      capacity: 7,
      carrier: 'simulated',
    })
  })

  it('reports draining after drain(), which ends live calls and refuses new orders', async () => {
    await start({ SANDBOX_SPEED: '1' })
    await send('/v1/calls', anOrder({ callId: 'drain-1', callee: NOBODY_ANSWERS }))
    await api.until('drain-1', (facts) => facts.some(({ type }) => type === 'ringing'))
    await app.calls.drain()
    expect(api.facts.get('drain-1')!.map(({ type }) => type)).toEqual([
      'dialing',
      'placed',
      'ringing',
      'ended',
      'wrapped_up',
    ])
    expect(api.facts.get('drain-1')![3]).toMatchObject({ reason: 'interrupted' })
    expect((await send('/v1/calls', anOrder({ callId: 'drain-2' }))).status).toBe(503)
    expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ status: 'draining', calls: 0 })
  })
})

describe('POST /v1/summaries', () => {
  const order = anOrder({ callId: 'over-1', objectives: ['A table at 7 pm'] })
  const said = { index: 1, speaker: 'user' as const, text: 'Seven is fine.', startMs: 0, endMs: 900, heard: true }
  const outcome = { objective: 'A table at 7 pm', status: 'met' as const, quote: 'Seven is fine.', turn: 1 }
  const wanted = { order, endReason: 'agent_closed', turns: [said], outcomes: [outcome] }

  it('answers with a summary by the mind, and refuses others than the api', async () => {
    await start()
    const answer = await send('/v1/summaries', wanted)
    expect([answer.status, CallSummary.safeParse(await answer.json()).success]).toEqual([200, true])
    expect((await send('/v1/summaries', wanted, 'another secret of length')).status).toBe(401)
    expect((await send('/v1/summaries', { ...wanted, turns: 'none' })).status).toBe(400)
  })

  it('answers 503 when the mind makes none', async () => {
    await start(
      {},
      {
        mind: {
          name: 'speechless',
          respond: async function* () {},
          conclude: () => Promise.reject(new Error('no words')),
        },
      },
    )
    expect((await send('/v1/summaries', wanted)).status).toBe(503)
  })
})
