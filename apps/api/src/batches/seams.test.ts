import { accountsRoutes, consentRoutes, reportsRoutes } from '@parley/contract'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { turnDialing } from '../consent/index.ts'
import { checkBooks } from '../credits/index.ts'
import { withTx } from '../platform/db.ts'
import { dialNext } from './pacing/dial.ts'
import { batch, batchContact } from './schema.ts'
import {
  batchDone,
  callOf,
  contactsOf,
  createBatch,
  eventually,
  phoneOf,
  readBatch,
  rowsOf,
  uploadList,
  useLists,
} from './testing.ts'

// Batches against concurrent changes by other rooms.

const lists = useLists()
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

describe('deleting an account', () => {
  test("stops the account's batches and dials no further contact", async () => {
    const { client, user } = await lists.signUpWith(100)
    const answered = Promise.withResolvers<void>()
    lists.play(() => ({ answers: true, seconds: 20 }), answered.promise)
    const running = (
      await createBatch(
        client,
        rowsOf(30, 3000).map((each) => callOf(each)),
      )
    ).data.batchId
    const scheduled = (await createBatch(client, [callOf(phoneOf(3050))], { startAt: inAnHour() })).data.batchId
    await eventually(
      () => readBatch(client, running),
      ({ contacts }) => expect(contacts.calling).toBeGreaterThan(3),
    )
    expect((await client.request(accountsRoutes.deleteUser, { params: { id: user.id } })).status).toBe(200)
    const { db } = lists.app.context
    const statusOf = async (id: string) =>
      (await db.select({ status: batch.status }).from(batch).where(eq(batch.id, id)))[0]?.status
    expect([await statusOf(running), await statusOf(scheduled)]).toEqual(['stopped', 'stopped'])
    answered.resolve()
    await eventually(
      () => db.$count(batch, eq(batch.userId, user.id)),
      (left) => expect(left).toBe(0),
    )
    const called = lists.voice.orders.filter(({ userId }) => userId === user.id)
    expect(called.length).toBeLessThanOrEqual(10)
    expect(called.map(({ onBehalfOf }) => onBehalfOf)).not.toContain('')
    await checkBooks(db)
  })
})

describe('adding a number to the do-not-call list', () => {
  test('works while a file with the number is still being read', async () => {
    const { client, user } = await lists.signUpWith(10)
    const phone = phoneOf(3100)
    const draft = (await (await uploadList(client, `phone\n${phone}\n${phoneOf(3101)}\n`)).json()) as {
      batchId: string
    }
    const { db } = lists.app.context
    // The state during an upload: rows without their count.
    await db.update(batch).set({ incoming: true, waiting: 0 }).where(eq(batch.id, draft.batchId))
    expect(await client.request(consentRoutes.add, { params: { id: user.id }, body: { phone } })).toMatchObject({
      status: 201,
    })
    await db.delete(batch).where(eq(batch.id, draft.batchId))
  })

  test('ends a scheduled batch with no other contact', async () => {
    const { client, user } = await lists.signUpWith(10)
    const { batchId } = (await createBatch(client, [callOf(phoneOf(3110))], { startAt: inAnHour() })).data
    await client.request(consentRoutes.add, { params: { id: user.id }, body: { phone: phoneOf(3110) } })
    expect(await readBatch(client, batchId)).toMatchObject({ status: 'done', contacts: { cancelled: 1 } })
  })

  test('an import takes at most 100,000 numbers, and a longer one adds none', async () => {
    const { client, user } = await lists.app.signUp()
    const list = async () => (await client.request(consentRoutes.list, { params: { id: user.id } })).data
    const send = (text: string) =>
      client.fetch(`/api/user/${user.id}/do-not-call/import?fileName=numbers.csv`, {
        method: 'POST',
        headers: { 'content-type': 'text/csv' },
        body: text,
      })
    const tooLong = await send(`phone\n${`${phoneOf(3120)}\n`.repeat(100_001)}`)
    expect([tooLong.status, await tooLong.json()]).toMatchObject([413, { code: 'too_large' }])
    expect(await list()).toEqual([])
    const taken = await send(`phone\n${phoneOf(3120)}\n${phoneOf(3121)}\n${phoneOf(3120)}\nnobody\n`)
    expect(await taken.json()).toMatchObject({ added: 2, known: 0, dropped: [{ code: 'number_invalid' }] })
    expect(await (await send(`phone\n${phoneOf(3121)}\n${phoneOf(3122)}\n`)).json()).toMatchObject({
      added: 1,
      known: 1,
    })
    expect(await list()).toHaveLength(3)
  })
})

test('a call refused because dialing was switched off gives its contact the attempt back', async () => {
  const { client, user } = await lists.signUpWith(50)
  const { pool } = lists.app.context.database
  await pool.query(`create function turn_off() returns trigger language plpgsql as $$ begin
    insert into dialing_switch ("on", reason) values (false, 'abuse') on conflict (id) do update set "on" = false, reason = 'abuse';
    return null;
  end $$`)
  await pool.query('create trigger turns_off after insert on call for each row execute function turn_off()')
  const { batchId } = (await createBatch(client, [callOf(phoneOf(3150))])).data
  const [ended] = await eventually(
    async () => (await client.request(reportsRoutes.calls, { params: { id: user.id } })).data,
    (calls) => expect(calls).toMatchObject([{ status: 'failed', endReason: 'not_allowed' }]),
  )
  expect(ended).toMatchObject({ creditsCharged: 0 })
  expect(await contactsOf(client, batchId)).toMatchObject([{ status: 'waiting', attempts: 0 }])
  await pool.query('drop trigger turns_off on call')
  await pool.query('drop function turn_off')
  lists.play(() => ({ answers: true }))
  await withTx(lists.app.context.db, (tx) => turnDialing(tx, true))
  expect((await batchDone(client, batchId)).counts).toEqual({ completed: 1 })
})

test('a number in five batches is dialed three times a day, also by parallel pacers', async () => {
  const { client, user } = await lists.signUpWith(50)
  const { db } = lists.app.context
  const phone = phoneOf(3200)
  const create = async () => (await createBatch(client, [callOf(phone)], { startAt: inAnHour() })).data.batchId
  const ids = await Promise.all([create(), create(), create(), create(), create()])
  // Running, but with a look-at time that keeps the pacer away: only this test dials.
  await db
    .update(batch)
    .set({ status: 'running', lookAt: new Date(Date.now() + 3_600_000) })
    .where(eq(batch.userId, user.id))
  const rows = await db.select().from(batch).where(eq(batch.userId, user.id))
  expect(rows).toHaveLength(ids.length)
  await Promise.all(rows.map((row) => dialNext(lists.app.context.batches, row, null)))
  const dialed = await db.$count(
    batchContact,
    sql`${batchContact.callee} = ${phone} and ${batchContact.status} <> 'waiting'`,
  )
  expect(dialed).toBe(3)
  lists.play(() => ({ answers: false }))
  await eventually(
    async () => (await Promise.all(ids.map((id) => contactsOf(client, id)))).flat(),
    (contacts) => expect(contacts.filter(({ status }) => status === 'calling')).toEqual([]),
  )
})
