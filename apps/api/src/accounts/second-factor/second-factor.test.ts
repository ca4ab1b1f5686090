import { createHmac } from 'node:crypto'
import { accountsRoutes, RECOVERY_CODES, securityRoutes as routes } from '@parley/contract'
import { createOTP } from '@better-auth/utils/otp'
import { base32 } from '@better-auth/utils/base32'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Client, createTestApp, TEST_PASSWORD, type TestApp } from '../../testing.ts'
import { recoveryCode, secondFactor } from '../schema.ts'
import { mistakesLetThrough } from '../testing.ts'

let app: TestApp

beforeAll(async () => {
  app = await createTestApp()
})
afterEach(() => void vi.restoreAllMocks())
afterAll(() => app.close())

const whoIs = (client: Client) => client.request(accountsRoutes.currentUser)
const login = (client: Client, email: string, more: { code?: string } = {}) =>
  client.request(accountsRoutes.login, { body: { email, password: TEST_PASSWORD, ...more } })
const activityOf = async (client: Client, id: string) =>
  (await client.request(routes.securityActivity, { params: { id } })).data.map(({ kind, detail }) => [kind, detail])

describe('the second factor', () => {
  const codeNow = (secret: string, stepsAway = 0) =>
    createOTP(new TextDecoder().decode(base32.decode(secret))).hotp(Math.floor(Date.now() / 30_000) + stepsAway)

  /** Signed in, with an authenticator app; the step of its last code is forgotten, as if 30 seconds had gone. */
  async function withFactor() {
    const { client, user } = await app.signUp()
    const params = { id: user.id }
    const { secret, uri } = (await client.request(routes.setUpSecondFactor, { params })).data
    const { recoveryCodes } = (
      await client.request(routes.confirmSecondFactor, { params, body: { code: await codeNow(secret) } })
    ).data
    const nextStep = () =>
      app.context.db.update(secondFactor).set({ lastStep: null }).where(eq(secondFactor.userId, user.id))
    await nextStep()
    return { client, user, params, secret, uri, recoveryCodes, nextStep }
  }

  test('login needs a code after the password once the factor is confirmed', async () => {
    const { user, secret, uri, recoveryCodes } = await withFactor()
    expect(uri).toMatch(/^otpauth:\/\/totp\/Parley:/)
    expect(recoveryCodes).toHaveLength(RECOVERY_CODES)
    const visitor = app.client()
    expect(await login(visitor, user.email)).toMatchObject({ status: 401, body: { code: 'second_factor_required' } })
    expect(await login(visitor, user.email, { code: '000000' })).toMatchObject({
      status: 401,
      body: { code: 'wrong_code', field: 'code' },
    })
    expect((await whoIs(visitor)).status).toBe(401)
    expect((await login(visitor, user.email, { code: await codeNow(secret) })).status).toBe(200)
    expect((await whoIs(visitor)).data.id).toBe(user.id)
  })

  test('a wrong password gets wrong_credentials, with or without a second factor', async () => {
    const { user } = await withFactor()
    const answer = await app
      .client()
      .request(accountsRoutes.login, { body: { email: user.email, password: 'not-this-one', code: '000000' } })
    expect(answer).toMatchObject({ status: 401, body: { code: 'wrong_credentials' } })
  })

  test('a code works once, also in three logins at once', async () => {
    const { user, secret } = await withFactor()
    const code = await codeNow(secret)
    const answers = await Promise.all([1, 2, 3].map(() => login(app.client(), user.email, { code })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('refuses a code three steps old and accepts one a step old', async () => {
    const { user, secret, nextStep } = await withFactor()
    // A real clock could enter the next step between the two logins.
    vi.spyOn(Date, 'now').mockReturnValue(Date.now())
    expect((await login(app.client(), user.email, { code: await codeNow(secret, -3) })).status).toBe(401)
    expect((await login(app.client(), user.email, { code: await codeNow(secret, -1) })).status).toBe(200)
    await nextStep()
  })

  test('a recovery code works once, in lower case and with a space for the dash', async () => {
    const { client, user, params, recoveryCodes } = await withFactor()
    const code = ` ${recoveryCodes[0]!.toLowerCase().replace('-', ' ')}`
    expect((await login(app.client(), user.email, { code })).status).toBe(200)
    expect((await login(app.client(), user.email, { code })).status).toBe(401)
    expect((await client.request(routes.secondFactor, { params })).data).toEqual({
      enabled: true,
      recoveryCodesLeft: RECOVERY_CODES - 1,
    })
    expect(await activityOf(client, user.id)).toContainEqual(['recovery_code_used', null])
  })

  test('renewing recovery codes needs a code and voids the old ones', async () => {
    const { client, user, params, secret, recoveryCodes } = await withFactor()
    expect((await client.request(routes.renewRecoveryCodes, { params, body: { code: 'wrong' } })).status).toBe(401)
    const renewed = await client.request(routes.renewRecoveryCodes, { params, body: { code: await codeNow(secret) } })
    expect(renewed.data.recoveryCodes).not.toContain(recoveryCodes[0])
    expect((await login(app.client(), user.email, { code: recoveryCodes[0]! })).status).toBe(401)
  })

  test('disabling needs a code, and a new set-up gets a new secret', async () => {
    const { client, user, params, secret } = await withFactor()
    expect(await client.request(routes.setUpSecondFactor, { params })).toMatchObject({ status: 409 })
    expect((await client.request(routes.disableSecondFactor, { params, body: { code: '123456' } })).status).toBe(401)
    const off = await client.request(routes.disableSecondFactor, { params, body: { code: await codeNow(secret) } })
    expect(off.data).toEqual({ enabled: false, recoveryCodesLeft: 0 })
    expect((await login(app.client(), user.email)).status).toBe(200)
    expect((await client.request(routes.setUpSecondFactor, { params })).data.secret).not.toBe(secret)
  })

  test('a password reset gives no session while the second factor is on', async () => {
    const { user } = await withFactor()
    await app.client().request(accountsRoutes.forgotPassword, { body: { email: user.email } })
    const token = await app.tokenFor(user.email, '/reset-password')
    const visitor = app.client()
    const reset = await visitor.request(accountsRoutes.resetPassword, {
      body: { token, newPassword: 'a-new-one-of-herons' },
    })
    expect([reset.status, reset.data.user]).toEqual([200, undefined])
    expect((await whoIs(visitor)).status).toBe(401)
  })

  test('returns 429 for guesses beyond the limit of attempts', async () => {
    const { user } = await withFactor()
    const answers: number[] = []
    const startedAt = performance.now()
    const guess = async () => (await login(app.client(), user.email, { code: String(100_000 + answers.length) })).status
    for (let guesses = 0; guesses < 12; guesses++) answers.push(await guess())
    const tried = answers.filter((status) => status === 401).length
    expect(tried).toBeLessThanOrEqual(mistakesLetThrough((performance.now() - startedAt) / 1000))
    expect(answers.filter((status) => status === 429).length).toBe(12 - tried)
  })

  test('the database keeps the secret encrypted', async () => {
    const { user, secret } = await withFactor()
    const [row] = await app.context.db.select().from(secondFactor).where(eq(secondFactor.userId, user.id))
    expect(row?.secret).not.toContain(new TextDecoder().decode(base32.decode(secret)))
  })

  test('the database keeps recovery codes as keyed hashes only', async () => {
    const { user, recoveryCodes } = await withFactor()
    const rows = await app.context.db.select().from(recoveryCode).where(eq(recoveryCode.userId, user.id))
    expect(rows).toHaveLength(RECOVERY_CODES)
    for (const code of recoveryCodes) {
      const typed = code.replace('-', '')
      const [{ secret }] = app.context.config.authKeys
      const hash = createHmac('sha256', secret).update(`recovery:${user.id}:${typed}`).digest('base64url')
      expect(rows.map((row) => row.hash)).toContain(hash)
    }
  })
})
