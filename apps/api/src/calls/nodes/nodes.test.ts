import { accountsRoutes, callsRoutes, systemRoutes } from '@parley/contract'
import { eq, sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { checkBooks } from '../../credits/index.ts'
import { type Client, createTestApp, PATIENTLY, type TestApp } from '../../testing.ts'
import { dialCall } from '../placing/dial.ts'
import { LINE_WAIT_MAX_MS } from '../placing/limits.ts'
import { reconcile } from '../reconcile.ts'
import { call, callLease, voiceNode } from '../schema.ts'
import { Script, type StandInVoice, startStandInVoice } from '../testing.ts'
import { watchNodes } from './watch.ts'

// Calls among several voice nodes. VOICE_URL is that of a service that has not joined.

let alone: StandInVoice
let nodes: StandInVoice[]
let app: TestApp
let elsewhere: pg.Client

beforeAll(async () => {
  alone = await startStandInVoice()
  nodes = await Promise.all([startStandInVoice(), startStandInVoice()])
  app = await createTestApp({
    environment: { VOICE_URL: alone.url, CALLING_HOURS: 'off', LIVE_CALLS_PER_ACCOUNT: '50' },
  })
  // Only this file reconciles and watches: its locks make the api believe that another process does.
  elsewhere = new pg.Client(app.context.database.url)
  await elsewhere.connect()
  for (const task of ['calls.reconcile', 'calls.nodes'])
    await elsewhere.query('select pg_advisory_lock(hashtext($1))', [task])
})
beforeEach(async () => {
  await app.context.db.update(call).set({ waitingSince: null })
  await app.context.db.delete(callLease)
  await app.context.db.delete(voiceNode)
  for (const each of [alone, ...nodes]) Object.assign(each, { away: false, broken: false, refuseWith: null })
})
afterEach(() => checkBooks(app.context.db))
afterAll(async () => {
  await elsewhere.end()
  await app.close()
  await Promise.all([alone, ...nodes].map((each) => each.close()))
})

const order = { callee: '+12025550100', purpose: 'Say hello', maxDurationMinutes: 1 }
const place = async (client: Client) => (await client.request(callsRoutes.place, { body: order })).data.id
const read = async (client: Client, id: string) => (await client.request(callsRoutes.get, { params: { id } })).data
const change = (client: Client, id: string, body: { action: 'stop' } | { action: 'say'; text: string }) =>
  client.request(callsRoutes.change, { params: { id }, body })
const balanceOf = async (client: Client) => (await client.request(accountsRoutes.currentUser)).data.creditBalance
const watch = (inMs = 0) => watchNodes(app.context.calls, new Date(Date.now() + inMs))
const reconcileIn = (seconds: number) => reconcile(app.context.calls, new Date(Date.now() + seconds * 1000))
const rowOf = async (id: string) => (await app.context.db.select().from(call).where(eq(call.id, id)))[0]!
const leaseOf = async (id: string) => (await app.context.db.select().from(callLease).where(eq(callLease.callId, id)))[0]
const has = (voice: StandInVoice, id: string) => voice.orders.filter(({ callId }) => callId === id).length
const untilTaken = (id: string) => vi.waitFor(async () => expect((await rowOf(id)).takenAt).not.toBeNull(), PATIENTLY)
const untilWaiting = (id: string) =>
  vi.waitFor(async () => expect((await rowOf(id)).waitingSince).not.toBeNull(), PATIENTLY)

async function placeAndDial(client: Client): Promise<{ id: string; script: Script; node: StandInVoice }> {
  const id = await place(client)
  await untilTaken(id)
  const node = nodes.find((each) => has(each, id) > 0)
  return { id, script: new Script(app, id), node: node! }
}

/** The node has sent no heartbeat since. */
const lapse = (nodeId: string, seconds: number) =>
  app.context.db
    .update(voiceNode)
    .set({ heartbeatAt: sql`now() - make_interval(secs => ${seconds})` })
    .where(eq(voiceNode.nodeId, nodeId))

async function joinBoth(capacity = 10): Promise<void> {
  for (const [at, node] of nodes.entries()) await node.join(app, { nodeId: `n${at}`, capacity })
}

describe('a call among two nodes', () => {
  test('is ordered, commanded, listened to and stopped at the node of its lease alone', async () => {
    await joinBoth()
    const { client } = await app.signUp()
    const calls = [await placeAndDial(client), await placeAndDial(client)]
    expect(new Set(calls.map(({ node }) => node)).size).toBe(2)
    for (const { id, script, node } of calls) {
      const lease = await leaseOf(id)
      expect(node.orders.find(({ callId }) => callId === id)?.fence).toBe(lease?.fence)
      await script.converse()
      expect((await change(client, id, { action: 'say', text: 'Be polite.' })).status).toBe(200)
      const page = new WebSocket(`${app.url.replace('http', 'ws')}/ws/calls/${id}/audio`, {
        headers: { cookie: client.cookieHeader(), origin: 'http://localhost:3000' },
      })
      await vi.waitFor(() => expect(node.sockets.some(({ path }) => path.includes(id))).toBe(true), PATIENTLY)
      page.terminate()
      expect((await change(client, id, { action: 'stop' })).status).toBe(200)
      await node.commandTo(id, 'stop')
      for (const other of [alone, ...nodes].filter((each) => each !== node)) {
        expect(has(other, id)).toBe(0)
        expect(other.commands.filter(({ callId }) => callId === id)).toEqual([])
        expect(other.sockets.filter(({ path }) => path.includes(id))).toEqual([])
      }
      await script.end(5, 'stopped')
      expect(await leaseOf(id)).toBeUndefined()
    }
  })

  test('is not lost when VOICE_URL does not know it, nor when its own node misses it one time', async () => {
    await joinBoth()
    const { client } = await app.signUp()
    const { id, script, node } = await placeAndDial(client)
    await script.converse()
    for (let round = 0; round < 3; round++) await reconcileIn(10 + round)
    expect((await read(client, id)).status).toBe('in_progress')
    node.live.delete(id)
    await reconcileIn(20)
    expect((await read(client, id)).status).toBe('in_progress')
    await reconcileIn(30)
    expect(await read(client, id)).toMatchObject({ status: 'failed', endReason: 'interrupted' })
    expect(await leaseOf(id)).toBeUndefined()
  })

  test('goes to the other node when the first refuses or cannot be reached', async () => {
    for (const [at, state] of [{ refuseWith: 503 }, { away: true }].entries()) {
      await nodes[0]!.join(app, { nodeId: 'n0', capacity: 100 })
      await nodes[1]!.join(app, { nodeId: 'n1', capacity: 2 })
      Object.assign(nodes[0]!, state)
      // A destroyed connection may have carried the order: only one that was never made is certain.
      if (at === 1)
        await app.context.db
          .update(voiceNode)
          .set({ privateUrl: 'http://127.0.0.1:9' })
          .where(eq(voiceNode.nodeId, 'n0'))
      const { client } = await app.signUp()
      const { id, node } = await placeAndDial(client)
      expect(node).toBe(nodes[1])
      expect(await leaseOf(id)).toMatchObject({ nodeId: 'n1' })
      await new Script(app, id).end(0, 'no_answer')
    }
  })

  test('keeps its node and its fence when its job runs again after a crash, and is ordered once more there', async () => {
    await joinBoth()
    const { client } = await app.signUp()
    const { id, node } = await placeAndDial(client)
    const before = await leaseOf(id)
    await app.context.db.update(call).set({ takenAt: null }).where(eq(call.id, id))
    await dialCall(app.context.calls, id)
    expect(await leaseOf(id)).toEqual(before)
    await vi.waitFor(() => expect(has(node, id)).toBe(2), PATIENTLY)
    await new Script(app, id).end(0, 'no_answer')
  })

  test('goes on while its node drains, which gets no further calls', async () => {
    await joinBoth()
    const { client } = await app.signUp()
    const { id, script, node } = await placeAndDial(client)
    await script.converse()
    expect(await node.heartbeat(app, 'draining')).toBe(200)
    const others = [await placeAndDial(client), await placeAndDial(client), await placeAndDial(client)]
    expect(others.every((each) => each.node !== node)).toBe(true)
    expect((await change(client, id, { action: 'say', text: 'Hello?' })).status).toBe(200)
    await script.end(61)
    expect(await read(client, id)).toMatchObject({ status: 'completed', creditsCharged: 1 })
  })
})

describe('while every place is taken', () => {
  beforeEach(async () => void (await nodes[0]!.join(app, { nodeId: 'n0', capacity: 1 })))

  test('a call waits visibly for a free line, and is dialed when one is freed', async () => {
    const { client } = await app.signUp()
    const first = await placeAndDial(client)
    const id = await place(client)
    await untilWaiting(id)
    expect(await read(client, id)).toMatchObject({
      status: 'initiated',
      phase: 'waiting for a free line',
      events: [{ phase: 'queued' }, { phase: 'waiting for a free line' }],
    })
    expect((await client.request(callsRoutes.active, { params: { id: (await rowOf(id)).userId } })).data).toEqual(
      expect.arrayContaining([expect.objectContaining({ id, phase: 'waiting for a free line' })]),
    )
    expect((await change(client, id, { action: 'say', text: 'Hello?' })).status).toBe(409)
    // Its dial budget does not run while it waits.
    await app.context.db
      .update(call)
      .set({
        stageAt: sql`${call.stageAt} - interval '60 seconds'`,
        createdAt: sql`${call.createdAt} - interval '60 seconds'`,
      })
      .where(eq(call.id, id))
    await reconcileIn(60)
    await reconcileIn(61)
    expect((await read(client, id)).completedAt).toBeNull()
    await first.script.end(0, 'no_answer')
    await untilTaken(id)
    expect(await rowOf(id)).toMatchObject({ waitingSince: null, phase: 'queued' })
    await new Script(app, id).end(0, 'no_answer')
  })

  test('waiting calls are dialed in order, one for each line that is freed', async () => {
    const { client } = await app.signUp()
    let live = await placeAndDial(client)
    const ids: string[] = []
    for (let calls = 0; calls < 3; calls++) {
      ids.push(await place(client))
      await untilWaiting(ids.at(-1)!)
    }
    // Of a batch: after the single calls, although it waits longest.
    const [ofBatch = ''] = ids
    await app.context.db.update(call).set({ batchId: 'b' }).where(eq(call.id, ofBatch))
    for (const id of [ids[1]!, ids[2]!, ofBatch]) {
      await live.script.end(0, 'no_answer')
      await untilTaken(id)
      expect(await app.context.db.$count(callLease)).toBe(1)
      live = { id, script: new Script(app, id), node: nodes[0]! }
    }
    await app.context.db.update(call).set({ batchId: null }).where(eq(call.id, ofBatch))
    await live.script.end(0, 'no_answer')
  })

  test('a later call does not overtake one that waits', async () => {
    const { client } = await app.signUp()
    const first = await placeAndDial(client)
    const id = await place(client)
    await untilWaiting(id)
    // The line is freed without waking anybody.
    await app.context.db.delete(callLease)
    const later = await place(client)
    await untilWaiting(later)
    expect(has(nodes[0]!, later)).toBe(0)
    await watch()
    await untilTaken(id)
    await new Script(app, id).end(0, 'no_answer')
    await untilTaken(later)
    await new Script(app, later).end(0, 'no_answer')
    await first.script.end(0, 'no_answer')
  })

  test('a node that joins takes the calls that wait', async () => {
    const { client } = await app.signUp()
    const live = [await placeAndDial(client)]
    const ids = [await place(client), await place(client), await place(client)]
    for (const id of ids) await untilWaiting(id)
    await nodes[1]!.join(app, { nodeId: 'n1', capacity: 3 })
    await watch()
    for (const id of ids) await untilTaken(id)
    for (const id of [...ids, ...live.map((each) => each.id)]) await new Script(app, id).end(0, 'no_answer')
  })

  test('a waiting call that is stopped ends at once, free of charge', async () => {
    const { client } = await app.signUp()
    const first = await placeAndDial(client)
    const id = await place(client)
    await untilWaiting(id)
    expect((await change(client, id, { action: 'stop' })).data).toMatchObject({
      status: 'failed',
      endReason: 'canceled',
      creditsCharged: 0,
    })
    await first.script.end(0, 'no_answer')
    expect(has(nodes[0]!, id)).toBe(0)
    expect(await balanceOf(client)).toBe('10')
  })

  test('a call waits ten minutes at most', async () => {
    const { client } = await app.signUp()
    const first = await placeAndDial(client)
    const id = await place(client)
    await untilWaiting(id)
    await watch(LINE_WAIT_MAX_MS - 5000)
    expect((await read(client, id)).completedAt).toBeNull()
    await watch(LINE_WAIT_MAX_MS + 5000)
    expect(await read(client, id)).toMatchObject({
      endReason: 'carrier_failure',
      endMessage: 'The call could not be started: no line was free in time. Nothing was charged.',
      creditsCharged: 0,
    })
    await first.script.end(0, 'no_answer')
  })

  test('a call waits when the node itself says that it is full', async () => {
    nodes[0]!.refuseWith = 503
    const { client } = await app.signUp()
    const id = await place(client)
    await untilWaiting(id)
    expect(await leaseOf(id)).toBeUndefined()
    nodes[0]!.refuseWith = null
    await watch()
    await untilTaken(id)
    await new Script(app, id).end(0, 'no_answer')
  })
})

describe('the death of a node', () => {
  const INTERRUPTED = { endReason: 'interrupted', endMessage: 'A technical problem ended the call.' }

  async function liveOn(carrierCallId: string | null) {
    await joinBoth()
    const { client } = await app.signUp()
    const { id, script, node } = await placeAndDial(client)
    if (carrierCallId !== null) await script.say({ type: 'dialing' }, { type: 'placed', carrierCallId })
    await script.converse()
    const nodeId = `n${nodes.indexOf(node)}`
    const other = nodes.find((each) => each !== node)!
    return { client, id, script, node, nodeId, other }
  }

  test("hangs the call up at the carrier through another node and settles it by the carrier's seconds", async () => {
    const { client, id, node, nodeId, other } = await liveOn('CA1')
    other.legs.set('CA1', { state: 'live', connectedMs: 95_200 })
    node.away = true
    await lapse(nodeId, 11)
    await watch()
    expect(other.legs.get('CA1')?.state).toBe('ended')
    expect(await read(client, id)).toMatchObject({ ...INTERRUPTED, status: 'failed', durationSeconds: 96 })
    expect(await leaseOf(id)).toBeUndefined()
  })

  test('settles a leg that had ended at the carrier without hanging up', async () => {
    const { client, id, node, nodeId, other } = await liveOn('CA2')
    other.legs.set('CA2', { state: 'ended', connectedMs: 7000 })
    node.away = true
    await lapse(nodeId, 11)
    await watch()
    expect(await read(client, id)).toMatchObject({ ...INTERRUPTED, durationSeconds: 7, creditsCharged: 1 })
  })

  test.each([
    ['the carrier does not know', 'CA3'],
    ['has no id of the carrier', null],
  ])('settles by its last fact a call that %s', async (_, carrierCallId) => {
    const { client, id, node, nodeId } = await liveOn(carrierCallId)
    node.away = true
    await lapse(nodeId, 11)
    await watch()
    expect(await read(client, id)).toMatchObject({ ...INTERRUPTED, durationSeconds: 1, creditsCharged: 1 })
  })

  test('is known at once when another process joins under its id', async () => {
    const { client, id, node, nodeId, other } = await liveOn('CA4')
    other.legs.set('CA4', { state: 'ended', connectedMs: 3000 })
    node.legs.set('CA4', { state: 'ended', connectedMs: 3000 })
    await node.join(app, { nodeId, capacity: 10 })
    await watch()
    expect(await read(client, id)).toMatchObject({ ...INTERRUPTED, durationSeconds: 3 })
  })

  test('is not concluded from nine seconds of silence, nor while the process still answers', async () => {
    const { client, id, node, nodeId } = await liveOn('CA5')
    node.away = true
    await lapse(nodeId, 9)
    await watch()
    node.away = false
    // Its heartbeats do not arrive, as while the api itself was away.
    await lapse(nodeId, 30)
    await watch()
    expect(await read(client, id)).toMatchObject({ status: 'in_progress', completedAt: null })
  })

  test('leaves the call to the next round while no node can ask the carrier, for a minute at most', async () => {
    const { client, id, node, nodeId, other } = await liveOn('CA6')
    node.away = true
    other.away = true
    await lapse(nodeId, 11)
    await watch()
    expect((await read(client, id)).completedAt).toBeNull()
    await app.context.db.update(callLease).set({ leaseUntil: sql`now() - interval '61 seconds'` })
    await watch()
    expect(await read(client, id)).toMatchObject({ ...INTERRUPTED, durationSeconds: 1 })
  })

  test('ends a call as stopped when its stop was requested', async () => {
    const { client, id, node, nodeId, other } = await liveOn('CA7')
    other.legs.set('CA7', { state: 'live', connectedMs: 5000 })
    node.away = true
    expect((await change(client, id, { action: 'stop' })).status).toBe(200)
    await lapse(nodeId, 11)
    await watch()
    expect(await read(client, id)).toMatchObject({ status: 'completed', endReason: 'stopped', durationSeconds: 5 })
  })
})

describe('versions side by side', () => {
  test('orders go to VOICE_URL while no node has joined, and its calls stay there when one joins', async () => {
    const { client } = await app.signUp()
    const id = await place(client)
    await untilTaken(id)
    expect(has(alone, id)).toBe(1)
    expect(alone.orders.find(({ callId }) => callId === id)).not.toHaveProperty('fence')
    await joinBoth()
    await reconcileIn(10)
    await reconcileIn(20)
    expect((await change(client, id, { action: 'stop' })).status).toBe(200)
    await alone.commandTo(id, 'stop')
    await new Script(app, id).end(0, 'canceled')
  })

  test('/health sums up the nodes: ok while one of them takes calls, and that of VOICE_URL without one', async () => {
    const voiceOf = async () => (await app.client().request(systemRoutes.health)).data.parts.voice
    expect(await voiceOf()).toBe('unreachable')
    await joinBoth()
    Object.assign(nodes[0]!, { health: 'full' })
    Object.assign(nodes[1]!, { health: 'draining' })
    expect(await voiceOf()).toBe('full')
    nodes[1]!.health = 'ok'
    expect(await voiceOf()).toBe('ok')
    nodes[0]!.away = true
    expect(await voiceOf()).toBe('ok')
    nodes[1]!.away = true
    expect(await voiceOf()).toBe('unreachable')
  })
})
