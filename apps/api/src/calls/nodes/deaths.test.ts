import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { callLease } from '../schema.ts'
import { change, read, useNodes } from './testing.ts'

const world = useNodes()

const endedAfter = (connectedMs: number) =>
  ({ state: 'ended', cause: 'dropped', connectedMs, code: null, cost: null }) as const

describe('the death of a node', () => {
  const INTERRUPTED = { endReason: 'interrupted', endMessage: 'A technical problem ended the call.' }

  async function liveOn(carrierCallId: string | null, maxDurationMinutes = 1) {
    await world.joinBoth()
    const { client } = await world.app.signUp()
    const { id, script, node } = await world.placeAndDial(client, { maxDurationMinutes })
    if (carrierCallId !== null) await script.say({ type: 'dialing' }, { type: 'placed', carrierCallId })
    await script.converse()
    const nodeId = `n${world.nodes.indexOf(node)}`
    const other = world.nodes.find((each) => each !== node)!
    return { client, id, script, node, nodeId, other }
  }

  test("hangs the call up at the carrier through another node and settles it by the carrier's seconds", async () => {
    const { client, id, node, nodeId, other } = await liveOn('CA1')
    other.legs.set('CA1', { state: 'live', connectedMs: 95_200 })
    node.away = true
    await world.lapse(nodeId, 11)
    await world.watch()
    expect(other.legs.get('CA1')?.state).toBe('ended')
    expect(await read(client, id)).toMatchObject({ ...INTERRUPTED, status: 'failed', durationSeconds: 96 })
    expect(await world.leaseOf(id)).toBeUndefined()
  })

  test('settles a leg that had ended at the carrier without hanging up', async () => {
    const { client, id, node, nodeId, other } = await liveOn('CA2')
    other.legs.set('CA2', endedAfter(7000))
    node.away = true
    await world.lapse(nodeId, 11)
    await world.watch()
    expect(await read(client, id)).toMatchObject({ ...INTERRUPTED, durationSeconds: 7, creditsCharged: 1 })
  })

  test('hangs up the second leg too, and charges it by its own seconds', async () => {
    const { client, id, script, node, nodeId, other } = await liveOn('CA5', 3)
    await script.say({ type: 'leg', leg: 2, carrierCallId: 'CA6', connectedSeconds: null })
    other.legs.set('CA5', { state: 'live', connectedMs: 30_000 })
    other.legs.set('CA6', { state: 'live', connectedMs: 10_000 })
    node.away = true
    await world.lapse(nodeId, 11)
    await world.watch()
    expect(other.legs.get('CA6')?.state).toBe('ended')
    expect(await read(client, id)).toMatchObject({ ...INTERRUPTED, durationSeconds: 30, creditsCharged: 2 })
  })

  test.each([
    ['the carrier does not know', 'CA3'],
    ['has no id of the carrier', null],
  ])('settles by its last fact a call that %s', async (_, carrierCallId) => {
    const { client, id, node, nodeId } = await liveOn(carrierCallId)
    node.away = true
    await world.lapse(nodeId, 11)
    await world.watch()
    expect(await read(client, id)).toMatchObject({ ...INTERRUPTED, durationSeconds: 1, creditsCharged: 1 })
  })

  test('is known at once when another process joins under its id', async () => {
    const { client, id, node, nodeId, other } = await liveOn('CA4')
    other.legs.set('CA4', endedAfter(3000))
    node.legs.set('CA4', endedAfter(3000))
    await node.join(world.app, { nodeId, capacity: 10 })
    await world.watch()
    expect(await read(client, id)).toMatchObject({ ...INTERRUPTED, durationSeconds: 3 })
  })

  test('is not concluded from five seconds of silence, nor while the process still answers', async () => {
    const { client, id, node, nodeId } = await liveOn('CA5', 3)
    node.away = true
    await world.lapse(nodeId, 5)
    await world.watch()
    node.away = false
    // Its heartbeats do not arrive, as while the api itself was away.
    await world.lapse(nodeId, 30)
    await world.db.update(callLease).set({ leaseUntil: sql`now() - interval '20 seconds'` })
    await world.watch()
    expect(await read(client, id)).toMatchObject({ status: 'in_progress', completedAt: null })
    // What answers holds its place.
    expect((await world.leaseOf(id))?.leaseUntil.getTime()).toBeGreaterThan(Date.now())
  })

  test('leaves the call to the next round while no node can ask the carrier, for a minute at most', async () => {
    const { client, id, node, nodeId, other } = await liveOn('CA6')
    node.away = true
    other.away = true
    await world.lapse(nodeId, 11)
    await world.watch()
    expect((await read(client, id)).completedAt).toBeNull()
    await world.db.update(callLease).set({ leaseUntil: sql`now() - interval '61 seconds'` })
    await world.watch()
    expect(await read(client, id)).toMatchObject({ ...INTERRUPTED, durationSeconds: 1 })
  })

  test('ends a call as stopped when its stop was requested', async () => {
    const { client, id, node, nodeId, other } = await liveOn('CA7')
    other.legs.set('CA7', { state: 'live', connectedMs: 5000 })
    node.away = true
    expect((await change(client, id, { action: 'stop' })).status).toBe(200)
    await world.lapse(nodeId, 11)
    await world.watch()
    expect(await read(client, id)).toMatchObject({ status: 'completed', endReason: 'stopped', durationSeconds: 5 })
  })

  test.each([
    ['before it dialed: nobody was dialed, which the next process knows', false, 'nobody was dialed'],
    ['after it dialed, without a fact', true, 'A technical problem ended the call.'],
  ])('%s', async (_, isDialed, message) => {
    await world.joinBoth()
    const { client } = await world.app.signUp()
    const { id, node } = await world.placeAndDial(client)
    if (isDialed) node.lost.add(id)
    await node.join(world.app, { nodeId: `n${world.nodes.indexOf(node)}` })
    await world.watch()
    const { endReason, endMessage, creditsCharged } = await read(client, id)
    expect([endReason, creditsCharged, endMessage]).toEqual(['interrupted', 0, expect.stringContaining(message)])
    expect((await world.rowOf(id)).dispatchedAt === null).toBe(!isDialed)
  })
})
