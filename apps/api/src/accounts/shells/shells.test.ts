import { randomUUID } from 'node:crypto'
import {
  accountsRoutes,
  contactsRoutes,
  LIVE_CLOSE,
  LIVE_PATH,
  type Route,
  SESSION_TOKEN_HEADER,
  securityRoutes,
  SHELL_HEADER,
  SHELL_ORIGINS,
  shellsRoutes,
  TICKET_QUERY,
} from '@parley/contract'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type Client, createTestApp, TEST_PASSWORD, type TestApp } from '../../testing.ts'
import { session, shellSession, ticket } from '../schema.ts'

let app: TestApp
const DAY_MS = 24 * 3_600_000
const ANDROID =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UQ1A.240105.004; wv) AppleWebKit/537.36 Chrome/120.0 Mobile'
const ORIGIN = 'https://localhost'

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

/** A native app: no cookies, and a token that the answers may replace. */
interface Phone {
  readonly email: string
  readonly userId: string
  token: string
  headers(more?: Record<string, string>): Record<string, string>
  get(path: string, more?: Record<string, string>): Promise<Response>
  ticketFor(path: string): Promise<string>
}

async function signIn(email: string, more: Record<string, string> = {}, client: Client = app.client()) {
  const headers = { origin: ORIGIN, [SHELL_HEADER]: 'android', 'user-agent': ANDROID, ...more }
  const answer = await client.request(accountsRoutes.login, { body: { email, password: TEST_PASSWORD }, headers })
  return { answer, client, token: answer.headers.get(SESSION_TOKEN_HEADER) }
}

async function newPhone(person?: { email: string; id: string }): Promise<Phone> {
  const { email, id: userId } = person ?? (await app.signUp()).user
  const { token } = await signIn(email)
  const phone: Phone = {
    email,
    userId,
    token: token ?? '',
    headers: (more = {}) => ({
      origin: ORIGIN,
      [SHELL_HEADER]: 'android',
      authorization: `Bearer ${phone.token}`,
      ...more,
    }),
    get: (path, more) => app.client().fetch(path, { headers: phone.headers(more) }),
    async ticketFor(path) {
      const asked = { body: { path }, headers: phone.headers() }
      return (await app.client().request(shellsRoutes.createTicket, asked)).data.ticket
    },
  }
  return phone
}

const USER = accountsRoutes.currentUser.path
const exportPath = (userId: string) => `/api/user/${userId}/contacts/export?format=csv`
const withTicket = (path: string, value: string) => `${path}${path.includes('?') ? '&' : '?'}${TICKET_QUERY}=${value}`
const download = (path: string, value: string) => app.client().fetch(withTicket(path, value))
const rowOf = async ({ userId }: Phone) =>
  (
    await app.context.db
      .select()
      .from(session)
      .innerJoin(shellSession, eq(shellSession.sessionId, session.id))
      .where(eq(session.userId, userId))
  )[0]!

describe('a session of a native app', () => {
  test.each([
    ['android', 'https://localhost'],
    ['ios', 'capacitor://localhost'],
  ])('on %s begins with a token in a header and without a cookie', async (platform, origin) => {
    const { user } = await app.signUp()
    const { answer, client, token } = await signIn(user.email, { [SHELL_HEADER]: platform, origin })
    expect(answer.data.user.email).toBe(user.email)
    expect(token).toMatch(/^pst_[\w-]{43}$/)
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(client.cookies.size).toBe(0)
    const headers = { origin, authorization: `Bearer ${token}` }
    expect((await app.client().request(accountsRoutes.currentUser, { headers })).data.id).toBe(user.id)
  })

  test('writes, and is known by the hash of its token alone', async () => {
    const phone = await newPhone()
    const body = { name: 'Ada', phone: '+12025550123' }
    const { status } = await app.client().request(contactsRoutes.create, { body, headers: phone.headers() })
    expect(status).toBe(201)
    expect(JSON.stringify(await rowOf(phone))).not.toContain(phone.token.slice(4))
  })

  test('is listed with its platform and device, and ends when it is revoked elsewhere', async () => {
    const { client, user } = await app.signUp()
    const phone = await newPhone(user)
    const params = { id: user.id }
    const sessions = (await client.request(securityRoutes.sessions, { params })).data
    const own = sessions.find(({ platform }) => platform === 'android')
    expect(own).toMatchObject({ device: 'Parley on Pixel 8', current: false })
    expect(sessions.filter(({ platform }) => platform === undefined)).toHaveLength(1)
    await client.request(securityRoutes.endSession, { params: { ...params, sessionId: own!.id } })
    expect((await phone.get(USER)).status).toBe(401)
  })

  test('ends at sign-out, with its tickets, and leaves the other sessions', async () => {
    const { client, user } = await app.signUp()
    const phone = await newPhone(user)
    const value = await phone.ticketFor(exportPath(user.id))
    expect((await phone.get('/api/logout')).status).toBe(204)
    expect((await phone.get(USER)).status).toBe(401)
    expect((await download(exportPath(user.id), value)).status).toBe(401)
    expect((await client.request(accountsRoutes.currentUser)).status).toBe(200)
  })

  test('ends with the account', async () => {
    const phone = await newPhone()
    const asked = { params: { id: phone.userId }, headers: phone.headers() }
    expect((await app.client().request(accountsRoutes.deleteUser, asked)).status).toBe(200)
    expect((await phone.get(USER)).status).toBe(401)
  })

  test('takes the place of the one that signs in again on the same phone', async () => {
    const phone = await newPhone()
    const { token } = await signIn(phone.email, { authorization: `Bearer ${phone.token}` })
    expect((await phone.get(USER)).status).toBe(401)
    phone.token = token ?? ''
    expect((await phone.get(USER)).status).toBe(200)
  })

  test('expires', async () => {
    const phone = await newPhone()
    await app.context.db
      .update(session)
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where(eq(session.userId, phone.userId))
    expect((await phone.get(USER)).status).toBe(401)
  })
})

describe('renewal', () => {
  const makeOld = ({ userId }: Phone) =>
    app.context.db
      .update(session)
      .set({ updatedAt: new Date(Date.now() - 2 * DAY_MS), expiresAt: new Date(Date.now() + DAY_MS) })
      .where(eq(session.userId, userId))
  const renew = async (phone: Phone) => (await phone.get(USER)).headers.get(SESSION_TOKEN_HEADER)

  test('sends no token on the first day, and a next one after it that extends the session to 30 days', async () => {
    const phone = await newPhone()
    expect(await renew(phone)).toBeNull()
    await makeOld(phone)
    expect(await renew(phone)).toMatch(/^pst_/)
    expect((await rowOf(phone)).session.expiresAt.getTime()).toBeGreaterThan(Date.now() + 29 * DAY_MS)
  })

  test('keeps the present token until the next is used, and then refuses it', async () => {
    const phone = await newPhone()
    await makeOld(phone)
    const next = (await renew(phone)) ?? ''
    expect((await phone.get(USER)).status).toBe(200)
    const renewed = { authorization: `Bearer ${next}` }
    expect((await phone.get(USER, renewed)).status).toBe(200)
    expect((await phone.get(USER)).status).toBe(401)
    expect((await phone.get(USER, renewed)).status).toBe(200)
  })

  test('whose answer was lost is made again a day later', async () => {
    const phone = await newPhone()
    await makeOld(phone)
    const lost = (await renew(phone)) ?? ''
    await makeOld(phone)
    const next = (await renew(phone)) ?? ''
    expect(next).not.toBe(lost)
    expect((await phone.get(USER, { authorization: `Bearer ${lost}` })).status).toBe(401)
    expect((await phone.get(USER, { authorization: `Bearer ${next}` })).status).toBe(200)
  })
})

describe('a stolen or foreign request', () => {
  test.each([
    ['another site', 'https://evil.example'],
    ['the product itself', 'http://localhost:3000'],
    ['the other platform', 'capacitor://localhost'],
    ['null', 'null'],
  ])('with a token and the origin of %s is refused', async (_, origin) => {
    const phone = await newPhone()
    const answer = await phone.get(USER, { origin })
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'foreign_origin' }])
  })

  test('with a token and no origin is refused', async () => {
    const phone = await newPhone()
    expect((await app.client().fetch(USER, { headers: { authorization: `Bearer ${phone.token}` } })).status).toBe(403)
  })

  test.each(SHELL_ORIGINS)("with a browser's cookie from %s acts for nobody (CSRF)", async (origin) => {
    const { client, user } = await app.signUp()
    const headers = { origin, [SHELL_HEADER]: 'ios' }
    expect((await client.request(accountsRoutes.currentUser, { headers })).status).toBe(401)
    const write = { body: { name: 'Eve', phone: '+12025550123' }, headers }
    expect((await client.request(contactsRoutes.create, write)).status).toBe(401)
    expect((await client.request(accountsRoutes.deleteUser, { params: { id: user.id }, headers })).status).toBe(401)
    expect((await client.request(accountsRoutes.currentUser)).status).toBe(200)
  })

  test.each([
    ["the app's header from the product's own origin", { origin: 'http://localhost:3000' }],
    ["the app's header from another site", { origin: 'https://evil.example' }],
    ["the app's origin and no header", { [SHELL_HEADER]: '' }],
    ["the app's origin and an unknown platform", { [SHELL_HEADER]: 'windows' }],
  ])('with %s gets neither token nor cookie', async (_, more) => {
    const { user } = await app.signUp()
    const { answer, client, token } = await signIn(user.email, more)
    expect([answer.status, token, client.cookies.size]).toEqual([403, null, 0])
  })

  test("a browser's sign-in still gets a cookie and no token", async () => {
    const { user } = await app.signUp()
    const client = app.client()
    const headers = { origin: 'http://localhost:3000' }
    const body = { email: user.email, password: TEST_PASSWORD }
    const answer = await client.request(accountsRoutes.login, { body, headers })
    expect([answer.status, answer.headers.get(SESSION_TOKEN_HEADER)]).toEqual([200, null])
    expect((await client.request(accountsRoutes.currentUser)).status).toBe(200)
  })

  test('with the stored hash or the placeholder of the cookie in place of the token is refused', async () => {
    const phone = await newPhone()
    const { session: kept, shell_session: shell } = await rowOf(phone)
    for (const value of [`pst_${shell.tokenHash}`, kept.token, `pst_${kept.token}`])
      expect((await phone.get(USER, { authorization: `Bearer ${value}` })).status).toBe(401)
    const client = app.client()
    client.cookies.set('parley.session_token', encodeURIComponent(`${kept.token}.${'A'.repeat(43)}=`))
    expect((await client.request(accountsRoutes.currentUser)).status).toBe(401)
  })
})

describe('CORS', () => {
  test("lets the apps' origins read and send a token, without credentials, and no other origin", async () => {
    const ask = (origin: string) => app.client().fetch(USER, { headers: { origin } })
    for (const origin of SHELL_ORIGINS) {
      const { headers } = await ask(origin)
      expect(headers.get('access-control-allow-origin')).toBe(origin)
      expect(headers.get('access-control-allow-credentials')).toBeNull()
      expect(headers.get('access-control-expose-headers')).toContain(SESSION_TOKEN_HEADER)
    }
    for (const origin of ['https://evil.example', 'null', 'https://localhost.evil.example', 'http://localhost']) {
      expect((await ask(origin)).headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  test("permits a preflight of the page's headers", async () => {
    const wanted = `authorization,content-type,idempotency-key,${SHELL_HEADER}`
    const preflight = await app.client().fetch('/api/contacts', {
      method: 'OPTIONS',
      headers: {
        origin: 'capacitor://localhost',
        'access-control-request-method': 'POST',
        'access-control-request-headers': wanted,
      },
    })
    const { headers } = preflight
    expect([preflight.status, headers.get('access-control-allow-methods')]).toEqual([
      204,
      'GET, POST, PUT, PATCH, DELETE',
    ])
    const allowed = (headers.get('access-control-allow-headers') ?? '').split(', ')
    expect(wanted.split(',').filter((each) => !allowed.includes(each))).toEqual([])
  })
})

describe('a ticket', () => {
  test('downloads once, without a header', async () => {
    const phone = await newPhone()
    const path = exportPath(phone.userId)
    const value = await phone.ticketFor(path)
    const answer = await download(path, value)
    expect([answer.status, answer.headers.get('content-disposition')]).toEqual([200, expect.stringContaining('csv')])
    expect((await download(path, value)).status).toBe(401)
  })

  test('is refused for another path or query, and used up by it', async () => {
    const phone = await newPhone()
    const path = exportPath(phone.userId)
    for (const other of [`/api/user/${phone.userId}/statement.csv`, path.replace('csv', 'vcf')]) {
      const value = await phone.ticketFor(path)
      expect((await download(other, value)).status).toBe(401)
      expect((await download(path, value)).status).toBe(401)
    }
  })

  test("is refused for another person's things", async () => {
    const [phone, other] = [await newPhone(), await newPhone()]
    const path = exportPath(other.userId)
    expect((await download(path, await phone.ticketFor(path))).status).toBe(404)
  })

  test('is refused after its minute', async () => {
    const phone = await newPhone()
    const path = exportPath(phone.userId)
    const value = await phone.ticketFor(path)
    await app.context.db.update(ticket).set({ expiresAt: new Date() })
    expect((await download(path, value)).status).toBe(401)
  })

  test('counts for nothing beside its routes and is not given for them', async () => {
    const phone = await newPhone()
    const path = exportPath(phone.userId)
    expect((await download(USER, await phone.ticketFor(path))).status).toBe(401)
    for (const refused of [
      USER,
      '/',
      '//evil.example/ws',
      `/api/user/${phone.userId}/contacts`,
      '/ws/../api/auth/user',
    ]) {
      const { status } = await app
        .client()
        .request(shellsRoutes.createTicket, { body: { path: refused }, headers: phone.headers() })
      expect(`${refused}: ${status}`).toBe(`${refused}: 400`)
    }
  })

  test('is refused in place of a write', async () => {
    const phone = await newPhone()
    const route: Route = securityRoutes.downloadExport
    const path = route.path.replace(':id', phone.userId).replace(':exportId', randomUUID())
    const value = await phone.ticketFor(path)
    expect((await app.client().fetch(withTicket(path, value), { method: 'DELETE' })).status).toBe(404)
    expect((await app.client().fetch(withTicket(path, value), { method: 'HEAD' })).status).toBe(401)
  })
})

describe('the live channel of an app', () => {
  const open = (path: string, origin = ORIGIN) => {
    const socket = new WebSocket(app.url.replace('http', 'ws') + path, { origin })
    const closed = new Promise<number>((resolve) => socket.once('close', resolve))
    const first = new Promise<string>((resolve) => socket.once('message', (data) => resolve(String(data))))
    return { socket, closed, first }
  }

  test('opens with a ticket, once, and closes at sign-out', async () => {
    const phone = await newPhone()
    const path = `${LIVE_PATH}?userId=${phone.userId}`
    const address = withTicket(path, await phone.ticketFor(path))
    const { first, closed } = open(address)
    expect(JSON.parse(await first)).toEqual({ type: 'connected', userId: phone.userId })
    expect(await open(address).closed).toBe(LIVE_CLOSE.unauthenticated)
    await phone.get('/api/logout')
    expect(await closed).toBe(LIVE_CLOSE.unauthenticated)
  })

  test('stays open when another session of the person ends', async () => {
    const { client, user } = await app.signUp()
    const phone = await newPhone(user)
    const path = `${LIVE_PATH}?userId=${user.id}`
    const live = open(withTicket(path, await phone.ticketFor(path)))
    await live.first
    const browser = open(`${path}&none=1`)
    await client.request(accountsRoutes.logout, {})
    expect(await browser.closed).toBe(LIVE_CLOSE.unauthenticated)
    expect(live.socket.readyState).toBe(WebSocket.OPEN)
    live.socket.terminate()
  })

  test.each(['https://evil.example', 'null'])('is refused with a ticket from the origin %s', async (origin) => {
    const phone = await newPhone()
    const path = `${LIVE_PATH}?userId=${phone.userId}`
    expect(await open(withTicket(path, await phone.ticketFor(path)), origin).closed).toBe(LIVE_CLOSE.unauthenticated)
  })

  test("is refused with a browser's cookie from an app's origin", async () => {
    const { client, user } = await app.signUp()
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}${LIVE_PATH}?userId=${user.id}`, {
      origin: ORIGIN,
      headers: { cookie: client.cookieHeader() },
    })
    expect(await new Promise((resolve) => socket.once('close', resolve))).toBe(LIVE_CLOSE.unauthenticated)
  })
})
