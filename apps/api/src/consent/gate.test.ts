import { callsRoutes } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withTx } from '../platform/db.ts'
import { createTestApp, type TestApp } from '../testing.ts'
import { localTime } from './hours.ts'
import {
  addDoNotCall,
  changeVerified,
  isDoNotCall,
  judgeVelocity,
  mayDial,
  removeDoNotCall,
  turnDialing,
} from './index.ts'
import { grant } from '../credits/index.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const RULES = { numbers: 'real' as const, callingHours: true, freeCallsVerifiedOnly: false }
const NOON = new Date('2026-01-15T17:00:00Z')
const MIDNIGHT = new Date('2026-01-16T05:00:00Z')
const washington = '+1 202 456 1111'
const ask = (userId: string, now: Date, more: { callee?: string; confirmOutsideHours?: boolean } = {}, rules = RULES) =>
  mayDial(app.context.db, rules, { userId, callee: washington, confirmOutsideHours: false, ...more }, now)

describe('mayDial', () => {
  test('allows a valid number within calling hours', async () => {
    const { user } = await app.signUp()
    expect(await ask(user.id, NOON)).toMatchObject({ answer: 'yes', callee: '+12024561111' })
  })

  test('names the next opening outside calling hours, unless confirmed or switched off', async () => {
    const { user } = await app.signUp()
    expect(await ask(user.id, MIDNIGHT)).toEqual({
      answer: 'not_before',
      code: 'outside_calling_hours',
      at: new Date('2026-01-16T13:00:00Z'),
      message: 'It is 00:00 where this number is; calls are made from 08:00 to 21:00. Confirm to call anyway.',
    })
    expect(await ask(user.id, MIDNIGHT, { callee: '+18005551234' })).toMatchObject({
      message: expect.stringContaining('It is between 00:00 and 23:00 where'),
    })
    expect(await ask(user.id, MIDNIGHT, { confirmOutsideHours: true })).toMatchObject({ answer: 'yes' })
    expect(await ask(user.id, MIDNIGHT, {}, { ...RULES, callingHours: false })).toMatchObject({ answer: 'yes' })
  })

  test("refuses a number on the account's list until a new consent is given", async () => {
    const [{ user }, { user: other }] = [await app.signUp(), await app.signUp()]
    const { db } = app.context
    const phone = '+12024561111'
    await withTx(db, (tx) => addDoNotCall(tx, { userId: user.id, phone, source: 'account' }))
    await withTx(db, (tx) => addDoNotCall(tx, { userId: user.id, phone, source: 'callee', quote: 'Never again.' }))
    expect(await ask(user.id, NOON)).toMatchObject({ answer: 'no', code: 'do_not_call' })
    expect(await ask(other.id, NOON)).toMatchObject({ answer: 'yes' })
    await expect(withTx(db, (tx) => removeDoNotCall(tx, user.id, phone))).rejects.toMatchObject({
      code: 'consent_required',
    })
    await withTx(db, (tx) => removeDoNotCall(tx, user.id, phone, 'Asked to be called again on 2 January.'))
    expect(await isDoNotCall(db, user.id, phone)).toBe(false)
    expect(await ask(user.id, NOON)).toMatchObject({ answer: 'yes' })
  })

  test('with freeCallsVerifiedOnly, allows unverified numbers only after the first purchase', async () => {
    const { user } = await app.signUp()
    const { db } = app.context
    const rules = { ...RULES, freeCallsVerifiedOnly: true }
    const refused = { answer: 'no', code: 'number_not_verified' }
    expect(await ask(user.id, NOON)).toMatchObject({ answer: 'yes' })
    expect(await ask(user.id, NOON, {}, rules)).toMatchObject(refused)
    await withTx(db, (tx) => changeVerified(tx, user.id, ['+12024561111'], 'add'))
    expect(await ask(user.id, NOON, {}, rules)).toMatchObject({ answer: 'yes' })
    expect(await ask(user.id, NOON, { callee: '+12024561112' }, rules)).toMatchObject(refused)
    const bought = {
      userId: user.id,
      kind: 'purchase' as const,
      key: `pi:${user.id}` as const,
      credits: 10,
      cause: 'For the test',
    }
    await withTx(db, (tx) => grant(tx, bought))
    expect(await ask(user.id, NOON, { callee: '+12024561112' }, rules)).toMatchObject({ answer: 'yes' })
  })

  test('refuses every number while dialing is switched off', async () => {
    const { user } = await app.signUp()
    await withTx(app.context.db, (tx) => turnDialing(tx, false, 'abuse of numbers'))
    expect(await ask(user.id, NOON)).toMatchObject({ answer: 'no', code: 'dialing_off' })
    await withTx(app.context.db, (tx) => turnDialing(tx, true))
    expect(await ask(user.id, NOON)).toMatchObject({ answer: 'yes' })
  })
})

test('a single call outside calling hours needs a confirmation', async () => {
  const { client } = await app.signUp()
  // At any time it is night in one of these.
  const numbers = [
    ['America/New_York', '+12125550100'],
    ['America/Los_Angeles', '+12135550100'],
    ['Asia/Tokyo', '+81312345678'],
    ['Europe/Berlin', '+4930901820'],
  ] as const
  const [, callee] = numbers.find(([zone]) => [22, 23, 0, 1, 2, 3, 4, 5, 6].includes(localTime(new Date(), zone).hour))!
  const order = { callee, purpose: 'Say hello' }
  const refused = await client.request(callsRoutes.place, { body: order })
  expect(refused).toMatchObject({ status: 422, body: { code: 'outside_calling_hours', field: 'confirmOutsideHours' } })
  // Past the gate it fails, since no voice service runs here.
  const passed = await client.request(callsRoutes.place, { body: { ...order, confirmOutsideHours: true } })
  expect(passed.body).toMatchObject({ code: 'unavailable' })
})

test.each([
  [{ liveCalls: 0, callsLastHour: 0, creditsLastDay: 0 }, undefined],
  [{ liveCalls: 4, callsLastHour: 59, creditsLastDay: 299 }, undefined],
  [{ liveCalls: 5, callsLastHour: 5, creditsLastDay: 0 }, 'live_calls_exceeded'],
  [{ liveCalls: 0, callsLastHour: 60, creditsLastDay: 0 }, 'hourly_calls_exceeded'],
  [{ liveCalls: 0, callsLastHour: 0, creditsLastDay: 300 }, 'daily_spend_exceeded'],
])('judgeVelocity of %j gives %s', (activity, code) => {
  const verdict = judgeVelocity({ liveCallsPerAccount: 5, callsPerHour: 60, creditsPerDay: 300 }, activity)
  expect('code' in verdict ? verdict.code : undefined).toBe(code)
})
