import { accountsRoutes as routes } from '@parley/contract'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createTestApp, TEST_PASSWORD, type TestApp } from '../testing.ts'
import { mailLink, session } from './schema.ts'

let app: TestApp
let serial = 0

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const newEmail = (name = 'grace') => `${name}${++serial}@example.org`
const verifyToken = (email: string) => app.tokenFor(email, '/verify-email')
const resetToken = (email: string) => app.tokenFor(email, '/reset-password')
const verify = (token: string, client = app.client()) => client.request(routes.verifyEmail, { query: { token } })
const login = (client: Client, email: string, password = TEST_PASSWORD) =>
  client.request(routes.login, { body: { email, password } })
const whoIs = (client: Client) => client.request(routes.currentUser)

async function register(email: string, password = TEST_PASSWORD, fullName = 'Grace Hopper') {
  return app.client().request(routes.register, { body: { email, fullName, password } })
}

async function expire(email: string): Promise<void> {
  await app.context.db
    .update(mailLink)
    .set({ expiresAt: new Date(Date.now() - 1000) })
    .where(eq(mailLink.email, email))
}

describe('registration, login and logout', () => {
  // screens.md: goes-through-mailed-link
  test('the mailed link verifies the address; login works after it and the account has 10 credits', async () => {
    const email = newEmail()
    const registered = await app
      .client()
      .request(routes.register, { body: { name: 'Grace Hopper', email: email.toUpperCase(), password: TEST_PASSWORD } })
    expect([registered.status, registered.data]).toEqual([
      201,
      { message: 'Please check your email to verify your account.' },
    ])

    const client = app.client()
    expect(await login(client, email)).toMatchObject({ status: 403, body: { code: 'email_not_verified' } })
    expect(await login(client, email, 'not-this-one')).toMatchObject({
      status: 401,
      body: { code: 'wrong_credentials' },
    })
    expect(await verify(await verifyToken(email), client)).toMatchObject({
      status: 200,
      body: { verified: true, email },
    })

    const signedIn = await login(client, ` ${email.toUpperCase()} `)
    expect(signedIn.data.user).toMatchObject({
      fullName: 'Grace Hopper',
      name: 'Grace Hopper',
      firstName: 'Grace',
      email,
      creditBalance: '10',
      emailVerified: true,
    })
    const cookie = signedIn.headers.getSetCookie().find((each) => each.startsWith('parley.session_token=')) ?? ''
    expect(cookie).toMatch(/^parley\.session_token=/)
    expect(cookie).toMatch(/HttpOnly/i)
    expect(cookie).toMatch(/SameSite=Lax/i)
    expect(cookie).not.toMatch(/Secure/i)
    expect((await whoIs(client)).data.email).toBe(email)

    const copy = client.cookieHeader()
    const out = await client.request(routes.logout)
    expect([out.status, out.headers.get('location')]).toEqual([302, '/'])
    expect(client.cookies.size).toBe(0)
    const stale = await app.client().request(routes.currentUser, { headers: { cookie: copy } })
    expect(stale).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
  })

  test('the verification mail has the link in text and HTML and escapes markup in the name', async () => {
    const email = newEmail()
    await register(email, TEST_PASSWORD, '<b>Bobby</b> Tables')
    const { html, text } = await app.mailTo(email, 'Verify')
    const token = await verifyToken(email)
    expect(text).toContain(`http://localhost:3000/verify-email?token=${token}`)
    expect(html).toContain(`href="http://localhost:3000/verify-email?token=${token}"`)
    expect(html).toContain('Hello &lt;b&gt;Bobby&lt;/b&gt;,')
  })

  test('the session cookie keeps its name and is Secure when PUBLIC_URL is https', async () => {
    const secure = await createTestApp({ environment: { PUBLIC_URL: 'https://parley.example' } })
    const email = newEmail()
    await secure.context.accounts.addPerson({ fullName: 'Grace', email, password: TEST_PASSWORD })
    const { headers } = await login(secure.client(), email)
    expect(headers.getSetCookie()[0]).toMatch(/^parley\.session_token=.*; Secure/)
    expect(headers.get('strict-transport-security')).toContain('max-age=')
    await secure.close()
  })
})

describe('a forgotten password', () => {
  test('the mailed link sets a new password once and ends every session', async () => {
    const { client: elsewhere, user: person } = await app.signUp()
    await app.client().request(routes.forgotPassword, { body: { email: person.email } })
    const token = await resetToken(person.email)
    const here = app.client()
    const reset = await here.request(routes.resetPassword, { body: { token, newPassword: 'sixsix' } })
    expect(reset.data.user?.id).toBe(person.id)
    expect((await whoIs(here)).data.id).toBe(person.id)
    expect((await whoIs(elsewhere)).status).toBe(401)
    expect((await login(app.client(), person.email)).status).toBe(401)
    expect((await login(app.client(), person.email, 'sixsix')).status).toBe(200)
    await app.mailTo(person.email, 'Your Parley password was changed')
    const again = await app.client().request(routes.resetPassword, { body: { token, newPassword: 'seven77' } })
    expect(again).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
  })

  test('a weak new password is refused and leaves the link usable', async () => {
    const { user: person } = await app.signUp()
    await app.client().request(routes.forgotPassword, { body: { email: person.email } })
    const token = await resetToken(person.email)
    const reset = (newPassword: string) => app.client().request(routes.resetPassword, { body: { token, newPassword } })
    const tooShort = { code: 'weak_password', message: 'Password must be at least 6 characters long' }
    expect(await reset('five5')).toMatchObject({ status: 400, body: tooShort })
    expect(await reset('123456')).toMatchObject({ status: 400, body: { code: 'weak_password' } })
    await expire(person.email)
    expect(await reset('good-enough')).toMatchObject({ status: 400, body: { code: 'expired_token' } })
  })

  test('refuses the token of a verification link as a reset token', async () => {
    const email = newEmail()
    await register(email)
    const token = await verifyToken(email)
    const answer = await app.client().request(routes.resetPassword, { body: { token, newPassword: 'good-enough' } })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
  })

  test('answers the same for a known and an unknown address', async () => {
    const { user: known } = await app.signUp()
    const ask = (email: string) => app.client().request(routes.forgotPassword, { body: { email } })
    const [first, second] = [await ask(known.email), await ask(newEmail())]
    expect([first.status, first.body]).toEqual([second.status, second.body])
  })
})

describe('sessions', () => {
  test('a second login in a browser makes a new session and ends the old one', async () => {
    const { client, user: person } = await app.signUp()
    const before = client.cookieHeader()
    await login(client, person.email)
    expect(client.cookieHeader()).not.toBe(before)
    const old = await app.client().request(routes.currentUser, { headers: { cookie: before } })
    expect(old.status).toBe(401)
    expect((await whoIs(client)).status).toBe(200)
  })

  test('returns 401 for a planted, forged or expired cookie', async () => {
    const { client, user: person } = await app.signUp()
    const [token = ''] = (client.cookies.get('parley.session_token') ?? '').split('.')
    for (const cookie of [
      'parley.session_token=planted',
      `parley.session_token=${token}`,
      `parley.session_token=${token}.c2lnbmF0dXJl`,
    ]) {
      expect((await app.client().request(routes.currentUser, { headers: { cookie } })).status).toBe(401)
    }
    await app.context.db
      .update(session)
      .set({ expiresAt: new Date(0) })
      .where(eq(session.userId, person.id))
    expect((await whoIs(client)).status).toBe(401)
  })

  test('refuses a write with a session cookie from a foreign origin', async () => {
    const { client, user: person } = await app.signUp()
    const change = {
      params: { id: person.id },
      body: { fullName: 'Mallory' },
      headers: { origin: 'https://evil.example' },
    }
    expect(await client.request(routes.changeUser, change)).toMatchObject({
      status: 403,
      body: { code: 'foreign_origin' },
    })
    expect((await whoIs(client)).data.fullName).toBe('Ada Lovelace')
  })
})

describe('Google and Apple sign-in', () => {
  test('both answer with their specified refusals when no keys are configured', async () => {
    const google = await app.client().request(routes.google)
    expect([google.status, google.headers.get('location')]).toEqual([
      302,
      '/?auth=error&message=oauth_temporarily_unavailable',
    ])
    const apple = await app.client().request(routes.apple, { body: { identityToken: 'x', authorizationCode: 'y' } })
    expect(apple).toMatchObject({ status: 501, body: { code: 'switched_off' } })
    const posted = {
      method: 'POST',
      headers: { origin: 'https://appleid.apple.com' },
      body: new URLSearchParams({ id_token: 'x' }),
    }
    const callback = await app.client().fetch('/api/auth/apple/callback', posted)
    expect(callback.headers.get('location')).toBe('/?auth=error&message=switched_off')
    const page = await app.client().request(routes.loginPage)
    expect([page.status, page.headers.get('location')]).toEqual([302, '/login'])
  })
})

describe('profile', () => {
  test('a change keeps the fields left out and clears the empty ones', async () => {
    const { client, user: person } = await app.signUp()
    const params = { id: person.id }
    const body = {
      fullName: 'Augusta Ada King',
      phone: '+44 20 7946 0000',
      companyName: 'Engines',
      timezone: 'Europe/London',
    } as const
    expect((await client.request(routes.changeUser, { params, body })).data).toMatchObject({
      ...body,
      firstName: 'Augusta',
    })
    const cleared = await client.request(routes.changeUser, { params, body: { phone: '' } })
    expect(cleared.data).toMatchObject({ phone: null, companyName: 'Engines' })
    const put = await client.fetch(`/api/user/${person.id}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{"companyName":null}',
    })
    expect(await put.json()).toMatchObject({ companyName: null, fullName: 'Augusta Ada King' })
  })

  test('a new address takes effect when its link is used, and the old address gets a mail', async () => {
    const { client, user: person } = await app.signUp()
    const email = newEmail('ada')
    const changed = await client.request(routes.changeUser, { params: { id: person.id }, body: { email } })
    expect(changed.data.email).toBe(person.email)
    expect((await verify(await verifyToken(email))).status).toBe(200)
    expect((await whoIs(client)).data.email).toBe(email)
    await app.mailTo(person.email, 'was changed')
    expect((await login(app.client(), email)).status).toBe(200)
    expect((await login(app.client(), person.email)).status).toBe(401)
  })

  test('a change to a registered address mails its owner and changes nothing', async () => {
    const [{ client, user: person }, { user: other }] = [await app.signUp(), await app.signUp()]
    await client.request(routes.changeUser, { params: { id: person.id }, body: { email: other.email } })
    const { text } = await app.mailTo(other.email, 'You already have a Parley account')
    expect(text).not.toContain('token=')
    expect((await whoIs(client)).data.email).toBe(person.email)
  })

  test("returns 404 for another user's profile and settings", async () => {
    const [{ client }, { user: other }] = [await app.signUp(), await app.signUp()]
    const params = { id: other.id }
    const answers = [
      await client.request(routes.getUser, { params }),
      await client.request(routes.changeUser, { params, body: { fullName: 'Mallory' } }),
      await client.request(routes.getSettings, { params }),
      await client.request(routes.changeSettings, { params, body: { recordCalls: true } }),
    ]
    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})

describe('settings', () => {
  test('settings start with the defaults, keep changes and refuse a duration of 31 minutes', async () => {
    const { client, user: person } = await app.signUp()
    const params = { id: person.id }
    const defaults = (await client.request(routes.getSettings, { params })).data
    expect(defaults).toMatchObject({
      defaultTone: 'professional',
      defaultMaxDurationMinutes: 10,
      recordCalls: false,
      webhookUrl: null,
    })
    const body = {
      defaultMaxDurationMinutes: 30,
      webhookUrl: 'https://hooks.example.org/parley',
      autoDetectLanguage: false,
    }
    expect((await client.request(routes.changeSettings, { params, body })).data).toEqual({ ...defaults, ...body })
    const cleared = await client.request(routes.changeSettings, { params, body: { webhookUrl: '' } })
    expect(cleared.data).toEqual({ ...defaults, ...body, webhookUrl: null })
    const tooLong = await client.request(routes.changeSettings, { params, body: { defaultMaxDurationMinutes: 31 } })
    expect(tooLong).toMatchObject({ status: 400, body: { code: 'invalid_input', field: 'defaultMaxDurationMinutes' } })
    expect((await client.request(routes.changeSettings, { params, body: {} })).status).toBe(200)
  })
})
