import { randomBytes } from 'node:crypto'
import {
  accountsRoutes,
  callsRoutes,
  devicesRoutes,
  SESSION_TOKEN_HEADER,
  SHELL_HEADER,
  type ShellPlatform,
} from '@parley/contract'
import { eq, sql } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Script, type StandInVoice, startStandInVoice } from '../../calls/testing.ts'
import { type Client, createTestApp, PATIENTLY, TEST_PASSWORD, type TestApp } from '../../testing.ts'
import { device } from '../schema.ts'
import { PUSH_WAITS_MS, sendPush } from './push.ts'
import { createPushSenders } from './senders.ts'
import { type PushFarEnds, startPushFarEnds } from './testing.ts'

// Longer than 20 s: jobs are looked for every few seconds, and each test waits for its pushes.

let app: TestApp
let voice: StandInVoice
let far: PushFarEnds

beforeAll(async () => {
  ;[voice, far] = await Promise.all([startStandInVoice(100), startPushFarEnds()])
  app = await createTestApp({ environment: { VOICE_URL: voice.url, CALLING_HOURS: 'off', ...far.environment } })
})
afterAll(async () => {
  await app.close()
  await Promise.all([voice.close(), far.close()])
})

const newToken = () => randomBytes(32).toString('hex')
const ORIGIN = 'https://localhost'

interface Phone {
  readonly id: string
  readonly token: string
  readonly headers: Readonly<Record<string, string>>
}

/** A signed-in app that gets notifications. */
async function newPhone(
  email: string,
  { platform = 'android', language = 'en' }: { platform?: ShellPlatform; language?: 'en' | 'es' } = {},
): Promise<Phone> {
  const shell = { origin: ORIGIN, [SHELL_HEADER]: platform }
  const signedIn = await app
    .client()
    .request(accountsRoutes.login, { body: { email, password: TEST_PASSWORD }, headers: shell })
  const headers = { ...shell, authorization: `Bearer ${signedIn.headers.get(SESSION_TOKEN_HEADER)}` }
  const token = newToken()
  const { data } = await app.client().request(devicesRoutes.add, { body: { platform, token, language }, headers })
  expect(data.reached).toBe(true)
  return { id: data.id, token, headers }
}

async function place(client: Client): Promise<{ id: string; script: Script }> {
  const vault = [{ name: 'Booking code', value: 'QX-559013' }]
  const body = {
    callee: '+12025550100',
    purpose: 'Ask for a secret table',
    objectives: ['Ask'],
    maxDurationMinutes: 1,
    vault,
  }
  const { data } = await client.request(callsRoutes.place, { body })
  await voice.orderOf(data.id)
  return { id: data.id, script: new Script(app, data.id) }
}

const toAndroid = ({ token }: Phone) => far.fcm.delivered.filter((each) => each.token === token)
const toIos = ({ token }: Phone) => far.apns.delivered.filter((each) => each.token === token)
const titlesOf = (phone: Phone) => toAndroid(phone).map(({ notification }) => notification.title)
const phonesOf = (userId: string) => app.context.db.select().from(device).where(eq(device.userId, userId))
const waiting = async () =>
  (await app.context.db.execute<{ id: string }>(sql`select id from jobs.job where name = 'notices.push'`)).rows.length
const untilNoneWaits = () => expect.poll(waiting, PATIENTLY).toBe(0)

describe('a notification', () => {
  test('comes to all phones of the caller, each in its language, when a call ends, and has no word of the call', async () => {
    const { client, user } = await app.signUp()
    const android = await newPhone(user.email)
    const iphone = await newPhone(user.email, { platform: 'ios', language: 'es' })
    const { id, script } = await place(client)
    await script.converse()
    await script.say(script.turn(2, 'user', 'The dresser was sold.'))
    await script.end(30)
    await expect.poll(() => titlesOf(android), PATIENTLY).toEqual(['Your call is over'])
    await expect.poll(() => toIos(iphone).length, PATIENTLY).toBe(1)
    expect(toIos(iphone)[0]!.payload).toMatchObject({
      callId: id,
      aps: { alert: { title: 'Tu llamada ha terminado' } },
    })
    const whole = JSON.stringify([toAndroid(android), toIos(iphone)[0]!.payload])
    for (const words of ['dresser', 'secret', 'QX-559013', 'Booking', '5550100']) expect(whole).not.toContain(words)
  })

  test('says that nobody was reached', async () => {
    const { client, user } = await app.signUp()
    const phone = await newPhone(user.email)
    const { script } = await place(client)
    await script.say({ type: 'dialing' }, { type: 'ringing' })
    await script.end(0, 'no_answer')
    await expect.poll(() => titlesOf(phone), PATIENTLY).toEqual(['Your call did not go through'])
  })

  test('asks for a decision once, while the call goes on', async () => {
    const { client, user } = await app.signUp()
    const phone = await newPhone(user.email)
    const { script } = await place(client)
    await script.converse()
    const offered = { objective: 'Ask', status: 'offered', quote: 'Only 8:30.', turn: 1, offer: '8:30 pm' } as const
    await script.say({ type: 'outcomes', outcomes: [offered] })
    await expect.poll(() => titlesOf(phone), PATIENTLY).toEqual(['A call waits for your decision'])
    await script.say({ type: 'outcomes', outcomes: [{ ...offered, quote: 'Only half past eight.' }] })
    await untilNoneWaits()
    expect(titlesOf(phone)).toHaveLength(1)
    await script.end(30)
  })

  test('tells of a question while the call goes on, without the question', async () => {
    const { client, user } = await app.signUp()
    const phone = await newPhone(user.email)
    const { id, script } = await place(client)
    await script.converse()
    await script.say({ type: 'asks_owner', question: 'May we put the dresser outside?' })
    await expect.poll(() => titlesOf(phone), PATIENTLY).toEqual(['Your call has a question'])
    expect(toAndroid(phone)[0]).toMatchObject({ data: { callId: id } })
    expect(JSON.stringify(toAndroid(phone))).not.toContain('dresser')
    await script.end(30)
  })

  test('is not sent to a user with notifications off, nor for a call that the user stopped', async () => {
    const [off, stopped] = [await app.signUp(), await app.signUp()]
    const phones = [await newPhone(off.user.email), await newPhone(stopped.user.email)]
    await off.client.request(accountsRoutes.changeSettings, {
      params: { id: off.user.id },
      body: { emailNotifications: false },
    })
    for (const [{ client }, reason] of [
      [off, 'agent_closed'],
      [stopped, 'canceled'],
    ] as const) {
      const { script } = await place(client)
      await script.converse()
      await script.end(30, reason)
    }
    await untilNoneWaits()
    expect(phones.flatMap(toAndroid)).toEqual([])
  })
})

describe('a phone', () => {
  test('leaves with its session, and with its account', async () => {
    const { user } = await app.signUp()
    const [first, second] = [await newPhone(user.email), await newPhone(user.email)]
    expect((await app.client().fetch('/api/logout', { headers: first.headers })).status).toBe(204)
    expect((await phonesOf(user.id)).map(({ id }) => id)).toEqual([second.id])
    await app.client().request(accountsRoutes.deleteUser, { params: { id: user.id }, headers: second.headers })
    expect(await phonesOf(user.id)).toEqual([])
  })

  test('is removed by its owner and is not found by another', async () => {
    const [{ user }, stranger] = [await app.signUp(), await app.signUp()]
    const phone = await newPhone(user.email)
    const params = { id: phone.id }
    expect((await stranger.client.request(devicesRoutes.remove, { params })).status).toBe(404)
    expect((await app.client().request(devicesRoutes.remove, { params, headers: phone.headers })).status).toBe(200)
    expect(await phonesOf(user.id)).toEqual([])
  })

  test('with a new user notifies the earlier one no more', async () => {
    const [{ user: earlier }, { user: later }] = [await app.signUp(), await app.signUp()]
    const phone = await newPhone(earlier.email)
    const { headers } = await newPhone(later.email)
    const body = { platform: 'android', token: phone.token, language: 'es' } as const
    expect((await app.client().request(devicesRoutes.add, { body, headers })).data.id).toBe(phone.id)
    expect(await phonesOf(earlier.id)).toEqual([])
    expect((await phonesOf(later.id)).find(({ id }) => id === phone.id)).toMatchObject({ language: 'es' })
  })

  test('is one of at most 20, the newest, and on iOS has a token of its form', async () => {
    const { user } = await app.signUp()
    const { headers } = await newPhone(user.email)
    const add = (platform: ShellPlatform, token: string) =>
      app.client().request(devicesRoutes.add, { body: { platform, token, language: 'en' }, headers })
    const last = newToken()
    for (const token of [...Array.from({ length: 20 }, newToken), last]) await add('android', token)
    const kept = await phonesOf(user.id)
    expect([kept.length, kept.some(({ token }) => token === last)]).toEqual([20, true])
    expect((await add('ios', 'not-hexadecimal-at-all')).status).toBe(400)
  })
})

describe('sendPush', () => {
  const room = () => ({ ...app.context, push: createPushSenders(far.keys), log: pino({ level: 'silent' }) })
  const order = (phone: Phone, attempt = 1) => ({
    deviceId: phone.id,
    callId: newToken(),
    about: 'call_completed' as const,
    attempt,
  })
  const retriesOf = async ({ callId }: { callId: string }) => {
    const { rows } = await app.context.db.execute<{ attempt: number; wait: number }>(
      sql`select (data ->> 'attempt')::int as attempt, extract(epoch from start_after - created_on)::int as wait
          from jobs.job where name = 'notices.push' and data ->> 'callId' = ${callId}`,
    )
    return rows.map(({ attempt, wait }) => [attempt, wait])
  }

  test.each(['android', 'ios'] as const)('forgets a phone on %s whose app was removed', async (platform) => {
    const { user } = await app.signUp()
    const phone = await newPhone(user.email, { platform })
    ;(platform === 'ios' ? far.apns : far.fcm).unregistered.add(phone.token)
    await sendPush(room(), order(phone))
    expect(await phonesOf(user.id)).toEqual([])
  })

  test.each([
    ['429 that names no time', 1, undefined, [2, 5]],
    ['429 that names 90 seconds', 1, '90', [2, 90]],
    ['429 that names a day', 1, '86400', [2, 1200]],
    ['the third 429', 3, undefined, [4, 120]],
  ] as const)('tries again after %s', async (_, attempt, retryAfter, next) => {
    const { user } = await app.signUp()
    const phone = await newPhone(user.email)
    const asked = order(phone, attempt)
    far.fcm.failNext({ status: 429, errorCode: 'QUOTA_EXCEEDED', ...(retryAfter !== undefined && { retryAfter }) })
    await sendPush(room(), asked)
    const [retry] = await retriesOf(asked)
    expect(retry?.[0]).toBe(next[0])
    expect(Math.abs((retry?.[1] ?? 0) - next[1])).toBeLessThanOrEqual(2)
    await app.context.db.execute(sql`delete from jobs.job where data ->> 'callId' = ${asked.callId}`)
  })

  test('gives up after the last try, and at once where the service refuses', async () => {
    const { user } = await app.signUp()
    const phone = await newPhone(user.email)
    for (const [attempt, status, errorCode] of [
      [PUSH_WAITS_MS.length + 1, 503, 'UNAVAILABLE'],
      [1, 403, 'THIRD_PARTY_AUTH_ERROR'],
    ] as const) {
      const asked = order(phone, attempt)
      far.fcm.failNext({ status, errorCode })
      await sendPush(room(), asked)
      expect(await retriesOf(asked)).toEqual([])
    }
    expect(await phonesOf(user.id)).toHaveLength(1)
  })

  test('sends nothing to a phone that has signed out since', async () => {
    const { user } = await app.signUp()
    const phone = await newPhone(user.email)
    await app.client().fetch('/api/logout', { headers: phone.headers })
    await sendPush(room(), order(phone))
    expect(toAndroid(phone)).toEqual([])
  })
})

test('without keys, phones are kept and nothing is enqueued', async () => {
  const bare = await createTestApp({ environment: { VOICE_URL: voice.url, CALLING_HOURS: 'off' } })
  const { client } = await bare.signUp()
  const body = { platform: 'android', token: newToken(), language: 'en' } as const
  expect(await client.request(devicesRoutes.add, { body })).toMatchObject({ status: 201, data: { reached: false } })
  const { data } = await client.request(callsRoutes.place, {
    body: { callee: '+12025550100', purpose: 'Ask', objectives: ['Ask'], maxDurationMinutes: 1 },
  })
  await voice.orderOf(data.id)
  const script = new Script(bare, data.id)
  await script.converse()
  await script.end(30)
  const { rows } = await bare.context.db.execute<{ id: string }>(
    sql`select id from jobs.job where name = 'notices.push'`,
  )
  expect(rows).toEqual([])
  await bare.close()
})
