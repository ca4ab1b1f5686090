import { callsRoutes, keepRecording, pathOf, RECORDING_TYPE, reportFacts } from '@parley/contract'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isDoNotCall } from '../consent/index.ts'
import { checkBooks } from '../credits/index.ts'
import { createTestApp, type TestApp } from '../testing.ts'
import { call, callLease } from './schema.ts'
import { Script, type StandInVoice, startStandInVoice } from './testing.ts'
import { callToken, fenceOf, orderToken } from './tokens.ts'

const NOW = new Date('2026-01-15T12:00:00.000Z')
const LATER = new Date('2026-01-15T13:00:00.000Z')
const withKey = (id: number | null, letter: string) => ({ id, secret: letter.repeat(32) })
const keys = [withKey(null, 'v')] as const

describe('a token', () => {
  const token = callToken(keys, { callId: 'one', fence: 7, expiresAt: LATER })

  test('gives its fence for its own call until it expires', () => {
    expect(fenceOf(keys, token, 'one', NOW)).toBe(7)
    expect(fenceOf(keys, token, 'one', LATER)).toBeUndefined()
    expect(fenceOf(keys, token, 'two', NOW)).toBeUndefined()
    expect(fenceOf([withKey(null, 'w')], token, 'one', NOW)).toBeUndefined()
  })

  test('stays valid after its key was rotated, until that leaves the list', () => {
    const [old, present, next] = [withKey(1, 'v'), withKey(2, 'w'), withKey(3, 'x')]
    const anew = callToken([present, old], { callId: 'one', fence: 7, expiresAt: LATER })
    expect(anew).toMatch(/^2\.2\.7\./)
    for (const each of [token, anew]) expect(fenceOf([next, present, old], each, 'one', NOW)).toBe(7)
    expect(fenceOf([next, present], anew, 'one', NOW)).toBe(7)
    expect(fenceOf([next, present], token, 'one', NOW)).toBeUndefined()
    expect(fenceOf([present, old], anew.replace(/^2\.2/, '2.1'), 'one', NOW)).toBeUndefined()
  })

  test.each([
    ['another fence', token.replace('1.7.', '1.8.')],
    ['a later expiry', token.replace(/\.(\d+)\.([^.]+)$/, (_, seconds, mac) => `.${Number(seconds) + 1}.${mac}`)],
    ['a zero before its fence', token.replace('1.7.', '1.07.')],
    ['a shorter end', token.slice(0, -1)],
    ['nothing in it', ''],
  ])('with %s is not valid', (_, altered) => {
    expect(altered).not.toBe(token)
    expect(fenceOf(keys, altered, 'one', NOW)).toBeUndefined()
  })
})

let voice: StandInVoice
let app: TestApp
beforeAll(async () => {
  voice = await startStandInVoice()
  app = await createTestApp({ environment: { VOICE_URL: voice.url, CALLING_HOURS: 'off' } })
})
afterEach(() => checkBooks(app.context.db))
afterAll(async () => {
  await app.close()
  await voice.close()
})

async function placed() {
  const { client, user } = await app.signUp()
  const { data } = await client.request(callsRoutes.place, { body: { callee: '+12025550100', purpose: 'Ask' } })
  const { token = '', fence } = await voice.orderOf(data.id)
  return { client, user, callId: data.id, token, fence }
}

const factsTaken = async (callId: string) =>
  (await app.context.db.select().from(call).where(eq(call.id, callId)))[0]?.factsTaken

describe('the token of an order', () => {
  test('opens the facts of its call and of no other', async () => {
    const [one, other] = [await placed(), await placed()]
    expect(one.fence).toBe(1)
    expect(await new Script(app, one.callId, one.token).say({ type: 'dialing' })).toBe(1)
    const stolen = new Script(app, other.callId, one.token)
    await expect(stolen.say({ type: 'dialing' })).rejects.toThrow(/^401 .*unauthenticated/)
    expect(await factsTaken(other.callId)).toBe(0)
  })

  test('is refused with 401 after it expired', async () => {
    const { callId } = await placed()
    const { token } = orderToken(app.context.config, callId, 1, new Date(Date.now() - 1000))
    await expect(new Script(app, callId, token).say({ type: 'dialing' })).rejects.toThrow(/^401 /)
  })

  test('of an older lease is refused with 409 stale_fence, for facts and for the recording', async () => {
    const { callId, token } = await placed()
    await app.context.db.insert(callLease).values([{ callId, nodeId: 'n', bootId: 'b', leaseUntil: LATER }])
    // Identities begin at 1: a lease before this one had the fence of the order.
    await app.context.db.delete(callLease).where(eq(callLease.callId, callId))
    const values = { callId, nodeId: 'n', bootId: 'b', leaseUntil: LATER }
    const [lease] = await app.context.db.insert(callLease).values(values).returning()
    await expect(new Script(app, callId, token).say({ type: 'dialing' })).rejects.toThrow(/^409 .*stale_fence/)
    expect(await factsTaken(callId)).toBe(0)
    const recording = await fetch(app.internalUrl + pathOf(keepRecording, { id: callId }), {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': RECORDING_TYPE },
      body: new Uint8Array(100),
    })
    expect(recording.status).toBe(409)
    const newest = orderToken(app.context.config, callId, lease!.fence, new Date(Date.now() + 60_000))
    expect(await new Script(app, callId, newest.token).say({ type: 'dialing' })).toBe(1)
  })

  test('is not needed where the order had none: the shared secret opens facts', async () => {
    const { callId } = await placed()
    expect(await new Script(app, callId).say({ type: 'dialing' })).toBe(1)
  })

  test('is shown with commands', async () => {
    const { client, callId } = await placed()
    await client.request(callsRoutes.change, { params: { id: callId }, body: { action: 'stop' } })
    // The stand-in answers 401 to a command without the token of its call.
    expect(await voice.commandTo(callId, 'stop')).toEqual({ type: 'stop' })
  })

  test('is left away towards a voice service that knows the call without it', async () => {
    const { client, callId } = await placed()
    const at = voice.orders.findIndex((order) => order.callId === callId)
    const { token: _, ...older } = voice.orders[at]!
    voice.orders[at] = older
    await client.request(callsRoutes.change, { params: { id: callId }, body: { action: 'stop' } })
    expect(await voice.commandTo(callId, 'stop')).toEqual({ type: 'stop' })
  })
})

describe('a report from a newer voice service', () => {
  test('takes the number of a fact of unknown type and the facts after it', async () => {
    const { callId, user } = await placed()
    const script = new Script(app, callId)
    const unknown = { ...script.next({ type: 'dialing' }), type: 'teleported', where: { deep: [1] } }
    const body = JSON.stringify({ facts: [unknown, script.next({ type: 'opted_out', quote: 'Never call me again.' })] })
    const reply = await fetch(app.internalUrl + pathOf(reportFacts, { id: callId }), {
      method: 'POST',
      headers: { authorization: `Bearer ${'v'.repeat(32)}`, 'content-type': 'application/json' },
      body,
    })
    expect(await reply.json()).toEqual({ taken: 2 })
    expect(await isDoNotCall(app.context.db, user.id, '+12025550100')).toBe(true)
  })
})

test.each([
  ['POST', pathOf(reportFacts, { id: 'x' })],
  ['PUT', pathOf(keepRecording, { id: 'x' })],
])('the public listener has no %s %s, even with the shared secret', async (method, path) => {
  const headers = { authorization: `Bearer ${'v'.repeat(32)}`, 'content-type': 'application/json' }
  const reply = await fetch(app.url + path, { method, headers, body: '{}' })
  expect(reply.status).toBe(404)
})
