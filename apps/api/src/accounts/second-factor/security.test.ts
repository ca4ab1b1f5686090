import { createHash } from 'node:crypto'
import { accountsRoutes, API_KEYS_MAX, contactsRoutes, securityRoutes as routes, type KeyScope } from '@parley/contract'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createTestApp, TEST_PASSWORD, type TestApp } from '../../testing.ts'
import { apiKey, session } from '../schema.ts'
import { createAuthenticator } from '../testing.ts'

let app: TestApp

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const whoIs = (client: Client) => client.request(accountsRoutes.currentUser)
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const login = (client: Client, email: string) =>
  client.request(accountsRoutes.login, { body: { email, password: TEST_PASSWORD } })
const activityOf = async (client: Client, id: string) =>
  (await client.request(routes.securityActivity, { params: { id } })).data.map(({ kind, detail }) => [kind, detail])

describe('sessions', () => {
  test('sessions are listed with their device, and ending one leaves the others', async () => {
    const { client, user } = await app.signUp()
    const params = { id: user.id }
    const { db } = app.context
    const earlier = sql`${session.createdAt} - interval '1 hour'`
    await db.update(session).set({ createdAt: earlier }).where(eq(session.userId, user.id))
    const phone = app.client()
    const headers = {
      'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 Version/19 Safari/604',
    }
    await phone.request(accountsRoutes.login, { body: { email: user.email, password: TEST_PASSWORD }, headers })
    const listed = (await client.request(routes.sessions, { params })).data
    expect(listed.map(({ device, current }) => [device, current])).toEqual([
      ['Safari on iOS', false],
      ['Unknown device', true],
    ])
    const [other] = listed
    const ended = await client.request(routes.endSession, { params: { ...params, sessionId: other!.id } })
    expect(ended.data.message).toBe('The session was ended.')
    expect((await whoIs(phone)).status).toBe(401)
    expect((await whoIs(client)).status).toBe(200)
    expect(await activityOf(client, user.id)).toContainEqual(['session_ended', 'Safari on iOS'])
  })

  test('ending the other sessions keeps the own one', async () => {
    const { client, user } = await app.signUp()
    const others = [app.client(), app.client()]
    for (const other of others) await login(other, user.email)
    await client.request(routes.endOtherSessions, { params: { id: user.id } })
    for (const other of others) expect((await whoIs(other)).status).toBe(401)
    expect((await whoIs(client)).status).toBe(200)
  })

  test("returns 404 for another user's session", async () => {
    const [mine, theirs] = [await app.signUp(), await app.signUp()]
    const [foreign] = (await theirs.client.request(routes.sessions, { params: { id: theirs.user.id } })).data
    const answer = await mine.client.request(routes.endSession, {
      params: { id: mine.user.id, sessionId: foreign!.id },
    })
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect((await whoIs(theirs.client)).status).toBe(200)
  })
})

describe('API keys', () => {
  const create = async (scopes?: KeyScope[]) => {
    const { client, user } = await app.signUp()
    const made = await client.request(routes.createApiKey, {
      params: { id: user.id },
      body: { name: 'Robot', ...(scopes ? { scopes } : {}) },
    })
    return { client, user, params: { id: user.id }, made: made.data }
  }
  const newContact = { name: 'Ada', phone: '+12025550123' }

  test('a key is shown once, stored as a hash and accepted by the API', async () => {
    const { client, user, params, made } = await create()
    expect(made.key).toMatch(/^parley_[\w-]{32}[\da-z]{6}$/)
    expect(made.masked).toBe(`${made.key.slice(0, 11)}…${made.key.slice(-4)}`)
    const [row] = await app.context.db.select().from(apiKey).where(eq(apiKey.id, made.id))
    expect(row?.hash).toBe(createHash('sha256').update(made.key).digest('base64url'))
    expect(JSON.stringify(row)).not.toContain(made.key)
    const program = app.client()
    expect((await program.request(accountsRoutes.currentUser, { headers: bearer(made.key) })).data.id).toBe(user.id)
    const created = await program.request(contactsRoutes.create, { body: newContact, headers: bearer(made.key) })
    expect(created.status).toBe(201)
    const [listed] = (await client.request(routes.apiKeys, { params })).data
    expect(listed).not.toHaveProperty('key')
    expect(Date.now() - Date.parse(listed?.lastUsedAt ?? '')).toBeLessThan(60_000)
  })

  test('a key gets 403 for a route outside its scopes', async () => {
    const { params, made } = await create(['read'])
    const program = app.client()
    const headers = bearer(made.key)
    expect((await program.request(contactsRoutes.list, { params, headers })).status).toBe(200)
    const refused = await program.request(contactsRoutes.create, { body: newContact, headers })
    expect(refused).toMatchObject({ status: 403, body: { code: 'not_permitted' } })
    const writer = await create(['contacts'])
    expect(
      (await program.request(contactsRoutes.create, { body: newContact, headers: bearer(writer.made.key) })).status,
    ).toBe(201)
    const unread = await program.request(contactsRoutes.list, {
      params: writer.params,
      headers: bearer(writer.made.key),
    })
    expect(unread).toMatchObject({ status: 403, body: { code: 'not_permitted' } })
  })

  test('a key cannot create keys, not even beside a session cookie', async () => {
    const { client, params, made } = await create()
    const answer = await app.client().request(routes.createApiKey, { params, body: {}, headers: bearer(made.key) })
    expect(answer).toMatchObject({ status: 403, body: { code: 'not_permitted' } })
    const both = await client.request(routes.createApiKey, { params, body: {}, headers: bearer(made.key) })
    expect(both.status).toBe(403)
  })

  test('a revoked key gets 401', async () => {
    const { client, user, params, made } = await create()
    await client.request(routes.revokeApiKey, { params: { ...params, keyId: made.id } })
    const answer = await app.client().request(accountsRoutes.currentUser, { headers: bearer(made.key) })
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
    expect(await activityOf(client, user.id)).toEqual(
      expect.arrayContaining([
        ['api_key_created', 'Robot'],
        ['api_key_revoked', 'Robot'],
      ]),
    )
    expect((await client.request(routes.revokeApiKey, { params: { ...params, keyId: made.id } })).status).toBe(404)
  })

  test.each(['nonsense', 'parley_', 'parley_abc', `parley_${'a'.repeat(38)}`])(
    'the malformed key %s gets 401 even beside a valid cookie',
    async (key) => {
      const { client } = await app.signUp()
      const answer = await client.request(accountsRoutes.currentUser, { headers: bearer(key) })
      expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
    },
  )

  test('creates at most API_KEYS_MAX keys for a user, also in parallel', async () => {
    const { client, user } = await app.signUp()
    const ask = () => client.request(routes.createApiKey, { params: { id: user.id }, body: {} })
    const answers = await Promise.all(Array.from({ length: API_KEYS_MAX + 5 }, ask))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(API_KEYS_MAX)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(5)
  })

  test('KEY_LIMIT_PER_MINUTE applies to each key alone and not to the session', async () => {
    const limited = await createTestApp({ environment: { KEY_LIMIT_PER_MINUTE: '3' } })
    const { client, user } = await limited.signUp()
    const make = () => client.request(routes.createApiKey, { params: { id: user.id }, body: {} })
    const [first, second] = [(await make()).data.key, (await make()).data.key]
    const use = (key: string) => limited.client().request(accountsRoutes.currentUser, { headers: bearer(key) })
    const statuses = []
    for (let request = 0; request < 4; request++) statuses.push((await use(first)).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    expect((await use(second)).status).toBe(200)
    expect((await whoIs(client)).status).toBe(200)
    await limited.close()
  })
})

describe('passkeys', () => {
  const ORIGIN = 'http://localhost:3000'
  const challengeIn = (options: Record<string, unknown>) => ({ challenge: String(options['challenge']) })

  async function withPasskey(origin = ORIGIN, habits = {}) {
    const { client, user } = await app.signUp()
    const params = { id: user.id }
    const device = createAuthenticator(origin, habits)
    const options = (await client.request(routes.passkeyOptions, { params })).data
    const added = await client.request(routes.addPasskey, {
      params,
      body: { name: 'Phone', response: device.create(challengeIn(options)) },
    })
    return { client, user, params, device, added }
  }

  async function enter(client: Client, device: ReturnType<typeof createAuthenticator>) {
    const options = (await client.request(routes.passkeySignInOptions)).data
    return client.request(routes.passkeySignIn, { body: { response: device.get(challengeIn(options)) } })
  }

  test('a passkey signs in without a password, repeatedly', async () => {
    const { client, user, params, device, added } = await withPasskey()
    expect(added).toMatchObject({ status: 201, data: { name: 'Phone', lastUsedAt: null } })
    const visitor = app.client()
    expect((await enter(visitor, device)).data.user.id).toBe(user.id)
    expect((await whoIs(visitor)).status).toBe(200)
    expect((await enter(visitor, device)).status).toBe(200)
    const [listed] = (await client.request(routes.passkeys, { params })).data
    expect(listed?.lastUsedAt).not.toBeNull()
    expect(await activityOf(client, user.id)).toEqual(
      expect.arrayContaining([
        ['signed_in', 'Passkey'],
        ['passkey_added', 'Phone'],
      ]),
    )
  })

  test.each([true, false])(
    'refuses an answer to another challenge and a replayed answer; signature counter: %s',
    async (counts) => {
      const { device } = await withPasskey(ORIGIN, { counts })
      const [first, second] = [app.client(), app.client()]
      const options = (await first.request(routes.passkeySignInOptions)).data
      const cookie = first.cookies.get('parley.passkey') ?? ''
      const response = device.get(challengeIn(options))
      await second.request(routes.passkeySignInOptions)
      expect(await second.request(routes.passkeySignIn, { body: { response } })).toMatchObject({
        status: 400,
        body: { code: 'invalid_token' },
      })
      expect((await first.request(routes.passkeySignIn, { body: { response } })).status).toBe(200)
      const replay = app.client()
      replay.cookies.set('parley.passkey', cookie)
      expect((await replay.request(routes.passkeySignIn, { body: { response } })).status).toBe(400)
      expect((await app.client().request(routes.passkeySignIn, { body: { response } })).status).toBe(400)
    },
  )

  test('refuses an answer without user verification, on adding and on sign-in', async () => {
    const { client, params, device } = await withPasskey()
    const toAdd = (await client.request(routes.passkeyOptions, { params })).data
    expect(toAdd).toMatchObject({ authenticatorSelection: { userVerification: 'required' } })
    const found = createAuthenticator(ORIGIN).create({ ...challengeIn(toAdd), verified: false })
    const added = await client.request(routes.addPasskey, { params, body: { response: found } })
    expect(added).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
    const visitor = app.client()
    const toEnter = (await visitor.request(routes.passkeySignInOptions)).data
    expect(toEnter).toMatchObject({ userVerification: 'required' })
    const response = device.get({ ...challengeIn(toEnter), verified: false })
    const entered = await visitor.request(routes.passkeySignIn, { body: { response } })
    expect(entered).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
    expect((await whoIs(visitor)).status).toBe(401)
  })

  test("refuses a passkey made on another site's origin", async () => {
    const { added } = await withPasskey('https://evil.example')
    expect(added).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
  })

  test('refuses a removed passkey', async () => {
    const { client, params, device, added } = await withPasskey()
    await client.request(routes.removePasskey, { params: { ...params, passkeyId: added.data.id } })
    expect((await enter(app.client(), device)).status).toBe(400)
    expect((await client.request(routes.passkeys, { params })).data).toEqual([])
  })

  test('returns 400 for a malformed passkey response', async () => {
    const { client, user } = await app.signUp()
    const params = { id: user.id }
    await client.request(routes.passkeyOptions, { params })
    expect((await client.request(routes.addPasskey, { params, body: { response: {} } })).status).toBe(400)
    await client.request(routes.passkeySignInOptions)
    expect((await client.request(routes.passkeySignIn, { body: { response: { id: 7 } } })).status).toBe(400)
  })
})

describe('recent security activity', () => {
  test('lists events newest first, in pages', async () => {
    const { client, user } = await app.signUp()
    await client.request(accountsRoutes.login, { body: { email: user.email, password: TEST_PASSWORD } })
    const params = { id: user.id }
    for (const name of ['One', 'Two', 'Three']) await client.request(routes.createApiKey, { params, body: { name } })
    const first = await client.request(routes.securityActivity, { params, query: { limit: 2 } })
    expect(first.data.map(({ detail }) => detail)).toEqual(['Three', 'Two'])
    expect(first.headers.get('x-total-count')).toBe('5')
    const query = { limit: 10, cursor: first.headers.get('x-next-cursor') ?? '' }
    const second = await client.request(routes.securityActivity, { params, query })
    const told = second.data.map(({ kind, detail }) => `${kind}: ${detail}`)
    expect(told).toEqual(['api_key_created: One', 'signed_in: Password', 'account_created: null'])
    expect(second.headers.has('x-next-cursor')).toBe(false)
  })
})

describe('webhook addresses', () => {
  const save = async (webhookUrl: string, at = app) => {
    const { client, user } = await at.signUp()
    return client.request(accountsRoutes.changeSettings, { params: { id: user.id }, body: { webhookUrl } })
  }

  test.each([
    'http://example.org/hook',
    'https://10.0.0.1/hook',
    'https://169.254.169.254/latest/meta-data',
    'https://[::ffff:10.0.0.1]/',
    'https://[64:ff9b::a00:1]/',
    'https://[fd00::1]/',
    'https://167772161/',
    'https://0x0a000001/',
    'https://router.local/',
    'https://intranet/',
    'https://user:secret@example.org/',
  ])('refuses to save %s', async (url) => {
    expect(await save(url)).toMatchObject({ status: 400, body: { code: 'webhook_url_refused', field: 'webhookUrl' } })
  })

  test('accepts an https address on the public internet', async () => {
    expect((await save('https://hooks.example/parley')).status).toBe(200)
  })

  test('accepts a loopback address only when PUBLIC_URL is a loopback address too', async () => {
    expect((await save('http://127.0.0.1:9999/hook')).status).toBe(200)
    const hosted = await createTestApp({ environment: { PUBLIC_URL: 'https://parley.example' } })
    await hosted.context.accounts.addPerson({ fullName: 'Ada', email: 'ada@example.org', password: TEST_PASSWORD })
    const client = hosted.client()
    const { user } = (await login(client, 'ada@example.org')).data
    const params = { id: user.id }
    for (const webhookUrl of ['http://127.0.0.1:9999/hook', 'https://localhost/hook']) {
      expect((await client.request(accountsRoutes.changeSettings, { params, body: { webhookUrl } })).status).toBe(400)
    }
    await hosted.close()
  })
})
