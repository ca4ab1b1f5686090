import { callsRoutes, systemRoutes } from '@parley/contract'
import { and, eq, isNotNull } from 'drizzle-orm'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { callOf, contactsOf, createBatch, phoneOf, readBatch } from './batches/testing.ts'
import { call, dialCall, type StandInVoice, startStandInVoice } from './calls/testing.ts'
import { balance } from './credits/index.ts'
import { createDisk, type Disk, DISK_FULL_BYTES, DISK_LOW_BYTES, freeBytesOf } from './platform/data/disk.ts'
import { answerFor } from './platform/errors.ts'
import { checkBooks, createTestApp, PATIENTLY, type TestApp } from './testing.ts'

let state: Awaited<ReturnType<Disk['state']>> = 'ok'
/** Once it has been asked how it is. */
let fillsUp = false
let app: TestApp
let voice: StandInVoice
const order = { callee: '+1 202 555 0100', purpose: 'Ask' }

const diskState: Disk['state'] = async () => {
  const answer = state
  if (fillsUp) state = 'full'
  fillsUp = false
  return answer
}

describe('while the disk is full', () => {
  // A call that one test leaves behind is dialed once there is room: none may come to the voice of another.
  beforeEach(async () => {
    state = 'ok'
    fillsUp = false
    voice = await startStandInVoice()
    app = await createTestApp({
      environment: { VOICE_URL: voice.url, CALLING_HOURS: 'off' },
      overrides: { disk: { state: diskState } },
    })
  })
  afterEach(async () => {
    await checkBooks(app.context.db)
    await app.close()
    await voice.close()
  })

  test('a call is refused with 503 before anything is held, and placed when there is room again', async () => {
    const { client } = await app.signUp()
    state = 'full'
    const refused = await client.request(callsRoutes.place, { body: order })
    expect(refused).toMatchObject({
      status: 503,
      body: {
        code: 'unavailable',
        message:
          'Calls cannot be started right now: there is no room to keep them. Nothing was charged; please try again later.',
      },
    })
    expect(refused.headers.get('retry-after')).toBe('60')
    expect(voice.orders).toEqual([])
    state = 'low'
    expect((await client.request(callsRoutes.place, { body: order })).status).toBe(201)
  })

  test('a list waits and says why, and goes on by itself', async () => {
    const { client } = await app.signUp()
    state = 'full'
    const { batchId: id } = (await createBatch(client, [callOf(phoneOf(1))])).data
    await vi.waitFor(
      async () =>
        expect((await readBatch(client, id)).statusMessage).toBe(
          'There is no room to keep new calls. It goes on by itself.',
        ),
      PATIENTLY,
    )
    expect(voice.orders).toEqual([])
    state = 'ok'
    await vi.waitFor(() => expect(voice.orders).toHaveLength(1), PATIENTLY)
  })

  test('a call that was queued before is not dialed: it ends, and its credits are back', async () => {
    const { client, user } = await app.signUp()
    fillsUp = true
    const { id } = (await client.request(callsRoutes.place, { body: order })).data
    const ended = await vi.waitFor(async () => {
      const { data } = await client.request(callsRoutes.get, { params: { id } })
      expect(data.completedAt).not.toBeNull()
      return data
    }, PATIENTLY)
    expect(ended).toMatchObject({
      status: 'failed',
      endReason: 'interrupted',
      endMessage:
        'There was no room to keep this call: nobody was dialed. Nothing was charged; please try again later.',
      creditsCharged: 0,
    })
    expect(await balance(app.context.db, user.id)).toMatchObject({ available: 10, held: 0 })
    expect(voice.orders).toEqual([])
  })

  test('a call whose order was refused before is not ordered again until there is room', async () => {
    const { client } = await app.signUp()
    voice.refuseWith = 503
    const { id } = (await client.request(callsRoutes.place, { body: order })).data
    const isOrdered = and(eq(call.id, id), isNotNull(call.dispatchedAt))
    await vi.waitFor(async () => expect(await app.context.db.$count(call, isOrdered)).toBe(1), PATIENTLY)
    state = 'full'
    await expect(dialCall(app.context.calls, id)).rejects.toThrow('There is no room to keep the call.')
    state = 'ok'
    await expect(dialCall(app.context.calls, id)).rejects.toThrow('The voice service answered 503')
    voice.refuseWith = null
    expect(await voice.orderOf(id)).toMatchObject({ callId: id })
  })

  test('a contact of a list whose call was queued before waits for room, and no attempt is spent', async () => {
    const { client } = await app.signUp()
    fillsUp = true
    const { batchId: id } = (await createBatch(client, [callOf(phoneOf(2))])).data
    const why = 'There is no room to keep new calls. It goes on by itself.'
    const full = {
      status: 'running',
      statusMessage: why,
      contacts: { waiting: 1, calling: 0 },
      calls: [{ endReason: 'interrupted' }],
    }
    await vi.waitFor(async () => expect(await readBatch(client, id)).toMatchObject(full), PATIENTLY)
    expect(await contactsOf(client, id)).toMatchObject([{ status: 'waiting', attempts: 0 }])
    expect(voice.orders).toEqual([])
    state = 'ok'
    await vi.waitFor(() => expect(voice.orders).toHaveLength(1), PATIENTLY)
  })

  test('health says so with 503', async () => {
    state = 'full'
    const { status, body } = await app.client().request(systemRoutes.health)
    expect({ status, body }).toMatchObject({ status: 503, body: { status: 'degraded', parts: { disk: 'full' } } })
  })
})

test.each([
  ['PostgreSQL', Object.assign(new pg.DatabaseError('could not extend file', 0, 'error'), { code: '53100' })],
  ['the system', Object.assign(new Error('write'), { code: 'ENOSPC' })],
])('what %s has no room for is answered with 503 and when to ask again', (_, error) => {
  expect(answerFor(error)).toEqual({
    status: 503,
    body: { code: 'unavailable', message: 'There is no room to keep this. Please try again later.' },
    retryAfterSeconds: 60,
  })
})

describe('a disk', () => {
  test.each([
    [DISK_FULL_BYTES - 1, 'full'],
    [DISK_FULL_BYTES, 'low'],
    [DISK_LOW_BYTES - 1, 'low'],
    [DISK_LOW_BYTES, 'ok'],
  ])('with %i bytes free is %s', async (bytes, expected) => {
    expect(await createDisk('/', async () => bytes).state()).toBe(expected)
  })

  test('that does not answer is not known to be full', async () => {
    expect(await createDisk('/', () => new Promise(() => undefined)).state()).toBe('ok')
  })

  test('is asked at the nearest folder that is there', async () => {
    const free = await freeBytesOf('/tmp/not/there/yet')
    expect(free).toBeGreaterThan(0)
    expect(free).toBeLessThan(Infinity)
  })
})
