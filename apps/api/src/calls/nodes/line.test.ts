import { callsRoutes } from '@parley/contract'
import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { endBackOffs, failuresOf, poison } from '../../platform/rounds/testing.ts'
import { LINE_WAIT_MAX_MS } from '../placing/limits.ts'
import { call, callLease } from '../schema.ts'
import { Script } from '../testing.ts'
import { balanceOf, change, has, read, useNodes } from './testing.ts'

const world = useNodes()

describe('while every place is taken', () => {
  beforeEach(async () => void (await world.nodes[0]!.join(world.app, { nodeId: 'n0', capacity: 1 })))

  test('a call waits visibly for a free line, and is dialed when one is freed', async () => {
    const { client } = await world.app.signUp()
    const first = await world.placeAndDial(client)
    const id = await world.place(client)
    await world.untilWaiting(id)
    expect(await read(client, id)).toMatchObject({
      status: 'initiated',
      phase: 'waiting for a free line',
      events: [{ phase: 'queued' }, { phase: 'waiting for a free line' }],
    })
    expect((await client.request(callsRoutes.active, { params: { id: (await world.rowOf(id)).userId } })).data).toEqual(
      expect.arrayContaining([expect.objectContaining({ id, phase: 'waiting for a free line' })]),
    )
    expect((await change(client, id, { action: 'say', text: 'Hello?' })).status).toBe(409)
    // Its dial budget does not run while it waits.
    await world.db
      .update(call)
      .set({
        stageAt: sql`${call.stageAt} - interval '60 seconds'`,
        createdAt: sql`${call.createdAt} - interval '60 seconds'`,
      })
      .where(eq(call.id, id))
    await world.reconcileIn(60)
    await world.reconcileIn(61)
    expect((await read(client, id)).completedAt).toBeNull()
    await first.script.end(0, 'no_answer')
    await world.untilTaken(id)
    expect(await world.rowOf(id)).toMatchObject({ waitingSince: null, phase: 'queued' })
    await new Script(world.app, id).end(0, 'no_answer')
  })

  test('waiting calls are dialed in order, one for each line that is freed', async () => {
    const { client } = await world.app.signUp()
    let live = await world.placeAndDial(client)
    const ids: string[] = []
    for (let calls = 0; calls < 3; calls++) {
      ids.push(await world.place(client))
      await world.untilWaiting(ids.at(-1)!)
    }
    // Of a batch: after the single calls, although it waits longest.
    const [ofBatch = ''] = ids
    await world.db.update(call).set({ batchId: 'b' }).where(eq(call.id, ofBatch))
    for (const id of [ids[1]!, ids[2]!, ofBatch]) {
      await live.script.end(0, 'no_answer')
      await world.untilTaken(id)
      expect(await world.db.$count(callLease)).toBe(1)
      live = { id, script: new Script(world.app, id), node: world.nodes[0]! }
    }
    await world.db.update(call).set({ batchId: null }).where(eq(call.id, ofBatch))
    await live.script.end(0, 'no_answer')
  })

  test('a waiting call that cannot be ended keeps no other from its end in the same round', async () => {
    const people = [await world.app.signUp(), await world.app.signUp()]
    const live = await world.placeAndDial(people[0]!.client)
    const ids: string[] = []
    const wait = async (at: number) => {
      const id = await world.place(people[at]!.client)
      await world.untilWaiting(id)
      ids.push(id)
    }
    await wait(0)
    await wait(1)
    const mend = await poison(world.db, 'call', `new.id = '${ids[0]}' and new.completed_at is not null`)
    for (let round = 1; round <= 2; round++) {
      await endBackOffs(world.db)
      await world.watch(LINE_WAIT_MAX_MS + 60_000)
      expect(await failuresOf(world.db, 'calls.nodes')).toEqual({ [ids[0]!]: round })
      expect((await world.rowOf(ids[0]!)).completedAt).toBeNull()
      expect(await world.rowOf(ids[round]!)).toMatchObject({ status: 'failed', endReason: 'carrier_failure' })
      if (round === 1) await wait(1)
    }
    await mend()
    await endBackOffs(world.db)
    await world.watch(LINE_WAIT_MAX_MS + 60_000)
    expect((await world.rowOf(ids[0]!)).completedAt).not.toBeNull()
    await live.script.end(0, 'no_answer')
  })

  test('a later call does not overtake one that waits', async () => {
    const { client } = await world.app.signUp()
    const first = await world.placeAndDial(client)
    const id = await world.place(client)
    await world.untilWaiting(id)
    // The line is freed without waking anybody.
    await world.db.delete(callLease)
    const later = await world.place(client)
    await world.untilWaiting(later)
    expect(has(world.nodes[0]!, later)).toBe(0)
    await world.watch()
    await world.untilTaken(id)
    await new Script(world.app, id).end(0, 'no_answer')
    await world.untilTaken(later)
    await new Script(world.app, later).end(0, 'no_answer')
    await first.script.end(0, 'no_answer')
  })

  test('a node that joins takes the calls that wait', async () => {
    const { client } = await world.app.signUp()
    const live = [await world.placeAndDial(client)]
    const ids = [await world.place(client), await world.place(client), await world.place(client)]
    for (const id of ids) await world.untilWaiting(id)
    await world.nodes[1]!.join(world.app, { nodeId: 'n1', capacity: 3 })
    await world.watch()
    for (const id of ids) await world.untilTaken(id)
    expect(ids.map((id) => has(world.nodes[1]!, id))).toEqual([1, 1, 1])
    for (const id of [...ids, ...live.map((each) => each.id)]) await new Script(world.app, id).end(0, 'no_answer')
  })

  test('a waiting call that is stopped ends at once, free of charge', async () => {
    const { client } = await world.app.signUp()
    const first = await world.placeAndDial(client)
    const id = await world.place(client)
    await world.untilWaiting(id)
    expect((await change(client, id, { action: 'stop' })).data).toMatchObject({
      status: 'failed',
      endReason: 'canceled',
      creditsCharged: 0,
    })
    await first.script.end(0, 'no_answer')
    expect(has(world.nodes[0]!, id)).toBe(0)
    expect(await balanceOf(client)).toBe('10')
  })

  test('a call waits ten minutes at most', async () => {
    const { client } = await world.app.signUp()
    const first = await world.placeAndDial(client)
    const id = await world.place(client)
    await world.untilWaiting(id)
    await world.watch(LINE_WAIT_MAX_MS - 5000)
    expect((await read(client, id)).completedAt).toBeNull()
    await world.watch(LINE_WAIT_MAX_MS + 5000)
    expect(await read(client, id)).toMatchObject({
      endReason: 'carrier_failure',
      endMessage: 'The call could not be started: no line was free in time. Nothing was charged.',
      creditsCharged: 0,
    })
    await first.script.end(0, 'no_answer')
  })

  test('a call waits when the node itself says that it is full', async () => {
    world.nodes[0]!.refuseWith = 503
    const { client } = await world.app.signUp()
    const id = await world.place(client)
    await world.untilWaiting(id)
    expect(await world.leaseOf(id)).toBeUndefined()
    world.nodes[0]!.refuseWith = null
    await world.watch()
    await world.untilTaken(id)
    await new Script(world.app, id).end(0, 'no_answer')
  })
})

describe('calling hours that end while a call waits', () => {
  const night = useNodes({ CALLING_HOURS: 'on' })
  /** At any time it is night in one of these. */
  const PLACES = [
    ['America/New_York', '+12125551041'],
    ['Pacific/Honolulu', '+18085550141'],
    ['Pacific/Guam', '+16715550141'],
    ['Europe/London', '+442079460041'],
    ['Europe/Paris', '+33142725041'],
  ] as const
  const hourIn = (timeZone: string) =>
    Number(new Date().toLocaleString('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' }))
  const atNight = () => PLACES.find(([zone]) => hourIn(zone) >= 22 || hourIn(zone) < 7)?.[1]

  test('end the call undialed, unless the user had confirmed to call outside them', async () => {
    await night.nodes[0]!.join(night.app, { nodeId: 'n0', capacity: 1 })
    const { client } = await night.app.signUp()
    const order = { callee: atNight(), confirmOutsideHours: true }
    const first = await night.place(client, order)
    await night.untilTaken(first)
    const [closed, confirmed] = [await night.place(client, order), await night.place(client, order)]
    for (const id of [closed, confirmed]) await night.untilWaiting(id)
    // Placed by day, when nobody had to confirm.
    await night.db
      .update(call)
      .set({ createdAt: sql`${call.createdAt} - interval '12 hours'` })
      .where(eq(call.id, closed))
    await new Script(night.app, first).end(0, 'no_answer')
    await night.untilTaken(confirmed)
    expect(await read(client, closed)).toMatchObject({
      endReason: 'not_allowed',
      endMessage: expect.stringContaining('calling hours there ended while the call waited'),
      creditsCharged: 0,
    })
    expect(has(night.nodes[0]!, closed)).toBe(0)
    await new Script(night.app, confirmed).end(0, 'no_answer')
  })
})
