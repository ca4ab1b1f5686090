import { randomBytes } from 'node:crypto'
import { accountsRoutes as routes, contactsRoutes, securityRoutes } from '@parley/contract'
import { eq, type SQL, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { mistakesLetThrough, nativeReturn, signInAttempt } from './accounts/testing.ts'
import { type Client, createTestApp, PATIENTLY, TEST_PASSWORD, type TestApp } from './testing.ts'

let app: TestApp
let serial = 0

beforeAll(async () => {
  app = await createTestApp({ environment: { TRUSTED_PROXIES: '127.0.0.1' } })
})
afterAll(() => app.close())

const newEmail = () => `nobody${++serial}@example.net`
const from = (address: string) => ({ 'x-forwarded-for': address })
// Random among sixteen million, because other runs count in the same Redis.
const newAddress = () => `10.${[...randomBytes(3)].join('.')}`
const whoIs = (client: Client) => client.request(routes.currentUser)
const login = (email: string, password: string, address = newAddress()) =>
  app.client().request(routes.login, { body: { email, password }, headers: from(address) })

describe('mails requested without a session', () => {
  const mailsTo = async (email: string) => {
    const { mailer } = app.context
    return (mailer.kind === 'outbox' ? await mailer.list() : []).filter(({ to }) => to === email)
  }
  // Mails are counted by clock hour; a fixed clock keeps the hour from ending in a test.
  beforeEach(() => void vi.spyOn(Date, 'now').mockReturnValue(Date.now()))
  afterEach(() => void vi.restoreAllMocks())

  test('at most five mails go to one mailbox for one sender, with the same answers, and another sender still gets one', async () => {
    const { user } = await app.signUp()
    const flooder = from(newAddress())
    const asked = { body: { email: user.email } }
    const answers = []
    for (let mail = 0; mail < 20; mail++) {
      const route = mail % 2 === 0 ? routes.forgotPassword : routes.resendVerification
      answers.push((await app.client().request(route, { ...asked, headers: flooder })).status)
    }
    expect(new Set(answers)).toEqual(new Set([200]))
    await app.client().request(routes.forgotPassword, { ...asked, headers: from(newAddress()) })
    await expect.poll(async () => (await mailsTo(user.email)).length, { timeout: 40_000 }).toBe(6)
  })

  test('mails of registrations and address changes share the limit; only the signed-in user gets 429', async () => {
    const [victim, flooder] = [newEmail(), from(newAddress())]
    const { client, user } = await app.signUp()
    const registration = { email: victim, fullName: 'M', password: TEST_PASSWORD }
    const again = () => app.client().request(routes.register, { body: registration, headers: flooder })
    const changeTo = (email: string) =>
      client.request(routes.changeUser, { params: { id: user.id }, body: { email }, headers: flooder })
    for (let mail = 0; mail < 4; mail++) await again()
    await changeTo(victim)
    await expect.poll(async () => (await mailsTo(victim)).length, { timeout: 40_000 }).toBe(5)
    const statuses: number[] = []
    for (const change of [again, () => changeTo(newEmail()), () => changeTo(victim), again])
      statuses.push((await change()).status)
    // A signed-in user named the address and is told that no mail was sent.
    expect(statuses).toEqual([201, 200, 429, 201])
    // Mails go out in order: after this one the earlier ones have been sent.
    const last = newEmail()
    await app.client().request(routes.register, { body: { ...registration, email: last }, headers: flooder })
    await app.mailTo(last, 'Verify')
    expect(await mailsTo(victim)).toHaveLength(5)
  })
})

describe('wrong logins', () => {
  test('1,000 from one address test only the allowed number of passwords; the owner logs in from elsewhere', async () => {
    const { user } = await app.signUp()
    const attacker = newAddress()
    const answers: number[] = []
    const startedAt = performance.now()
    for (let burst = 0; burst < 10; burst++) {
      const tries = Array.from({ length: 100 }, (_, index) => login(user.email, `guess-${burst}-${index}`, attacker))
      answers.push(...(await Promise.all(tries)).map(({ status }) => status))
    }
    expect(answers).toHaveLength(1000)
    const guessed = answers.filter((status) => status === 401).length
    expect(guessed).toBeLessThanOrEqual(mistakesLetThrough((performance.now() - startedAt) / 1000))
    expect(answers.filter((status) => status === 429).length).toBe(1000 - guessed)
    // A short wait may end at this moment: poll until one exceeds 5 s.
    const secondsToWait = async () =>
      Number((await login(user.email, 'guess', attacker)).headers.get('retry-after') ?? 0)
    await expect.poll(secondsToWait, { timeout: 40_000 }).toBeGreaterThan(5)
    // The right password is refused from the blocked address only.
    expect((await login(user.email, TEST_PASSWORD, attacker)).status).toBe(429)
    expect((await login(user.email, TEST_PASSWORD)).status).toBe(200)
  }, 180_000)

  test("from 30 addresses block unknown addresses; the owner's usual address still logs in", async () => {
    const { user } = await app.signUp()
    const home = newAddress()
    expect((await login(user.email, TEST_PASSWORD, home)).status).toBe(200)
    const first: number[] = []
    for (let host = 1; host <= 30; host++) {
      const guesses = await Promise.all(
        [1, 2, 3, 4].map((guess) => login(user.email, `guess-${guess}`, `203.0.113.${host}`)),
      )
      if (host <= 20) first.push(...guesses.map(({ status }) => status))
    }
    // Parallel tries are each checked and counted until the account refuses unknown addresses.
    expect(first).toEqual(Array.from({ length: 80 }, () => 401))
    expect((await login(user.email, TEST_PASSWORD, '203.0.113.200')).status).toBe(429)
    expect((await login(user.email, TEST_PASSWORD, home)).status).toBe(200)
    // From a new address the password reset still works.
    await app.client().request(routes.forgotPassword, { body: { email: user.email } })
    const token = await app.tokenFor(user.email, '/reset-password')
    const visitor = app.client()
    await visitor.request(routes.resetPassword, {
      body: { token, newPassword: 'a-new-one-of-herons' },
      headers: from('203.0.113.201'),
    })
    expect((await whoIs(visitor)).data.id).toBe(user.id)
  }, 180_000)

  test('count for unknown accounts too, with waits of 1, 2, 4 and 8 s', async () => {
    const [email, address] = [newEmail(), newAddress()]
    for (let guess = 0; guess < 5; guess++) expect((await login(email, 'wrong', address)).status).toBe(401)
    const { db } = app.context
    const ofPair = eq(signInAttempt.address, address)
    const seconds = sql<number>`extract(epoch from ${signInAttempt.blockedUntil} - ${signInAttempt.lastAt})::int`
    const endWait = (blockedUntil: SQL) => db.update(signInAttempt).set({ blockedUntil }).where(ofPair)
    const waits = []
    for (let round = 0; round < 4; round++) {
      waits.push(...(await db.select({ seconds }).from(signInAttempt).where(ofPair)))
      // The first waits could end before this machine asks again.
      await endWait(sql`now() + interval '1 hour'`)
      const refused = await login(email, 'wrong', address)
      expect(refused.status).toBe(429)
      expect(Math.abs(Number(refused.headers.get('retry-after')) - 3600)).toBeLessThan(60)
      await endWait(sql`now() - interval '1 minute'`)
      expect((await login(email, 'wrong', address)).status).toBe(401)
    }
    expect(waits.map((wait) => wait.seconds)).toEqual([1, 2, 4, 8])
  })

  test('a right password resets the count', async () => {
    const { user } = await app.signUp()
    const address = newAddress()
    for (let round = 0; round < 3; round++) {
      for (let guess = 0; guess < 4; guess++) expect((await login(user.email, 'wrong', address)).status).toBe(401)
      expect((await login(user.email, TEST_PASSWORD, address)).status).toBe(200)
    }
  })
})

const redisUrl = process.env['REDIS_URL']

describe.runIf(redisUrl)('rate limits of two nodes with one Redis', () => {
  test('count the requests of one address together', async () => {
    const environment = { REDIS_URL: redisUrl ?? '', SIGN_IN_LIMIT_PER_MINUTE: '4', TRUSTED_PROXIES: '127.0.0.1' }
    const nodes = [await createTestApp({ environment }), await createTestApp({ environment })]
    const ask = async (node: TestApp, address: string) =>
      (await node.client().fetch('/api/auth/google', { headers: from(address) })).status
    // A node counts nothing until it has reached its Redis.
    for (const [node, address] of nodes.map((each) => [each, newAddress()] as const)) {
      await expect.poll(() => ask(node, address), PATIENTLY).toBe(429)
    }
    const [one, other] = [newAddress(), newAddress()]
    const statuses = []
    for (let attempt = 0; attempt < 6; attempt++) statuses.push(await ask(nodes[attempt % 2]!, one))
    expect(statuses).toEqual([302, 302, 302, 302, 429, 429])
    expect(await ask(nodes[0]!, other)).toBe(302)
    for (const node of nodes) await node.close()
  })
})

describe('a session cookie', () => {
  test('planted before login is replaced by login', async () => {
    const attacker = await app.signUp()
    const victim = await app.signUp()
    const browser = app.client()
    const planted = attacker.client.cookies.get('parley.session_token') ?? ''
    browser.cookies.set('parley.session_token', planted)
    await browser.request(routes.login, { body: { email: victim.user.email, password: TEST_PASSWORD } })
    expect(browser.cookies.get('parley.session_token')).not.toBe(planted)
    expect((await whoIs(browser)).data.id).toBe(victim.user.id)
    expect((await whoIs(attacker.client)).status).toBe(401)
  })

  test('a native sign-in code is void after a password reset', async () => {
    const { user } = await app.signUp()
    const link = new URL(
      await nativeReturn(app.context.accounts.room.db, { userId: user.id, method: 'Google', challenge: undefined }),
    )
    await app.client().request(routes.forgotPassword, { body: { email: user.email } })
    const token = await app.tokenFor(user.email, '/reset-password')
    await app.client().request(routes.resetPassword, { body: { token, newPassword: 'a-new-one-of-herons' } })
    const late = await app
      .client()
      .request(routes.nativeSignIn, { body: { code: link.searchParams.get('code') ?? '' } })
    expect(late).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
  })

  test('the session token is in no answer of the API', async () => {
    const { client, user } = await app.signUp()
    const [token = ''] = decodeURIComponent(client.cookies.get('parley.session_token') ?? '').split('.')
    const answers = [
      (await whoIs(client)).body,
      (await client.request(securityRoutes.sessions, { params: { id: user.id } })).body,
      (await client.request(securityRoutes.securityActivity, { params: { id: user.id } })).body,
    ]
    expect(token.length).toBeGreaterThan(20)
    expect(JSON.stringify(answers)).not.toContain(token)
  })
})

describe('writes from other origins', () => {
  test.each([
    'https://evil.example',
    'null',
    'https://localhost:3000.evil.example',
    'http://localhost:3001',
    'capacitor://evil',
  ])("%s cannot write with a user's cookie", async (origin) => {
    const { client, user } = await app.signUp()
    const params = { id: user.id }
    const headers = { origin }
    const writes = [
      await client.request(contactsRoutes.create, { body: { name: 'M', phone: '+12025550123' }, headers }),
      await client.request(securityRoutes.createApiKey, { params, body: {}, headers }),
      await client.request(routes.deleteUser, { params, headers }),
      await client.request(routes.login, { body: { email: user.email, password: TEST_PASSWORD }, headers }),
    ]
    for (const { status, body, headers: answered } of writes) {
      expect([status, body]).toMatchObject([403, { code: 'foreign_origin' }])
      expect(answered.get('access-control-allow-origin')).toBeNull()
    }
  })
})

describe('redirects and links', () => {
  test('redirects stay on this site for any query, Host or X-Forwarded-Host', async () => {
    const tries = [
      '/api/logout?next=https://evil.example',
      '/api/login?returnTo=//evil.example',
      '/api/auth/google?state=https://evil.example&redirect_uri=https://evil.example',
      '/api/auth/google/callback?state=x&code=y&redirect=https://evil.example',
      '/api/auth/verify-email?token=https://evil.example',
    ]
    for (const path of tries) {
      const response = await app
        .client()
        .fetch(path, { headers: { host: 'evil.example', accept: 'text/html', 'x-forwarded-host': 'evil.example' } })
      const location = response.headers.get('location') ?? '/'
      expect(location).toMatch(/^\/(?!\/)/)
      expect(location).not.toContain('evil')
    }
  })

  test('links in mails use PUBLIC_URL for any forwarded host', async () => {
    const email = newEmail()
    const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'gopher' }
    await app.client().request(routes.register, { body: { email, fullName: 'Ada', password: TEST_PASSWORD }, headers })
    const { text, html } = await app.mailTo(email, 'Verify')
    expect(text + html).not.toContain('evil')
    expect(text).toContain('http://localhost:3000/verify-email?token=')
  })

  test('pages with a token send no referrer, and answers with one are not cached', async () => {
    for (const path of [
      '/verify-email?token=secret',
      '/reset-password?token=secret',
      '/api/auth/verify-email?token=secret',
    ]) {
      const { headers } = await app.client().fetch(path)
      expect(headers.get('referrer-policy')).toBe('no-referrer')
    }
    const api = await app.client().fetch('/api/auth/verify-email?token=secret')
    expect(api.headers.get('cache-control')).toBe('no-store')
  })
})

describe('request bodies', () => {
  const post = (body: string, type = 'application/json') =>
    app.client().fetch('/api/auth/login', { method: 'POST', headers: { 'content-type': type }, body })

  test.each([
    ['two megabytes', JSON.stringify({ email: 'x'.repeat(2e6), password: 'y' }), 413],
    ['100,000 nested lists', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 400],
    ['a null', 'null', 400],
    ['a list', '[]', 400],
    ['a number', '7', 400],
    ['an empty text', '', 400],
    ['truncated JSON', '{"email":"a@example.org"', 400],
    ['a prototype', '{"__proto__":{"admin":true},"email":"a@example.org","password":"x"}', 400],
    ['a constructor', '{"constructor":{"prototype":{"admin":true}},"email":"a","password":"x"}', 400],
    ['a NUL', '{"email":"a\\u0000@example.org","password":"x"}', 400],
    ['a lone surrogate', '{"email":"\\ud800@example.org","password":"\\udfff"}', 401],
    [
      'a password of 100,000 characters',
      JSON.stringify({ email: 'a@example.org', password: 'x'.repeat(100_000) }),
      400,
    ],
    ['objects in place of texts', '{"email":{"$ne":""},"password":{"$ne":""}}', 400],
  ])('refuses %s without a server error', async (_, body, status) => {
    const response = await post(body)
    expect([status, 401]).toContain(response.status)
    expect(response.status).toBeLessThan(500)
    expect(await response.json()).toHaveProperty('code')
    expect(Object.prototype).not.toHaveProperty('admin')
  })
})

describe('look-alike e-mail addresses', () => {
  test.each([
    ['a Cyrillic a', 'аda@example.org'],
    ['a full-width letter', 'ａda@example.org'],
    ['a dotless i', 'adı@example.org'],
    ['a combining accent', 'ada\u0301@example.org'],
    ['a zero-width space', 'a\u200bda@example.org'],
    ['a right-to-left mark', 'ada\u202e@example.org'],
    ['a foreign domain letter', 'ada@exаmple.org'],
    ['the Kelvin sign', '\u212a@example.org'],
    ['a line break', 'ada@example.org\nBcc: x@example.org'],
    ['two addresses', 'ada@example.org,x@example.org'],
  ])('refuses an address with %s', async (_, email) => {
    const body = { email, fullName: 'Mallory', password: TEST_PASSWORD }
    expect(await app.client().request(routes.register, { body })).toMatchObject({
      status: 400,
      body: { code: 'invalid_input' },
    })
    expect((await app.client().request(routes.forgotPassword, { body: { email } })).status).toBe(400)
    expect((await login(email, TEST_PASSWORD)).status).toBe(401)
  })
})
