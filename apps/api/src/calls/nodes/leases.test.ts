import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createDatabase, type Database, type Db, withTx } from '../../platform/db.ts'
import { testDatabase } from '../../platform/testing.ts'
import { PATIENTLY } from '../../testing.ts'
import { call, callLease, voiceNode } from '../schema.ts'
import { batchPlacesOf, leaseOf, release, reserve } from './leases.ts'
import { keepLiving } from '../testing.ts'
import { heartbeat, join } from './registry.ts'

// Reservations by many transactions at once, as of many apis.

let database: Database
/** Connections enough that the reservations do run at once. */
let wide: Database
let db: Db

beforeAll(async () => {
  database = await testDatabase()
  wide = createDatabase(database.url, { poolSize: 24 })
  db = wide.db
  await db.execute(sql`insert into "user" (id, name, email) values ('u', 'Ada', 'ada@example.com')`)
})
afterAll(async () => {
  await wide.close()
  await database.close()
})
beforeEach(async () => {
  await db.delete(call)
  await db.delete(voiceNode)
})

let boots = 0
const joinAs = async (nodeId: string, capacity: number) => {
  const bootId = `${Date.now()}-${++boots}`
  const address = `http://${nodeId}.example:3001`
  const about = { capacity, version: '1', carrier: 'simulated', mind: 'scripted' }
  const joined = await join(db, { nodeId, bootId, privateUrl: address, mediaUrl: address, ...about })
  await keepLiving(db, nodeId)
  return joined
}

async function addCall(batchId: string | null = null): Promise<string> {
  const id = randomUUID()
  const now = new Date()
  const words = { purpose: 'Ask', objectives: [], context: {}, onBehalfOf: 'Ada' }
  const manner = { tone: 'friendly', voiceId: 'default', language: 'en', record: false } as const
  const state = { status: 'initiated', phase: 'queued', stageAt: now, heardAt: now, createdAt: now } as const
  const money = { maxDurationMinutes: 2, creditsHeld: 2 }
  const order = { id, userId: 'u', batchId, callee: '+12025550100', ...words, ...manner, ...state, ...money }
  await db.insert(call).values(order)
  return id
}

const tryOnce = (callId: string, isSingle = true, except: string[] = []) =>
  withTx(db, (tx) => reserve(tx, { callId, isSingle, except }))

/** Looks again while a node is locked, as dial.ts does. */
async function reserveFor(callId: string, isSingle = true) {
  for (;;) {
    const reserved = await tryOnce(callId, isSingle)
    if (reserved !== 'locked') return reserved
  }
}

const takenOf = async () => {
  const rows = await db
    .select({ nodeId: callLease.nodeId, calls: sql<string>`count(*)` })
    .from(callLease)
    .groupBy(callLease.nodeId)
  return Object.fromEntries(rows.map(({ nodeId, calls }) => [nodeId, Number(calls)]))
}

describe('reserve', () => {
  test('never gives more places than the nodes have, for 200 calls at once', async () => {
    for (const [at, capacity] of [17, 30, 45].entries()) await joinAs(`n${at}`, capacity)
    const ids = await Promise.all(Array.from({ length: 200 }, () => addCall()))
    const reserved = await Promise.all(ids.map((id) => reserveFor(id)))
    expect(await takenOf()).toEqual({ n0: 17, n1: 30, n2: 45 })
    expect(reserved.filter((each) => each === 'full')).toHaveLength(200 - 17 - 30 - 45)
  })

  test('never gives more places than there are while others are freed at the same time', async () => {
    await joinAs('n', 10)
    const ids = await Promise.all(Array.from({ length: 120 }, () => addCall()))
    let most = 0
    await Promise.all(
      ids.map(async (id) => {
        if ((await reserveFor(id)) === 'full') return
        most = Math.max(most, (await takenOf())['n'] ?? 0)
        await withTx(db, (tx) => release(tx, id))
      }),
    )
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(10)
    expect(await takenOf()).toEqual({})
  })

  test('counts a lease that was committed after its transaction had found the node', async () => {
    await joinAs('n', 1)
    const [first, second] = [await addCall(), await addCall()]
    // The query that finds a node is held in the middle: this function stands before the database's own.
    await db.execute(sql`create function public.random() returns float8 language plpgsql as
      'begin perform pg_advisory_xact_lock_shared(42); return 0; end'`)
    const holder = await database.pool.connect()
    await holder.query('select pg_advisory_lock(42)')
    const found = withTx(db, async (tx) => {
      await tx.execute(sql`set local search_path = public, pg_catalog`)
      return reserve(tx, { callId: second, isSingle: true, except: [] })
    })
    await vi.waitFor(async () => {
      const held = await holder.query(`select 1 from pg_locks where locktype = 'advisory' and not granted`)
      expect(held.rowCount).toBe(1)
    }, PATIENTLY)
    expect(await reserveFor(first)).toMatchObject({ node: { nodeId: 'n' } })
    await holder.query('select pg_advisory_unlock(42)')
    holder.release()
    expect(await found).toBe('full')
    await db.execute(sql`drop function public.random()`)
  })

  test('gives the least loaded node, by the share of its places', async () => {
    await joinAs('small', 2)
    await joinAs('large', 20)
    for (let calls = 0; calls < 11; calls++) await reserveFor(await addCall())
    expect(await takenOf()).toEqual({ small: 1, large: 10 })
  })

  test('leaves the last tenth of the places, at least one, to single calls', async () => {
    await joinAs('n', 10)
    for (let calls = 0; calls < 9; calls++) expect(await reserveFor(await addCall('batch'), false)).not.toBe('full')
    expect(await reserveFor(await addCall('batch'), false)).toBe('full')
    expect(await reserveFor(await addCall())).not.toBe('full')
    expect([1, 4, 5, 10, 19, 200].map(batchPlacesOf)).toEqual([1, 4, 4, 9, 18, 180])
  })

  test('says locked, not full, while another transaction has locked the node', async () => {
    await joinAs('n', 10)
    const id = await addCall()
    await withTx(database.db, async (tx) => {
      await tx.select().from(voiceNode).for('update')
      expect(await tryOnce(id)).toBe('locked')
    })
    expect(await tryOnce(id)).toMatchObject({ node: { nodeId: 'n' } })
  })

  test('passes over a node that drains, one that is dead and one that refused the call', async () => {
    const { credentials } = await joinAs('drains', 10)
    await joinAs('dead', 10)
    await joinAs('refused', 10)
    const [{ bootId } = { bootId: '' }] = await db.select().from(voiceNode).where(eq(voiceNode.nodeId, 'drains'))
    await heartbeat(db, { nodeId: 'drains', bootId, credentials, state: 'draining' })
    await db
      .update(voiceNode)
      .set({ heartbeatAt: sql`now() - interval '11 seconds'` })
      .where(eq(voiceNode.nodeId, 'dead'))
    expect(await tryOnce(await addCall(), true, ['refused'])).toBe('full')
    expect(await tryOnce(await addCall())).toMatchObject({ node: { nodeId: 'refused' } })
  })

  test('does not count leases of an earlier process of the node', async () => {
    await joinAs('n', 1)
    const before = await addCall()
    await reserveFor(before)
    await joinAs('n', 1)
    expect(await reserveFor(await addCall())).not.toBe('full')
    expect(await leaseOf(db, before)).toBeNull()
  })

  test('gives each lease a greater fence', async () => {
    await joinAs('n', 10)
    const fences: number[] = []
    const id = await addCall()
    for (let turn = 0; turn < 3; turn++) {
      const reserved = await reserveFor(id)
      if (typeof reserved === 'object') fences.push(reserved.fence)
      await withTx(db, (tx) => release(tx, id))
    }
    expect(fences).toHaveLength(3)
    expect(fences).toEqual(fences.toSorted((one, other) => one - other))
    expect(new Set(fences).size).toBe(3)
  })
})
