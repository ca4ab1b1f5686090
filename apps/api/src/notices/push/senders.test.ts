import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApns } from './apns.ts'
import { createFcm } from './fcm.ts'
import type { PushSender } from './port.ts'
import { type PushFarEnds, startPushFarEnds } from './testing.ts'

let far: PushFarEnds

beforeAll(async () => {
  far = await startPushFarEnds()
})
afterAll(() => far.close())

const MESSAGE = { title: 'Your call is over', body: 'Tap to see what came of it.', callId: 'call-1' }
const newToken = () => randomBytes(32).toString('hex')
const foreignKey = (type: 'ec' | 'rsa') =>
  (type === 'ec'
    ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
    : generateKeyPairSync('rsa', { modulusLength: 2048 })
  ).privateKey
    .export({ type: 'pkcs8', format: 'pem' })
    .toString()

interface Case {
  readonly name: string
  create(): PushSender
  withForeignKey(): PushSender
  /** To an address where nobody listens. */
  nowhere(): PushSender
  failNext(status: number, code: string, retryAfter?: string): void
  unregister(token: string): void
  expireKeys(): void
  keysMade(): number
  tokensReached(): string[]
}

const CASES: readonly Case[] = [
  {
    name: 'APNs',
    create: () => createApns(far.keys.apns),
    withForeignKey: () => createApns({ ...far.keys.apns, privateKey: foreignKey('ec') }),
    nowhere: () => createApns({ ...far.keys.apns, url: 'http://127.0.0.1:9' }),
    failNext: (status, reason, retryAfter) =>
      far.apns.failNext({ status, reason, ...(retryAfter !== undefined && { retryAfter }) }),
    unregister: (token) => void far.apns.unregistered.add(token),
    expireKeys: () => far.apns.expireTokens(),
    keysMade: () => far.apns.providerTokens.size,
    tokensReached: () => far.apns.delivered.map(({ token }) => token),
  },
  {
    name: 'FCM',
    create: () => createFcm(far.keys.fcm),
    withForeignKey: () =>
      createFcm({ ...far.keys.fcm, account: { ...far.keys.fcm.account, private_key: foreignKey('rsa') } }),
    nowhere: () => createFcm({ ...far.keys.fcm, url: 'http://127.0.0.1:9' }),
    failNext: (status, errorCode, retryAfter) =>
      far.fcm.failNext({ status, errorCode, ...(retryAfter !== undefined && { retryAfter }) }),
    unregister: (token) => void far.fcm.unregistered.add(token),
    expireKeys: () => far.fcm.revokeTokens(),
    keysMade: () => far.fcm.accessTokens.size,
    tokensReached: () => far.fcm.delivered.map(({ token }) => token),
  },
]

describe.each(CASES)('$name', (service) => {
  test('delivers, and uses one key and one connection for many messages', async () => {
    const sender = service.create()
    const before = service.keysMade()
    const tokens = [newToken(), newToken(), newToken()]
    for (const token of tokens) expect(await sender.send(token, MESSAGE)).toEqual({ kind: 'sent' })
    expect(service.tokensReached()).toEqual(expect.arrayContaining(tokens))
    expect(service.keysMade() - before).toBe(1)
  })

  test('says that the token of a removed app is gone', async () => {
    const token = newToken()
    service.unregister(token)
    expect(await service.create().send(token, MESSAGE)).toEqual({ kind: 'gone' })
  })

  test('says that what is no token is gone', async () => {
    expect(await service.create().send('no-token', MESSAGE)).toEqual({ kind: 'gone' })
  })

  test('renews an expired key once and delivers', async () => {
    const sender = service.create()
    await sender.send(newToken(), MESSAGE)
    service.expireKeys()
    const before = service.keysMade()
    const token = newToken()
    // A token of Apple's kind is the same within one second.
    await new Promise((done) => setTimeout(done, 1100 - (Date.now() % 1000)))
    expect(await sender.send(token, MESSAGE)).toEqual({ kind: 'sent' })
    expect([service.tokensReached().includes(token), service.keysMade() - before]).toEqual([true, 1])
  })

  test.each([
    [429, 'TooManyRequests', '17', 17],
    [500, 'InternalServerError', undefined, undefined],
    [503, 'ServiceUnavailable', '120', 120],
  ])('asks for another try after %s %s', async (status, code, retryAfter, afterSeconds) => {
    service.failNext(status, code, retryAfter)
    const result = await service.create().send(newToken(), MESSAGE)
    expect(result).toMatchObject({ kind: 'later', afterSeconds })
    expect(JSON.stringify(result)).toContain(`${status} ${code}`)
  })

  test('asks for another try when nobody answers', async () => {
    expect(await service.nowhere().send(newToken(), MESSAGE)).toMatchObject({ kind: 'later' })
  })

  test('is refused with a key of another, and tries no more', async () => {
    const before = service.tokensReached().length
    expect(await service.withForeignKey().send(newToken(), MESSAGE)).toMatchObject({ kind: 'refused' })
    expect(service.tokensReached()).toHaveLength(before)
  })

  test('its check notifies nobody, and tells good keys from bad ones', async () => {
    const before = service.tokensReached().length
    expect(await service.create().check()).toEqual({ kind: 'sent' })
    expect(await service.withForeignKey().check()).toMatchObject({ kind: 'refused' })
    expect(await service.nowhere().check()).toMatchObject({ kind: 'later' })
    expect(service.tokensReached()).toHaveLength(before)
  })
})

describe('the wire', () => {
  test("of APNs has the app's topic, an expiry within the hour, and no more than title, sentence and call", async () => {
    const token = newToken()
    await createApns(far.keys.apns).send(token, MESSAGE)
    const { headers, payload } = far.apns.delivered.at(-1)!
    expect(headers).toMatchObject({
      'apns-topic': 'example.parley.app',
      'apns-push-type': 'alert',
      'apns-priority': '10',
      'apns-collapse-id': 'call-1',
    })
    expect(Number(headers['apns-expiration']) - Date.now() / 1000).toBeLessThanOrEqual(3600)
    const alert = { title: MESSAGE.title, body: MESSAGE.body }
    expect(payload).toEqual({ aps: { alert, sound: 'default', 'thread-id': 'call-1' }, callId: 'call-1' })
  })

  test('of FCM has high priority, the channel of calls, and no more than title, sentence and call', async () => {
    const token = newToken()
    await createFcm(far.keys.fcm).send(token, MESSAGE)
    expect(far.fcm.delivered.at(-1)).toEqual({
      token,
      notification: { title: MESSAGE.title, body: MESSAGE.body },
      data: { callId: 'call-1' },
      android: {
        priority: 'HIGH',
        ttl: '3600s',
        collapse_key: 'call-1',
        notification: { channel_id: 'calls', tag: 'call-1' },
      },
    })
  })

  test('of APNs keeps one connection, opens another after it broke, and renews its key within the hour', async () => {
    let at = Date.now()
    const sender = createApns(far.keys.apns, () => at)
    const [connections, keys] = [far.apns.connections, far.apns.providerTokens.size]
    await sender.send(newToken(), MESSAGE)
    await sender.send(newToken(), MESSAGE)
    expect([far.apns.connections - connections, far.apns.providerTokens.size - keys]).toEqual([1, 1])
    at -= 41 * 60_000
    const older = createApns(far.keys.apns, () => at)
    await older.send(newToken(), MESSAGE)
    at += 41 * 60_000
    await older.send(newToken(), MESSAGE)
    expect(far.apns.providerTokens.size - keys).toBe(3)
    far.apns.failNext({ status: 0, reason: '', hangsUp: true })
    expect(await sender.send(newToken(), MESSAGE)).toMatchObject({ kind: 'later' })
    expect(await sender.send(newToken(), MESSAGE)).toEqual({ kind: 'sent' })
  })
})
