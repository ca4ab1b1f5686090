import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { base32 } from '@better-auth/utils/base32'
import { createOTP } from '@better-auth/utils/otp'
import { accountsRoutes, callsRoutes, noticesRoutes, securityRoutes } from '@parley/contract'
import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { secondFactor, user as people } from './accounts/testing.ts'
import { Script, type StandInVoice, startStandInVoice } from './calls/testing.ts'
import { addDoNotCall, whoMustNotBeCalled } from './consent/index.ts'
import { startReceiver } from './notices/testing.ts'
import { type Database, withTx } from './platform/db.ts'
import { testDatabase } from './platform/testing.ts'
import { type Client, createTestApp, PATIENTLY, TEST_PASSWORD, type TestApp } from './testing.ts'

// A product whose secrets are rotated between its runs. The voice service is told of the new one last. It takes long
// because each step of a rotation is a start of the whole api.

const AUTH = { old: 'Zq3vT0bW8nXk5yHs2LmP9dRgC7fJ4aUe', present: 'k1Gd7YwQ0zRb5NxV3hTs9McJ6pLf2EaU' }
/** The stand-in of the voice service knows this one alone. */
const VOICE_OLD = 'v'.repeat(32)
const VOICE_NEW = 'Tn5rM8uB1qKe7ZxC0gVd4WyH6jSa3PfL'

const BEFORE = { AUTH_SECRET: AUTH.old, VOICE_SECRET: VOICE_OLD }
const DURING = {
  AUTH_SECRET: `2:${AUTH.present},1:${AUTH.old}`,
  VOICE_SECRET: `2:${VOICE_NEW},1:${VOICE_OLD}`,
}
/** Nothing of this api is signed or sealed with the old secret any more. */
const AFTER = { AUTH_SECRET: `2:${AUTH.present}`, VOICE_SECRET: DURING.VOICE_SECRET }

let database: Database
let dataDir: string
let voice: StandInVoice
let receiver: Awaited<ReturnType<typeof startReceiver>>
let app: TestApp

async function start(secrets: Readonly<Record<string, string>>): Promise<void> {
  const data = { DATABASE_URL: database.url, DATA_DIR: dataDir }
  app = await createTestApp({ environment: { ...data, VOICE_URL: voice.url, CALLING_HOURS: 'off', ...secrets } })
}

async function restart(secrets: Readonly<Record<string, string>>): Promise<void> {
  await app.close()
  await start(secrets)
}

beforeAll(async () => {
  database = await testDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'parley-rotation-'))
  voice = await startStandInVoice()
  receiver = await startReceiver()
})
afterEach(() => app.close())
afterAll(async () => {
  await voice.close()
  await receiver.close()
  await database.close()
  await rm(dataDir, { recursive: true, force: true })
})

const codeNow = (secret: string) =>
  createOTP(new TextDecoder().decode(base32.decode(secret))).hotp(Math.floor(Date.now() / 30_000))
/** As if 30 seconds had gone since the last code. */
const nextStep = () => app.context.db.update(secondFactor).set({ lastStep: null })

/** The browser of somebody who was there before a restart. */
function again(before: Client): Client {
  const client = app.client()
  for (const [name, value] of before.cookies) client.cookies.set(name, value)
  return client
}
const whoIs = (client: Client) => client.request(accountsRoutes.currentUser)
const login = (email: string, code?: string, client = app.client()) =>
  client.request(accountsRoutes.login, {
    body: { email, password: TEST_PASSWORD, ...(code === undefined ? {} : { code }) },
  })

async function withFactor() {
  const person = await app.signUp()
  const params = { id: person.user.id }
  const { secret } = (await person.client.request(securityRoutes.setUpSecondFactor, { params })).data
  const body = { code: await codeNow(secret) }
  const { recoveryCodes } = (await person.client.request(securityRoutes.confirmSecondFactor, { params, body })).data
  await nextStep()
  return { ...person, params, secret, recoveryCodes }
}

const sealedOf = async (userId: string) =>
  (await app.context.db.select().from(secondFactor).where(eq(secondFactor.userId, userId)))[0]?.secret

describe('rotating AUTH_SECRET', () => {
  test('signs nobody out and loses no second factor, recovery code or key', async () => {
    await start(BEFORE)
    const [ada, idle, away] = [await withFactor(), await withFactor(), await app.signUp()]
    const { params } = ada
    const { key } = (await ada.client.request(securityRoutes.createApiKey, { params, body: {} })).data
    const byKey = () => fetch(`${app.url}/api/auth/user`, { headers: { authorization: `Bearer ${key}` } })

    await restart(DURING)
    const adas = again(ada.client)
    expect((await whoIs(adas)).data.id).toBe(ada.user.id)
    expect(adas.cookies.get('parley.session_token')).not.toBe(ada.client.cookies.get('parley.session_token'))
    expect((await whoIs(again(idle.client))).data.id).toBe(idle.user.id)
    expect((await byKey()).status).toBe(200)
    expect((await login(ada.user.email, await codeNow(ada.secret))).status).toBe(200)
    expect(await sealedOf(ada.user.id)).toMatch(/^\$ba\$2\$/)
    expect((await login(ada.user.email, ada.recoveryCodes[0])).status).toBe(200)
    // What nobody uses is sealed anew by the repeated task.
    await app.context.db.execute(sql`update repeated_task set next_run_at = now() where name = 'accounts.keys'`)
    await vi.waitFor(async () => expect(await sealedOf(idle.user.id)).toMatch(/^\$ba\$2\$/), PATIENTLY)

    await restart(AFTER)
    await nextStep()
    expect((await whoIs(again(adas))).data.id).toBe(ada.user.id)
    expect((await byKey()).status).toBe(200)
    for (const { user, secret, recoveryCodes } of [ada, idle]) {
      expect((await login(user.email, await codeNow(secret))).status).toBe(200)
      expect((await login(user.email, recoveryCodes[1])).status).toBe(200)
      expect((await login(user.email, recoveryCodes[1])).body).toMatchObject({ code: 'wrong_code' })
    }
    // Whoever was not there in between signs in again: this cookie stands under the old secret.
    expect((await whoIs(again(away.client))).status).toBe(401)
    expect((await login(away.user.email)).status).toBe(200)
  })

  test('keeps mailed links, codes and what a browser has proved, until the old secret leaves the list', async () => {
    await start(BEFORE)
    const [visitor, email] = [app.client(), 'rotated@example.com']
    const register = (address: string) =>
      app.client().request(accountsRoutes.register, {
        body: { email: address, fullName: 'Grace Hopper', password: TEST_PASSWORD },
      })
    for (const address of [email, 'mailed@example.com', 'late@example.com']) await register(address)
    const [proven, mailed, late] = [
      await app.tokenFor(email, '/verify-email'),
      await app.tokenFor('mailed@example.com', '/verify-email'),
      await app.tokenFor('late@example.com', '/verify-email'),
    ]
    expect((await visitor.request(accountsRoutes.verifyEmail, { query: { token: proven } })).status).toBe(200)

    await restart(DURING)
    expect((await login(email, undefined, again(visitor))).status).toBe(200)
    expect((await app.client().request(accountsRoutes.verifyEmail, { query: { token: mailed } })).status).toBe(200)
    // The first use of that password asks for a mailed code.
    expect((await login('mailed@example.com')).body).toMatchObject({ code: 'email_code_needed' })
    const { text } = await app.mailTo('mailed@example.com', 'code')
    const code = /\b\d{6}\b/.exec(text)?.[0] ?? ''

    await restart(AFTER)
    expect((await login('mailed@example.com', code)).status).toBe(200)
    const refused = await app.client().request(accountsRoutes.verifyEmail, { query: { token: late } })
    expect(refused.body).toMatchObject({ code: 'invalid_token' })
  })

  test('a webhook is signed with both secrets, until the old one leaves the list', async () => {
    await start(BEFORE)
    const { client, user } = await app.signUp()
    const params = { id: user.id }
    await client.request(accountsRoutes.changeSettings, { params, body: { webhookUrl: receiver.url } })
    const secretShown = async (browser: Client) =>
      (await browser.request(noticesRoutes.webhook, { params })).data.secret ?? ''
    const before = await secretShown(client)
    const sendTest = (browser: Client) => browser.request(securityRoutes.testWebhook, { params })
    const signatures = () => receiver.received.at(-1)?.headers['webhook-signature']?.toString().split(' ').length

    await restart(DURING)
    const browser = again(client)
    await whoIs(browser)
    const present = await secretShown(browser)
    expect(present).not.toBe(before)
    expect((await sendTest(browser)).data.delivered).toBe(true)
    for (const secret of [before, present]) await receiver.receive(secret, ({ type }) => type === 'test')
    expect(signatures()).toBe(2)

    await restart(AFTER)
    expect((await sendTest(again(browser))).data.delivered).toBe(true)
    expect(await secretShown(again(browser))).toBe(present)
    expect(signatures()).toBe(1)
    await receiver.receive(present, ({ type }) => type === 'test')
  })

  test('a mailbox that comes back is known by its hash of the old secret', async () => {
    await start(BEFORE)
    const email = 'back.again@gmail.com'
    const [phone, later] = ['+12025550177', '+12025550178']
    const forbid = (userId: string, number: string) =>
      withTx(app.context.db, async (tx) => {
        await addDoNotCall(tx, { userId, phone: number, source: 'callee' })
      })
    const leave = async ({ client, user }: Awaited<ReturnType<TestApp['signUp']>>) => {
      await client.request(accountsRoutes.deleteUser, { params: { id: user.id } })
      await vi.waitFor(async () => {
        expect(await app.context.db.$count(people, eq(people.id, user.id))).toBe(0)
      }, PATIENTLY)
    }
    const first = await app.signUp({ email })
    expect(first.user.creditBalance).not.toBe('0')
    await forbid(first.user.id, phone)
    await leave(first)

    await restart(DURING)
    await restart(AFTER)
    const second = await app.signUp({ email })
    expect(second.user.creditBalance).toBe('0')
    expect(await whoMustNotBeCalled(app.context.db, second.user.id, [phone, later])).toEqual(new Set([phone]))
    await forbid(second.user.id, later)
    await leave(second)
    const third = await app.signUp({ email })
    expect(await whoMustNotBeCalled(app.context.db, third.user.id, [phone, later])).toEqual(new Set([phone, later]))
  })
})

describe('rotating VOICE_SECRET in the api alone', () => {
  test('goes on with a voice service that knows the old secret, and with its live calls', async () => {
    await start(BEFORE)
    const { client } = await app.signUp()
    const order = { callee: '+12025550100', purpose: 'Ask' }
    const { id } = (await client.request(callsRoutes.place, { body: order })).data
    const { token } = await voice.orderOf(id)

    await restart(DURING)
    const browser = again(client)
    const script = new Script(app, id, token)
    await script.converse()
    expect(await firstHeard(browser, id)).toBe(`sound of ${id}`)
    await browser.request(callsRoutes.change, { params: { id }, body: { action: 'stop' } })
    expect(await voice.commandTo(id, 'stop')).toEqual({ type: 'stop' })
    await script.end(30, 'stopped')
    // A new order is shown the new secret first, which this voice service refuses.
    const next = (await browser.request(callsRoutes.place, { body: order })).data
    expect((await voice.orderOf(next.id)).token).toMatch(/^2\.2\./)
    expect(await firstHeard(browser, next.id)).toBe(`sound of ${next.id}`)
  })

  /** What a page hears first of a call whose voice node sends something as soon as it is connected. */
  async function firstHeard(browser: Client, callId: string): Promise<string> {
    const path = `/ws/calls/${callId}/audio`
    const page = new WebSocket(app.url.replace('http', 'ws') + path, { headers: { cookie: browser.cookieHeader() } })
    const heard = new Promise<string>((hear) => page.once('message', (data: Buffer) => hear(data.toString())))
    const { socket } = await vi.waitFor(() => {
      const found = voice.sockets.find((each) => each.path.includes(callId))
      if (!found) throw new Error('The voice node is not connected yet.')
      return found
    }, PATIENTLY)
    socket.send(`sound of ${callId}`)
    const first = await heard
    page.terminate()
    return first
  }
})
