import { accountsRoutes, callsRoutes } from '@parley/contract'
import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { turnDialing } from '../consent/index.ts'
import { checkBooks, hold, listExpiredHolds } from '../credits/index.ts'
import { withTx } from '../platform/db.ts'
import { endBackOffs, failuresOf, holdRounds, poison } from '../platform/rounds/testing.ts'
import { type Client, createTestApp, PATIENTLY, type TestApp } from '../testing.ts'
import { dialCall } from './placing/dial.ts'
import { reconcile } from './reconcile.ts'
import { call } from './schema.ts'
import { Script, type StandInVoice, startStandInVoice } from './testing.ts'

// Calls whose api or voice service fails.

let voice: StandInVoice
let app: TestApp

beforeAll(async () => {
  voice = await startStandInVoice()
  app = await createTestApp({ environment: { VOICE_URL: voice.url, CALLING_HOURS: 'off' } })
  await holdRounds(app.context.db, ['calls.reconcile'])
})
afterEach(async () => {
  voice.broken = false
  voice.refuseWith = null
  voice.dying = false
  await checkBooks(app.context.db)
})
afterAll(async () => {
  await app.close()
  await voice.close()
})

const order = { callee: '+12025550100', purpose: 'Say hello', maxDurationMinutes: 2 }
const place = async (client: Client) => (await client.request(callsRoutes.place, { body: order })).data.id
const read = async (client: Client, id: string) => (await client.request(callsRoutes.get, { params: { id } })).data
const stop = (client: Client, id: string) =>
  client.request(callsRoutes.change, { params: { id }, body: { action: 'stop' } })
const balanceOf = async (client: Client) => (await client.request(accountsRoutes.currentUser)).data.creditBalance
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000)
const reconcileIn = (seconds: number) => reconcile(app.context.calls, inSeconds(seconds))
/** A call counts as lost when its node has not known it two times in a row. */
const reconcileTwiceIn = async (seconds: number) => {
  await reconcileIn(seconds)
  await reconcileIn(seconds)
}

async function placeAndDial(client: Client): Promise<{ id: string; script: Script }> {
  const id = await place(client)
  await vi.waitFor(async () => expect(await takenAt(id)).not.toBeNull(), PATIENTLY)
  return { id, script: new Script(app, id) }
}

const rowOf = async (id: string) => (await app.context.db.select().from(call).where(eq(call.id, id)))[0]!
const takenAt = async (id: string) => (await rowOf(id)).takenAt

/** A call during whose placing transaction dialing is switched off, so that no worker is faster. */
async function placeTooLate(client: Client): Promise<string> {
  const { pool } = app.context.database
  await pool.query(`create function turn_off() returns trigger language plpgsql as $$ begin
    insert into dialing_switch ("on", reason) values (false, 'number abuse') on conflict (id) do update set "on" = false, reason = 'number abuse';
    return null;
  end $$`)
  await pool.query('create trigger turns_off after insert on call for each row execute function turn_off()')
  const id = await place(client)
  await pool.query('drop trigger turns_off on call')
  await pool.query('drop function turn_off')
  return id
}

/** Moves the call's creation into the past. */
async function age(id: string, seconds: number): Promise<void> {
  const by = sql`make_interval(secs => ${seconds})`
  const earlier = { createdAt: sql`${call.createdAt} - ${by}`, stageAt: sql`${call.stageAt} - ${by}` }
  await app.context.db.update(call).set(earlier).where(eq(call.id, id))
}

const untilEnded = (client: Client, id: string) =>
  vi.waitFor(async () => {
    const found = await read(client, id)
    expect(found.completedAt).not.toBeNull()
    return found
  }, PATIENTLY)

const NOBODY_DIALED = 'A technical problem on our side came before the call: nobody was dialed. Nothing was charged.'

/** The state after a crash: a placed call whose job ran too late. */
async function placeUndialed(client: Client): Promise<string> {
  const { pool } = app.context.database
  await pool.query(`create function hold_job() returns trigger language plpgsql as $$ begin
    new.created_at = new.created_at - interval '16 seconds';
    new.stage_at = new.created_at;
    return new;
  end $$`)
  await pool.query('create trigger holds_job before insert on call for each row execute function hold_job()')
  const id = await place(client)
  await pool.query('drop trigger holds_job on call')
  await pool.query('drop function hold_job')
  return id
}

describe('an order', () => {
  test('is retried while the voice service is full, and taken once it has room', async () => {
    const { client } = await app.signUp()
    voice.refuseWith = 503
    const id = await place(client)
    // A busy machine may take longer to the retry than a call has to be dialed.
    await age(id, -60)
    await vi.waitFor(async () => expect((await rowOf(id)).dispatchedAt).not.toBeNull(), PATIENTLY)
    voice.refuseWith = null
    await voice.orderOf(id)
    expect((await read(client, id)).status).toBe('initiated')
  }, 90_000)

  test('fails when no voice service takes it in time, and releases its credits', async () => {
    const { client } = await app.signUp()
    voice.broken = true
    const id = await place(client)
    await vi.waitFor(async () => expect((await rowOf(id)).dispatchedAt).not.toBeNull(), PATIENTLY)
    await age(id, 16)
    expect(await untilEnded(client, id)).toMatchObject({
      status: 'failed',
      endReason: 'carrier_failure',
      creditsCharged: 0,
      durationSeconds: 0,
    })
    expect(await balanceOf(client)).toBe('10')
  }, 90_000)

  test('fails at once when the voice service refuses it as invalid', async () => {
    const { client } = await app.signUp()
    voice.refuseWith = 400
    const id = await place(client)
    expect(await untilEnded(client, id)).toMatchObject({ status: 'failed', endReason: 'carrier_failure' })
    expect(await balanceOf(client)).toBe('10')
  })

  test('is not given to the next voice service when the first died after taking it', async () => {
    const { client } = await app.signUp()
    voice.dying = true
    const id = await place(client)
    await voice.orderOf(id)
    // The next voice service does not know the call.
    voice.dying = false
    voice.live.delete(id)
    await vi.waitFor(async () => expect(await takenAt(id)).not.toBeNull(), PATIENTLY)
    await reconcileTwiceIn(10)
    expect(await read(client, id)).toMatchObject({ status: 'failed', endReason: 'interrupted', creditsCharged: 0 })
    expect(voice.orders.filter(({ callId }) => callId === id)).toHaveLength(1)
    expect(await balanceOf(client)).toBe('10')
  }, 90_000)

  test('leaves a call in progress alone when its job runs again', async () => {
    const { client } = await app.signUp()
    const { id, script } = await placeAndDial(client)
    await script.converse()
    await age(id, 60)
    await dialCall(app.context.calls, id)
    expect(await read(client, id)).toMatchObject({ status: 'in_progress', completedAt: null })
    expect(voice.orders.filter(({ callId }) => callId === id)).toHaveLength(1)
    await script.end(61)
    expect(await read(client, id)).toMatchObject({ status: 'completed', creditsCharged: 2 })
  })

  test('fails after 21 s when its job is lost', async () => {
    const { client } = await app.signUp()
    voice.refuseWith = 503
    const id = await place(client)
    await app.context.db.execute(sql`delete from jobs.job where singleton_key = ${id}`)
    await reconcileIn(10)
    expect((await read(client, id)).status).toBe('initiated')
    // A run of the job that was under way may hold the call for a moment.
    await vi.waitFor(async () => {
      await reconcileIn(21)
      expect(await read(client, id)).toMatchObject({
        status: 'failed',
        endReason: 'interrupted',
        endMessage: NOBODY_DIALED,
        creditsCharged: 0,
      })
    }, PATIENTLY)
    expect((await rowOf(id)).dispatchedAt).toBeNull()
    expect(await balanceOf(client)).toBe('10')
  })

  test('ends as interrupted when its job runs too late', async () => {
    const { client } = await app.signUp()
    const id = await placeUndialed(client)
    await dialCall(app.context.calls, id)
    expect(await read(client, id)).toMatchObject({
      status: 'failed',
      endReason: 'interrupted',
      endMessage: NOBODY_DIALED,
      creditsCharged: 0,
    })
    expect(await balanceOf(client)).toBe('10')
  })

  test('is neither dialed nor accepted while dialing is switched off', async () => {
    const { client } = await app.signUp()
    const { promise, resolve: open } = Promise.withResolvers<void>()
    voice.gate = promise
    const first = await place(client)
    await vi.waitFor(async () => expect((await rowOf(first)).dispatchedAt).not.toBeNull(), PATIENTLY)
    const queued = await placeTooLate(client)
    const refused = await client.request(callsRoutes.place, { body: order })
    expect(refused).toMatchObject({ status: 503, body: { code: 'dialing_off' } })
    open()
    voice.gate = Promise.resolve()
    expect(await untilEnded(client, queued)).toMatchObject({
      status: 'failed',
      endReason: 'not_allowed',
      creditsCharged: 0,
    })
    await withTx(app.context.db, (tx) => turnDialing(tx, true))
    expect((await client.request(callsRoutes.place, { body: order })).status).toBe(201)
  }, 90_000)
})

describe('a call that the voice service has lost', () => {
  test('is interrupted and charged up to its last fact', async () => {
    const { client } = await app.signUp()
    const { id, script } = await placeAndDial(client)
    await script.converse()
    await script.send(script.next(script.turn(2, 'agent', 'How are you?'), 61_000))
    voice.live.delete(id)
    // A time before its last fact: nothing is missing yet.
    await reconcileIn(-60)
    expect((await read(client, id)).status).toBe('in_progress')
    await reconcileTwiceIn(10)
    expect(await read(client, id)).toMatchObject({
      status: 'failed',
      phase: 'ended: interrupted',
      endReason: 'interrupted',
      durationSeconds: 62,
      creditsCharged: 2,
      transcript: 'Agent: Hello, this is an AI assistant.\nUser: Hello.\nAgent: How are you?',
    })
    expect(await balanceOf(client)).toBe('8')
  })

  test('goes on after one answer that it is not known', async () => {
    const { client } = await app.signUp()
    const { id } = await placeAndDial(client)
    for (let round = 0; round < 2; round++) {
      voice.live.delete(id)
      await reconcileIn(10)
      voice.live.set(id, true)
      await reconcileIn(10)
    }
    expect((await read(client, id)).completedAt).toBeNull()
  })

  test('is free when it was not answered', async () => {
    const { client } = await app.signUp()
    const { id, script } = await placeAndDial(client)
    await script.say({ type: 'dialing' }, { type: 'ringing' })
    voice.live.delete(id)
    await reconcileTwiceIn(10)
    expect(await read(client, id)).toMatchObject({ status: 'failed', endReason: 'interrupted', creditsCharged: 0 })
    expect(await balanceOf(client)).toBe('10')
  })

  test('ends as stopped when a stop was requested', async () => {
    const { client } = await app.signUp()
    const { id, script } = await placeAndDial(client)
    await script.converse()
    voice.live.delete(id)
    expect((await stop(client, id)).data.status).toBe('in_progress')
    await reconcileTwiceIn(0)
    expect(await read(client, id)).toMatchObject({ status: 'completed', endReason: 'stopped', creditsCharged: 1 })
  })

  test('keeps late turns and is hung up when the voice service finds it again, without a further charge', async () => {
    const { client } = await app.signUp()
    const { id, script } = await placeAndDial(client)
    await script.converse()
    voice.live.delete(id)
    await reconcileTwiceIn(10)
    voice.live.set(id, true)
    await script.say(script.turn(2, 'user', 'Are you there?'))
    await voice.commandTo(id, 'stop')
    await script.end(500)
    await script.wrapUp('Cut off.')
    const found = await read(client, id)
    expect(found).toMatchObject({
      status: 'failed',
      endReason: 'interrupted',
      creditsCharged: 1,
      durationSeconds: 1,
      summary: 'Cut off.',
    })
    expect(found.transcript).toContain('User: Are you there?')
    expect(await balanceOf(client)).toBe('9')
  })
})

describe('a call that is still running', () => {
  test('is left alone, also when it ended and its last facts are on the way', async () => {
    const { client } = await app.signUp()
    const [talking, over] = [await placeAndDial(client), await placeAndDial(client)]
    voice.live.set(over.id, false)
    await reconcileIn(60)
    expect((await read(client, talking.id)).status).toBe('initiated')
    expect((await read(client, over.id)).status).toBe('initiated')
  })

  test('is kept while the voice service is unreachable and ended after its longest duration', async () => {
    const { client } = await app.signUp()
    const { id, script } = await placeAndDial(client)
    await script.converse()
    voice.broken = true
    await reconcileIn(120)
    expect((await read(client, id)).status).toBe('in_progress')
    await reconcileIn(15 + 45 + 120 + 61)
    expect(await read(client, id)).toMatchObject({ status: 'failed', endReason: 'interrupted', creditsCharged: 1 })
  })

  test('past its limit is hung up and ended', async () => {
    const { client } = await app.signUp()
    const { id, script } = await placeAndDial(client)
    await script.converse()
    await reconcileIn(15 + 45 + 120 + 61)
    expect((await read(client, id)).status).toBe('failed')
    await voice.commandTo(id, 'stop')
  })

  test('gets a lost stop command again', async () => {
    const { client } = await app.signUp()
    const { id } = await placeAndDial(client)
    voice.broken = true
    expect((await stop(client, id)).status).toBe(200)
    voice.broken = false
    await reconcileIn(0)
    await voice.commandTo(id, 'stop')
  })
})

test('a hold without a call is released when it expires', async () => {
  const { client, user } = await app.signUp()
  const callId = `lost-${user.id}`
  await withTx(app.context.db, (tx) =>
    hold(tx, { userId: user.id, callId, wantedCredits: 4, expiresAt: inSeconds(60) }),
  )
  await reconcileIn(0)
  expect(await balanceOf(client)).toBe('6')
  await reconcileIn(61)
  expect(await balanceOf(client)).toBe('10')
  expect(await listExpiredHolds(app.context.db, inSeconds(61))).toEqual([])
})

test('a hold that cannot be released keeps no other from its release in the same round', async () => {
  const { db } = app.context
  const people = [await app.signUp(), await app.signUp()]
  const callIdOf = (at: number, round: number) => `lost-${round}-${people[at]!.user.id}`
  const mend = await poison(db, 'hold', `new.call_id = '${callIdOf(0, 1)}' and new.state = 'settled'`)
  for (let round = 1; round <= 2; round++) {
    for (const [at, { user }] of people.entries()) {
      // The one that fails is the first to expire.
      const about = { userId: user.id, callId: callIdOf(at, round), wantedCredits: 1, expiresAt: inSeconds(at) }
      if (round === 1 || at === 1) await withTx(db, (tx) => hold(tx, about))
    }
    await endBackOffs(db)
    await reconcileIn(2)
    expect(await failuresOf(db, 'calls.reconcile')).toEqual({ [callIdOf(0, 1)]: round })
    expect([await balanceOf(people[0]!.client), await balanceOf(people[1]!.client)]).toEqual(['9', '10'])
  }
  await mend()
  await endBackOffs(db)
  await reconcileIn(2)
  expect(await balanceOf(people[0]!.client)).toBe('10')
  expect(await failuresOf(db, 'calls.reconcile')).toEqual({})
})
