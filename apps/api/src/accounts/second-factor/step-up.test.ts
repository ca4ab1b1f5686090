import { accountsRoutes as routes, securityRoutes } from '@parley/contract'
import { createOTP } from '@better-auth/utils/otp'
import { base32 } from '@better-auth/utils/base32'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createTestApp, TEST_PASSWORD, type TestApp } from '../../testing.ts'
import { session } from '../schema.ts'
import { createAuthenticator, mistakesLetThrough, type OpenIdProvider, startOpenIdProvider } from '../testing.ts'

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
const whoIs = (client: Client) => client.request(routes.currentUser)
const login = (client: Client, email: string, password: string) =>
  client.request(routes.login, { body: { email, password } })
const post = (client: Client, path: string, body: unknown) =>
  client.fetch(path, {
    method: 'POST',
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })

async function enterWithGoogle(client: Client, email: string): Promise<void> {
  google.person = { sub: email, email, email_verified: true, name: 'Grace Hopper' }
  const begun = await client.fetch('/api/auth/google')
  const back = await google.visit(begun.headers.get('location') ?? '')
  expect((await client.fetch(back.pathname + back.search)).headers.get('location')).toBe('/dashboard')
}

describe('step-up', () => {
  const PATH = '/api/auth/step-up'
  const age = (userId: string) =>
    app.context.db
      .update(session)
      .set({ steppedUpAt: new Date(0) })
      .where(eq(session.userId, userId))
  const readStepUp = async (client: Client) => (await client.fetch(PATH)).json()
  const createKey = (client: Client, id: string) =>
    client.request(securityRoutes.createApiKey, { params: { id }, body: {} })
  const aged = async () => {
    const person = await app.signUp()
    await age(person.user.id)
    return person
  }

  test('creating a key needs a step-up once the last one has expired, and the password passes it', async () => {
    const { client, user } = await app.signUp()
    expect((await createKey(client, user.id)).status).toBe(201)
    await age(user.id)
    expect(await createKey(client, user.id)).toMatchObject({ status: 403, body: { code: 'step_up_needed' } })
    expect(await readStepUp(client)).toEqual({ ways: ['password'], until: null })
    const wrong = await post(client, PATH, { password: 'not-this-one' })
    expect([wrong.status, await wrong.json()]).toMatchObject([401, { code: 'wrong_credentials' }])
    expect((await createKey(client, user.id)).status).toBe(403)
    expect((await post(client, PATH, { password: TEST_PASSWORD })).status).toBe(200)
    expect((await createKey(client, user.id)).status).toBe(201)
    expect(await readStepUp(client)).toMatchObject({ until: expect.any(String) })
  })

  test('a step-up counts only for the session that passed it', async () => {
    const { client, user } = await app.signUp()
    const thief = app.client()
    await login(thief, user.email, TEST_PASSWORD)
    await age(user.id)
    await post(client, PATH, { password: TEST_PASSWORD })
    expect((await createKey(thief, user.id)).status).toBe(403)
  })

  test('a profile change needs a step-up only when the address changes', async () => {
    const { client, user } = await aged()
    const change = (body: { email: string; fullName: string }) =>
      client.request(routes.changeUser, { params: { id: user.id }, body })
    expect((await change({ email: user.email, fullName: 'Augusta' })).status).toBe(200)
    const refused = await change({ email: newEmail('other'), fullName: 'Mallory' })
    expect(refused).toMatchObject({ status: 403, body: { code: 'step_up_needed' } })
    expect((await whoIs(client)).data).toMatchObject({ fullName: 'Augusta', pendingEmail: null })
  })

  test('step-up guesses share the limit of login attempts', async () => {
    const { client } = await aged()
    const startedAt = performance.now()
    const guesses = Array.from({ length: 20 }, (_, at) => post(client, PATH, { password: `guess ${at}` }))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    const heard = statuses.filter((status) => status === 401).length
    expect(heard).toBeLessThanOrEqual(mistakesLetThrough((performance.now() - startedAt) / 1000))
    expect(statuses.filter((status) => status === 429)).toHaveLength(20 - heard)
  })

  test('a code of the authenticator app passes the step-up', async () => {
    const { client, user } = await app.signUp()
    const params = { id: user.id }
    const { secret } = (await client.request(securityRoutes.setUpSecondFactor, { params })).data
    const otp = createOTP(new TextDecoder().decode(base32.decode(secret)))
    const step = Math.floor(Date.now() / 30_000)
    await client.request(securityRoutes.confirmSecondFactor, { params, body: { code: await otp.hotp(step) } })
    await age(user.id)
    expect((await post(client, PATH, { code: '000000' })).status).toBe(401)
    expect(await readStepUp(client)).toMatchObject({ ways: ['password', 'code'] })
    expect((await post(client, PATH, { code: await otp.hotp(step + 1) })).status).toBe(200)
    expect((await createKey(client, user.id)).status).toBe(201)
  })

  test("a passkey of the account passes the step-up and another account's passkey does not", async () => {
    const [mine, theirs] = [await app.signUp(), await app.signUp()]
    const add = async ({ client, user }: typeof mine) => {
      const device = createAuthenticator('http://localhost:3000')
      const params = { id: user.id }
      const options = (await client.request(securityRoutes.passkeyOptions, { params })).data
      const response = device.create({ challenge: String(options['challenge']) })
      expect((await client.request(securityRoutes.addPasskey, { params, body: { response } })).status).toBe(201)
      return device
    }
    const [own, foreign] = [await add(mine), await add(theirs)]
    await age(mine.user.id)
    const answer = async (device: typeof own) => {
      const options = (await mine.client.request(securityRoutes.passkeySignInOptions)).data
      return post(mine.client, PATH, { passkey: device.get({ challenge: String(options['challenge']) }) })
    }
    expect((await answer(foreign)).status).toBe(400)
    expect((await createKey(mine.client, mine.user.id)).status).toBe(403)
    expect((await answer(own)).status).toBe(200)
    expect((await createKey(mine.client, mine.user.id)).status).toBe(201)
  })

  test('an account without a password passes the step-up once with a mailed code', async () => {
    const client = app.client()
    const email = newEmail('googler')
    await enterWithGoogle(client, email)
    const { id } = (await whoIs(client)).data
    await age(id)
    expect(await readStepUp(client)).toEqual({ ways: ['email'], until: null })
    expect((await post(client, `${PATH}/code`, undefined)).status).toBe(200)
    const { text } = await app.mailTo(email, 'Your code:')
    const code = /Your code: (\d{6})/.exec(text)?.[1] ?? ''
    expect((await post(client, PATH, { emailCode: code === '000000' ? '000001' : '000000' })).status).toBe(401)
    expect((await post(client, PATH, { emailCode: code })).status).toBe(200)
    await age(id)
    expect((await post(client, PATH, { emailCode: code })).status).toBe(400)
    expect((await createKey(client, id)).status).toBe(403)
    await enterWithGoogle(client, email)
    expect((await createKey(client, id)).status).toBe(201)
  })

  test('returns 409 when an account with a password asks for a mailed code', async () => {
    const { client } = await aged()
    expect((await post(client, `${PATH}/code`, undefined)).status).toBe(409)
  })

  test.each([{}, { password: 'a', code: 'b' }])('returns 400 for the proof %j', async (proof) => {
    const { client } = await aged()
    const answer = await post(client, PATH, proof)
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { message: 'Please enter your password or a code.' },
    ])
  })
})
