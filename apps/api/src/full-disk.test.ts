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
/** Turns the disk full after the next check. */
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
  // An own app and voice per test: a call left by one test is dialed once there is room.
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

  test('a new call gets 503 before credits are held, and works once there is room', async () => {
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

  test('a batch waits with a reason and resumes by itself', async () => {
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

  test('a call queued before is not dialed, ends and releases its credits', async () => {
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

  test('an order refused before is sent again only when there is room', async () => {
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

  test('a batch contact whose call was queued before waits without losing an attempt', async () => {
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

  test('health returns 503 with disk full', async () => {
    state = 'full'
    const { status, body } = await app.client().request(systemRoutes.health)
    expect({ status, body }).toMatchObject({ status: 503, body: { status: 'degraded', parts: { disk: 'full' } } })
  })
})

test.each([
  ['PostgreSQL', Object.assign(new pg.DatabaseError('could not extend file', 0, 'error'), { code: '53100' })],
  ['the system', Object.assign(new Error('write'), { code: 'ENOSPC' })],
])('a disk-full error of %s becomes 503 with Retry-After', (_, error) => {
  expect(answerFor(error)).toEqual({
    status: 503,
    body: { code: 'unavailable', message: 'There is no room to keep this. Please try again later.' },
    retryAfterSeconds: 60,
  })
})

describe('createDisk', () => {
  test.each([
    [DISK_FULL_BYTES - 1, 'full'],
    [DISK_FULL_BYTES, 'low'],
    [DISK_LOW_BYTES - 1, 'low'],
    [DISK_LOW_BYTES, 'ok'],
  ])('with %i bytes free is %s', async (bytes, expected) => {
    expect(await createDisk('/', async () => bytes).state()).toBe(expected)
  })

  test('without an answer counts as ok', async () => {
    expect(await createDisk('/', () => new Promise(() => undefined)).state()).toBe('ok')
  })

  test('freeBytesOf asks at the nearest existing folder', async () => {
    const free = await freeBytesOf('/tmp/not/there/yet')
    expect(free).toBeGreaterThan(0)
    expect(free).toBeLessThan(Infinity)
  })
})
