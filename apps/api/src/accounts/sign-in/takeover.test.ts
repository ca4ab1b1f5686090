import { createHash } from 'node:crypto'
import { accountsRoutes as routes, EMAIL_CODE_TRIES, securityRoutes } from '@parley/contract'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createTestApp, TEST_PASSWORD, type TestApp } from '../../testing.ts'
import { apiKey, emailCode, mailLink, nativeCode, secondFactor, session, user } from '../schema.ts'
import { createAuthenticator, type OpenIdProvider, startOpenIdProvider } from '../testing.ts'

let app: TestApp
let google: OpenIdProvider
let serial = 0

beforeAll(async () => {
  google = await startOpenIdProvider('http://localhost:3000')
  app = await createTestApp({ environment: google.environment })
})
afterAll(async () => {
  await app.close()
  await google.close()
})

const newEmail = (name: string) => `${name}${++serial}@example.org`
const verify = (token: string, client = app.client()) => client.request(routes.verifyEmail, { query: { token } })
const whoIs = (client: Client) => client.request(routes.currentUser)
const login = (client: Client, email: string, password: string, code?: string) =>
  client.request(routes.login, { body: { email, password, ...(code === undefined ? {} : { code }) } })
const post = (client: Client, path: string, body: unknown) =>
  client.fetch(path, {
    method: 'POST',
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })

async function askForEmail(client: Client, id: string, email: string): Promise<string> {
  expect((await client.request(routes.changeUser, { params: { id }, body: { email } })).status).toBe(200)
  return app.tokenFor(email, '/verify-email')
}

async function resetPassword(email: string): Promise<Client> {
  const client = app.client()
  await client.request(routes.forgotPassword, { body: { email } })
  const token = await app.tokenFor(email, '/reset-password')
  expect(
    (await client.request(routes.resetPassword, { body: { token, newPassword: 'chosen-by-the-owner' } })).status,
  ).toBe(200)
  return client
}

async function enterWithGoogle(client: Client, email: string): Promise<void> {
  google.person = { sub: `google-${++serial}`, email, email_verified: true, name: 'Grace Hopper' }
  const begun = await client.fetch('/api/auth/google')
  const back = await google.visit(begun.headers.get('location') ?? '')
  expect((await client.fetch(back.pathname + back.search)).headers.get('location')).toBe('/dashboard')
}

describe('changes begun in a stolen session', () => {
  test.each([
    ['a reset of the password', async (_: Client, __: string, email: string) => void (await resetPassword(email))],
    [
      'the end of all other sessions',
      async (client: Client, id: string) =>
        void (await client.request(securityRoutes.endOtherSessions, { params: { id } })),
    ],
    [
      'the end of that session',
      async (client: Client, id: string) => {
        const listed = (await client.request(securityRoutes.sessions, { params: { id } })).data
        const sessionId = listed.find(({ current }) => !current)!.id
        await client.request(securityRoutes.endSession, { params: { id, sessionId } })
      },
    ],
  ])('are void after %s: address change, authenticator set-up, native sign-in code', async (_, secure) => {
    const { client: owner, user } = await app.signUp()
    const thief = app.client()
    await login(thief, user.email, TEST_PASSWORD)
    const email = newEmail('thief')
    const token = await askForEmail(thief, user.id, email)
    await thief.request(securityRoutes.setUpSecondFactor, { params: { id: user.id } })
    const expiresAt = new Date(Date.now() + 60_000)
    await app.context.db.insert(nativeCode).values({ hash: user.id, userId: user.id, method: 'Google', expiresAt })

    await secure(owner, user.id, user.email)

    expect(await verify(token)).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
    const client = app.client()
    expect((await login(client, email, 'chosen-by-the-owner')).status).toBe(401)
    for (const table of [secondFactor, nativeCode]) {
      expect(await app.context.db.select().from(table).where(eq(table.userId, user.id))).toEqual([])
    }
  })

  test('no address change survives when its session ends during the request', async () => {
    const { client: owner, user } = await app.signUp()
    const thief = app.client()
    await login(thief, user.email, TEST_PASSWORD)
    const email = newEmail('thief')
    const ask = () =>
      thief.request(routes.changeUser, { params: { id: user.id }, body: { email, fullName: 'Mallory' } })
    await Promise.all([
      ask(),
      owner.request(securityRoutes.endOtherSessions, { params: { id: user.id } }),
      ask(),
      ask(),
    ])
    expect(await app.context.db.select().from(mailLink).where(eq(mailLink.userId, user.id))).toEqual([])
  })

  test("a reset voids the account's other reset links", async () => {
    const { user } = await app.signUp()
    await app.client().request(routes.forgotPassword, { body: { email: user.email } })
    const first = await app.tokenFor(user.email, '/reset-password')
    await app.client().request(routes.forgotPassword, { body: { email: user.email } })
    await expect.poll(() => app.context.db.$count(mailLink, eq(mailLink.email, user.email))).toBe(2)
    expect(
      (await app.client().request(routes.resetPassword, { body: { token: first, newPassword: 'good-enough' } })).status,
    ).toBe(200)
    expect(await app.context.db.$count(mailLink, eq(mailLink.email, user.email))).toBe(0)
  })

  test('refuses a passkey whose adding began in another session', async () => {
    const { client, user } = await app.signUp()
    const params = { id: user.id }
    const options = (await client.request(securityRoutes.passkeyOptions, { params })).data
    const next = app.client()
    await login(next, user.email, TEST_PASSWORD)
    next.cookies.set('parley.passkey', client.cookies.get('parley.passkey') ?? '')
    const response = createAuthenticator('http://localhost:3000').create({ challenge: String(options['challenge']) })
    const added = await next.request(securityRoutes.addPasskey, { params, body: { response } })
    expect(added).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
  })

  test('the mail about a reset lists the API keys that stay valid', async () => {
    const { client, user } = await app.signUp()
    const made = await client.request(securityRoutes.createApiKey, {
      params: { id: user.id },
      body: { name: 'Nightly export' },
    })
    await resetPassword(user.email)
    const { text } = await app.mailTo(user.email, 'password was just changed')
    expect(text).toContain(`Nightly export (${made.data.masked})`)
  })
})

describe('a change of the e-mail address', () => {
  const stopTokenIn = async (email: string) => {
    const { text } = await app.mailTo(email, 'asked to move your account')
    return /\?stop=(\S+)/.exec(text)?.[1] ?? ''
  }

  test('the present address gets a mail whose link stops the change, once', async () => {
    const { client, user } = await app.signUp()
    const email = newEmail('new')
    const confirm = await askForEmail(client, user.id, email)
    const { text } = await app.mailTo(user.email, 'asked to move your account')
    expect(text).toContain(email)
    const token = await stopTokenIn(user.email)
    expect((await post(app.client(), '/api/auth/stop-email-change', { token: `${token}x` })).status).toBe(400)
    expect((await post(app.client(), '/api/auth/stop-email-change', { token: confirm })).status).toBe(400)
    expect((await verify(token)).status).toBe(400)
    expect((await post(app.client(), '/api/auth/stop-email-change', { token })).status).toBe(200)
    expect((await verify(confirm)).status).toBe(400)
    expect((await whoIs(client)).data).toMatchObject({ email: user.email, pendingEmail: null })
    expect((await post(app.client(), '/api/auth/stop-email-change', { token })).status).toBe(400)
  })

  test('stopping with endSessions ends every session and mails a reset link', async () => {
    const { client, user } = await app.signUp()
    await askForEmail(client, user.id, newEmail('new'))
    const token = await stopTokenIn(user.email)
    expect((await post(app.client(), '/api/auth/stop-email-change', { token, endSessions: true })).status).toBe(200)
    expect((await whoIs(client)).status).toBe(401)
    await app.tokenFor(user.email, '/reset-password')
  })

  test('a pending change is shown, can be mailed again and can be withdrawn', async () => {
    const { client, user } = await app.signUp()
    const email = newEmail('new')
    const params = { id: user.id }
    const changed = await client.request(routes.changeUser, { params, body: { email, companyName: 'Engines' } })
    expect(changed.data).toMatchObject({ email: user.email, pendingEmail: email, companyName: 'Engines' })
    expect((await whoIs(client)).data.pendingEmail).toBe(email)
    const first = await app.mailTo(email, 'Verify your new email address')
    const again = await post(client, `/api/user/${user.id}/email-change/resend`, undefined)
    expect([again.status, await again.json()]).toMatchObject([200, { pendingEmail: email }])
    await expect
      .poll(
        async () => (await outbox()).filter(({ to, subject }) => to === email && subject === first.subject).length,
        { timeout: 40_000 },
      )
      .toBe(2)
    const given = await client.fetch(`/api/user/${user.id}/email-change`, { method: 'DELETE' })
    expect([given.status, await given.json()]).toMatchObject([200, { email: user.email, pendingEmail: null }])
    expect((await verify(/\?token=(\S+)/.exec(first.text)?.[1] ?? '')).status).toBe(400)
    expect((await post(client, `/api/user/${user.id}/email-change/resend`, undefined)).status).toBe(409)
  })

  test('a change to a registered address stays pending and mails its owner', async () => {
    const [{ client, user }, { user: other }] = [await app.signUp(), await app.signUp()]
    const changed = await client.request(routes.changeUser, { params: { id: user.id }, body: { email: other.email } })
    await app.mailTo(other.email, 'You already have a Parley account')
    expect((await whoIs(client)).data.pendingEmail).toBe(other.email)
    expect(changed.data.email).toBe(user.email)
  })

  test('returns 429 for the sixth change', async () => {
    const { client, user } = await app.signUp()
    const ask = () => client.request(routes.changeUser, { params: { id: user.id }, body: { email: newEmail('new') } })
    for (let at = 0; at < 5; at++) expect((await ask()).status).toBe(200)
    const refused = await ask()
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('an address registered by another person and verified by its owner', () => {
  const STRANGERS = 'the-strangers-own'

  /** The owner of the address clicks the mail of the stranger's registration. */
  async function registerForVictim(): Promise<{ email: string; victim: Client; stranger: Client }> {
    const email = newEmail('victim')
    const [victim, stranger] = [app.client(), app.client()]
    await stranger.request(routes.register, { body: { email, fullName: 'Mallory', password: STRANGERS } })
    expect((await verify(await app.tokenFor(email, '/verify-email'), victim)).status).toBe(200)
    return { email, victim, stranger }
  }
  const codeIn = async (email: string, not?: string) => {
    const mails = (await outbox()).filter(
      ({ to, text }) => to === email && text.includes('Your code:') && (!not || !text.includes(not)),
    )
    return /Your code: (\d{6})/.exec(mails[0]?.text ?? '')?.[1]
  }
  const mailedCode = async (email: string, not?: string) => {
    await expect.poll(() => codeIn(email, not), { timeout: 40_000 }).toMatch(/^\d{6}$/)
    return (await codeIn(email, not)) ?? ''
  }
  const otherThan = (code: string) => (code === '000000' ? '000001' : '000000')

  test('login in a browser that did not open the link needs a mailed code', async () => {
    const { email, victim, stranger } = await registerForVictim()
    const refused = await login(stranger, email, STRANGERS)
    expect(refused).toMatchObject({ status: 403, body: { code: 'email_code_needed' } })
    expect((await whoIs(stranger)).status).toBe(401)
    expect((await whoIs(victim)).status).toBe(401)
    const code = await mailedCode(email)
    expect(await login(stranger, email, STRANGERS, otherThan(code))).toMatchObject({
      status: 401,
      body: { code: 'wrong_code' },
    })
    expect((await login(app.client(), email, 'not-the-password', code)).status).toBe(401)
  })

  test('the browser that opened the link logs in by password alone, and then every browser does', async () => {
    const { email, victim } = await registerForVictim()
    const cookie = victim.cookies.get('parley.verified') ?? ''
    expect(cookie).not.toBe('')
    expect((await login(victim, email, STRANGERS)).status).toBe(200)
    expect(victim.cookies.has('parley.verified')).toBe(false)
    expect((await login(app.client(), email, STRANGERS)).status).toBe(200)
  })

  test('the verified-cookie of another account does not replace the code', async () => {
    const [one, two] = [await registerForVictim(), await registerForVictim()]
    two.stranger.cookies.set('parley.verified', one.victim.cookies.get('parley.verified') ?? '')
    expect((await login(two.stranger, two.email, STRANGERS)).status).toBe(403)
    two.stranger.cookies.set('parley.verified', 'planted')
    expect((await login(two.stranger, two.email, STRANGERS)).status).toBe(403)
  })

  test('the mailed code logs in the browser that registered, and later logins need no code', async () => {
    const { email, stranger: desk } = await registerForVictim()
    await login(desk, email, STRANGERS)
    const code = await mailedCode(email)
    expect((await login(desk, email, STRANGERS, ` ${code.slice(0, 3)} ${code.slice(3)} `)).status).toBe(200)
    expect((await login(app.client(), email, STRANGERS)).status).toBe(200)
  })

  test(`a code allows ${EMAIL_CODE_TRIES} tries, and an account gets five codes a day`, async () => {
    const { email, stranger } = await registerForVictim()
    await login(stranger, email, STRANGERS)
    const code = await mailedCode(email)
    const userId = await idOf(email)
    const tries = await Promise.all(
      Array.from({ length: EMAIL_CODE_TRIES }, () => login(app.client(), email, STRANGERS, otherThan(code))),
    )
    expect(tries.filter(({ status }) => status === 401).length).toBeGreaterThan(0)
    await app.context.db.update(emailCode).set({ tries: EMAIL_CODE_TRIES }).where(eq(emailCode.userId, userId))
    await forgiveAttempts()
    const late = await login(stranger, email, STRANGERS, code)
    expect(late).toMatchObject({ status: 403, body: { code: 'email_code_needed' } })
    const next = await mailedCode(email, code)
    expect(next).not.toBe(code)
    await app.context.db
      .update(emailCode)
      .set({ mails: 5, expiresAt: new Date(0) })
      .where(eq(emailCode.userId, userId))
    await forgiveAttempts()
    expect(await login(stranger, email, STRANGERS)).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  })

  test('refuses an expired code', async () => {
    const { email, stranger } = await registerForVictim()
    await login(stranger, email, STRANGERS)
    const code = await mailedCode(email)
    await app.context.db.update(emailCode).set({ expiresAt: new Date(0) })
    expect(await login(stranger, email, STRANGERS, code)).toMatchObject({
      status: 403,
      body: { code: 'email_code_needed' },
    })
  })

  test.each([
    ['Google', async (email: string) => enterWithGoogle(app.client(), email)],
    ['a reset', async (email: string) => void (await resetPassword(email))],
  ])('entry by %s voids the earlier password, code, sessions and API keys', async (_, enter) => {
    const { email, victim, stranger } = await registerForVictim()
    await login(stranger, email, STRANGERS)
    const code = await mailedCode(email)
    const userId = await idOf(email)
    await app.context.db
      .insert(session)
      .values({ id: email, userId, token: email, expiresAt: new Date(Date.now() + 60_000) })
    const hash = createHash('sha256').update(email).digest('base64url')
    await app.context.db.insert(apiKey).values({ id: email, userId, name: 'Robot', hash, masked: '', scopes: ['read'] })

    await enter(email)

    for (const client of [stranger, victim]) {
      expect(await login(client, email, STRANGERS, code)).toMatchObject({
        status: 401,
        body: { code: 'wrong_credentials' },
      })
    }
    expect(await app.context.db.select().from(session).where(eq(session.id, email))).toEqual([])
    expect(await app.context.db.$count(apiKey, eq(apiKey.userId, userId))).toBe(0)
  })

  test('of two registrations the verified one sets the password', async () => {
    const email = newEmail('twice')
    await app.client().request(routes.register, { body: { email, fullName: 'Mallory', password: STRANGERS } })
    await app.tokenFor(email, '/verify-email')
    const [first] = await app.context.db.select().from(mailLink).where(eq(mailLink.email, email))
    const owner = app.client()
    await owner.request(routes.register, { body: { email, fullName: 'Grace', password: TEST_PASSWORD } })
    const second = async () =>
      (await app.context.db.select().from(mailLink).where(eq(mailLink.email, email))).find(({ id }) => id !== first?.id)
    const { text } = await app.mailTo(email, (await second())?.id ?? '-')
    expect((await verify(/\?token=(\S+)/.exec(text)?.[1] ?? '', owner)).status).toBe(200)
    expect((await login(app.client(), email, STRANGERS)).status).toBe(401)
    expect((await login(owner, email, TEST_PASSWORD)).status).toBe(200)
  })

  async function idOf(email: string): Promise<string> {
    const [found] = await app.context.db.select().from(user).where(eq(user.email, email))
    return found?.id ?? ''
  }
})

async function outbox() {
  const { mailer } = app.context
  return mailer.kind === 'outbox' ? mailer.list() : []
}

async function forgiveAttempts(): Promise<void> {
  await app.context.db.execute('delete from sign_in_attempt')
}
