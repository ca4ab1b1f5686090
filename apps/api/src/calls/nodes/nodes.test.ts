import { systemRoutes } from '@parley/contract'
import { eq } from 'drizzle-orm'
import { describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { PATIENTLY } from '../../testing.ts'
import { dialCall } from '../placing/dial.ts'
import { call, callLease, voiceNode } from '../schema.ts'
import { Script } from '../testing.ts'
import { change, has, read, useNodes } from './testing.ts'

const world = useNodes()

describe('a call among two nodes', () => {
  test('is ordered, commanded, listened to and stopped at the node of its lease alone', async () => {
    await world.joinBoth()
    const { client } = await world.app.signUp()
    const calls = [await world.placeAndDial(client), await world.placeAndDial(client)]
    expect(new Set(calls.map(({ node }) => node)).size).toBe(2)
    for (const { id, script, node } of calls) {
      const lease = await world.leaseOf(id)
      expect(node.orders.find(({ callId }) => callId === id)?.fence).toBe(lease?.fence)
      await script.converse()
      expect((await change(client, id, { action: 'say', text: 'Be polite.' })).status).toBe(200)
      const page = new WebSocket(`${world.app.url.replace('http', 'ws')}/ws/calls/${id}/audio`, {
        headers: { cookie: client.cookieHeader(), origin: 'http://localhost:3000' },
      })
      await vi.waitFor(() => expect(node.sockets.some(({ path }) => path.includes(id))).toBe(true), PATIENTLY)
      page.terminate()
      expect((await change(client, id, { action: 'stop' })).status).toBe(200)
      await node.commandTo(id, 'stop')
      for (const other of [world.alone, ...world.nodes].filter((each) => each !== node)) {
        expect(has(other, id)).toBe(0)
        expect(other.commands.filter(({ callId }) => callId === id)).toEqual([])
        expect(other.sockets.filter(({ path }) => path.includes(id))).toEqual([])
      }
      await script.end(5, 'stopped')
      expect(await world.leaseOf(id)).toBeUndefined()
    }
  })

  test('is not lost when VOICE_URL does not know it, nor when its own node misses it one time', async () => {
    await world.joinBoth()
    const { client } = await world.app.signUp()
    const { id, script, node } = await world.placeAndDial(client)
    await script.converse()
    for (let round = 0; round < 3; round++) await world.reconcileIn(10 + round)
    expect((await read(client, id)).status).toBe('in_progress')
    node.live.delete(id)
    await world.reconcileIn(20)
    expect((await read(client, id)).status).toBe('in_progress')
    await world.reconcileIn(30)
    expect(await read(client, id)).toMatchObject({ status: 'failed', endReason: 'interrupted' })
    expect(await world.leaseOf(id)).toBeUndefined()
  })

  test.each(['refuses it', 'cannot be reached'])('goes to the other node when the less loaded one %s', async (why) => {
    await world.nodes[1]!.join(world.app, { nodeId: 'n1', capacity: 4 })
    const { client } = await world.app.signUp()
    const first = await world.placeAndDial(client)
    await world.nodes[0]!.join(world.app, { nodeId: 'n0', capacity: 4 })
    if (why === 'refuses it') world.nodes[0]!.refuseWith = 503
    // Nobody listens there. An order on a connection that broke may have arrived, and is not sent again.
    else await world.db.update(voiceNode).set({ privateUrl: 'http://127.0.0.1:2' }).where(eq(voiceNode.nodeId, 'n0'))
    const { id, node } = await world.placeAndDial(client)
    expect(node).toBe(world.nodes[1])
    const leases = [await world.leaseOf(first.id), await world.leaseOf(id)]
    expect(leases).toMatchObject([{ nodeId: 'n1' }, { nodeId: 'n1' }])
    expect(await world.db.$count(callLease)).toBe(2)
    for (const each of [first.id, id]) await new Script(world.app, each).end(0, 'no_answer')
  })

  test('keeps its node and its fence when its job runs again after a crash, and is ordered once more there', async () => {
    await world.joinBoth()
    const { client } = await world.app.signUp()
    const { id, node } = await world.placeAndDial(client)
    const before = await world.leaseOf(id)
    await world.db.update(call).set({ takenAt: null }).where(eq(call.id, id))
    await dialCall(world.app.context.calls, id)
    expect(await world.leaseOf(id)).toEqual(before)
    await vi.waitFor(() => expect(has(node, id)).toBe(2), PATIENTLY)
    await new Script(world.app, id).end(0, 'no_answer')
  })

  test('is not dialed by the successor of its process before that has joined, and once after', async () => {
    const [node] = world.nodes
    await node!.join(world.app, { nodeId: 'n0', capacity: 4 })
    node!.restart()
    const { client } = await world.app.signUp()
    const id = await world.place(client)
    await vi.waitFor(() => expect(node!.misdirected).toBeGreaterThan(0), PATIENTLY)
    expect(has(node!, id)).toBe(0)
    await node!.join(world.app, { nodeId: 'n0', capacity: 4 })
    await world.untilTaken(id)
    await world.watch()
    await vi.waitFor(() => expect(has(node!, id)).toBe(1), PATIENTLY)
    expect((await read(client, id)).completedAt).toBeNull()
    await new Script(world.app, id).end(0, 'no_answer')
  })

  test('goes on while its node drains, which gets no further calls', async () => {
    await world.joinBoth()
    const { client } = await world.app.signUp()
    const { id, script, node } = await world.placeAndDial(client)
    await script.converse()
    expect(await node.heartbeat(world.app, 'draining')).toBe(200)
    const others = [
      await world.placeAndDial(client),
      await world.placeAndDial(client),
      await world.placeAndDial(client),
    ]
    expect(others.every((each) => each.node !== node)).toBe(true)
    expect((await change(client, id, { action: 'say', text: 'Hello?' })).status).toBe(200)
    await script.end(61)
    expect(await read(client, id)).toMatchObject({ status: 'completed', creditsCharged: 1 })
  })
})

describe('versions side by side', () => {
  test('orders go to VOICE_URL while no node has joined, and its calls stay there when one joins', async () => {
    const { client } = await world.app.signUp()
    const id = await world.place(client)
    await world.untilTaken(id)
    expect(has(world.alone, id)).toBe(1)
    expect(world.alone.orders.find(({ callId }) => callId === id)).toMatchObject({ fence: 1 })
    await world.joinBoth()
    await world.reconcileIn(10)
    await world.reconcileIn(20)
    expect((await change(client, id, { action: 'stop' })).status).toBe(200)
    await world.alone.commandTo(id, 'stop')
    await new Script(world.app, id).end(0, 'canceled')
  })

  test('/health sums up the nodes: ok while one of them takes calls, and that of VOICE_URL without one', async () => {
    const voiceOf = async () => (await world.app.client().request(systemRoutes.health)).data.parts.voice
    expect(await voiceOf()).toBe('unreachable')
    await world.joinBoth()
    Object.assign(world.nodes[0]!, { health: 'full' })
    Object.assign(world.nodes[1]!, { health: 'draining' })
    expect(await voiceOf()).toBe('full')
    world.nodes[1]!.health = 'ok'
    expect(await voiceOf()).toBe('ok')
    world.nodes[0]!.away = true
    expect(await voiceOf()).toBe('ok')
    world.nodes[1]!.away = true
    expect(await voiceOf()).toBe('unreachable')
  })
})
