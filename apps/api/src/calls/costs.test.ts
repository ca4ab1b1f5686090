import { randomUUID } from 'node:crypto'
import { accountsRoutes, callsRoutes, type CarrierFacts, PACKAGES } from '@parley/contract'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { checkBooks } from '../credits/index.ts'
import { payment } from '../credits/testing.ts'
import { createDatabase, type Database } from '../platform/db.ts'
import { endBackOffs, failuresOf, poison } from '../platform/rounds/testing.ts'
import { operate } from '../ops.ts'
import { type Client, createTestApp, type TestApp } from '../testing.ts'
import { askCosts } from './costs.ts'
import { callCost } from './schema.ts'
import { Script, type StandInVoice, startStandInVoice } from './testing.ts'

let voice: StandInVoice
let app: TestApp
let database: Database

beforeAll(async () => {
  voice = await startStandInVoice()
  app = await createTestApp({ environment: { VOICE_URL: voice.url, CALLING_HOURS: 'off' } })
  database = createDatabase(app.context.database.url, { poolSize: 1 })
})
afterEach(() => checkBooks(app.context.db))
afterAll(async () => {
  await database.close()
  await app.close()
  await voice.close()
})

const COST = { amountMicros: 28_000, currency: 'USD' }
const facts = (more: Partial<CarrierFacts> = {}): CarrierFacts => ({
  name: 'twilio',
  code: '200',
  cost: null,
  costFollows: false,
  ...more,
})
const SUMMARY = {
  type: 'other' as const,
  title: 'Over',
  description: 'Over.',
  insights: [],
  nextSteps: [],
  actionRequired: false,
  actionText: null,
}
const LEG = { state: 'ended', cause: 'remote', connectedMs: 61_000, code: '200', cost: null } as const

async function placed(client: Client): Promise<{ id: string; script: Script }> {
  const order = { callee: '+12025550100', purpose: 'Book a table', objectives: [], maxDurationMinutes: 3 }
  const { data } = await client.request(callsRoutes.place, { body: order })
  await voice.orderOf(data.id)
  return { id: data.id, script: new Script(app, data.id) }
}

async function ended(client: Client, seconds: number, carrier?: CarrierFacts, carrierCallId?: string) {
  const { id, script } = await placed(client)
  if (carrierCallId !== undefined) await script.say({ type: 'dialing' }, { type: 'placed', carrierCallId })
  await script.say({
    type: 'ended',
    reason: 'callee_hung_up',
    message: 'Over.',
    connectedSeconds: seconds,
    ...(carrier && { carrier }),
  })
  return id
}

const costOf = async (callId: string) =>
  (await app.context.db.select().from(callCost).where(eq(callCost.callId, callId)))[0]
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000)

describe("a call's cost", () => {
  test('is kept with its carrier and code, and is in no answer to the user', async () => {
    const { client } = await app.signUp()
    const id = await ended(client, 61, facts({ cost: COST }))
    expect(await costOf(id)).toMatchObject({
      carrier: 'twilio',
      code: '200',
      costMicros: 28_000,
      currency: 'USD',
      askAt: null,
    })
    const { body } = await client.request(callsRoutes.get, { params: { id } })
    expect(JSON.stringify(body)).not.toMatch(/28000|micros|twilio/i)
  })

  test('that comes later is asked for until the carrier has it', async () => {
    const { client } = await app.signUp()
    const carrierCallId = randomUUID()
    const id = await ended(client, 61, facts({ costFollows: true }), carrierCallId)
    const { calls } = app.context
    await askCosts(calls, inMinutes(0))
    expect(await costOf(id)).toMatchObject({ costMicros: null, asked: 0 })
    voice.legs.set(carrierCallId, { ...LEG })
    await askCosts(calls, inMinutes(2))
    expect(await costOf(id)).toMatchObject({ costMicros: null, asked: 1, askAt: expect.any(Date) })
    voice.legs.set(carrierCallId, { ...LEG, cost: COST })
    await askCosts(calls, inMinutes(10))
    expect(await costOf(id)).toMatchObject({ costMicros: 28_000, currency: 'USD', asked: 2, askAt: null })
  })

  test('that cannot be kept holds no question about another call of the same round', async () => {
    const { client } = await app.signUp()
    const { db, calls } = app.context
    const legs = [randomUUID(), randomUUID(), randomUUID()]
    const ids: string[] = []
    for (const carrierCallId of legs) {
      voice.legs.set(carrierCallId, { ...LEG })
      ids.push(await ended(client, 1, facts({ costFollows: true }), carrierCallId))
    }
    const mend = await poison(db, 'call_cost', `new.call_id = '${ids[0]}'`)
    for (let round = 1; round <= 2; round++) {
      await endBackOffs(db)
      await askCosts(calls, inMinutes(round * 20))
      expect(await failuresOf(db, 'calls.costs')).toEqual({ [`${ids[0]} 1`]: round })
      expect(await Promise.all(ids.map(async (id) => (await costOf(id))?.asked))).toEqual([0, round, round])
    }
    await mend()
    await endBackOffs(db)
    await askCosts(calls, inMinutes(60))
    expect((await costOf(ids[0]!))?.asked).toBe(1)
  })

  test('that never comes is given up, at once where the carrier does not know the call', async () => {
    const { client } = await app.signUp()
    const id = await ended(client, 5, facts({ costFollows: true }), randomUUID())
    await askCosts(app.context.calls, inMinutes(2))
    expect(await costOf(id)).toMatchObject({ costMicros: null, askAt: null })

    const carrierCallId = randomUUID()
    voice.legs.set(carrierCallId, { ...LEG })
    const silent = await ended(client, 5, facts({ costFollows: true }), carrierCallId)
    for (let day = 1; day <= 8; day++) await askCosts(app.context.calls, inMinutes(day * 1440))
    expect(await costOf(silent)).toMatchObject({ costMicros: null, asked: 6, askAt: null })
  })

  test('has what its models, mouths and ears took beside it, with the delays of its replies', async () => {
    const { client } = await app.signUp()
    const { id, script } = await placed(client)
    const reason = 'callee_hung_up' as const
    const carrier = facts({ cost: COST })
    const figures = {
      stages: [{ stage: 'first_frame' as const, count: 4, p50Ms: 700, p95Ms: 1200 }],
      tokens: [
        { model: 'gpt-4o-mini', inputTokens: 900, outputTokens: 80, costMicros: 183 },
        { model: 'gpt-4o-mini', inputTokens: 400, outputTokens: 20, task: 'judging' as const, costMicros: 1072 },
      ],
      spoken: [{ mouth: 'elevenlabs', characters: 400 }],
      heard: [{ ear: 'deepgram', seconds: 61 }],
      costMicros: 28_013,
      unpriced: [],
    }
    await script.say(
      { type: 'ended', reason, message: 'Over.', connectedSeconds: 61, carrier },
      { type: 'wrapped_up', outcomes: [], summary: SUMMARY, language: 'en', figures },
    )
    expect(await costOf(id)).toMatchObject({ carrier: 'twilio', costMicros: 28_000, figures })
    const { body } = await client.request(callsRoutes.get, { params: { id } })
    expect(JSON.stringify(body)).not.toMatch(/28013|gpt-4o|elevenlabs/)
    const told = await operate(database, ['calls', 'cost'])
    expect(told).toMatch(/^first_frame +1 +700 ms +1200 ms$/m)
    expect(told).toMatch(/^gpt-4o-mini +speaking +1 +900 +80 +0\.0002 USD$/m)
    expect(told).toMatch(/^gpt-4o-mini +judging +1 +400 +20 +0\.0011 USD$/m)
    await app.context.db.delete(callCost).where(eq(callCost.callId, id))
  })

  test('of a second leg is kept beside it, asked for by its own id, and not told to the user', async () => {
    const { client } = await app.signUp()
    const [first, second] = [randomUUID(), randomUUID()]
    const { id, script } = await placed(client)
    const leg = { type: 'leg', leg: 2, carrierCallId: second } as const
    await script.say(
      { type: 'dialing' },
      { type: 'placed', carrierCallId: first },
      { ...leg, connectedSeconds: null },
      { ...leg, connectedSeconds: 24.2, end: 'not_accepted', carrier: facts({ costFollows: true }) },
      {
        type: 'ended',
        reason: 'callee_hung_up',
        message: 'Over.',
        connectedSeconds: 61,
        carrier: facts({ cost: COST }),
      },
    )
    const rows = () => app.context.db.select().from(callCost).where(eq(callCost.callId, id)).orderBy(callCost.leg)
    expect(await rows()).toMatchObject([
      { leg: 1, costMicros: 28_000, credits: 2, askAt: null },
      { leg: 2, costMicros: null, credits: 1, seconds: 25, carrier: 'twilio', askAt: expect.any(Date) },
    ])
    voice.legs.set(second, { ...LEG, cost: { amountMicros: 9000, currency: 'USD' } })
    await askCosts(app.context.calls, inMinutes(2))
    expect(await rows()).toMatchObject([{ costMicros: 28_000 }, { costMicros: 9000, currency: 'USD', askAt: null }])
    const { body, data } = await client.request(callsRoutes.get, { params: { id } })
    expect(data).toMatchObject({
      creditsCharged: 3,
      legs: [
        { leg: 1, to: 'callee', seconds: 61, credits: 2, end: null },
        { leg: 2, to: 'owner', seconds: 25, credits: 1, end: 'not_accepted' },
      ],
    })
    expect(JSON.stringify(body)).not.toMatch(/9000|28000|micros|twilio/i)
    expect(
      JSON.stringify((await app.context.database.pool.query('select legs from call where id = $1', [id])).rows),
    ).not.toMatch(/carrier"/)
  })

  test('is nothing known for an older voice service, and the call ends as before', async () => {
    const { client } = await app.signUp()
    const id = await ended(client, 61)
    expect(await costOf(id)).toBeUndefined()
    expect((await client.request(callsRoutes.get, { params: { id } })).data).toMatchObject({ creditsCharged: 2 })
  })
})

test.each([
  ['a wrong key', 'twilio:20003'],
  ['no money at the vendor', 'twilio:20005'],
  ['a blocked region', 'twilio:21215'],
  ['a number in a wrong format', 'twilio:21211'],
  ['a caller number that is not verified', 'twilio:21210'],
])('charges nothing for a call that was refused for %s, and shows its sentence', async (why, code) => {
  const { client } = await app.signUp()
  const { id, script } = await placed(client)
  const message = `The phone network refuses it for ${why}. Nobody was dialed, and nothing was charged.`
  const end = {
    type: 'ended',
    reason: 'carrier_failure',
    message,
    connectedSeconds: 0,
    carrier: facts({ code }),
  } as const
  await script.say({ type: 'dialing' }, end)
  const { data } = await client.request(callsRoutes.get, { params: { id } })
  expect(data).toMatchObject({ status: 'failed', endMessage: message, creditsCharged: 0 })
  expect((await client.request(accountsRoutes.currentUser)).data.creditBalance).toBe('10')
  expect(await costOf(id)).toMatchObject({ carrier: 'twilio', code })
})

describe('npm run ops -- calls cost', () => {
  test('tells calls, seconds, cost, credits and margin by carrier', async () => {
    const { client, user } = await app.signUp()
    await app.context.db.delete(callCost)
    expect(await operate(database, ['calls', 'cost'])).toBe('No call of the last 30 days went over a carrier.')
    for (const cost of [COST, null]) await ended(client, 61, facts({ cost }))
    await ended(client, 10, facts({ name: 'sip' }))
    // A call over one carrier whose owner was rung in over another.
    const { script } = await placed(client)
    const leg = { type: 'leg', leg: 2, carrierCallId: 'sip:1' } as const
    const own = facts({ name: 'sip', cost: { amountMicros: 7000, currency: 'USD' } })
    const over = {
      type: 'ended',
      reason: 'callee_hung_up',
      message: 'Over.',
      connectedSeconds: 30,
      carrier: facts(),
    } as const
    await script.say(
      { ...leg, connectedSeconds: null },
      { ...leg, connectedSeconds: 25, end: 'accepted', carrier: own },
      over,
    )
    await ended(client, 10, facts({ name: 'other', cost: { amountMicros: 5000, currency: 'EUR' } }))
    expect(await operate(database, ['calls', 'cost', '--days', '1'])).toContain('No credit was bought yet')

    const [light] = PACKAGES
    const bought = { packageId: light.id, credits: 10, bonusCredits: 0, amountCents: 1000 }
    const paid = { status: 'succeeded', capturedCents: 1000, paidAt: new Date() } as const
    const id = randomUUID()
    await app.context.db.insert(payment).values({ id, intentId: `pi_${id}`, userId: user.id, ...bought, ...paid })
    const report = await operate(database, ['calls', 'cost', '--days', '1'])
    await app.context.db.delete(payment).where(eq(payment.id, id))
    expect(report.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['carrier', 'calls', 'legs', 'seconds', 'cost', 'cost not known', 'other vendors', 'credits charged', 'margin'],
      ['other', '1', '1', '10', '0.0050 EUR', '0', '0.0000 USD', '1', '-'],
      ['sip', '1', '2', '35', '0.0070 USD', '1', '0.0000 USD', '2', '1.9930 USD'],
      ['twilio', '3', '3', '152', '0.0280 USD', '2', '0.0000 USD', '5', '4.9720 USD'],
      ['A credit counts 1.0000 USD, the average that was paid for one.'],
    ])
  })

  test.each(['0', '-1', 'all', '1.5', '99999'])('refuses --days %s', async (days) => {
    await expect(operate(database, ['calls', 'cost', `--days=${days}`])).rejects.toThrow('--days is a whole number')
  })
})
