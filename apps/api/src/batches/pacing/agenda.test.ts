import { callsRoutes } from '@parley/contract'
import { eq, inArray, sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { call, Script, type StandInVoice, startStandInVoice } from '../../calls/testing.ts'
import { holdRounds } from '../../platform/rounds/testing.ts'
import { type Client, createTestApp, type TestApp } from '../../testing.ts'
import { batch } from '../schema.ts'
import { callOf, createBatch, eventually, rowsOf, signUpWith } from '../testing.ts'
import { dueBatches, withPlaces } from './agenda.ts'
import { Pacer } from './pacer.ts'

// The rounds are those of the tests alone. An account may have five calls at once, four of them of batches.

let app: TestApp
let voice: StandInVoice

beforeAll(async () => {
  voice = await startStandInVoice()
  app = await createTestApp({
    environment: { VOICE_URL: voice.url, CALLING_HOURS: 'off', LIVE_CALLS_PER_ACCOUNT: '5', CALLS_PER_HOUR: '1000' },
  })
  await holdRounds(app.context.db, ['batches.pace'])
})
afterAll(async () => {
  await app.close()
  await voice.close()
})

const LINES = 4
let phones = 0
const newList = async (client: Client, contacts: number, more: object = {}) =>
  (
    await createBatch(
      client,
      rowsOf(contacts, (phones += contacts)).map((each) => callOf(each)),
      more,
    )
  ).data.batchId
const rowOf = async (id: string) => (await app.context.db.select().from(batch).where(eq(batch.id, id)))[0]!
const waitOf = async (id: string) => {
  const { lookAt } = await rowOf(id)
  return lookAt === null ? 0 : Math.round((lookAt.getTime() - Date.now()) / 1000)
}
const round = () => new Pacer(app.context.batches).round()
const ordersOf = (userId: string) => voice.orders.filter((order) => order.userId === userId)
const ordered = (userId: string, orders: number) =>
  eventually(
    async () => ordersOf(userId),
    (found) => expect(found).toHaveLength(orders),
  )

describe('a batch', () => {
  test('that waits for its own calls alone is not looked at for a minute, and at once when one has ended', async () => {
    const { client, user } = await signUpWith(app, 20)
    const id = await newList(client, 1)
    await round()
    const [order] = await ordered(user.id, 1)
    await app.context.db.update(batch).set({ lookAt: null }).where(eq(batch.id, id))
    await round()
    expect(await waitOf(id)).toBeGreaterThan(50)
    await new Script(app, order!.callId).end(0, 'busy')
    expect((await rowOf(id)).lookAt).toBeNull()
  })

  test('that was not looked at in time is told by the figure of the rounds', async () => {
    const { client } = await signUpWith(app, 20)
    const id = await newList(client, 1)
    await app.context.db
      .update(batch)
      .set({ lookAt: new Date(Date.now() - 30_000) })
      .where(eq(batch.id, id))
    const overdue = async () =>
      Number(/^parley_lists_look_overdue_seconds (\S+)$/m.exec(await app.context.metrics.text())?.[1])
    await eventually(overdue, (seconds) => expect(seconds).toBeGreaterThanOrEqual(30))
    await round()
    await eventually(overdue, (seconds) => expect(seconds).toBeLessThan(30))
  })

  test('that waits for a line of its account is due when any call of the account ends', async () => {
    const { client, user } = await signUpWith(app, 20)
    const first = await newList(client, LINES)
    await round()
    const single = await client.request(callsRoutes.place, { body: callOf('+12025550100') })
    await ordered(user.id, LINES + 1)
    const second = await newList(client, 2)
    await round()
    expect(await rowOf(second)).toMatchObject({ waitsFor: 'account', calling: 0, status: 'running' })
    expect(await waitOf(second)).toBeGreaterThan(5)
    await new Script(app, single.data.id).end(0, 'no_answer')
    expect(await waitOf(second)).toBeLessThanOrEqual(0)
    // The line of a single call is one of the account's own, so batches still have none.
    await round()
    expect(await rowOf(second)).toMatchObject({ waitsFor: 'account', calling: 0 })
    const [order] = ordersOf(user.id)
    await new Script(app, order!.callId).end(0, 'not_in_service')
    await round()
    expect([(await rowOf(first)).calling, (await rowOf(second)).calling]).toEqual([LINES - 1, 1])
  })

  test('whose last call is the longest ago gets the next line of its account', async () => {
    const { client, user } = await signUpWith(app, 20)
    const ids = [await newList(client, 9), await newList(client, 9), await newList(client, 9)]
    const served: number[] = []
    await round()
    for (let calls = LINES; calls < LINES + 6; calls++) {
      const orders = await ordered(user.id, calls)
      await new Script(app, orders[calls - LINES]!.callId).end(0, 'not_in_service')
      await round()
      const callId = (await ordered(user.id, calls + 1)).at(-1)!.callId
      const [row] = await app.context.db.select().from(call).where(eq(call.id, callId))
      served.push(ids.indexOf(row!.batchId!))
    }
    expect(new Set(served.slice(0, 3))).toEqual(new Set([0, 1, 2]))
    expect(served.slice(3)).toEqual(served.slice(0, 3))
  })

  test('whose data makes a statement fail keeps no other from its look', async () => {
    const { client, user } = await signUpWith(app, 50)
    const ids = []
    for (let lists = 0; lists < LINES; lists++) ids.push(await newList(client, 1))
    await round()
    const orders = await ordered(user.id, LINES)
    const { db } = app.context
    await db.update(call).set({ clockSpeed: 0 }).where(eq(call.id, orders[0]!.callId))
    await db.update(batch).set({ lookAt: null }).where(inArray(batch.id, ids))
    await round()
    const unseen = await db
      .select({ id: batch.id })
      .from(batch)
      .where(sql`${batch.userId} = ${user.id} and ${batch.lookAt} is null`)
    const { batchId } = (await db.select().from(call).where(eq(call.id, orders[0]!.callId)))[0]!
    expect(unseen).toEqual([{ id: batchId }])
    const { rows } = await db.execute<{ error_kind: string }>(
      sql`select error_kind from passed_over where subject = ${batchId}`,
    )
    expect(rows).toEqual([{ error_kind: 'sql 22012' }])
    await db.update(call).set({ clockSpeed: 1 }).where(eq(call.id, orders[0]!.callId))
  })
})

describe('the due batches', () => {
  test('are in turn one of each account, and of those beyond the overdue as many as find a place', async () => {
    const people = await Promise.all([1, 2].map(() => signUpWith(app, 20)))
    const ids = new Map<string, string>()
    for (const [at, { client }] of people.entries())
      for (let lists = 0; lists < 2; lists++) ids.set(await newList(client, 1), `${at}-${lists}`)
    const now = new Date()
    const { db } = app.context
    const mine = inArray(batch.id, [...ids.keys()])
    await db
      .update(batch)
      .set({ lookAt: new Date(now.getTime() - 1000) })
      .where(mine)
    const due = (await dueBatches(db, now)).filter(({ id }) => ids.has(id))
    const names = due.map(({ id }) => ids.get(id)!)
    expect(names.map((name) => name.split('-')[1])).toEqual(['0', '0', '1', '1'])
    expect(due.map(({ isOverdue }) => isOverdue)).toEqual([false, false, false, false])
    const later = await dueBatches(db, new Date(now.getTime() + 10_000))
    expect(later.filter(({ id }) => ids.has(id)).map(({ isOverdue }) => isOverdue)).toEqual([true, true, true, true])
    await db
      .update(batch)
      .set({ lookAt: new Date(now.getTime() + 3_600_000) })
      .where(mine)
  })

  test('withPlaces takes the overdue always, and ten others for each place', () => {
    const due = Array.from({ length: 40 }, (_, at) => ({ id: String(at), isOverdue: at % 10 === 0 }))
    expect(withPlaces(due, 0)).toEqual({ ids: ['0', '10', '20', '30'], isMore: false })
    const { ids, isMore } = withPlaces(due, 2)
    expect([ids.length, isMore]).toEqual([24, true])
    expect(withPlaces(due, 4)).toMatchObject({ isMore: false })
  })

  test('are found and looked at by indexes, however many batches, contacts and calls there are', async () => {
    const { db, database } = app.context
    const { client, user } = await signUpWith(app, 20)
    const id = await newList(client, 1)
    await round()
    const [order] = await ordered(user.id, 1)
    await db.execute(sql`
      insert into batch select copy.* from batch b, generate_series(1, ${MANY}::int) n,
        jsonb_populate_record(b, jsonb_build_object('id', b.id || '-' || n,
          'look_at', now() + interval '1 hour', 'status', 'running')) copy
      where b.id = ${id}`)
    await db.execute(sql`
      insert into batch_contact (batch_id, row, phone, context, place, status)
      select ${id} || '-' || n, 0, '', '{}', 'Europe/Rome', 'waiting' from generate_series(1, ${MANY}::int) n`)
    await db.execute(sql`
      insert into call select copy.* from call c, generate_series(1, ${MANY}::int) n,
        jsonb_populate_record(c, jsonb_build_object('id', c.id || '-' || n,
          'batch_id', ${id} || '-' || n, 'completed_at', now(), 'status', 'failed', 'end_reason', 'busy',
          'duration_seconds', 0, 'credits_charged', 0, 'created_at', now() - interval '3 days')) copy
      where c.id = ${order!.callId}`)
    for (const table of ['batch', 'batch_contact', 'call']) await db.execute(sql.raw(`vacuum analyze ${table}`))
    await newList(client, 1)
    const recorded = recordStatements()
    await round()
    const scans: string[] = []
    for (const { text, values } of recorded.end().filter((each) => /^\s*(select|with)/.test(each.text))) {
      const { rows } = await database.pool.query<Record<'QUERY PLAN', string>>(`explain ${text}`, values)
      scans.push(
        ...rows.map((row) => row['QUERY PLAN']).filter((line) => / on (batch|batch_contact|call)\b/.test(line)),
      )
    }
    expect(scans.filter((line) => line.includes('Seq Scan'))).toEqual([])
    for (const index of ['batch_due', 'batch_pkey', 'batch_contact_fresh', 'batch_contact_again', 'call_batch'])
      expect(scans.join('\n')).toContain(` using ${index} `)
    await db.execute(sql`delete from batch where id like ${`${id}-%`}`)
    await db.execute(sql`delete from call where id like ${`${order!.callId}-%`}`)
  })
})

const MANY = 5000

interface Statement {
  readonly text: string
  readonly values: unknown[]
}

/** What this process sends to PostgreSQL. */
function recordStatements(): { end(): readonly Statement[] } {
  const statements: Statement[] = []
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  return {
    end() {
      for (const [first, second] of spy.mock.calls as unknown[][]) {
        const text = typeof first === 'string' ? first : String(Reflect.get(Object(first), 'text'))
        const values: unknown = Array.isArray(second) ? second : Reflect.get(Object(first), 'values')
        statements.push({ text, values: Array.isArray(values) ? values : [] })
      }
      spy.mockRestore()
      return statements
    },
  }
}
