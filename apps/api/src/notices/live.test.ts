import { accountsRoutes, callsRoutes, LIVE_CLOSE, LIVE_PATH, LiveMessage } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sql } from 'drizzle-orm'
import { WebSocket } from 'ws'
import { sessionsTopic } from '../accounts/index.ts'
import { Script, type StandInVoice, startStandInVoice } from '../calls/testing.ts'
import { userTopic } from '../platform/bus.ts'
import { createLog } from '../platform/log/log.ts'
import { type Client, createTestApp, PATIENTLY, TEST_PASSWORD, type TestApp } from '../testing.ts'

const PAGE = 'http://localhost:3000'
const warnings: string[] = []
let voice: StandInVoice
let app: TestApp

beforeAll(async () => {
  voice = await startStandInVoice()
  const log = createLog('warn', { write: (line) => void warnings.push(line) })
  app = await createTestApp({ environment: { VOICE_URL: voice.url, CALLING_HOURS: 'off' }, overrides: { log } })
})
afterAll(async () => {
  await app.close()
  await voice.close()
})

interface Listener {
  readonly socket: WebSocket
  readonly messages: LiveMessage[]
  readonly closed: Promise<{ code: number; reason: string }>
  heard(type: LiveMessage['type']): Promise<LiveMessage>
}

function listen(client: Client, userId: string, origin = PAGE, url = app.url): Listener {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${LIVE_PATH}?userId=${userId}`, {
    headers: { cookie: client.cookieHeader(), origin },
  })
  const messages: LiveMessage[] = []
  // Fails on a message that the contract does not know.
  socket.on('message', (data: Buffer) => messages.push(LiveMessage.parse(JSON.parse(data.toString()))))
  const closed = new Promise<{ code: number; reason: string }>((resolve, reject) => {
    socket.once('error', reject)
    socket.once('close', (code, reason) => resolve({ code, reason: String(reason) }))
  })
  const heard = (type: LiveMessage['type']) =>
    vi.waitFor(() => {
      const found = messages.find((message) => message.type === type)
      if (!found) throw new Error(`no ${type} yet`)
      return found
    }, PATIENTLY)
  return { socket, messages, closed, heard }
}

describe('the live channel', () => {
  test('sends the events of a call to every open page of its owner and to no other user', async () => {
    const { client, user } = await app.signUp()
    const other = await app.signUp()
    const pages = [listen(client, user.id), listen(client, user.id)]
    const stranger = listen(other.client, other.user.id)
    for (const page of [...pages, stranger]) await page.heard('connected')

    const { data: call } = await client.request(callsRoutes.place, {
      body: { callee: '+12025550100', purpose: 'Say hello' },
    })
    await voice.orderOf(call.id)
    const script = new Script(app, call.id)
    await script.converse()
    await script.end(30)
    for (const page of pages) {
      expect(await page.heard('call_completed')).toEqual({ type: 'call_completed', callId: call.id })
      expect(page.messages[0]).toEqual({ type: 'connected', userId: user.id })
      expect(page.messages.flatMap((each) => (each.type === 'transcript' ? [each.turn.text] : []))).toContain('Hello.')
      await vi.waitFor(() => expect(page.messages).toContainEqual({ type: 'credits', creditBalance: '9' }), PATIENTLY)
    }
    expect(stranger.messages.map(({ type }) => type)).toEqual(['connected'])
    for (const page of [...pages, stranger]) page.socket.close()
  })

  test('refuses visitors, other origins and other users', async () => {
    const { client, user } = await app.signUp()
    const { user: other } = await app.signUp()
    expect(await listen(app.client(), user.id).closed).toMatchObject({
      code: LIVE_CLOSE.unauthenticated,
      reason: 'Please log in.',
    })
    expect((await listen(client, user.id, 'https://evil.example').closed).code).toBe(LIVE_CLOSE.unauthenticated)
    expect((await listen(client, other.id).closed).code).toBe(LIVE_CLOSE.notYours)
  })

  test('closes the pages of an ended session only', async () => {
    const { client, user } = await app.signUp()
    const elsewhere = app.client()
    await elsewhere.request(accountsRoutes.login, { body: { email: user.email, password: TEST_PASSWORD } })
    const [here, there] = [listen(client, user.id), listen(elsewhere, user.id)]
    await Promise.all([here.heard('connected'), there.heard('connected')])
    await client.fetch('/api/logout')
    expect((await here.closed).code).toBe(LIVE_CLOSE.unauthenticated)
    app.context.bus.publish(userTopic(user.id), { type: 'credits', creditBalance: '10' })
    await there.heard('credits')
    there.socket.close()
  })

  test('keeps open pages while sessions cannot be read, and checks them again afterwards', async () => {
    const { client, user } = await app.signUp()
    const { db, bus } = app.context
    const staying = listen(client, user.id)
    await staying.heard('connected')
    await db.execute(sql`alter table session rename to session_away`)
    expect((await listen(client, user.id).closed).code).toBe(LIVE_CLOSE.goingAway)
    bus.publish(sessionsTopic(user.id), {})
    await vi.waitFor(() => expect(warnings.join('')).toContain('nobody could be asked who is still there'), PATIENTLY)
    expect(staying.socket.readyState).toBe(WebSocket.OPEN)
    // The session ends while it cannot be read, and is found ended afterwards.
    await db.execute(sql`delete from session_away where user_id = ${user.id}`)
    await db.execute(sql`alter table session_away rename to session`)
    expect((await staying.closed).code).toBe(LIVE_CLOSE.unauthenticated)

    await client.request(accountsRoutes.login, { body: { email: user.email, password: TEST_PASSWORD } })
    const back = listen(client, user.id)
    await back.heard('connected')
    back.socket.close()
  })

  test('closes the page of an ended session although no message about it arrived', async () => {
    const timers = vi.spyOn(globalThis, 'setInterval')
    const { client, user } = await app.signUp()
    const page = listen(client, user.id)
    await page.heard('connected')
    const looks = timers.mock.calls.filter(([, delayMs]) => delayMs === 30_000).map(([look]) => look)
    timers.mockRestore()
    // As by another node whose bus is cut off.
    await app.context.db.execute(sql`delete from session where user_id = ${user.id}`)
    expect(looks.length).toBeGreaterThan(0)
    for (const look of looks) look()
    expect((await page.closed).code).toBe(LIVE_CLOSE.unauthenticated)
  })

  test('closes with 1008 beyond 20 pages of a user', async () => {
    const { client, user } = await app.signUp()
    const pages = Array.from({ length: 21 }, () => listen(client, user.id))
    const refused = await Promise.race(pages.map(({ closed }) => closed))
    expect(refused).toMatchObject({ code: 1008, reason: 'Too many pages are open.' })
    for (const { socket } of pages) socket.terminate()
  })

  test('closes a page that does not read', async () => {
    const { client, user } = await app.signUp()
    const page = listen(client, user.id)
    await page.heard('connected')
    page.socket.pause()
    const messages = 300
    const large = { type: 'credits', creditBalance: '1'.repeat(100_000) }
    for (let each = 0; each < messages; each++) app.context.bus.publish(userTopic(user.id), large)
    page.socket.resume()
    expect((await page.closed).code).toBe(1006)
    expect(page.messages.length).toBeLessThan(messages)
  })

  test('closes as going away when the server stops', async () => {
    const restarting = await createTestApp()
    const { client, user } = await restarting.signUp()
    const page = listen(client, user.id, PAGE, restarting.url)
    await page.heard('connected')
    await restarting.close()
    expect((await page.closed).code).toBe(LIVE_CLOSE.goingAway)
  })
})
