import { scryptSync } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'
import { accountsRoutes as routes } from '@parley/contract'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createTestApp, PATIENTLY, TEST_PASSWORD, type TestApp } from '../../testing.ts'
import { hashLightly } from '../../platform/light-passwords.ts'
import { mailLink, user } from '../schema.ts'

let app: TestApp
let serial = 0

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const newEmail = () => `grace${++serial}@example.org`
const verifyToken = (email: string) => app.tokenFor(email, '/verify-email')
const resetToken = (email: string) => app.tokenFor(email, '/reset-password')
const verify = (token: string, client = app.client()) => client.request(routes.verifyEmail, { query: { token } })
const login = (client: Client, email: string, password = TEST_PASSWORD) =>
  client.request(routes.login, { body: { email, password } })
const whoIs = (client: Client) => client.request(routes.currentUser)

async function register(email: string, password = TEST_PASSWORD, fullName = 'Grace Hopper') {
  return app.client().request(routes.register, { body: { email, fullName, password } })
}

/** The browser that opened the link. */
async function registerAndVerify(email: string, password = TEST_PASSWORD): Promise<Client> {
  const client = app.client()
  await register(email, password)
  await verify(await verifyToken(email), client)
  return client
}

async function expire(email: string): Promise<void> {
  await app.context.db
    .update(mailLink)
    .set({ expiresAt: new Date(Date.now() - 1000) })
    .where(eq(mailLink.email, email))
}

describe('registering', () => {
  test.each([
    [{ fullName: '', email: 'a@example.org', password: TEST_PASSWORD }, 'invalid_input', 'All fields are required'],
    [{ fullName: '  ', email: 'not an address', password: '' }, 'invalid_input', 'All fields are required'],
    [
      { fullName: 'Ada', email: 'not an address', password: 'short' },
      'invalid_input',
      'Please enter a valid email address',
    ],
    [
      { fullName: 'Ada', email: 'аda@example.org', password: TEST_PASSWORD },
      'invalid_input',
      'Please enter a valid email address',
    ],
    [
      { fullName: 'Ada', email: 'a@example.org', password: '7 chars' },
      'weak_password',
      'Password must be at least 8 characters long',
    ],
    [
      { fullName: 'Ada', email: 'a@example.org', password: 'Password1' },
      'weak_password',
      'This password is one of the most common ones. Please choose another.',
    ],
  ])('refuses %o with the sentence of the form', async (body, code, message) => {
    expect(await app.client().request(routes.register, { body })).toMatchObject({
      status: 400,
      body: { code, message },
    })
  })

  test('accepts a password of 120 characters', async () => {
    const email = newEmail()
    const password = 'a long sentence about herons, '.repeat(4)
    const client = await registerAndVerify(email, password)
    expect((await login(client, email, password)).status).toBe(200)
  })

  test('keeps of a password its scrypt hash of 32 MB and 16,384 rounds, with a salt of its own', async () => {
    hashLightly(false)
    const [one, other] = [newEmail(), newEmail()]
    await Promise.all([register(one), register(other)]).finally(() => hashLightly(true))
    const cost = { N: 16_384, r: 16, p: 1, maxmem: 2 ** 26 }
    const kept = (await Promise.all([one, other].map(linksOf))).map(([link]) => link?.passwordHash?.split(':') ?? [])
    for (const [salt = '', hash] of kept) expect(hash).toBe(scryptSync(TEST_PASSWORD, salt, 64, cost).toString('hex'))
    expect(kept[0]?.[0]).not.toBe(kept[1]?.[0])
  })

  test('answers the same for a known and an unknown address, and mails the owner of the known one', async () => {
    const { user: known } = await app.signUp()
    const strangers = await register(newEmail())
    const theirs = await register(known.email, 'another-long-one')
    expect([theirs.status, theirs.body]).toEqual([strangers.status, strangers.body])
    await app.mailTo(known.email, 'You already have a Parley account')
    expect((await login(app.client(), known.email)).status).toBe(200)
    expect((await login(app.client(), known.email, 'another-long-one')).status).toBe(401)
  })

  test('an earlier unverified registration is void once the owner of the address verifies', async () => {
    const email = newEmail()
    await register(email, 'the-attackers-own')
    await verifyToken(email)
    const [attackers] = await linksOf(email)
    await register(email, 'the-owners-own', 'Grace Hopper')
    const owners = (await linksOf(email)).find(({ id }) => id !== attackers?.id)
    const token = await newToken(email, owners?.id)
    const client = app.client()
    expect((await verify(token, client)).status).toBe(200)
    expect((await login(app.client(), email, 'the-attackers-own')).status).toBe(401)
    expect((await login(client, email, 'the-owners-own')).status).toBe(200)
    expect(await linksOf(email)).toEqual([])
  })

  test('gives the free credits once per mailbox, across aliases and after a deletion', async () => {
    const first = await registerAndVerify('j.o.y@gmail.com')
    const { user: joy } = (await login(first, 'j.o.y@gmail.com')).data
    expect(joy.creditBalance).toBe('10')
    const second = await registerAndVerify('joy+more@googlemail.com')
    expect((await login(second, 'joy+more@googlemail.com')).data.user.creditBalance).toBe('0')
    await app.context.db.delete(user).where(eq(user.id, joy.id))
    expect((await whoIs(first)).status).toBe(401)
    const third = await registerAndVerify('jo.y@gmail.com')
    expect((await login(third, 'jo.y@gmail.com')).data.user.creditBalance).toBe('0')
  })
})

describe('verification links', () => {
  test('a link works once; a missing, invalid or expired token gets its own error', async () => {
    const email = newEmail()
    await register(email)
    const token = await verifyToken(email)
    const noToken = await app.client().request(routes.verifyEmail)
    expect(noToken).toMatchObject({ status: 400, body: { code: 'missing_token' } })
    expect(await verify(`${token}x`)).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
    expect(await verify('no-such.token')).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
    await expire(email)
    const sentence = 'The verification link has expired. Please request a new one.'
    expect(await verify(token)).toMatchObject({ status: 400, body: { code: 'expired_token', message: sentence } })

    await app.client().request(routes.resendVerification, { body: { email } })
    await expect.poll(async () => (await verify(token)).status, PATIENTLY).toBe(200)
    expect(await verify(token)).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
  })

  test('a link opened three times at once makes one account', async () => {
    const email = newEmail()
    await register(email)
    const token = await verifyToken(email)
    const answers = await Promise.all([verify(token), verify(token), verify(token)])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(2)
  })

  test("redirects a browser's navigation to the login page with the outcome", async () => {
    const email = newEmail()
    await register(email)
    const path = `/api/auth/verify-email?token=${await verifyToken(email)}`
    expect(await navigate(path)).toEqual([302, '/login?verified=true'])
    expect(await navigate(path)).toEqual([302, '/login?verified=false&error=invalid_token'])
    expect(await navigate('/api/auth/verify-email')).toEqual([302, '/login?verified=false&error=missing_token'])
  })

  test('resending answers the same for known and unknown addresses', async () => {
    const { user: known } = await app.signUp()
    const answers = await Promise.all(
      [known.email, newEmail()].map((email) => app.client().request(routes.resendVerification, { body: { email } })),
    )
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, answers[0]?.body],
      [200, answers[0]?.body],
    ])
    await app.mailTo(known.email, 'You already have a Parley account')
    expect(await app.client().request(routes.resendVerification, { body: { email: 'nonsense' } })).toMatchObject({
      status: 400,
    })
  })

  test('after two registrations of one address, the mailed link lets its reader choose the password', async () => {
    const email = newEmail()
    await register(email, 'the-owners-own')
    await register(email, 'the-attackers-own')
    await app.client().request(routes.resendVerification, { body: { email } })
    const token = await resetToken(email)
    const chosen = await app
      .client()
      .request(routes.resetPassword, { body: { token, newPassword: 'chosen-by-the-owner' } })
    expect(chosen.data.user).toMatchObject({ email, creditBalance: '10' })
    expect((await login(app.client(), email, 'the-attackers-own')).status).toBe(401)
    expect(await linksOf(email)).toEqual([])
  })
})

/** Asks with the headers of a browser's navigation; fetch() sets those of a script. */
async function navigate(path: string): Promise<[number | undefined, string | undefined]> {
  const headers = { accept: 'text/html', 'sec-fetch-mode': 'navigate' }
  const response = await new Promise<IncomingMessage>((done, failed) =>
    get(app.url + path, { headers }, done).once('error', failed),
  )
  response.resume()
  return [response.statusCode, response.headers.location]
}

async function linksOf(email: string) {
  return app.context.db.select().from(mailLink).where(eq(mailLink.email, email))
}

/** The token in the mail that belongs to one of several links. */
async function newToken(email: string, linkId = ''): Promise<string> {
  const { text } = await app.mailTo(email, linkId)
  return /\?token=(\S+)/.exec(text)?.[1] ?? ''
}
