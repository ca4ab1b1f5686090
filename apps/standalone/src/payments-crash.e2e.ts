import { randomUUID } from 'node:crypto'
import type { PaymentsConfig } from '@parley/contract'
import { afterAll, beforeAll, test } from 'vitest'
import { expectBooksInOrder, openDatabase, roundsOf } from './testing.ts'
import { type Person, runParley, type Running, signIn, signUp, until } from './world.ts'
import { CARDS, confirm, idIn, order, process, stripeAt } from '../../api/src/credits/payments/testing.ts'

// kill -9 during payments, repeatedly: each captured payment is credited once and no other credit is made.

const PASSWORD = 'correct horse battery'
const email = `${randomUUID()}@example.com`
let parley: Running
let person: Person

beforeAll(async () => {
  parley = await runParley()
  person = await signUp(parley.url, email, PASSWORD)
})
afterAll(() => parley.dispose())

async function configOf(): Promise<PaymentsConfig> {
  return (await (await fetch(`${parley.url}/api/payments/config`)).json()) as PaymentsConfig
}

/** Creates, confirms and processes a payment; any step may fail during a kill. */
async function shopOn(card: string): Promise<void> {
  const secret = await order(person, 'light')
  const { body } = await confirm(await configOf(), secret, card)
  if (body.status === 'succeeded') await process(person, idIn(secret))
}

/** Throws with the state of each payment on both sides and the last log. */
async function explained(error: unknown): Promise<never> {
  const stripe = stripeAt((await configOf()).apiUrl ?? '')
  const [{ data: intents }, { data: events }] = await Promise.all([
    stripe.paymentIntents.list({ limit: 100 }),
    stripe.events.list({ limit: 100 }),
  ])
  const database = await openDatabase(parley)
  const { rows: payments } = await database.pool.query(
    'select id, intent_id, status, created_at, checked_at, asked_at from payment',
  )
  const { rows: taken } = await database.pool.query<{ id: string }>('select id from stripe_event')
  const { rows: kept } = await database.pool.query('select * from stripe_event_retry')
  await database.close()
  const known = {
    balance: await person.balance(),
    intents: intents.map(({ id, status, created, metadata }) => ({ id, status, created, order: metadata['order'] })),
    payments,
    notTaken: events
      .filter(({ id }) => taken.every((one) => one.id !== id))
      .map(({ id, type, created, pending_webhooks }) => ({ id, type, created, pending_webhooks })),
    kept,
  }
  throw new Error(`${JSON.stringify(known, null, 1)}\n${parley.log().slice(-5000)}`, { cause: error })
}

test('crashes of the api and of PostgreSQL neither lose nor invent a payment', { timeout: 600_000 }, async () => {
  const kills = [['main'], ['postgres'], ['main', 'postgres']] as const
  for (let round = 0; round < roundsOf(kills); round++) {
    const cards = [CARDS.good, CARDS.good, CARDS.declined, CARDS.processing]
    const shopping = cards.map((card) => shopOn(card).catch(() => undefined))
    // Later in each round: before the payment, the card or the credits.
    await new Promise((resolve) => setTimeout(resolve, round * 25))
    await parley.kill(...kills[round % kills.length]!)
    await Promise.all(shopping)
    if (round % kills.length === 1) await parley.kill('main')
    await parley.start()
    person = await signIn(parley.url, email, PASSWORD)
    const paid = await until(
      'the payments to be over',
      async () => {
        const { data } = await stripeAt((await configOf()).apiUrl ?? '').paymentIntents.list({ limit: 100 })
        return (
          !data.some(({ status }) => status === 'processing') &&
          data.filter(({ status }) => status === 'succeeded').length
        )
      },
      60_000,
    )
    await until(
      `${paid} payments to be credited`,
      async () => (await person.balance()) === 10 + 10 * paid,
      90_000,
    ).catch(explained)
    await expectBooksInOrder(parley)
  }
})
