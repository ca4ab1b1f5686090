import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SOUND_CLOSE, SOUND_FRAME_BYTES, SOUND_FRAME_MS, SOUND_SIDES } from '@parley/contract'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createApp, type App } from './app.ts'
import { decodeWav, levelDbm0 } from '@parley/voice-ports'
import { readConfig } from './config.ts'
import { createContext } from './context.ts'
import { startFakeApi, type FakeApi } from './session/testing/fake-api.ts'
import { anOrder, quietLog, steadyMouth } from './session/testing/fakes.ts'
import { SANDBOX } from '@parley/sandbox'

// Sound comes as slowly as it is spoken, and later on a busy machine.
// Longer than 20 s: sound at the speed of speech.

const WITHIN_MS = 40_000
vi.setConfig({ testTimeout: 90_000 })

const SECRET = 'a secret of some length'
let api: FakeApi
let app: App
let url: string
let dataDir: string

beforeEach(async () => {
  api = await startFakeApi()
  dataDir = await mkdtemp(join(tmpdir(), 'parley-voice-'))
  const config = readConfig({ API_URL: api.url, VOICE_SECRET: SECRET, DATA_DIR: dataDir })
  app = createApp(await createContext(config, { sandbox: SANDBOX, log: quietLog(), mouth: steadyMouth }))
  url = await app.server.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(async () => {
  await app.calls.drain()
  await app.server.close()
  await api.close()
  await rm(dataDir, { recursive: true })
})

interface Listener {
  readonly socket: WebSocket
  readonly heard: { readonly side: number; readonly audio: Uint8Array }[]
  readonly texts: string[]
  readonly closed: Promise<number>
  loud(side: keyof typeof SOUND_SIDES): number
  ready(): Promise<void>
}

function open(path: string, secret = SECRET): Listener {
  const socket = new WebSocket(url.replace('http', 'ws') + path, { headers: { authorization: `Bearer ${secret}` } })
  const heard: Listener['heard'] = []
  const texts: string[] = []
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) heard.push({ side: data[0]!, audio: new Uint8Array(data.subarray(1)) })
    else texts.push(data.toString())
  })
  const closed = new Promise<number>((resolve) => {
    socket.once('close', (code) => resolve(code))
    socket.once('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
  })
  const loud: Listener['loud'] = (side) =>
    heard.filter(
      (each) =>
        each.side === SOUND_SIDES[side] && each.audio.length === SOUND_FRAME_BYTES && levelDbm0(each.audio) > -40,
    ).length
  const ready = () => vi.waitFor(() => expect(texts).toContain('{"type":"ready"}'), WITHIN_MS)
  return { socket, heard, texts, closed, loud, ready }
}

async function place(callId: string, callee: string, more: Parameters<typeof anOrder>[0] = {}): Promise<void> {
  await send('/v1/calls', anOrder({ callId, callee, ...more }))
}

const send = (path: string, body: unknown) =>
  fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${SECRET}` },
    body: JSON.stringify(body),
  })
const has = (callId: string, type: string) => api.until(callId, (facts) => facts.some((fact) => fact.type === type))
const turnsOf = (callId: string) =>
  (api.facts.get(callId) ?? []).flatMap((fact) => (fact.type === 'turn' ? [fact.turn] : []))

/** A microphone that is spoken into until it is stopped. */
function speakInto(socket: WebSocket): () => void {
  const frame = Uint8Array.from({ length: SOUND_FRAME_BYTES }, (_, at) => (at % 16 < 8 ? 0x10 : 0x90))
  const beat = setInterval(() => socket.send(frame), SOUND_FRAME_MS)
  return () => clearInterval(beat)
}

describe('GET /v1/calls/:id/audio', () => {
  it('sends the sound of both sides and closes with the call', async () => {
    await place('listen-1', '+12125550100')
    const listener = open('/v1/calls/listen-1/audio')
    await listener.ready()
    await vi.waitFor(
      () => expect(Math.min(listener.loud('agent'), listener.loud('callee'))).toBeGreaterThan(20),
      WITHIN_MS,
    )
    await send('/v1/calls/listen-1/commands', { type: 'stop' })
    expect(await listener.closed).toBe(SOUND_CLOSE.over)
  })

  it('answers 401 without the secret, 404 for unknown paths, and limits a live call to 8 listeners', async () => {
    await place('listen-2', '+12125550107')
    expect(await open('/v1/calls/listen-2/audio', 'another').closed).toBe(401)
    expect(await open('/v1/calls/listen-2/else').closed).toBe(404)
    expect(await open('/v1/calls/nobody/audio').closed).toBe(SOUND_CLOSE.notFound)
    const listeners = Array.from({ length: 8 }, () => open('/v1/calls/listen-2/audio'))
    await Promise.all(listeners.map((listener) => listener.ready()))
    expect(await open('/v1/calls/listen-2/audio').closed).toBe(SOUND_CLOSE.busy)
    listeners[0]!.socket.send('nonsense')
    listeners[1]!.socket.send(new Uint8Array(7))
    listeners[2]!.socket.send(new Uint8Array(5000))
    expect(await listeners[2]!.closed).toBe(1009)
    expect(listeners[0]!.socket.readyState).toBe(WebSocket.OPEN)
  })
})

it('takes the token of the call alone where its order had one', async () => {
  await place('listen-3', '+12125550107', { token: 'token of three' })
  await place('listen-4', '+12125550107', { token: 'token of four' })
  expect(await open('/v1/calls/listen-3/audio').closed).toBe(401)
  expect(await open('/v1/calls/listen-3/audio', 'token of four').closed).toBe(401)
  await open('/v1/calls/listen-3/audio', 'token of three').ready()
})

it('a take-over by microphone is recorded and ends when its socket closes', async () => {
  await place('over-1', '+12125550107', { record: true })
  await place('over-0', '+12125550102')
  expect((await send('/v1/calls/over-0/commands', { type: 'take_over' })).status).toBe(409)
  const listener = open('/v1/calls/over-1/audio')
  await listener.ready()
  await has('over-1', 'turn')
  expect((await send('/v1/calls/over-1/commands', { type: 'take_over' })).status).toBe(202)
  // A user who takes over and stays silent is replaced by the agent.
  const stop = speakInto(listener.socket)
  const other = open('/v1/calls/over-1/audio')
  await other.ready()
  await api.until('over-1', (facts) =>
    facts.some((fact) => fact.type === 'phase' && fact.phase === 'taken over by you'),
  )
  const before = other.loud('agent')
  await vi.waitFor(() => expect(other.loud('agent') - before).toBeGreaterThan(30), WITHIN_MS)
  stop()
  listener.socket.close()
  await api.until('over-1', () => lastPhase('over-1') !== 'taken over by you')
  await send('/v1/calls/over-1/commands', { type: 'stop' })
  await has('over-1', 'wrapped_up')
  await vi.waitFor(() => expect(api.recordings.has('over-1')).toBe(true), WITHIN_MS)
  expect(decodeWav(api.recordings.get('over-1')!).channels).toHaveLength(2)
})

const lastPhase = (callId: string) =>
  (api.facts.get(callId) ?? []).flatMap((fact) => (fact.type === 'phase' ? [fact.phase] : [])).at(-1)

describe('GET /v1/calls/:id/answer', () => {
  it('answers ...0199 by text: the agent converses, and closing the socket hangs up', async () => {
    await place('ring-1', '+12125550199')
    await has('ring-1', 'ringing')
    const phone = open('/v1/calls/ring-1/answer')
    await phone.ready()
    expect(await open('/v1/calls/ring-1/answer').closed).toBe(SOUND_CLOSE.taken)
    await vi.waitFor(() => expect(phone.loud('agent')).toBeGreaterThan(20), WITHIN_MS)
    phone.socket.send(JSON.stringify({ type: 'say', text: 'Hello, who is calling please?' }))
    await vi.waitFor(
      () =>
        expect(turnsOf('ring-1').some(({ speaker, text }) => speaker === 'user' && text.includes('please?'))).toBe(
          true,
        ),
      WITHIN_MS,
    )
    await vi.waitFor(() => expect(turnsOf('ring-1').at(-1)?.speaker).toBe('agent'), WITHIN_MS)
    phone.socket.close()
    const facts = await has('ring-1', 'ended')
    expect(facts.find(({ type }) => type === 'ended')).toMatchObject({ reason: 'callee_hung_up' })
  })

  it('answers ...0199 by microphone: the agent hears sound and keys', async () => {
    await place('ring-2', '+12125550199')
    await has('ring-2', 'ringing')
    const phone = open('/v1/calls/ring-2/answer')
    await phone.ready()
    const listener = open('/v1/calls/ring-2/audio')
    await listener.ready()
    const stop = speakInto(phone.socket)
    await vi.waitFor(() => expect(listener.loud('callee')).toBeGreaterThan(20), WITHIN_MS)
    stop()
    phone.socket.send(JSON.stringify({ type: 'press', digits: '9' }))
    await has('ring-2', 'opted_out')
  })

  it('closes as taken for a call to another number', async () => {
    await place('ring-3', '+12125550102')
    await has('ring-3', 'ringing')
    expect(await open('/v1/calls/ring-3/answer').closed).toBe(SOUND_CLOSE.taken)
  })
})
