import { callsRoutes } from '@parley/contract'
import { and, count, eq, isNotNull, isNull } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, type StandInVoice, startStandInVoice } from '../../calls/testing.ts'
import { createTestApp, type TestApp } from '../../testing.ts'
import { Pacer } from './pacer.ts'
import { batchDone, callOf, contactsOf, createBatch, eventually, playCallees, rowsOf, signUpWith } from '../testing.ts'

// Batches on one voice node with five places, of which one is for single calls.

const CAPACITY = 5
let app: TestApp
let voice: StandInVoice

beforeAll(async () => {
  voice = await startStandInVoice(100)
  app = await createTestApp({
    environment: { CALLING_HOURS: 'off', LIVE_CALLS_PER_ACCOUNT: '50', CALLS_PER_HOUR: '1000' },
  })
  await voice.join(app, { capacity: CAPACITY })
})
afterAll(async () => {
  await app.close()
  await voice.close()
})

const liveCalls = (batchId: string) =>
  app.context.db.$count(call, and(eq(call.batchId, batchId), isNull(call.completedAt)))

test('a batch fills the places of batches, puts no call into the waiting line, and leaves one to a single call', async () => {
  const { client } = await signUpWith(app, 100)
  const body = rowsOf(12, 100).map((phone) => callOf(phone))
  const { batchId } = (await createBatch(client, body)).data
  await eventually(
    async () => voice.orders.length,
    (orders) => expect(orders).toBe(CAPACITY - 1),
  )
  // As long as the pacer takes for a round of its own.
  for (let round = 0; round < 3; round++) await new Pacer(app.context.batches).round()
  expect(await liveCalls(batchId)).toBe(CAPACITY - 1)
  const [waiting] = await app.context.db.select({ calls: count() }).from(call).where(isNotNull(call.waitingSince))
  expect(waiting?.calls).toBe(0)
  const { data } = await client.request(callsRoutes.place, { body: callOf('+12025550100') })
  await voice.orderOf(data.id)
  const stopPlaying = playCallees(voice, app, () => ({ answers: true, seconds: 5 }))
  const done = await batchDone(client, batchId)
  await stopPlaying()
  expect(done.counts).toEqual({ completed: 12 })
})

test('a contact whose call waits for a free line says so', async () => {
  const { client } = await signUpWith(app, 100)
  voice.refuseWith = 503
  const { batchId } = (await createBatch(client, [callOf(rowsOf(1, 200)[0]!)])).data
  await eventually(
    () => contactsOf(client, batchId),
    (contacts) =>
      expect(contacts).toMatchObject([
        { status: 'calling', callStatus: 'initiated', phase: 'waiting for a free line' },
      ]),
  )
  voice.refuseWith = null
  const stopPlaying = playCallees(voice, app, () => ({ answers: true, seconds: 5 }))
  expect((await batchDone(client, batchId)).counts).toEqual({ completed: 1 })
  await stopPlaying()
})
