import { batchesRoutes as routes, type OutcomeValue } from '@parley/contract'
import { and, eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { checkBooks } from '../../credits/index.ts'
import { withTx } from '../../platform/db.ts'
import { estimateOf } from '../estimate.ts'
import { countDue, nextContact } from '../pacing/queue.ts'
import { batch, batchContact } from '../schema.ts'
import { batchDone, callOf, changeBatch, createBatch, eventually, phoneOf, readBatch, useLists } from '../testing.ts'

// Batches created through the API, each call with its own purpose.

const lists = useLists()
const HOUR_MS = 3_600_000
const inAnHour = () => new Date(Date.now() + HOUR_MS).toISOString()
const toCity = (index: number, city: string, more: object = {}) =>
  callOf(phoneOf(index), { purpose: 'Ask about the weather in {{city}}', context: { city }, ...more })

describe('a batch created through the API', () => {
  test('can be changed and started early; contexts are its columns, and a call with its own purpose needs none', async () => {
    const { client } = await lists.signUpWith(10)
    const own = callOf(phoneOf(4001), { purpose: 'Ask how it was' })
    const { batchId } = (await createBatch(client, [toCity(4000, 'Rome'), own], { startAt: inAnHour() })).data
    expect(await changeBatch(client, batchId, { plan: { callsPerMinute: 10 } })).toMatchObject({ status: 200 })
    expect((await client.request(routes.missing, { params: { id: batchId } })).data).toEqual([])
    expect(await changeBatch(client, batchId, { plan: { purpose: 'Ask {{mayor}}' } })).toMatchObject({
      status: 422,
      body: { code: 'variables_missing', message: 'There is no value for {{mayor}} in 1 row.' },
    })
    lists.play(() => ({ answers: true }))
    expect(await changeBatch(client, batchId, { action: 'start' })).toMatchObject({ status: 200 })
    await batchDone(client, batchId)
    // Both are dialed at once, in either order.
    const purposes = new Map(lists.voice.orders.map(({ callee, purpose }) => [callee, purpose]))
    expect([purposes.get(phoneOf(4000)), purposes.get(phoneOf(4001))]).toEqual([
      'Ask about the weather in Rome',
      'Ask how it was',
    ])
  })

  test('refuses an empty purpose', async () => {
    const { client } = await lists.signUpWith(10)
    const { batchId } = (await createBatch(client, [toCity(4010, 'Rome')], { startAt: inAnHour() })).data
    expect(await changeBatch(client, batchId, { plan: { purpose: ' ' } })).toMatchObject({
      status: 400,
      body: { code: 'invalid_input', field: 'plan.purpose' },
    })
  })

  test('keeps its consent evidence in the audit after its deletion', async () => {
    const { client } = await lists.signUpWith(10)
    const consent = { marketing: true, permission: 'written' as const, details: 'Sign-up form of May' }
    const { batchId } = (await createBatch(client, [toCity(4020, 'Rome')], { consent })).data
    lists.play(() => ({ answers: true }))
    await batchDone(client, batchId)
    expect((await client.request(routes.remove, { params: { id: batchId } })).status).toBe(200)
    const { rows } = await lists.app.context.database.pool.query<{ detail: string }>(
      `select detail from consent_audit where kind = 'evidence' and batch_id = $1`,
      [batchId],
    )
    expect(rows).toEqual([{ detail: 'marketing, written: Sign-up form of May' }])
  })

  test('the CSV has each outcome under its objective and the others in the last column', async () => {
    const { client } = await lists.signUpWith(10)
    const { db } = lists.app.context
    const calls = [
      toCity(4030, 'Rome', { objectives: ['Is it sunny in {{city}}?', 'Is it warm?'] }),
      toCity(4031, 'Oslo', { objectives: ['Is it cold?', 'Is it warm?'] }),
    ]
    const { batchId } = (await createBatch(client, calls)).data
    lists.play(() => ({ answers: true }))
    await batchDone(client, batchId)
    // The last call reports its outcomes shortly after the batch is done.
    await lists.stopPlaying()
    const outcome = (
      objective: string,
      quote: string,
      offer: string | null = null,
      value: OutcomeValue | null = null,
    ) => {
      const status = offer === null ? ('met' as const) : ('offered' as const)
      return { objective, status, quote, turn: 1, offer, value }
    }
    const [sunny, warm, cold] = [
      outcome('Is it sunny in Rome?', 'Very.'),
      outcome('Is it warm?', 'Yes.', null, { type: 'number', number: 31.5, unit: 'degrees' }),
      outcome('Is it cold?', 'Sure.'),
    ]
    const [snow, later] = [
      outcome('A sledge today', 'Tomorrow.', 'tomorrow', { type: 'money', amountCents: 12_050, currency: 'EUR' }),
      outcome('Is it warm?', 'In May.', 'in May'),
    ]
    for (const [callee, outcomes] of [
      [phoneOf(4030), [warm, sunny]],
      [phoneOf(4031), [cold, snow, later]],
    ])
      await db.execute(
        sql`update call set outcomes = ${JSON.stringify(outcomes)}::jsonb where batch_id = ${batchId} and callee = ${callee}`,
      )
    const csv = await (await client.fetch(`/api/batch-calls/${batchId}/results?format=csv`)).text()
    const [head, rome, oslo] = csv.trim().split(/\r?\n/)
    expect(head).toMatch(
      /\?,Is it sunny in \{\{city\}\}\?: quote,Is it sunny in \{\{city\}\}\?: offer,Is it sunny in \{\{city\}\}\?: value,Is it warm\?,Is it warm\?: quote,Is it warm\?: offer,Is it warm\?: value,city,/,
    )
    expect(head).toMatch(/,call,ended,end reason,seconds,/)
    expect(rome).toMatch(/,ended: answered,agent_closed,\d+,/)
    expect(rome).toMatch(/,met,Very\.,,,met,Yes\.,,31\.5 degrees,Rome,$/)
    expect(oslo).toMatch(
      /,,,,,offered,In May\.,in May,,Oslo,"Is it cold\?: met ""Sure\.""; A sledge today: offered \(tomorrow, 120\.50 EUR\) ""Tomorrow\."""$/,
    )
  })
})

describe('retry-failed', () => {
  /** A batch with one failed contact and one that waits a week for its retry. */
  async function createHalf(at: number) {
    const { client } = await lists.signUpWith(10)
    const retries = { attempts: 2, no_answer: 10_080 }
    lists.play(({ callee }) => ({ answers: false, reason: callee === phoneOf(at) ? 'not_in_service' : 'no_answer' }))
    const { batchId } = (await createBatch(client, [callOf(phoneOf(at)), callOf(phoneOf(at + 1))], { retries })).data
    await eventually(
      () => readBatch(client, batchId),
      ({ contacts }) => expect(contacts).toMatchObject({ failed: 1, waiting: 1, calling: 0 }),
    )
    return { client, batchId, ordersOf: () => lists.voice.orders.filter(({ callee }) => callee === phoneOf(at)).length }
  }

  test('dials at once in a batch that waits for a later retry', async () => {
    const { client, batchId, ordersOf } = await createHalf(4100)
    await eventually(
      () => lists.app.context.db.select().from(batch).where(eq(batch.id, batchId)),
      ([row]) => expect(row?.lookAt?.getTime()).toBeGreaterThan(Date.now() + HOUR_MS),
    )
    expect(await changeBatch(client, batchId, { action: 'retry-failed' })).toMatchObject({ status: 200 })
    await eventually(
      async () => ordersOf(),
      (orders) => expect(orders).toBe(2),
    )
    await changeBatch(client, batchId, { action: 'stop' })
    await checkBooks(lists.app.context.db)
  })

  test('leaves a paused batch paused', async () => {
    const { client, batchId, ordersOf } = await createHalf(4110)
    await changeBatch(client, batchId, { action: 'pause' })
    expect(await changeBatch(client, batchId, { action: 'retry-failed' })).toMatchObject({
      status: 200,
      data: { status: 'paused', pausedBy: 'person', contacts: { waiting: 2, failed: 0 } },
    })
    expect(ordersOf()).toBe(1)
  })
})

describe('nextContact', () => {
  test('skips contacts outside the open places, however long they have waited', async () => {
    const { client } = await lists.signUpWith(10)
    const { batchId } = (
      await createBatch(client, [callOf(phoneOf(4200)), callOf(phoneOf(4201))], { startAt: inAnHour() })
    ).data
    const { db } = lists.app.context
    const now = new Date()
    const rowOf = (row: number) => and(eq(batchContact.batchId, batchId), eq(batchContact.row, row))
    const late = new Date(now.getTime() - HOUR_MS)
    await db.update(batchContact).set({ place: 'Europe/Rome', nextAttemptAt: late }).where(rowOf(0))
    await db.update(batchContact).set({ place: 'America/New_York' }).where(rowOf(1))
    const turn = (places: readonly string[] | null) => withTx(db, (tx) => nextContact(tx, batchId, places, now))
    const dueOf = async (places: readonly string[] | null, at = now) =>
      (await countDue(db, [{ batchId, places, most: 10 }], at)).get(batchId)
    const ready = async (places: readonly string[] | null) => (await dueOf(places))?.contacts
    expect([(await turn(['America/New_York']))?.row, await ready(['America/New_York'])]).toEqual([1, 1])
    expect([(await turn(['Europe/Rome']))?.row, await ready(['Europe/Rome'])]).toEqual([0, 1])
    expect([(await turn(null))?.row, await ready(null)]).toEqual([0, 2])
    expect([await turn([]), await ready([])]).toEqual([undefined, 0])
    // A retry that is due is not a future retry.
    expect((await dueOf(null))?.nextRetryAt).toBeNull()
    expect((await dueOf(null, new Date(late.getTime() - 1)))?.nextRetryAt).toEqual(late)
    expect((await countDue(db, [{ batchId, places: null, most: 1 }], now)).get(batchId)?.contacts).toBe(1)
  })
})

describe('estimateOf', () => {
  const plan = { callsPerMinute: 10, liveCalls: null, maxDurationMinutes: 10 } as Parameters<
    typeof estimateOf
  >[0]['plan']
  const limits = { liveCallsPerAccount: 5, callsPerHour: 60, creditsPerDay: 300 }
  const minutesOf = (contacts: number, more: object = {}) =>
    estimateOf({ contacts, plan: { ...plan, ...more }, limits, availableCredits: 0, minutesPerCall: 2, opensAt: null })
      .minutes

  test("the minutes follow from the plan's pace and the account's limits at once, per hour and per day", () => {
    // Four calls at once, of 2.5 minutes each.
    expect(minutesOf(8)).toBe(5)
    expect(minutesOf(8, { liveCalls: 2 })).toBe(10)
    expect(minutesOf(8, { liveCalls: 50 })).toBe(5)
    expect(minutesOf(8, { callsPerMinute: 1 })).toBe(8)
    // 48 in an hour: the 49th waits for the second hour.
    expect(minutesOf(49)).toBe(60)
    // 240 credits in a day are 120 such calls.
    expect(minutesOf(121)).toBe(1440)
    expect(minutesOf(10_000)).toBe(83 * 1440)
  })
})
