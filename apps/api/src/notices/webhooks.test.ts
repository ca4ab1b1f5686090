import { randomUUID } from 'node:crypto'
import {
  accountsRoutes,
  batchesRoutes,
  callsRoutes,
  noticesRoutes as routes,
  securityRoutes,
  WebhookEvent,
  type WebhookEvent as Event,
} from '@parley/contract'
import { and, eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { playCallees } from '../batches/testing.ts'
import { eraseWords } from '../calls/index.ts'
import { Script, type StandInVoice, startStandInVoice } from '../calls/testing.ts'
import { withTx } from '../platform/db.ts'
import { type Client, createTestApp, type TestApp } from '../testing.ts'
import { webhookDelivery } from './schema.ts'
import { startReceiver } from './testing.ts'
import { deliver, notify, RETRY_WAITS_MS } from './webhooks.ts'

let app: TestApp
let voice: StandInVoice
let receiver: Awaited<ReturnType<typeof startReceiver>>

beforeAll(async () => {
  voice = await startStandInVoice(100)
  receiver = await startReceiver()
  app = await createTestApp({ environment: { VOICE_URL: voice.url, CALLING_HOURS: 'off' } })
})
afterEach(() => Object.assign(receiver, { answer: { status: 200, body: 'ok', headers: {} }, hangs: false }))
afterAll(async () => {
  await app.close()
  await receiver.close()
  await voice.close()
})

async function signUpWithWebhook() {
  const person = await app.signUp()
  const params = { id: person.user.id }
  const saved = await person.client.request(accountsRoutes.changeSettings, {
    params,
    body: { webhookUrl: `${receiver.url}/${randomUUID()}` },
  })
  expect(saved.status).toBe(200)
  const { data } = await person.client.request(routes.webhook, { params })
  return { ...person, params, url: data.url!, secret: data.secret! }
}

const SOON = { timeout: 40_000, interval: 50 }

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('Not yet.')
  return value
}

const deliveriesOf = async (client: Client, id: string) =>
  (await client.request(routes.deliveries, { params: { id } })).data

const receive = (secret: string, wanted: (event: Event) => boolean) => receiver.receive(secret, wanted)

describe('a webhook', () => {
  test('gets signed events of calls, opt-outs and completed batches', async () => {
    const { client, secret, user } = await signUpWithWebhook()
    const placed = await client.request(callsRoutes.place, {
      body: { callee: '+12025550100', purpose: 'Ask', maxDurationMinutes: 1 },
    })
    const { id } = placed.data
    await voice.orderOf(id)
    const script = new Script(app, id)
    await script.converse()
    expect(await receive(secret, ({ type }) => type === 'call.started')).toMatchObject({
      data: { id, userId: user.id },
    })
    await script.say({ type: 'opted_out', quote: 'Never again.' })
    await script.end(20, 'opted_out')
    await script.wrapUp('They asked not to be called.')
    expect(await receive(secret, ({ type }) => type === 'call.completed')).toMatchObject({
      data: {
        id,
        creditsCharged: 1,
        summary: 'They asked not to be called.',
        outcomes: [{ objective: 'Ask', status: 'met', offer: null }],
      },
    })
    const optedOut = await receive(secret, ({ type }) => type === 'contact.opted_out')
    expect(optedOut).toMatchObject({ data: { phone: '+12025550100', callId: id, quote: 'Never again.' } })

    const stop = playCallees(voice, app, () => ({ answers: false }))
    const calls = [{ callee: '+12125551000', purpose: 'Ask', maxDurationMinutes: 1 }]
    const { data: batch } = await client.request(batchesRoutes.create, { body: { name: 'Spring', calls } })
    expect(await receive(secret, ({ type }) => type === 'call.failed')).toMatchObject({
      data: { batchId: batch.batchId, endReason: 'no_answer' },
    })
    const ended = await receive(secret, ({ type }) => type === 'batch.completed')
    expect(ended).toMatchObject({ data: { id: batch.batchId, status: 'done', counts: { failed: 1 } } })
    const { text } = await app.mailTo(user.email, 'Spring is done')
    expect(text).not.toContain('offer')
    await stop()
  })

  test('gets offers, and the mail of a batch counts the offers to decide', async () => {
    const { client, secret, user } = await signUpWithWebhook()
    const order = {
      callee: '+12125551009',
      purpose: 'Book a table',
      objectives: ['A table at 7 pm'],
      maxDurationMinutes: 1,
    }
    const { data: batch } = await client.request(batchesRoutes.create, { body: { name: 'Tables', calls: [order] } })
    const { callId } = await vi.waitFor(() => found(voice.orders.find(({ callee }) => callee === order.callee)), SOON)
    const script = new Script(app, callId)
    await script.converse()
    const quote = 'Half past eight would be possible.'
    const outcomes = [
      {
        objective: 'A table at 7 pm',
        status: 'offered' as const,
        quote,
        turn: 1,
        offer: 'half past eight',
        value: { type: 'date_time' as const, at: '2026-11-27T20:30', timezone: 'America/New_York' },
      },
    ]
    await script.say(
      { type: 'outcomes', outcomes },
      { type: 'ended', reason: 'agent_closed', message: 'Bye.', connectedSeconds: 9 },
    )
    const summary = {
      type: 'pending' as const,
      title: 'Half past eight',
      description: 'They offer half past eight.',
      insights: [],
    }
    const rest = { nextSteps: [], actionRequired: true, actionText: 'Decide.' }
    await script.say({ type: 'wrapped_up', outcomes, summary: { ...summary, ...rest }, language: 'en' })
    const told = await receive(
      secret,
      (event) => event.type === 'call.completed' && event.data.batchId === batch.batchId,
    )
    expect(told).toMatchObject({ data: { outcomes } })
    const { text } = await app.mailTo(user.email, 'Tables is done')
    expect(text).toContain('In 1 call something else was offered than you asked for. It waits for your decision.')
  })

  test('gets a completed call without its summary after 30 s, once', async () => {
    const { client, secret } = await signUpWithWebhook()
    const placed = await client.request(callsRoutes.place, {
      body: { callee: '+12025550100', purpose: 'Ask', maxDurationMinutes: 1 },
    })
    await voice.orderOf(placed.data.id)
    const script = new Script(app, placed.data.id)
    await script.converse()
    await script.end(20)
    const { db } = app.context
    const [row] = await db
      .select()
      .from(webhookDelivery)
      .where(and(eq(webhookDelivery.callId, placed.data.id), eq(webhookDelivery.type, 'call.completed')))
    expect(row!.nextAttemptAt!.getTime() - row!.createdAt.getTime()).toBe(30_000)
    // Makes the job due. The receiver is slow, and the summary comes meanwhile.
    receiver.hangs = true
    await db.execute(sql`update jobs.job set start_after = now() where singleton_key = ${`${row!.id}:1`}`)
    expect(await receive(secret, ({ type }) => type === 'call.completed')).toMatchObject({
      data: { id: placed.data.id, summary: null },
    })
    // The late summary is in the call only: no second event, not even from a parallel process.
    await script.wrapUp()
    expect((await client.request(callsRoutes.get, { params: { id: placed.data.id } })).data.summary).not.toBeNull()
    await deliver(app.context.notices, { deliveryId: row!.id, attempt: 1 })
    receiver.hangs = false
    receiver.release()
    const delivery = async () =>
      found((await db.select().from(webhookDelivery).where(eq(webhookDelivery.id, row!.id)))[0])
    await expect.poll(async () => (await delivery()).status, SOON).toBe('delivered')
    expect(await delivery()).toMatchObject({ attempts: 1, payload: { data: { summary: null } } })
    expect(receiver.received.filter(({ id }) => id === row!.id)).toHaveLength(1)
  })

  test('gets an event when credits run low', async () => {
    const { client, secret } = await signUpWithWebhook()
    const order = { callee: '+12025550100', purpose: 'Ask', maxDurationMinutes: 9 }
    const { data } = await client.request(callsRoutes.place, { body: order })
    await voice.orderOf(data.id)
    const script = new Script(app, data.id)
    await script.converse()
    await script.end(8 * 60)
    expect(await receive(secret, ({ type }) => type === 'credits.low')).toMatchObject({
      data: { creditBalance: '2', creditsHeld: 0 },
    })
  })

  test('is retried under the same id after a 500, with the reason in its log', async () => {
    const { client, params, url, secret } = await signUpWithWebhook()
    receiver.answer = { status: 500, body: 'broken', headers: {} }
    const { status } = await client.request(callsRoutes.place, {
      body: { callee: '+12025550100', purpose: 'Ask', maxDurationMinutes: 1 },
    })
    expect(status).toBe(201)
    const order = await vi.waitFor(() => found(voice.orders.find(({ userId }) => userId === params.id)), SOON)
    await new Script(app, order.callId).say({ type: 'dialing' })
    const waiting = await vi.waitFor(async () => {
      const [delivery] = await deliveriesOf(client, params.id)
      expect(delivery).toMatchObject({
        type: 'call.started',
        status: 'waiting',
        attempts: 1,
        responseStatus: 500,
        error: 'It answered 500.',
        url,
      })
      return delivery!
    }, SOON)
    receiver.answer = { status: 200, body: 'thanks', headers: {} }
    const delivered = await vi.waitFor(async () => {
      const [delivery] = await deliveriesOf(client, params.id)
      expect(delivery).toMatchObject({ status: 'delivered', attempts: 2 })
      return delivery!
    }, SOON)
    expect(delivered.id).toBe(waiting.id)
    expect(receiver.received.filter(({ id }) => id === waiting.id)).toHaveLength(2)

    const replayed = await client.request(routes.replay, { params: { ...params, deliveryId: waiting.id } })
    expect(replayed.data).toMatchObject({ id: waiting.id, status: 'waiting' })
    await vi.waitFor(() => expect(receiver.received.filter(({ id }) => id === waiting.id)).toHaveLength(3), SOON)
    const details = await client.request(routes.delivery, { params: { ...params, deliveryId: waiting.id } })
    expect(details.data).toMatchObject({ response: 'thanks', payload: { type: 'call.started' } })

    const { data: renewed } = await client.request(routes.renewSecret, { params })
    expect(renewed.secret).toMatch(/^whsec_/)
    expect(renewed.secret).not.toBe(secret)
  })

  test('is given up after three to four days', async () => {
    const { params, url } = await signUpWithWebhook()
    const days = RETRY_WAITS_MS.reduce((sum, waitMs) => sum + waitMs, 0) / (24 * 3_600_000)
    expect(days).toBeGreaterThan(2.9)
    expect(days).toBeLessThan(4)
    receiver.answer = { status: 503, body: '', headers: {} }
    const { db } = app.context
    const payload: Event = { type: 'test', timestamp: new Date().toISOString(), data: { message: 'Hello' } }
    const [row] = await db
      .insert(webhookDelivery)
      .values({ id: randomUUID(), userId: params.id, type: 'test', url, payload })
      .returning()
    const last = RETRY_WAITS_MS.length + 1
    await withTx(db, (tx) =>
      tx
        .update(webhookDelivery)
        .set({ attempts: last - 1 })
        .where(eq(webhookDelivery.id, row!.id)),
    )
    await deliver(app.context.notices, { deliveryId: row!.id, attempt: last })
    const [failed] = await db.select().from(webhookDelivery).where(eq(webhookDelivery.id, row!.id))
    expect(failed).toMatchObject({ status: 'failed', attempts: last, nextAttemptAt: null })
  })

  test('keeps a secret per address, and late deliveries go to no former address', async () => {
    const { client, params, url, secret } = await signUpWithWebhook()
    const { db, notices } = app.context
    const payload: Event = { type: 'test', timestamp: new Date().toISOString(), data: { message: randomUUID() } }
    const late = { id: randomUUID(), userId: params.id, type: 'test' as const, url, payload }
    await db.insert(webhookDelivery).values(late)
    const save = (webhookUrl: string) => client.request(accountsRoutes.changeSettings, { params, body: { webhookUrl } })
    const secretNow = async () => (await client.request(routes.webhook, { params })).data.secret!

    await save(`${receiver.url}/${randomUUID()}`)
    const copied = await secretNow()
    expect(copied).not.toBe(secret)
    await deliver(notices, { deliveryId: late.id, attempt: 1 })
    // A delivery for a removed address fails and can be replayed to the new one.
    const { data: ended } = await client.request(routes.delivery, { params: { ...params, deliveryId: late.id } })
    expect(ended).toMatchObject({
      status: 'failed',
      attempts: 0,
      error: 'The webhook address was changed before this was delivered.',
    })
    expect(await secretNow()).toBe(copied)
    await client.request(routes.replay, { params: { ...params, deliveryId: late.id } })
    expect(await receive(copied, (event) => event.type === 'test')).toMatchObject({ data: payload.data })

    await save(url)
    expect(await secretNow()).toBe(secret)
    const { data: renewed } = await client.request(routes.renewSecret, { params })
    await save(`${receiver.url}/${randomUUID()}`)
    await save(url)
    expect(await secretNow()).toBe(renewed.secret)
    await client.request(securityRoutes.testWebhook, { params })
    await receive(renewed.secret!, ({ type }) => type === 'test')
  })

  test("retention erases a call's words from sent, answered and waiting deliveries", async () => {
    const { client, params, user, secret } = await signUpWithWebhook()
    const { calls, db, notices } = app.context
    const said = `The key is under the mat ${randomUUID()}`
    const placed = await client.request(callsRoutes.place, {
      body: { callee: '+12025550100', purpose: 'Ask', maxDurationMinutes: 1 },
    })
    await voice.orderOf(placed.data.id)
    const script = new Script(app, placed.data.id)
    await script.converse()
    await receive(secret, ({ type }) => type === 'call.started')
    receiver.answer = { status: 500, body: said, headers: {} }
    await script.say(script.turn(2, 'user', said), { type: 'opted_out', quote: said })
    await script.end(20, 'opted_out')
    await script.wrapUp(said)
    const rows = () =>
      db.select().from(webhookDelivery).where(eq(webhookDelivery.userId, user.id)).orderBy(webhookDelivery.createdAt)
    await vi.waitFor(async () => {
      const failed = (await rows()).filter(({ type, response }) => type !== 'call.started' && response === said)
      expect(failed.map(({ type }) => type).toSorted()).toEqual(['call.completed', 'contact.opted_out'])
    }, SOON)

    // From here on only this test delivers.
    await db.execute(sql`delete from jobs.job where name = 'notices.deliver' and state < 'active'`)
    const active = "select id from jobs.job where name = 'notices.deliver' and state = 'active'"
    await vi.waitFor(async () => expect((await app.context.database.pool.query(active)).rows).toEqual([]), SOON)
    const optOut = found((await rows()).find(({ type }) => type === 'contact.opted_out'))
    receiver.hangs = true
    const underWay = deliver(notices, { deliveryId: optOut.id, attempt: optOut.attempts + 1 })
    await expect
      .poll(() => receiver.received.filter(({ id }) => id === optOut.id).length, SOON)
      .toBe(optOut.attempts + 1)
    await db.execute(sql`update call set completed_at = now() - interval '2 days' where user_id = ${user.id}`)
    await eraseWords(calls, [user.id], 1)
    receiver.hangs = false
    receiver.release()
    await underWay
    expect(JSON.stringify(await rows())).not.toContain(said)
    receiver.answer = { status: 200, body: 'ok', headers: {} }
    const waiting = (await rows()).find(({ type }) => type === 'call.completed')!
    await deliver(notices, { deliveryId: waiting.id, attempt: waiting.attempts + 1 })
    const body = receiver.received.findLast(({ id }) => id === waiting.id)!.body
    const left = { transcript: 'Erased after 1 days, as your settings say.', summary: null }
    expect(WebhookEvent.parse(JSON.parse(body))).toMatchObject({
      type: 'call.completed',
      data: { id: placed.data.id, creditsCharged: 1, ...left },
    })
    const details = await client.request(routes.delivery, { params: { ...params, deliveryId: waiting.id } })
    expect(details.data.payload).toMatchObject({ data: left })
  })

  test('of a receiver that does not answer takes two places at once, and another account gets its own', async () => {
    const [slow, quick] = [await signUpWithWebhook(), await signUpWithWebhook()]
    const silent = await startReceiver()
    silent.hangs = true
    await slow.client.request(accountsRoutes.changeSettings, { params: slow.params, body: { webhookUrl: silent.url } })
    const low = {
      type: 'credits.low',
      timestamp: new Date().toISOString(),
      data: { creditBalance: '1', creditsHeld: 0 },
    }
    const { db, jobs } = app.context
    await withTx(db, async (tx) => {
      // More than all places of a process.
      for (let events = 0; events < 30; events++) await notify(jobs, tx, slow.user.id, WebhookEvent.parse(low))
      await notify(jobs, tx, quick.user.id, WebhookEvent.parse(low))
    })
    await receive(quick.secret, ({ type }) => type === 'credits.low')
    expect(silent.received.length).toBeLessThanOrEqual(2)
    silent.hangs = false
    silent.release()
    await vi.waitFor(() => expect(silent.received.length).toBeGreaterThanOrEqual(30), SOON)
    await silent.close()
  }, 90_000)

  test("a test event returns the status of the receiver's answer", async () => {
    const { client, params, secret } = await signUpWithWebhook()
    const answer = await client.request(securityRoutes.testWebhook, { params })
    expect(answer.data).toEqual({ delivered: true, status: 200, message: 'Your webhook took the test event.' })
    await receive(secret, ({ type }) => type === 'test')
    receiver.answer = { status: 302, body: '', headers: { location: 'http://127.0.0.1:1/' } }
    const redirected = await client.request(securityRoutes.testWebhook, { params })
    expect(redirected.data).toMatchObject({
      delivered: false,
      status: 302,
      message: expect.stringContaining('not followed'),
    })
    await client.request(accountsRoutes.changeSettings, { params, body: { webhookUrl: null } })
    expect(await client.request(securityRoutes.testWebhook, { params })).toMatchObject({ status: 409 })
    expect((await client.request(routes.webhook, { params })).data).toMatchObject({ url: null, secret: null })
  })

  test('returns 404 to another user', async () => {
    const [{ client, params }, { client: stranger }] = [await signUpWithWebhook(), await app.signUp()]
    await client.request(securityRoutes.testWebhook, { params })
    const [delivery] = await deliveriesOf(client, params.id)
    const answers = [
      await stranger.request(routes.webhook, { params }),
      await stranger.request(routes.deliveries, { params }),
      await stranger.request(routes.replay, { params: { ...params, deliveryId: delivery!.id } }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
  })
})
