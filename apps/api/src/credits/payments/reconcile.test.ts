import { randomUUID } from 'node:crypto'
import { openWallet, reconcilePayments, topUp, withTx } from '@parley/api/testing'
import type { AutoTopUpState } from '@parley/contract'
import Stripe from 'stripe'
import { describe, expect, test, vi } from 'vitest'
import type { Person } from '../../../../standalone/src/world.ts'
import { operate } from '../../ops.ts'
import { failuresOf } from '../../platform/rounds/testing.ts'
import { CARDS, confirm, idIn, openAuditedShop, order } from './testing.ts'

// Failed or missing payments must not delay others.

const { shop, config } = await openAuditedShop()

async function query<T extends object>(text: string, values: readonly unknown[] = []): Promise<T[]> {
  const { rows } = await shop.context.database.pool.query<T>(text, [...values])
  return rows
}

const reconcile = () => reconcilePayments(shop.context.credits)

interface Written {
  readonly id?: string
  readonly userId: string
  readonly intentId: string
  readonly automatic?: boolean
  readonly status?: string
  readonly ageHours?: number
}

/** Inserts a payment row for each, `ageHours` old. Returns their ids. */
async function writeAll(payments: readonly Written[]): Promise<string[]> {
  const rows = payments.map((each) => ({ id: randomUUID(), automatic: false, status: 'open', ageHours: 0, ...each }))
  await query(
    `insert into payment (id, intent_id, user_id, package_id, credits, bonus_credits, amount_cents, automatic, status, created_at, checked_at)
     select id, "intentId", "userId", 'light', 10, 0, 999, automatic, status, at, at
       from json_to_recordset($1) as each (id text, "intentId" text, "userId" text, automatic boolean, status text, "ageHours" int),
         lateral (select now() - make_interval(hours => "ageHours")) as made (at)`,
    [JSON.stringify(rows)],
  )
  return rows.map(({ id }) => id)
}

const write = async (payment: Written): Promise<string> => (await writeAll([payment]))[0]!

/** A paid payment of a user without a wallet: recording it always fails. */
async function payUnrecordable(): Promise<{ userId: string; intentId: string }> {
  const [id, userId] = [randomUUID(), randomUUID()]
  const metadata = { order: id, user: userId, package: 'light' }
  const params = {
    amount: 999,
    currency: 'usd',
    allowed_payment_method_types: ['card'],
  } satisfies Stripe.PaymentIntentCreateParams
  const intent = await shop.stripe.paymentIntents.create({ ...params, metadata })
  await write({ id, userId, intentId: intent.id })
  await confirm(config, intent.client_secret!, CARDS.good)
  return { userId, intentId: intent.id }
}

async function pay(person: Person): Promise<string> {
  const secret = await order(person, 'light')
  await confirm(config, secret, CARDS.good)
  return idIn(secret)
}

/** Marks all events as read, so that only asking about the payment finds it. */
const hideEvents = () =>
  query(
    `insert into stripe_event (id, type) select id, type from json_to_recordset($1) as event (id text, type text)
     on conflict do nothing`,
    [JSON.stringify(shop.sandbox.events().map(({ id, type }) => ({ id, type })))],
  )

const kept = (intentId: string) =>
  query<{ failures: number; next_attempt_at: Date | null }>(
    `select failures, next_attempt_at from stripe_event_retry where intent_id = $1`,
    [intentId],
  )

/** Makes every retry due, by a minute in case the clock is set back. */
const makeDue = () => query(`update stripe_event_retry set next_attempt_at = now() - interval '1 minute'`)

test('a failing event delays no other and is retried until it succeeds', async () => {
  const ada = await shop.person()
  await pay(ada)
  const { userId, intentId } = await payUnrecordable()
  await query('delete from stripe_reading')
  await reconcile()
  expect(await ada.balance()).toBe(20)
  const [reading] = await query<{ read_until: Date }>('select read_until from stripe_reading')
  expect(reading?.read_until.getTime()).toBeGreaterThan(Date.now() - 60_000)
  const [waiting] = await kept(intentId)
  expect(waiting).toMatchObject({ failures: 1, next_attempt_at: expect.any(Date) })
  // The first retry is due in the next round.
  expect(waiting!.next_attempt_at!.getTime()).toBeLessThan(Date.now() + 61_000)

  // Not before it is due, then with a growing delay.
  await reconcile()
  expect(await kept(intentId)).toEqual([waiting])
  await makeDue()
  await reconcile()
  const [again] = await kept(intentId)
  expect(again!.failures).toBe(2)
  expect(again!.next_attempt_at!.getTime()).toBeGreaterThan(Date.now() + 3 * 60_000)

  const { db } = shop.context
  await withTx(db, (tx) => openWallet(tx, userId))
  await makeDue()
  await reconcile()
  expect(await kept(intentId)).toEqual([])
  expect(await query('select status from payment where intent_id = $1', [intentId])).toEqual([{ status: 'succeeded' }])
  await reconcile()
})

test('an event is given up after 20 failures and kept for inspection', async () => {
  const { userId, intentId } = await payUnrecordable()
  await reconcile()
  await query('update stripe_event_retry set failures = 19 where intent_id = $1', [intentId])
  await makeDue()
  await reconcile()
  expect(await kept(intentId)).toEqual([{ failures: 20, next_attempt_at: null }])
  await reconcile()
  expect(await kept(intentId)).toEqual([{ failures: 20, next_attempt_at: null }])
  // The payment itself is still polled, and succeeds once it can.
  await withTx(shop.context.db, (tx) => openWallet(tx, userId))
  await query(`update payment set checked_at = now() - interval '2 minutes' where intent_id = $1`, [intentId])
  await reconcile()
  expect(await query('select status from payment where intent_id = $1', [intentId])).toEqual([{ status: 'succeeded' }])
})

test('many failing events are kept a few per round, and the rest is read in later rounds', async () => {
  const broken = await Promise.all(Array.from({ length: 12 }, payUnrecordable))
  for (let round = 0; round < 3; round++) await reconcile().catch(() => undefined)
  for (const { intentId } of broken) expect(await kept(intentId)).toHaveLength(1)
  for (const { userId } of broken) await withTx(shop.context.db, (tx) => openWallet(tx, userId))
  await makeDue()
  await reconcile()
  expect(
    await query(`select id from stripe_event_retry where intent_id = any($1)`, [
      broken.map(({ intentId }) => intentId),
    ]),
  ).toEqual([])
})

test('unknown and failing payments delay no other, and old unknown ones are canceled', async () => {
  const ada = await shop.person()
  const userId = randomUUID()
  const unknown = await writeAll(
    Array.from({ length: 100 }, () => ({ userId, intentId: `pi_${randomUUID()}`, ageHours: 2 })),
  )
  const young = await write({ userId, intentId: `pi_${randomUUID()}` })
  const { intentId: broken } = await payUnrecordable()
  const paid = await pay(ada)
  await hideEvents()
  await query(`update payment set checked_at = now() - interval '1 hour' where intent_id = $1`, [broken])
  await query(`update payment set checked_at = now() - interval '2 minutes' where intent_id = $1 or id = $2`, [
    paid,
    young,
  ])
  await reconcile()
  await reconcile()
  expect(await ada.balance()).toBe(20)
  const statuses = await query(`select status, count(*)::int as orders from payment where id = any($1) group by 1`, [
    unknown,
  ])
  expect(statuses).toEqual([{ status: 'canceled', orders: 100 }])
  expect(
    await query(`select status, checked_at > now() - interval '1 minute' as asked from payment where id = $1`, [young]),
  ).toEqual([{ status: 'open', asked: true }])
})

test.each(['is polled', 'is delivered'])('a refund after the clock was set back %s and takes effect', async (how) => {
  const ada = await shop.person()
  const paid = await pay(ada)
  await reconcile()
  expect(await ada.balance()).toBe(20)
  await query(`update payment set checked_at = now() + interval '1 hour' where intent_id = $1`, [paid])
  await shop.stripe.refunds.create({ payment_intent: paid })
  const event = shop.sandbox.events().findLast(({ type }) => type === 'charge.refunded')
  const hear = how === 'is delivered' ? () => shop.sandbox.deliver(event!.id) : reconcile
  await hear()
  expect(await query('select id from stripe_event where id = $1', [event!.id])).toHaveLength(1)
  expect(await ada.balance()).toBe(10)
})

test('a payment canceled as unknown is credited when it turns out paid', async () => {
  const ada = await shop.person()
  const paid = await pay(ada)
  await query(`update payment set status = 'canceled' where intent_id = $1`, [paid])
  await reconcile()
  expect(await ada.balance()).toBe(20)
})

async function withCard(): Promise<Person> {
  const person = await shop.person()
  const answer = await person.send('POST', '/api/create-setup-intent', {})
  const { clientSecret } = (await answer.json()) as { clientSecret: string }
  await confirm(config, clientSecret, CARDS.good, 'setup_intents')
  await person.send('POST', '/api/save-card', { setupIntentId: idIn(clientSecret) })
  return person
}

const switchOn = (person: Person) =>
  person.send('POST', '/api/create-subscription', { packageId: 'light', thresholdCredits: 15 })

test('a top-up is bought again when its payment is missing at the provider', async () => {
  const ada = await withCard()
  await switchOn(ada)
  const orderId = await write({ userId: ada.user.id, intentId: `pi_${randomUUID()}`, automatic: true, ageHours: 2 })
  await query('update auto_top_up set order_id = $1 where user_id = $2', [orderId, ada.user.id])
  await topUp(shop.context.credits)
  await topUp(shop.context.credits)
  expect(await ada.balance()).toBe(20)
  expect(await ada.get<AutoTopUpState>(`/api/user/${ada.user.id}/auto-top-up`)).toMatchObject({ problem: null })
})

test('users at their daily top-ups and users with failing ones delay no other top-up', async () => {
  const full = Array.from({ length: 60 }, () => randomUUID())
  const failing = Array.from({ length: 60 }, () => randomUUID())
  await withTx(shop.context.db, async (tx) => {
    for (const userId of [...full, ...failing]) await openWallet(tx, userId)
  })
  const bought = (userId: string) => ({ userId, intentId: `pi_${randomUUID()}`, automatic: true })
  await writeAll(full.flatMap((userId) => [1, 2, 3].map(() => ({ ...bought(userId), status: 'canceled' }))))
  const orders = await writeAll(failing.map(bought))
  await query(
    `insert into auto_top_up (user_id, package_id, threshold_credits, order_id)
     select user_id, 'light', 15, order_id from unnest($1::text[], $2::text[]) as each (user_id, order_id)`,
    [
      [...full, ...failing],
      [...full.map(() => null), ...orders],
    ],
  )
  const ada = await withCard()
  await switchOn(ada)
  await topUp(shop.context.credits)
  await topUp(shop.context.credits)
  expect(await ada.balance()).toBe(20)
})

describe('a payment that fails each time it is read', () => {
  const ops = (...args: string[]) => operate(shop.context.database, ['tasks', ...args])
  const taskOf = async (intentId: string) => (await ops('list')).split('\n').find((line) => line.includes(intentId))
  const makeOld = (intentId: string) =>
    query(`update payment set checked_at = now() - interval '2 minutes' where intent_id = $1`, [intentId])
  const askedAt = async (intentId: string) =>
    (await query<{ asked_at: Date }>('select asked_at from payment where intent_id = $1', [intentId]))[0]!.asked_at

  /** The first and the fifth failure, in rounds that credit another payment each. */
  async function failFiveTimes(): Promise<{ userId: string; intentId: string }> {
    const broken = await payUnrecordable()
    const ada = await shop.person()
    for (const round of [1, 2]) {
      expect(await taskOf(broken.intentId)).toBeUndefined()
      const paid = await pay(ada)
      await hideEvents()
      for (const each of [broken.intentId, paid]) await makeOld(each)
      await query(`update passed_over set failures = 4, retry_at = now() where task = 'credits.ask'`)
      await reconcile()
      expect(await ada.balance()).toBe(10 + 10 * round)
    }
    return broken
  }

  test('is a task after five failures, asked about no more, and done once an event has it read', async () => {
    const { userId, intentId } = await failFiveTimes()
    expect(await taskOf(intentId)).toMatch(/fails each time it is read \(/)
    expect(await failuresOf(shop.context.db, 'credits.ask')).toEqual({})
    const before = await askedAt(intentId)
    await makeOld(intentId)
    await reconcile()
    expect(await askedAt(intentId)).toEqual(before)
    await withTx(shop.context.db, (tx) => openWallet(tx, userId))
    await query('delete from stripe_event')
    await query('delete from stripe_reading')
    await reconcile()
    expect(await query('select status from payment where intent_id = $1', [intentId])).toEqual([
      { status: 'succeeded' },
    ])
    expect(await taskOf(intentId)).toBeUndefined()
  })

  test('and was granted by a person is not credited when it can be read', async () => {
    const { userId, intentId } = await failFiveTimes()
    await withTx(shop.context.db, (tx) => openWallet(tx, userId, { freeCredits: false }))
    await ops('grant', (await taskOf(intentId))!.split(' ')[0]!, '--reason', 'Seen at the provider')
    await query('delete from stripe_event')
    await query('delete from stripe_reading')
    await reconcile()
    const { rows } = await shop.context.database.pool.query('select posted::int from ledger_account where id = $1', [
      `wallet:${userId}`,
    ])
    expect(rows).toEqual([{ posted: 10 }])
  })

  test('is not asked about, nor counted, while the provider is away', async () => {
    const { intentId } = await payUnrecordable()
    await hideEvents()
    await makeOld(intentId)
    const { events } = shop.context.credits.stripe!
    const before = await askedAt(intentId)
    const away = new Stripe.errors.StripeConnectionError({ message: 'away', type: 'api_error' })
    vi.spyOn(events, 'list').mockImplementationOnce(() => {
      throw away
    })
    await expect(reconcile()).rejects.toThrow('not reconciled to the end')
    expect(await askedAt(intentId)).toEqual(before)
    expect(await failuresOf(shop.context.db, 'credits.ask')).toEqual({})
    await query('delete from payment where intent_id = $1', [intentId])
  })
})
