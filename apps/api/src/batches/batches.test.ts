import { batchesRoutes as routes, callsRoutes, type LiveMessage } from '@parley/contract'
import { eq } from 'drizzle-orm'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { Script } from '../calls/testing.ts'
import { turnDialing } from '../consent/index.ts'
import { checkBooks, grant } from '../credits/index.ts'
import { userTopic } from '../platform/bus.ts'
import { withTx } from '../platform/db.ts'
import { createTelling } from './results/progress.ts'
import { batch as table } from './schema.ts'
import {
  batchDone,
  callOf,
  changeBatch,
  contactsOf,
  createBatch,
  eventually,
  phoneOf,
  readBatch,
  rowsOf,
  useLists,
} from './testing.ts'

const lists = useLists()

describe('a batch', () => {
  test('calls each contact once in order, reports its progress and returns its results', async () => {
    const { client, user } = await lists.signUpWith(100)
    const told: LiveMessage[] = []
    // Only this process publishes on the topic, so the casts hold.
    const leave = lists.app.context.bus.subscribe(userTopic(user.id), (message) => told.push(message as LiveMessage))
    const begun = Promise.withResolvers<void>()
    lists.play(({ callee }) => ({ answers: !callee.endsWith('3') }), begun.promise)
    const phones = rowsOf(12)
    const answer = await createBatch(
      client,
      [...phones.map((each) => callOf(each)), callOf('911'), callOf(phones[0]!)],
      {
        description: 'Guests',
      },
    )
    expect(answer.status).toBe(201)
    expect(answer.data).toMatchObject({
      totalCalls: 12,
      skipped: [
        { row: 12, phone: '911', code: 'number_emergency' },
        { row: 13, phone: phones[0], code: 'number_duplicate' },
      ],
    })
    const { batchId } = answer.data
    const dialed = () => lists.voice.orders.filter(({ userId }) => userId === user.id).map(({ callee }) => callee)
    // While no call is answered: nine at once, the account's limit less one, in the order of the list.
    const first = await eventually(
      async () => dialed(),
      (callees) => expect(callees).toHaveLength(9),
    )
    expect(first.toSorted()).toEqual(phones.slice(0, 9))
    begun.resolve()
    const batch = await batchDone(client, batchId)
    expect(batch).toMatchObject({
      name: 'Spring',
      description: 'Guests',
      totalCalls: 12,
      counts: { completed: 11, failed: 1 },
    })
    expect(batch.calls).toHaveLength(12)
    expect(batch.creditsCharged).toBe(22)
    expect(dialed().toSorted()).toEqual(phones)
    await checkBooks(lists.app.context.db)
    await eventually(
      async () => told,
      (messages) =>
        expect(messages).toContainEqual(expect.objectContaining({ type: 'batch_progress', batchId, status: 'done' })),
    )
    leave()
    const contacts = await contactsOf(client, batchId)
    expect(contacts[0]).toMatchObject({
      row: 0,
      status: 'completed',
      attempts: 1,
      outcomes: [{ status: 'met' }],
      creditsCharged: 2,
    })
    expect(contacts[12]).toMatchObject({ phone: '911', status: 'dropped', code: 'number_emergency', callId: null })

    const csv = await (await client.fetch(`/api/batch-calls/${batchId}/results?format=csv`)).text()
    expect(csv.split('\r\n')[1]).toContain('+12125551000,,completed')
    const json = (await (await client.fetch(`/api/batch-calls/${batchId}/results?format=json`)).json()) as unknown[]
    expect(json).toHaveLength(14)
    const dropped = await (await client.fetch(`/api/batch-calls/${batchId}/dropped`)).text()
    expect(dropped).toBe('row,phone,reason\r\n12,911,number_emergency\r\n13,+12125551000,number_duplicate\r\n')
  })

  test('tells what a transaction has changed, however late it is committed', async () => {
    const { client, user } = await lists.signUpWith(100)
    lists.play(() => ({ answers: true }))
    const { batchId } = (await createBatch(client, [callOf(phoneOf(1))])).data
    await batchDone(client, batchId)
    const { bus, db } = lists.app.context
    const told: LiveMessage[] = []
    const leave = bus.subscribe(userTopic(user.id), (message) => told.push(message as LiveMessage))
    const tell = createTelling({ db, bus, log: pino({ level: 'silent' }) })
    await withTx(db, async (tx) => {
      await tx.update(table).set({ cancelled: 7 }).where(eq(table.id, batchId))
      tell(batchId)
      await new Promise((resolve) => setTimeout(resolve, 1000))
    })
    await eventually(
      async () => told,
      (messages) =>
        expect(messages).toContainEqual(
          expect.objectContaining({ type: 'batch_progress', counts: { completed: 1, failed: 7 } }),
        ),
    )
    leave()
  })

  test("retries busy contacts within the plan's attempts; retry-failed calls them once more", async () => {
    const { client } = await lists.signUpWith(100)
    lists.play(() => ({ answers: false, reason: 'busy' }))
    // At 100 times the clock a minute lasts 0.6 s.
    const retries = { attempts: 2, busy: 1 }
    const { batchId } = (
      await createBatch(
        client,
        rowsOf(2, 100).map((each) => callOf(each)),
        { retries },
      )
    ).data
    expect((await batchDone(client, batchId)).counts).toEqual({ failed: 2 })
    expect((await contactsOf(client, batchId)).map(({ attempts }) => attempts)).toEqual([2, 2])

    await lists.stopPlaying()
    lists.play(() => ({ answers: true }))
    expect((await changeBatch(client, batchId, { action: 'retry-failed' })).data).toMatchObject({
      status: 'running',
      contacts: { waiting: 2 },
    })
    expect((await batchDone(client, batchId)).counts).toEqual({ completed: 2 })
    expect((await contactsOf(client, batchId)).map(({ attempts }) => attempts)).toEqual([3, 3])
  })

  test('two requests with one Idempotency-Key make one batch; another body gets 409', async () => {
    const { client, user } = await lists.signUpWith(10)
    const calls = [callOf(phoneOf(200))]
    const headers = { 'idempotency-key': 'once' }
    const [one, two] = [await createBatch(client, calls, {}, headers), await createBatch(client, calls, {}, headers)]
    expect(two.data).toEqual(one.data)
    expect(await createBatch(client, [callOf(phoneOf(201))], {}, headers)).toMatchObject({
      status: 409,
      body: { code: 'idempotency_mismatch' },
    })
    const { data } = await client.request(routes.list, { params: { id: user.id } })
    expect(data.map(({ id }) => id)).toEqual([one.data.batchId])
  })

  test('pauses when credits run out and resumes after a purchase', async () => {
    const { client, user } = await lists.app.signUp()
    lists.play(() => ({ answers: true, seconds: 240 }))
    const { batchId } = (
      await createBatch(
        client,
        rowsOf(5, 300).map((each) => callOf(each, { maxDurationMinutes: 4 })),
      )
    ).data
    const paused = await eventually(
      () => readBatch(client, batchId),
      (batch) => expect(batch).toMatchObject({ status: 'paused', pausedBy: 'credits', contacts: { calling: 0 } }),
    )
    expect(paused.statusMessage).toContain('You have 0 credits')
    expect(paused.estimate).toMatchObject({ availableCredits: 0 })
    expect(await changeBatch(client, batchId, { action: 'resume' })).toMatchObject({
      status: 402,
      body: { code: 'insufficient_credits' },
    })
    const bought = {
      userId: user.id,
      kind: 'purchase' as const,
      key: `pi:more-${user.id}` as const,
      credits: 50,
      cause: 'More',
    }
    await withTx(lists.app.context.db, (tx) => grant(tx, bought))
    expect((await changeBatch(client, batchId, { action: 'resume' })).status).toBe(200)
    expect((await batchDone(client, batchId)).counts).toEqual({ completed: 5 })
    await checkBooks(lists.app.context.db)
  })

  test.each(['carrier_failure', 'carrier_dropped', 'not_in_service'] as const)(
    'pauses after eight failures in a row by %s',
    async (reason) => {
      const { client } = await lists.signUpWith(100)
      lists.play(() => ({ answers: false, reason }))
      const { batchId } = (
        await createBatch(
          client,
          rowsOf(30, 400).map((each) => callOf(each)),
          { liveCalls: 1 },
        )
      ).data
      const paused = await eventually(
        () => readBatch(client, batchId),
        (batch) => expect(batch).toMatchObject({ status: 'paused', pausedBy: 'failures', contacts: { calling: 0 } }),
      )
      expect(paused.contacts.failed).toBe(8)
    },
  )

  test('calls left undialed by an earlier process do not pause it', async () => {
    const { client, user } = await lists.signUpWith(100)
    const calls = rowsOf(6, 440).map((each) => callOf(each))
    const { batchId } = (await createBatch(client, calls, { liveCalls: 1 })).data
    for (let made = 0; made < calls.length; made++) {
      const orders = await eventually(
        async () => lists.voice.orders.filter(({ userId }) => userId === user.id),
        (found) => expect(found).toHaveLength(made + 1),
      )
      const { callId } = orders[made]!
      // Older than this process.
      await lists.app.context.database.pool.query(
        `update call set created_at = created_at - interval '1 hour' where id = $1`,
        [callId],
      )
      await new Script(lists.app, callId).end(0, 'carrier_failure')
    }
    expect((await batchDone(client, batchId)).counts).toEqual({ failed: 6 })
  })

  test('can be paused, resumed and stopped; stopping hangs up its running calls', async () => {
    const { client, user } = await lists.signUpWith(100)
    const { batchId } = (
      await createBatch(
        client,
        rowsOf(20, 500).map((each) => callOf(each)),
        { liveCalls: 2 },
      )
    ).data
    const ofUser = () => lists.voice.orders.filter(({ userId }) => userId === user.id)
    await eventually(
      async () => ofUser(),
      (orders) => expect(orders).toHaveLength(2),
    )
    expect((await changeBatch(client, batchId, { action: 'pause' })).data).toMatchObject({
      status: 'paused',
      pausedBy: 'person',
    })
    await new Script(lists.app, ofUser()[0]!.callId).end(0, 'no_answer')
    await eventually(
      () => readBatch(client, batchId),
      ({ contacts }) => expect(contacts).toMatchObject({ calling: 1, waiting: 18 }),
    )
    expect((await changeBatch(client, batchId, { action: 'resume' })).data).toMatchObject({ status: 'running' })
    await eventually(
      async () => ofUser(),
      (orders) => expect(orders).toHaveLength(3),
    )
    const stopped = await changeBatch(client, batchId, { action: 'stop' })
    expect(stopped.data).toMatchObject({ status: 'stopped', contacts: { waiting: 0, cancelled: 17 } })
    await lists.voice.commandTo(ofUser()[1]!.callId, 'stop')
    await lists.voice.commandTo(ofUser()[2]!.callId, 'stop')
    expect(await changeBatch(client, batchId, { action: 'resume' })).toMatchObject({ status: 409 })
    for (const { callId } of ofUser().slice(1)) await new Script(lists.app, callId).end(0, 'canceled')
    expect((await readBatch(client, batchId)).contacts).toEqual({
      dropped: 0,
      waiting: 0,
      calling: 0,
      completed: 0,
      failed: 3,
      cancelled: 17,
    })
    expect((await client.request(routes.remove, { params: { id: batchId } })).status).toBe(200)
  })

  test('leaves one concurrent call of the account free for a single call', async () => {
    const { client, user } = await lists.signUpWith(100)
    await createBatch(
      client,
      rowsOf(30, 600).map((each) => callOf(each)),
    )
    await eventually(
      async () => lists.voice.orders.filter(({ userId }) => userId === user.id),
      (orders) => expect(orders.length).toBeGreaterThanOrEqual(8),
    )
    const single = await client.request(callsRoutes.place, {
      body: { callee: '+12025550100', purpose: 'Say hello', maxDurationMinutes: 1 },
    })
    expect(single.status).toBe(201)
    await lists.voice.orderOf(single.data.id)
  })

  test('waits while dialing is switched off and resumes by itself', async () => {
    const { client, user } = await lists.signUpWith(100)
    lists.play(() => ({ answers: true }))
    const { batchId } = (
      await createBatch(
        client,
        rowsOf(40, 700).map((each) => callOf(each)),
        { liveCalls: 1 },
      )
    ).data
    await eventually(
      () => readBatch(client, batchId),
      ({ contacts }) => expect(contacts.completed).toBeGreaterThan(0),
    )
    await withTx(lists.app.context.db, (tx) => turnDialing(tx, false))
    const held = await eventually(
      () => readBatch(client, batchId),
      (batch) =>
        expect(batch).toMatchObject({
          status: 'running',
          contacts: { calling: 0 },
          statusMessage: expect.stringContaining('paused for the moment'),
        }),
    )
    const orders = lists.voice.orders.filter(({ userId }) => userId === user.id).length
    expect((await readBatch(client, batchId)).contacts.waiting).toBe(held.contacts.waiting)
    await withTx(lists.app.context.db, (tx) => turnDialing(tx, true))
    await eventually(
      async () => lists.voice.orders.filter(({ userId }) => userId === user.id).length,
      (now) => expect(now).toBeGreaterThan(orders),
    )
    await changeBatch(client, batchId, { action: 'stop' })
  })

  test('keeps to callsPerMinute, in minutes of call time', async () => {
    const { client } = await lists.signUpWith(100)
    lists.play(() => ({ answers: true }))
    const calls = rowsOf(6, 820).map((each) => callOf(each))
    const batch = await batchDone(client, (await createBatch(client, calls, { callsPerMinute: 2 })).data.batchId)
    const begun = batch.calls.map(({ createdAt }) => Date.parse(createdAt)).toSorted((a, b) => a - b)
    // 600 ms: a minute at 100 times the clock.
    const minutes = begun.slice(2).map((at, index) => at - (begun[index] ?? 0))
    expect(Math.min(...minutes)).toBeGreaterThanOrEqual(600)
  })

  test('starts at its scheduled time', async () => {
    const { client } = await lists.signUpWith(10)
    lists.play(() => ({ answers: true }))
    const startAt = new Date(Date.now() + 3_600_000)
    const { batchId } = (await createBatch(client, [callOf(phoneOf(800))], { startAt: startAt.toISOString() })).data
    const scheduled = { status: 'scheduled', scheduledFor: startAt.toISOString(), startedAt: null }
    expect(await readBatch(client, batchId)).toMatchObject(scheduled)
    // Moves the start to one second from now.
    const soon = new Date(Date.now() + 1000)
    await lists.app.context.db.update(table).set({ scheduledFor: soon }).where(eq(table.id, batchId))
    const { startedAt } = await batchDone(client, batchId)
    expect(Date.parse(startedAt ?? '')).toBeGreaterThanOrEqual(soon.getTime())
  })
})

test('a batch that cannot be created returns the reason', async () => {
  const { client } = await lists.app.signUp()
  expect(await createBatch(client, [])).toMatchObject({
    status: 400,
    body: { message: 'Please fill in all required fields and upload contact data.' },
  })
  expect(await createBatch(client, [callOf(phoneOf(1200), { purpose: ' ' })])).toMatchObject({
    status: 400,
    body: { field: 'calls.0.purpose' },
  })
  expect(await createBatch(client, [callOf(phoneOf(1200), { purpose: 'Ask {{name}}' })])).toMatchObject({
    status: 422,
    body: { code: 'variables_missing' },
  })
  const broken = await client.fetch('/api/batch-calls', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"calls": [',
  })
  expect([broken.status, await broken.json()]).toMatchObject([400, { code: 'invalid_json' }])
})
