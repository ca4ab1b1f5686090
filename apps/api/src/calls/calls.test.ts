import {
  accountsRoutes,
  type Call,
  type CallChange,
  type CallDetails,
  callsRoutes,
  contactsRoutes,
  type LiveMessage,
  type NewCall,
  pathOf,
  reportFacts,
} from '@parley/contract'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { isDoNotCall } from '../consent/index.ts'
import { checkBooks } from '../credits/index.ts'
import { userTopic } from '../platform/bus.ts'
import { type Client, createTestApp, PATIENTLY, type TestApp } from '../testing.ts'
import { call } from './schema.ts'
import { Script, type StandInVoice, startStandInVoice } from './testing.ts'

let voice: StandInVoice
let app: TestApp

beforeAll(async () => {
  voice = await startStandInVoice(4)
  app = await createTestApp({ environment: { VOICE_URL: voice.url, CALLING_HOURS: 'off' } })
})
afterEach(() => checkBooks(app.context.db))
afterAll(async () => {
  await app.close()
  await voice.close()
})

const order = { callee: '+1 202 555 0100', purpose: 'Book a table for two', objectives: ['Ask'], maxDurationMinutes: 3 }
type Order = Omit<NewCall, 'objectives' | 'context' | 'language' | 'mandates' | 'vault'>

const placeWith = (client: Client, body: Order, headers: Record<string, string> = {}) =>
  client.request(callsRoutes.place, { body, headers })
const place = async (client: Client, more: Partial<Order> = {}): Promise<Call> =>
  (await placeWith(client, { ...order, ...more })).data
const read = async (client: Client, id: string) => (await client.request(callsRoutes.get, { params: { id } })).data
const change = (client: Client, id: string, body: CallChange) =>
  client.request(callsRoutes.change, { params: { id }, body })
const balanceOf = async (client: Client) =>
  Number((await client.request(accountsRoutes.currentUser)).data.creditBalance)

/** Places a call and waits until the voice service has it. */
async function placeAndDial(client: Client, more: Partial<Order> = {}): Promise<{ id: string; script: Script }> {
  const { id } = await place(client, more)
  await taken(client, id)
  return { id, script: new Script(app, id) }
}

/** Waits until the api knows that the voice service has the call. */
async function taken(client: Client, id: string): Promise<void> {
  await voice.orderOf(id)
  await vi.waitFor(async () => expect((await read(client, id)).clockSpeed).toBe(4), PATIENTLY)
}

describe('a call', () => {
  test('goes from its placing to its summary, with live messages and one charge', async () => {
    const { client, user } = await app.signUp()
    const told: LiveMessage[] = []
    const leave = app.context.bus.subscribe(userTopic(user.id), (message) => told.push(message as LiveMessage))
    const placed = await placeWith(client, order)
    expect(placed.status).toBe(201)
    expect(placed.data).toMatchObject({
      status: 'initiated',
      phase: 'queued',
      callee: '+12025550100',
      creditsHeld: 3,
      creditsCharged: null,
    })
    const callId = placed.data.id
    expect(await voice.orderOf(callId)).toMatchObject({
      callee: '+12025550100',
      purpose: order.purpose,
      objectives: ['Ask'],
      tone: 'professional',
      onBehalfOf: 'Ada Lovelace',
      limitSeconds: 180,
      record: false,
      language: 'auto',
      userId: user.id,
    })
    expect(await balanceOf(client)).toBe(7)

    await taken(client, callId)
    const script = new Script(app, callId)
    await script.converse()
    expect(await read(client, callId)).toMatchObject({ status: 'in_progress', phase: 'greeting', transcript: null })
    expect((await client.request(callsRoutes.active, { params: { id: user.id } })).data.map(({ id }) => id)).toEqual([
      callId,
    ])

    await script.end(61.2)
    await script.wrapUp('The table is booked.')
    const ended = await read(client, callId)
    expect(ended).toMatchObject({
      status: 'completed',
      phase: 'ended: answered',
      endReason: 'agent_closed',
      durationSeconds: 62,
      creditsCharged: 2,
      clockSpeed: 4,
      transcript: 'Agent: Hello, this is an AI assistant.\nUser: Hello.',
      summary: 'The table is booked.',
      outcomes: [{ objective: 'Ask', status: 'met', quote: 'Hello.', turn: 1, offer: null }],
      nextSteps: ['Be there in time'],
    })
    expect(ended.events.map(({ status }) => status)).toEqual([
      'initiated',
      'dialing',
      'ringing',
      'connected',
      'in_progress',
      'completed',
    ])
    expect(await balanceOf(client)).toBe(8)
    expect((await client.request(callsRoutes.active, { params: { id: user.id } })).data).toEqual([])

    leave()
    expect(told[0]).toMatchObject({ type: 'call_status', call: { status: 'initiated' } })
    expect(told.filter(({ type }) => type === 'call_completed')).toHaveLength(1)
    expect(told.filter(({ type }) => type === 'transcript')).toHaveLength(2)
    expect(told.flatMap((each) => (each.type === 'credits' ? [each.creditBalance] : []))).toEqual(['7', '8'])
  })

  test('keeps a question for its owner as an event, and tells it live once', async () => {
    const { client, user } = await app.signUp()
    const told: LiveMessage[] = []
    const leave = app.context.bus.subscribe(userTopic(user.id), (message) => told.push(message as LiveMessage))
    const { data } = await placeWith(client, order)
    await voice.orderOf(data.id)
    const script = new Script(app, data.id)
    await script.converse()
    const fact = script.next({ type: 'asks_owner', question: 'Is half past eight fine?' })
    await script.send(fact)
    await script.send(fact)
    const event = { status: 'in_progress', phase: 'greeting', question: 'Is half past eight fine?', at: fact.at }
    const questionsOf = ({ events }: CallDetails) => events.filter(({ question }) => question !== undefined)
    expect(questionsOf(await read(client, data.id))).toEqual([event])
    await script.end(10)
    await script.say({ type: 'asks_owner', question: 'After the end?' })
    expect(questionsOf(await read(client, data.id))).toEqual([event])
    leave()
    expect(told.filter(({ type }) => type === 'call_question')).toEqual([
      { type: 'call_question', callId: data.id, event },
    ])
  })

  test('without any turn ends with a transcript that says so', async () => {
    const { client } = await app.signUp()
    const { id, script } = await placeAndDial(client)
    await script.say({ type: 'dialing' }, { type: 'ringing' }, { type: 'answered' })
    expect((await read(client, id)).transcript).toBeNull()
    await script.end(1, 'stopped')
    expect(await read(client, id)).toMatchObject({
      status: 'completed',
      transcript: 'No words were kept of this call.',
    })
  })

  test('that is not answered is free and counts as failed', async () => {
    const { client } = await app.signUp()
    const { data: contact } = await client.request(contactsRoutes.create, {
      body: { name: 'Grace', phone: order.callee },
    })
    const { id, script } = await placeAndDial(client)
    await script.say({ type: 'dialing' }, { type: 'ringing' })
    await script.end(0, 'no_answer')
    const missed = {
      status: 'failed',
      phase: 'ended: no answer',
      creditsCharged: 0,
      durationSeconds: 0,
      transcript: '',
    }
    expect(await read(client, id)).toMatchObject(missed)
    expect(await balanceOf(client)).toBe(10)
    const { data: contacts } = await client.request(contactsRoutes.list, { params: { id: contact.userId } })
    expect(contacts).toMatchObject([{ totalCalls: 1, successfulCalls: 0 }])
  })

  test('counts for a contact that gets its number later', async () => {
    const { client } = await app.signUp()
    const { script } = await placeAndDial(client)
    await script.converse()
    await script.end(30)
    const add = (name: string, phone: string) => client.request(contactsRoutes.create, { body: { name, phone } })
    expect((await add('Grace', order.callee)).data).toMatchObject({ totalCalls: 1, successfulCalls: 1 })
    const { data: elsewhere } = await add('Ada', '+442079460018')
    expect(elsewhere).toMatchObject({ totalCalls: 0, successfulCalls: 0 })
    const change = async (body: { name: string } | { phone: string }) =>
      (await client.request(contactsRoutes.change, { params: { id: elsewhere.id }, body })).data
    expect(await change({ phone: order.callee })).toMatchObject({ totalCalls: 1, successfulCalls: 1 })
    expect(await change({ name: 'Ada L' })).toMatchObject({ totalCalls: 1, successfulCalls: 1 })
    expect(await change({ phone: '+442079460018' })).toMatchObject({ totalCalls: 0, successfulCalls: 0 })
  })

  test("takes the account's defaults for fields left out", async () => {
    const { client, user } = await app.signUp()
    const settings = {
      defaultTone: 'casual',
      defaultMaxDurationMinutes: 4,
      defaultVoiceId: 'warm',
      defaultLanguage: 'fr',
      autoDetectLanguage: false,
    } as const
    await client.request(accountsRoutes.changeSettings, {
      params: { id: user.id },
      body: { ...settings, recordCalls: true },
    })
    await client.request(accountsRoutes.changeUser, {
      params: { id: user.id },
      body: { companyName: 'Analytical Engines' },
    })
    const { data } = await placeWith(client, { callee: order.callee, purpose: 'Say hello' })
    expect(data).toMatchObject({ tone: 'casual', maxDurationMinutes: 4, language: 'fr', objectives: [], context: {} })
    expect(await voice.orderOf(data.id)).toMatchObject({
      voiceId: 'warm',
      record: true,
      onBehalfOf: 'Ada Lovelace, Analytical Engines',
    })
  })

  test('that ended accepts changes of notes and tags only', async () => {
    const { client } = await app.signUp()
    const { id, script } = await placeAndDial(client)
    await script.end(0, 'busy')
    expect((await change(client, id, { notes: 'Try again', tags: ['table', 'table'] })).data).toMatchObject({
      notes: 'Try again',
      tags: ['table'],
    })
    expect((await change(client, id, { notes: null })).data).toMatchObject({
      notes: null,
      tags: ['table'],
      status: 'failed',
    })
    expect((await change(client, id, { action: 'stop' })).body).toMatchObject({ code: 'call_ended' })
    expect((await change(client, id, { action: 'say', text: 'Hurry' })).status).toBe(409)
  })

  test('returns 404 to another user for every route', async () => {
    const [{ client, user }, { client: other }] = [await app.signUp(), await app.signUp()]
    const { id } = await placeAndDial(client)
    expect((await other.request(callsRoutes.get, { params: { id } })).status).toBe(404)
    expect((await change(other, id, { action: 'stop' })).status).toBe(404)
    expect((await change(other, id, { notes: 'mine' })).status).toBe(404)
    expect((await other.request(callsRoutes.active, { params: { id: user.id } })).status).toBe(404)
    expect((await other.request(callsRoutes.place, { body: { ...order, userId: user.id } })).status).toBe(404)
    expect((await app.client().request(callsRoutes.get, { params: { id } })).status).toBe(401)
    expect(voice.commands.filter(({ callId }) => callId === id)).toEqual([])
  })
})

describe('facts', () => {
  test('repeated, late or unordered facts change nothing; a gap is answered with the last number taken', async () => {
    const { client } = await app.signUp()
    const { id, script } = await placeAndDial(client)
    const [dialing, ringing, answered] = [
      script.next({ type: 'dialing' }),
      script.next({ type: 'ringing' }),
      script.next({ type: 'answered' }),
    ]
    expect(await script.send(ringing)).toBe(0)
    expect(await script.send(answered, dialing)).toBe(1)
    expect(await script.send(answered, ringing, dialing, ringing)).toBe(3)
    const first = script.next(script.turn(0, 'agent', 'Hel'))
    const corrected = script.next(script.turn(0, 'agent', 'Hello there.'))
    expect(await script.send(first, corrected)).toBe(5)
    expect(await script.send(first)).toBe(5)
    await script.end(59)
    await Promise.all([script.send(dialing, first), script.send(answered), script.send({ ...answered, seq: 7 })])
    const { status, events, turns, creditsCharged } = await read(client, id)
    expect({ status, creditsCharged, texts: turns.map(({ text }) => text) }).toEqual({
      status: 'completed',
      creditsCharged: 1,
      texts: ['Hello there.'],
    })
    expect(events.map((event) => event.status)).toEqual([
      'initiated',
      'dialing',
      'ringing',
      'connected',
      'in_progress',
      'completed',
    ])
  })

  test('a call settles once for repeated and different end facts', async () => {
    const { client } = await app.signUp()
    const { id, script } = await placeAndDial(client)
    await script.converse()
    const end = script.next({ type: 'ended', reason: 'callee_hung_up', message: '', connectedSeconds: 130 })
    const other = script.next({ type: 'ended', reason: 'busy', message: '', connectedSeconds: 0 })
    await Promise.all(Array.from({ length: 8 }, () => script.send(end)))
    await script.send(other)
    expect(await read(client, id)).toMatchObject({
      status: 'completed',
      endReason: 'callee_hung_up',
      creditsCharged: 3,
    })
    expect(await balanceOf(client)).toBe(7)
  })

  test('need the voice secret and a known call', async () => {
    const { client } = await app.signUp()
    const { id, script } = await placeAndDial(client)
    const send = (callId: string, authorization: string) =>
      fetch(app.internalUrl + pathOf(reportFacts, { id: callId }), {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ facts: [script.next({ type: 'dialing' })] }),
      })
    expect((await send(id, `Bearer ${'x'.repeat(32)}`)).status).toBe(401)
    expect((await send('no-such-call', `Bearer ${'v'.repeat(32)}`)).status).toBe(404)
  })

  test('the charge never exceeds the hold', async () => {
    const { client } = await app.signUp()
    const { id, script } = await placeAndDial(client, { maxDurationMinutes: 1 })
    await script.converse()
    await script.end(3601, 'time_limit')
    expect(await read(client, id)).toMatchObject({ creditsCharged: 1, durationSeconds: 3601 })
    expect(await balanceOf(client)).toBe(9)
  })

  test("an opt-out adds the number to the account's do-not-call list", async () => {
    const { client, user } = await app.signUp()
    const { script } = await placeAndDial(client)
    await script.converse()
    await script.say({ type: 'opted_out', quote: 'Take me off your list.' })
    await script.end(20, 'opted_out')
    expect(await isDoNotCall(app.context.db, user.id, '+12025550100')).toBe(true)
    expect((await placeWith(client, order)).body).toMatchObject({ code: 'do_not_call', field: 'callee' })
    expect((await placeWith((await app.signUp()).client, order)).status).toBe(201)
  })
})

describe('stopping a call', () => {
  test('reaches the voice service and charges the connected time', async () => {
    const { client } = await app.signUp()
    const { id, script } = await placeAndDial(client)
    await script.converse()
    expect((await change(client, id, { action: 'say', text: 'Ask for the terrace.' })).status).toBe(200)
    expect(await voice.commandTo(id, 'say')).toEqual({ type: 'say', text: 'Ask for the terrace.' })
    expect((await change(client, id, { action: 'stop' })).data).toMatchObject({ status: 'in_progress' })
    await voice.commandTo(id, 'stop')
    await script.end(12, 'stopped')
    expect(await read(client, id)).toMatchObject({ status: 'completed', endReason: 'stopped', creditsCharged: 1 })
  })

  test('works for an order on its way and for a queued one', async () => {
    const { client } = await app.signUp()
    const others: Client[] = []
    for (let person = 0; person < 4; person++) others.push((await app.signUp()).client)
    const { promise, resolve: open } = Promise.withResolvers<void>()
    voice.gate = promise
    try {
      const { id: onTheWay } = await place(client)
      await vi.waitFor(async () => expect(await dispatchedAt(onTheWay)).not.toBeNull(), PATIENTLY)
      // An order waits 5 s for the voice service: with all workers waiting, the next call stays queued.
      await Promise.all(others.flatMap((other) => [1, 2, 3, 4].map(() => place(other, { maxDurationMinutes: 1 }))))
      const { id: queued } = await place(client)
      const canceled = await change(client, queued, { action: 'stop' })
      expect(canceled.data).toMatchObject({
        status: 'failed',
        phase: 'ended: stopped',
        endReason: 'canceled',
        creditsCharged: 0,
      })
      expect((await change(client, onTheWay, { action: 'stop' })).data).toMatchObject({ status: 'initiated' })
      expect((await change(client, onTheWay, { action: 'say', text: 'Hello?' })).body).toMatchObject({
        code: 'conflict',
      })
      open()
      await voice.commandTo(onTheWay, 'stop')
      await new Script(app, onTheWay).end(0, 'canceled')
      expect(await read(client, onTheWay)).toMatchObject({ status: 'failed', endReason: 'canceled' })
      await voice.orderOf((await place(client)).id)
      expect(voice.orders.some(({ callId }) => callId === queued)).toBe(false)
    } finally {
      open()
      voice.gate = Promise.resolve()
    }
    expect(await balanceOf(client)).toBe(7)
  })
})

async function dispatchedAt(id: string): Promise<Date | null> {
  const [row] = await app.context.db.select().from(call).where(eq(call.id, id))
  return row!.dispatchedAt
}
