import { accountsRoutes, callsRoutes, SOUND_CLOSE, SOUND_PATHS, LIVE_PATH, LiveMessage, pathOf } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type Client, createTestApp, PATIENTLY, type TestApp } from '../testing.ts'
import { Script, type StandInVoice, startStandInVoice } from './testing.ts'

const PAGE = 'http://localhost:3000'
let voice: StandInVoice
let app: TestApp

beforeAll(async () => {
  voice = await startStandInVoice()
  app = await createTestApp({ environment: { VOICE_URL: voice.url, CALLING_HOURS: 'off' } })
})
afterAll(async () => {
  await app.close()
  await voice.close()
})

interface Line {
  readonly socket: WebSocket
  readonly binary: Buffer[]
  readonly texts: string[]
  readonly closed: Promise<number>
}

function open(client: Client, path: string, origin = PAGE, headers: Record<string, string> = {}): Line {
  const socket = new WebSocket(app.url.replace('http', 'ws') + path, {
    headers: { cookie: client.cookieHeader(), origin, ...headers },
  })
  const [binary, texts]: [Buffer[], string[]] = [[], []]
  socket.on('message', (data: Buffer, isBinary) => void (isBinary ? binary.push(data) : texts.push(data.toString())))
  const closed = new Promise<number>((resolve, reject) => {
    socket.once('error', reject)
    socket.once('close', resolve)
  })
  return { socket, binary, texts, closed }
}

async function placed(callee = '+12025550100') {
  const { client, user } = await app.signUp()
  const { data } = await client.request(callsRoutes.place, { body: { callee, purpose: 'Ask' } })
  await voice.orderOf(data.id)
  return { client, user, call: data, script: new Script(app, data.id) }
}

const lineOf = (path: string) =>
  vi.waitFor(() => {
    const line = voice.sockets.findLast((each) => each.path === path)
    if (!line) throw new Error(`no line ${path}`)
    return line.socket
  }, PATIENTLY)
const audioOf = (id: string) => pathOf({ path: SOUND_PATHS.audio }, { id })

describe('a sound socket', () => {
  test.each(['audio', 'answer'] as const)(
    "%s carries binary and text both ways and closes with the voice service's code",
    async (kind) => {
      const { client, call } = await placed()
      const page = open(client, pathOf({ path: SOUND_PATHS[kind] }, { id: call.id }))
      const far = await lineOf(`/v1/calls/${call.id}/${kind}`)
      const heard: [string, boolean][] = []
      far.on('message', (data: Buffer, isBinary) => void heard.push([data.toString('latin1'), isBinary]))
      far.send('{"type":"ready"}')
      far.send(Buffer.from([1, 2, 3]))
      await vi.waitFor(
        () => expect([page.texts, page.binary]).toEqual([['{"type":"ready"}'], [Buffer.from([1, 2, 3])]]),
        PATIENTLY,
      )
      page.socket.send(Buffer.from('sound'))
      page.socket.send('words')
      const sent = [
        ['sound', true],
        ['words', false],
      ]
      await vi.waitFor(() => expect(heard).toEqual(sent), PATIENTLY)
      far.close(SOUND_CLOSE.taken, 'Somebody else.')
      expect(await page.closed).toBe(SOUND_CLOSE.taken)
    },
  )

  test('closes at the voice service when the page leaves', async () => {
    const { client, call } = await placed()
    const page = open(client, audioOf(call.id))
    const far = await lineOf(`/v1/calls/${call.id}/audio`)
    const gone = new Promise<number>((resolve) => far.once('close', resolve))
    page.socket.close()
    expect(await gone).toBe(1005)
  })

  test('drops sound that a slow page does not take', async () => {
    const { client, call } = await placed()
    const page = open(client, audioOf(call.id))
    const far = await lineOf(`/v1/calls/${call.id}/audio`)
    // A connecting socket cannot be paused.
    await vi.waitFor(() => expect(page.socket.readyState).toBe(WebSocket.OPEN), PATIENTLY)
    page.socket.pause()
    const frame = Buffer.alloc(4000)
    for (let at = 0; at < 5000; at++) far.send(frame)
    await vi.waitFor(() => expect(far.bufferedAmount).toBe(0), PATIENTLY)
    page.socket.resume()
    await vi.waitFor(() => {
      far.send('still there')
      expect(page.texts).toContain('still there')
    }, PATIENTLY)
    expect(page.binary.length).toBeLessThan(5000)
  })

  test('closes as unavailable when the voice service is gone', async () => {
    const { client, call } = await placed()
    const page = open(client, audioOf(call.id))
    const far = await lineOf(`/v1/calls/${call.id}/audio`)
    far.terminate()
    expect(await page.closed).toBe(SOUND_CLOSE.unavailable)
  })
})

describe('opening a sound socket', () => {
  test.each(['audio', 'answer'] as const)(
    "%s: only the signed-in owner, from the product's own origin, while the call is live",
    async (kind) => {
      const { client, call, script } = await placed()
      const path = pathOf({ path: SOUND_PATHS[kind] }, { id: call.id })
      const { client: stranger } = await app.signUp()
      const before = voice.sockets.length
      expect(await open(stranger, path).closed).toBe(SOUND_CLOSE.notFound)
      expect(await open(app.client(), path).closed).toBe(SOUND_CLOSE.unauthenticated)
      expect(await open(client, path, 'https://evil.example').closed).toBe(SOUND_CLOSE.unauthenticated)
      expect(await open(client, pathOf({ path: SOUND_PATHS[kind] }, { id: 'no-such-call' })).closed).toBe(
        SOUND_CLOSE.notFound,
      )
      await script.converse()
      await script.end(10)
      expect(await open(client, path).closed).toBe(SOUND_CLOSE.notFound)
      expect(voice.sockets.length).toBe(before)
    },
  )

  test('logout closes the socket', async () => {
    const { client, call } = await placed()
    const page = open(client, audioOf(call.id))
    await lineOf(`/v1/calls/${call.id}/audio`)
    await client.request(accountsRoutes.logout)
    expect(await page.closed).toBe(SOUND_CLOSE.unauthenticated)
  })
})

describe('steering a live call', () => {
  test.each([
    [{ action: 'press', digits: '12#' } as const, { type: 'press', digits: '12#' }],
    [{ action: 'take_over' } as const, { type: 'take_over' }],
    [{ action: 'hand_back' } as const, { type: 'hand_back' }],
  ])('%o reaches the voice service from the owner only', async (body, command) => {
    const { client, call } = await placed()
    const { client: stranger } = await app.signUp()
    expect((await stranger.request(callsRoutes.change, { params: { id: call.id }, body })).status).toBe(404)
    const answer = await client.request(callsRoutes.change, { params: { id: call.id }, body })
    expect(answer.data.id).toBe(call.id)
    expect(voice.commands.filter(({ callId }) => callId === call.id)).toEqual([{ callId: call.id, command }])
  })

  test('refuses digits that no telephone has', async () => {
    const { client, call } = await placed()
    const answer = await client.request(callsRoutes.change, {
      params: { id: call.id },
      body: { action: 'press', digits: '5A' },
    })
    expect([answer.status, answer.body]).toMatchObject([400, { code: 'invalid_input' }])
  })
})

describe("a call to the owner's own browser, ...555 0199", () => {
  const incoming = (line: Line) =>
    line.texts.map((text) => LiveMessage.parse(JSON.parse(text))).filter((message) => message.type === 'incoming_call')

  test("rings on the caller's open pages and on pages opened while it rings", async () => {
    const { client, user, call, script } = await placed('+12025550199')
    const page = open(client, `${LIVE_PATH}?userId=${user.id}`)
    await vi.waitFor(() => expect(page.texts.length).toBeGreaterThan(0), PATIENTLY)
    expect(incoming(page)).toEqual([])
    await script.say({ type: 'dialing' }, { type: 'ringing' })
    const ring = { type: 'incoming_call', callId: call.id, callee: '+12025550199', onBehalfOf: 'Ada Lovelace' }
    await vi.waitFor(() => expect(incoming(page)).toEqual([ring]), PATIENTLY)
    const late = open(client, `${LIVE_PATH}?userId=${user.id}`)
    await vi.waitFor(() => expect(incoming(late)).toEqual([ring]), PATIENTLY)
    await script.say({ type: 'answered' })
    const later = open(client, `${LIVE_PATH}?userId=${user.id}`)
    await vi.waitFor(() => expect(later.texts.length).toBeGreaterThan(0), PATIENTLY)
    expect([incoming(page).length, incoming(later).length]).toEqual([1, 0])
  })

  test('a call to another number rings on no page', async () => {
    const { client, user, script } = await placed('+12025550100')
    await script.say({ type: 'dialing' }, { type: 'ringing' })
    const page = open(client, `${LIVE_PATH}?userId=${user.id}`)
    await vi.waitFor(() => expect(page.texts.length).toBeGreaterThan(0), PATIENTLY)
    await script.say({ type: 'answered' })
    await vi.waitFor(() => expect(page.texts.some((text) => text.includes('call_status'))).toBe(true), PATIENTLY)
    expect(incoming(page)).toEqual([])
  })
})
