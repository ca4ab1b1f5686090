import { batchesRoutes as routes, callsRoutes } from '@parley/contract'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Script, type StandInVoice, startStandInVoice } from '../../calls/testing.ts'
import { changePlatformDoNotCall } from '../../consent/index.ts'
import { withTx } from '../../platform/db.ts'
import { type Client, createTestApp, type TestApp } from '../../testing.ts'
import { batch, batchContact } from '../schema.ts'
import { countFreeSlots, lease, takeSlot } from './slots.ts'
import { callOf, eventually, playCallees, signUpWith } from '../testing.ts'

// Batches of several accounts share SLOTS concurrent calls here, and calling hours are on.

const SLOTS = 4
const ROWS = 100_000
/** Most ms until another account's single call is ordered, with slack for a busy machine. */
const SOON_MS = 3000
const SHARED_SLOTS = { BATCH_CONCURRENCY: String(SLOTS), LIVE_CALLS_PER_ACCOUNT: '50', CALLS_PER_HOUR: '1000' }

const later = () => new Date(Date.now() + 3_600_000).toISOString()

async function createList(client: Client, calls: object[], more: object = {}): Promise<string> {
  const { data } = await client.request(routes.create, { body: { name: 'List', calls, ...more } as never })
  return data.batchId
}

describe('concurrency slots', () => {
  let app: TestApp
  let voice: StandInVoice
  beforeAll(async () => {
    voice = await startStandInVoice()
    app = await createTestApp({ environment: { VOICE_URL: voice.url, CALLING_HOURS: 'off', ...SHARED_SLOTS } })
  })
  afterAll(async () => {
    await app.close()
    await voice.close()
  })

  /** A batch of 100,000 waiting contacts, copied from one row. */
  async function createHugeList(client: Client): Promise<string> {
    const { db } = app.context
    const batchId = await createList(client, [callOf('+12125551000')], { startAt: later() })
    await db.execute(sql`
      insert into ${batchContact} (batch_id, row, phone, callee, context, place, status)
      select batch_id, n, phone, '+1212' || (2000000 + n), context, place, status
      from ${batchContact}, generate_series(1, ${ROWS - 1}::int) as n where batch_id = ${batchId} and row = 0`)
    await db.update(batch).set({ waiting: ROWS, scheduledFor: new Date() }).where(eq(batch.id, batchId))
    return batchId
  }
  const ordersOf = (userId: string) => voice.orders.filter((order) => order.userId === userId)

  test("all taken by a batch of 100,000 do not delay another account's single call or batch", async () => {
    const [{ client, user }, other] = [await signUpWith(app, 1000), await signUpWith(app, 100)]
    const hugeId = await createHugeList(client)
    await eventually(
      async () => ordersOf(user.id).length,
      (orders) => expect(orders).toBe(SLOTS),
    )
    const timed = async () => {
      const startedAt = performance.now()
      const single = await other.client.request(callsRoutes.place, { body: callOf('+12025550100') })
      await voice.orderOf(single.data.id)
      return performance.now() - startedAt
    }
    // The fastest of three: a busy machine slows one, the batch would slow all.
    expect(Math.min(await timed(), await timed(), await timed())).toBeLessThan(SOON_MS)

    // The other account gets the next free slot although 100,000 contacts have waited longer.
    await createList(other.client, [callOf('+12135551000')])
    const [first] = ordersOf(user.id)
    await new Script(app, first!.callId).end(0, 'no_answer')
    await eventually(
      async () => ordersOf(other.user.id).map(({ callee }) => callee),
      (callees) => expect(callees).toContain('+12135551000'),
    )
    expect(ordersOf(user.id)).toHaveLength(SLOTS)
    await client.request(routes.change, { params: { id: hugeId }, body: { action: 'stop' } as never })
  })

  test('a slot that was never given back is free when its lease ends', async () => {
    const { db } = app.context
    const now = new Date()
    const until = new Date(now.getTime() + 86_400_000)
    // A day ahead, beyond the leases of the pacer.
    const free = await countFreeSlots(db, SLOTS, until)
    await withTx(db, async (tx) => {
      const slot = await takeSlot(tx, SLOTS, new Date(until.getTime() + 1))
      await lease(tx, slot ?? 0, 'a call of a process that is gone', until)
    })
    expect(free).toBe(SLOTS)
    expect(await countFreeSlots(db, SLOTS, new Date(until.getTime() - 1))).toBeLessThan(SLOTS)
    expect(await countFreeSlots(db, SLOTS, new Date(until.getTime() + 1))).toBe(SLOTS)
  })
})

describe('calling hours at the time of dialing', () => {
  let app: TestApp
  let voice: StandInVoice
  let stopPlaying: () => Promise<void> = async () => undefined
  beforeAll(async () => {
    voice = await startStandInVoice(100)
    app = await createTestApp({ environment: { VOICE_URL: voice.url, ...SHARED_SLOTS } })
    stopPlaying = playCallees(voice, app, () => ({ answers: true }))
  })
  afterAll(async () => {
    await stopPlaying()
    await app.close()
    await voice.close()
  })

  /** At any time it is day in one of these and night in another. */
  const PLACES = [
    ['America/New_York', '+121255510'],
    ['America/Los_Angeles', '+121355510'],
    ['Pacific/Honolulu', '+180855501'],
    ['Pacific/Guam', '+167155501'],
    ['Europe/London', '+4420794600'],
    ['Europe/Paris', '+331427250'],
  ] as const
  const hourIn = (timeZone: string) =>
    Number(new Date().toLocaleString('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' }))
  const placeWhere = (is: (hour: number) => boolean) => PLACES.find(([zone]) => is(hourIn(zone))) ?? (['', ''] as const)

  test('a batch calls contacts within calling hours, waits for the others and resumes by itself', async () => {
    const { client } = await signUpWith(app, 100)
    const [dayZone, dayNumbers] = placeWhere((hour) => hour >= 9 && hour < 20)
    const [nightZone, nightNumbers] = placeWhere((hour) => hour >= 22 || hour < 7)
    const calls = [
      callOf(`${dayNumbers}01`, { context: { timezone: nightZone } }),
      callOf(`${dayNumbers}02`, { context: { timezone: dayZone } }),
      // A time zone in the file does not replace the number's own.
      callOf(`${nightNumbers}03`, { context: { timezone: dayZone } }),
    ]
    const batchId = await createList(client, calls)
    const read = async () => (await client.request(routes.get, { params: { id: batchId } })).data
    const waiting = await eventually(read, (found) =>
      expect(found).toMatchObject({ status: 'paused', pausedBy: 'hours' }),
    )
    expect(waiting).toMatchObject({
      contacts: { waiting: 2, completed: 1 },
      statusMessage: expect.stringContaining('too early or too late'),
    })
    // The first hour that is open in both zones: within a day, on a quarter of an hour.
    expect(waiting.goesOnAt).toMatch(/:(?:00|15|30|45):00\.000Z$/)
    expect(Date.parse(waiting.goesOnAt ?? '')).toBeGreaterThan(Date.now())
    expect(Date.parse(waiting.goesOnAt ?? '')).toBeLessThan(Date.now() + 24 * 3_600_000)
    const callees = async () =>
      (await client.request(routes.contacts, { params: { id: batchId } })).data.map(({ status }) => status)
    expect(await callees()).toEqual(['waiting', 'completed', 'waiting'])

    // Moves the waiting contacts to a place where it is day.
    const { db } = app.context
    await db.execute(sql`update ${batchContact} set place = (select place from ${batchContact} where batch_id = ${batchId} and row = 1)
      where batch_id = ${batchId}`)
    await db.update(batch).set({ lookAt: null }).where(eq(batch.id, batchId))
    await eventually(read, ({ status }) => expect(status).toBe('done'))
    expect(await callees()).toEqual(['completed', 'completed', 'completed'])
  })

  test("drops a contact whose zone in the file shares no calling hour with the number's own zone", async () => {
    const { client } = await signUpWith(app, 100)
    const body = {
      name: 'List',
      calls: [callOf('+14015551001', { context: { timezone: 'Asia/Tokyo' } }), callOf('+12125551041')],
    }
    const { data } = await client.request(routes.create, { body: { ...body, startAt: later() } })
    expect(data.skipped).toEqual([expect.objectContaining({ row: 0, code: 'outside_calling_hours' })])
  })

  test("does not dial a number added to the operator's do-not-call list after the import", async () => {
    const { client } = await signUpWith(app, 100)
    const [, numbers] = placeWhere((hour) => hour >= 9 && hour < 20)
    const phones = [`${numbers}11`, `${numbers}12`]
    const calls = phones.map((each) => callOf(each))
    const batchId = await createList(client, calls, { startAt: later() })
    await withTx(app.context.db, (tx) => changePlatformDoNotCall(tx, [phones[0]!], 'add', 'Asked us in writing'))
    await app.context.db.update(batch).set({ scheduledFor: new Date() }).where(eq(batch.id, batchId))
    await eventually(
      async () =>
        (await client.request(routes.contacts, { params: { id: batchId } })).data.map(({ status, code }) => [
          status,
          code,
        ]),
      (contacts) =>
        expect(contacts).toEqual([
          ['cancelled', 'do_not_call'],
          ['completed', null],
        ]),
    )
    expect(voice.orders.map(({ callee }) => callee)).not.toContain(phones[0])
  })
})
