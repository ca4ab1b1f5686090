import { accountsRoutes, type CallChange, callsRoutes, CallCommand } from '@parley/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { changePlatformDoNotCall, changeVerified, turnDialing } from '../consent/index.ts'
import { checkBooks } from '../credits/index.ts'
import { withTx } from '../platform/db.ts'
import { type Client, createTestApp, type TestApp } from '../testing.ts'
import { callerNumber } from './schema.ts'
import { Script, type StandInVoice, startStandInVoice } from './testing.ts'

let voice: StandInVoice
let app: TestApp

beforeAll(async () => {
  voice = await startStandInVoice(1)
  app = await createTestApp({ environment: { VOICE_URL: voice.url, CALLING_HOURS: 'off' } })
})
afterEach(() => checkBooks(app.context.db))
afterAll(async () => {
  await app.close()
  await voice.close()
})

const OWN = '+12025550155'
const OTHER = '+12025550156'
const body = { callee: '+1 202 555 0100', purpose: 'Book a table for two', objectives: ['Ask'], maxDurationMinutes: 6 }

const balanceOf = async (client: Client) =>
  Number((await client.request(accountsRoutes.currentUser)).data.creditBalance)
const readOf = async (client: Client, id: string) => (await client.request(callsRoutes.get, { params: { id } })).data

/** A call under way of an account whose own phones these are. */
async function underWay(phones: readonly string[]) {
  const { client, user } = await app.signUp()
  await withTx(app.context.db, (tx) => changeVerified(tx, user.id, phones, 'add'))
  const { id } = (await client.request(callsRoutes.place, { body })).data
  await voice.orderOf(id)
  const script = new Script(app, id)
  await script.converse()
  const ringIn = (change: Omit<Extract<CallChange, { action: 'ring_in' }>, 'action'> = {}) =>
    client.request(callsRoutes.change, { params: { id }, body: { action: 'ring_in', ...change } })
  return { client, user, id, script, ringIn }
}

const commandsTo = (id: string) => voice.commands.flatMap(({ callId, command }) => (callId === id ? [command] : []))

describe('ringing the owner in', () => {
  test('orders the voice service to ring the named phone of the account', async () => {
    const { id, ringIn, user } = await underWay([OWN, OTHER])
    expect((await ringIn({ to: OWN, after: 'hang_up' })).status).toBe(200)
    expect(commandsTo(id)).toEqual([{ type: 'ring_in', to: OWN, after: 'hang_up' }])
    const audited = await app.context.database.pool.query(
      'select phone, kind, detail from consent_audit where user_id = $1 and detail is not null',
      [user.id],
    )
    expect(audited.rows).toEqual([{ phone: OWN, kind: 'dialed', detail: 'ring_in' }])
  })

  test('takes the only verified phone where none is named, and asks which where there are several', async () => {
    const one = await underWay([OWN])
    expect((await one.ringIn()).status).toBe(200)
    expect(commandsTo(one.id)).toEqual([{ type: 'ring_in', to: OWN, after: 'hand_back' }])
    for (const phones of [[], [OWN, OTHER]]) {
      const { ringIn } = await underWay(phones)
      expect((await ringIn()).body).toMatchObject({ code: 'own_phone_needed' })
    }
  })

  test('takes a phone that the user has verified by a told code, on the network where it was', async () => {
    const { id, ringIn, user } = await underWay([])
    const { db } = app.context
    const added = { userId: user.id, kind: 'verified' as const, isDefault: false }
    await db.insert(callerNumber).values({ ...added, phone: OTHER, simulated: false })
    expect((await ringIn()).body).toMatchObject({ code: 'own_phone_needed' })
    await db.insert(callerNumber).values({ ...added, phone: OWN, simulated: true })
    expect((await ringIn()).status).toBe(200)
    expect(commandsTo(id)).toEqual([{ type: 'ring_in', to: OWN, after: 'hand_back' }])
  })

  test('in the browser is a take-over', async () => {
    const { id, ringIn } = await underWay([])
    expect((await ringIn({ to: 'browser' })).status).toBe(200)
    expect(commandsTo(id)).toEqual([{ type: 'take_over' }])
  })

  test('is refused for a phone that is not verified as the own one', async () => {
    const { id, ringIn } = await underWay([OWN])
    expect((await ringIn({ to: OTHER })).body).toMatchObject({ code: 'own_phone_needed' })
    expect(commandsTo(id)).toEqual([])
  })

  test('is refused for a number on the list of the platform, and while dialing is off', async () => {
    const { id, ringIn } = await underWay([OWN, OTHER])
    const { db } = app.context
    await withTx(db, (tx) => changePlatformDoNotCall(tx, [OTHER], 'add'))
    expect((await ringIn({ to: OTHER })).body).toMatchObject({ code: 'do_not_call' })
    await withTx(db, (tx) => turnDialing(tx, false))
    expect((await ringIn({ to: OWN })).body).toMatchObject({ code: 'dialing_off' })
    await withTx(db, (tx) => turnDialing(tx, true))
    expect(commandsTo(id)).toEqual([])
  })

  test('says when the hold does not pay for it, and when it cannot be now', async () => {
    const { id, ringIn } = await underWay([OWN])
    voice.refuses.set(id, 402)
    expect((await ringIn()).body).toMatchObject({ code: 'insufficient_credits' })
    voice.refuses.set(id, 409)
    expect((await ringIn()).body).toMatchObject({ code: 'conflict' })
  })
})

describe('the second leg', () => {
  const leg = (connectedSeconds: number | null, number = 2) =>
    ({ type: 'leg', leg: number, carrierCallId: `CA${number}`, connectedSeconds }) as const

  test.each([
    ['one minute begun of each', 59, [59], 2],
    ['seconds of both in different minutes', 61, [61], 4],
    ['a leg that was not answered', 61, [0], 2],
    ['two legs, one after the other', 125, [10, 61], 6],
    ['no more than the hold', 300, [300], 6],
  ])('is charged by the minute begun: %s', async (_, first, others, charged) => {
    const { client, id, script } = await underWay([OWN])
    const before = await balanceOf(client)
    for (const [at, seconds] of others.entries()) await script.say(leg(null, at + 2), leg(seconds, at + 2))
    await script.end(first)
    const read = await readOf(client, id)
    expect(read).toMatchObject({ creditsCharged: charged, durationSeconds: first })
    expect(read.legs.map(({ seconds }) => seconds)).toEqual([first, ...others])
    expect(read.legs.reduce((sum, { credits }) => sum + (credits ?? 0), 0)).toBe(charged)
    // All six were held.
    expect(await balanceOf(client)).toBe(before + 6 - charged)
  })

  test('counts once when its facts come again', async () => {
    const { client, id, script } = await underWay([OWN])
    const facts = [script.next(leg(null)), script.next(leg(30))]
    await script.send(...facts)
    await script.send(...facts)
    await script.end(30)
    await script.send(...facts)
    expect(await readOf(client, id)).toMatchObject({ creditsCharged: 2 })
  })

  test('whose seconds nobody knows is not charged', async () => {
    const { client, id, script } = await underWay([OWN])
    await script.say(leg(null))
    await script.end(30)
    expect(await readOf(client, id)).toMatchObject({ creditsCharged: 1 })
  })
})

test('a ring_in without more is handed back when the owner hangs up', () => {
  expect(CallCommand.parse({ type: 'ring_in', to: OWN })).toEqual({ type: 'ring_in', to: OWN, after: 'hand_back' })
})
