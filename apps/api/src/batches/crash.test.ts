import { expect, test } from 'vitest'
import { reconcile } from '../calls/testing.ts'
import { checkBooks } from '../credits/index.ts'
import { batchDone, callOf, contactsOf, createBatch, eventually, rowsOf, useLists } from './testing.ts'

const lists = useLists()

async function fallSilent(callId: string): Promise<void> {
  const { pool } = lists.app.context.database
  await pool.query(`update call set heard_at = now() - interval '1 minute' where id = $1`, [callId])
  await pool.query('delete from call_liveness where call_id = $1', [callId])
}

/** A call that its voice node does not know counts as lost the second time. */
async function reconcileTwice(): Promise<void> {
  for (let round = 0; round < 2; round++) await reconcile(lists.app.context.calls)
}

test('a crash before the dialing gives a contact its attempt back, twice at most', async () => {
  const { client, user } = await lists.signUpWith(100)
  const [callee = ''] = rowsOf(1, 480)
  const { batchId } = (await createBatch(client, [callOf(callee)], { retries: { attempts: 1 } })).data
  const ofUser = () => lists.voice.orders.filter(({ userId }) => userId === user.id)
  const { pool } = lists.app.context.database
  for (let crash = 1; crash <= 3; crash++) {
    const orders = await eventually(
      async () => ofUser(),
      (found) => expect(found).toHaveLength(crash),
    )
    const { callId } = orders.at(-1)!
    await eventually(
      async () => (await pool.query('select from call where id = $1 and taken_at is not null', [callId])).rowCount,
      (rows) => expect(rows).toBe(1),
    )
    // The voice service took the order and died before dialing.
    lists.voice.live.delete(callId)
    await fallSilent(callId)
    await reconcileTwice()
  }
  const done = await batchDone(client, batchId)
  expect(done.counts).toEqual({ failed: 1 })
  expect(await contactsOf(client, batchId)).toMatchObject([{ status: 'failed', attempts: 1 }])
  expect(ofUser()).toHaveLength(3)
  await checkBooks(lists.app.context.db)
})

test('a call that an earlier voice service dialed keeps its attempt', async () => {
  const { client, user } = await lists.signUpWith(100)
  const [callee = ''] = rowsOf(1, 490)
  const { batchId } = (await createBatch(client, [callOf(callee)], { retries: { attempts: 1 } })).data
  const { callId } = await eventually(
    async () => lists.voice.orders.filter(({ userId }) => userId === user.id)[0]!,
    (found) => expect(found).toBeDefined(),
  )
  lists.voice.live.delete(callId)
  lists.voice.lost.add(callId)
  await fallSilent(callId)
  await reconcileTwice()
  expect((await batchDone(client, batchId)).counts).toEqual({ failed: 1 })
  expect(lists.voice.orders.filter(({ userId }) => userId === user.id)).toHaveLength(1)
})
