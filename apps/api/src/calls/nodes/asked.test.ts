import { eq, inArray, sql } from 'drizzle-orm'
import { describe, expect, test, vi } from 'vitest'
import { PATIENTLY } from '../../testing.ts'
import { call, callLease, callLiveness } from '../schema.ts'
import { useNodes } from './testing.ts'

// Reconciling asks the nodes about many calls at once.

const world = useNodes()

/** One placed call of each of two nodes, and copies of the first whose last fact is older. */
async function quietCalls(copies: number) {
  await world.joinBoth(1000)
  const { client } = await world.app.signUp()
  const [one, other] = [await world.placeAndDial(client), await world.placeAndDial(client)]
  expect(one.node).not.toBe(other.node)
  const ids = Array.from({ length: copies }, (_, at) => `${one.id}-${at}`)
  await world.db.execute(sql`
    insert into call select copy.* from call c, unnest(${sql.param(ids)}::text[]) as given (id),
      jsonb_populate_record(c, jsonb_build_object('id', given.id,
        'heard_at', now() - interval '1 minute', 'is_test', true)) copy
    where c.id = ${one.id}`)
  const [lease] = await world.db.select().from(callLease).where(eq(callLease.callId, one.id))
  const { nodeId, bootId, leaseUntil } = lease!
  const leases = ids.map((callId) => ({ callId, nodeId, bootId, leaseUntil }))
  if (leases.length > 0) await world.db.insert(callLease).values(leases)
  for (const id of ids) one.node.live.set(id, true)
  for (const { node } of [one, other]) node.asked.length = 0
  return { one, other, ids, forget: () => world.db.delete(call).where(inArray(call.id, ids)) }
}

describe('reconciling', () => {
  test('asks a node about its call while another one answers nothing about 40', async () => {
    const { one, other, forget } = await quietCalls(40)
    const open = Promise.withResolvers<void>()
    one.node.answering = open.promise
    const reconciling = world.reconcileIn(10)
    await vi.waitFor(() => expect(other.node.asked).toContain(other.id), PATIENTLY)
    // All places but that of the other node's call, which asks again once it has its answer.
    expect(new Set(one.node.asked).size).toBeLessThanOrEqual(20)
    one.node.answering = Promise.resolve()
    open.resolve()
    await reconciling
    await forget()
  })

  test('asks a node that fails to answer no further in the same round', async () => {
    const { one, other, forget } = await quietCalls(60)
    one.node.away = true
    await world.reconcileIn(10)
    expect(other.node.asked).toEqual([other.id])
    // Twenty at once, and those that replaced the first of them; some connections are tried twice.
    expect(one.node.asked.length).toBeLessThan(50)
    await forget()
  })

  test('comes to each call in turn, however many of a dead node are older', async () => {
    const { one, other, forget } = await quietCalls(210)
    one.node.away = true
    await world.reconcileIn(10)
    expect(other.node.asked).toEqual([])
    await world.reconcileIn(10)
    expect(other.node.asked).toEqual([other.id])
    await forget()
  })

  test('keeps in the database which calls their node did not know, for whichever process asks next', async () => {
    const { one, other } = await quietCalls(0)
    one.node.live.delete(one.id)
    const missed = async () =>
      (
        await world.db
          .select({ id: callLiveness.callId })
          .from(callLiveness)
          .where(sql`${callLiveness.isMissed} and ${inArray(callLiveness.callId, [one.id, other.id])}`)
      ).map(({ id }) => id)
    await world.reconcileIn(10)
    expect(await missed()).toEqual([one.id])
    await one.script.say({ type: 'dialing' })
    expect(await missed()).toEqual([])
    await world.reconcileIn(10)
    await world.reconcileIn(10)
    expect([(await world.rowOf(one.id)).endReason, (await world.rowOf(other.id)).endReason]).toEqual([
      'interrupted',
      null,
    ])
  })
})
