import { reconcilePayments } from '@parley/api/testing'
import type { AutoTopUpState } from '@parley/contract'
import { afterEach, expect, test, vi } from 'vitest'
import type { Person } from '../../../../standalone/src/world.ts'
import { CARDS, confirm, idIn, openAuditedShop, order, process } from '../payments/testing.ts'

// The one saved card of a user, under late events and a provider that has lost it.

const OTHER = '5555555555554444'
const { shop, config } = await openAuditedShop()

afterEach(() => void vi.restoreAllMocks())

const stateOf = (person: Person) => person.get<AutoTopUpState>(`/api/user/${person.user.id}/auto-top-up`)
const forget = (person: Person) => person.send('DELETE', `/api/user/${person.user.id}/card`, {})
/** Handles every event not read yet, newest first. */
const reconcile = () => reconcilePayments(shop.context.credits)

async function query<T extends object>(text: string, values: readonly unknown[] = []): Promise<T[]> {
  const { rows } = await shop.context.database.pool.query<T>(text, [...values])
  return rows
}

async function beginSetup(person: Person): Promise<string> {
  const answer = await person.send('POST', '/api/create-setup-intent', {})
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { clientSecret: string }).clientSecret
}

async function save(
  person: Person,
  number: string,
): Promise<{ setupIntentId: string; methodId: string; customerId: string }> {
  const secret = await beginSetup(person)
  await confirm(config, secret, number, 'setup_intents')
  const setupIntentId = idIn(secret)
  expect((await person.send('POST', '/api/save-card', { setupIntentId })).status).toBe(200)
  const { payment_method: methodId, customer: customerId } = await shop.stripe.setupIntents.retrieve(setupIntentId)
  if (typeof methodId !== 'string' || typeof customerId !== 'string') throw new Error('No card was saved')
  return { setupIntentId, methodId, customerId }
}

/** Until the test ends: the provider's times are in whole seconds. */
function twoSecondsLater(): void {
  const now = Date.now.bind(Date)
  vi.spyOn(Date, 'now').mockImplementation(() => now() + 2000)
}

const attached = async (customerId: string) =>
  (await shop.stripe.customers.listPaymentMethods(customerId)).data.map(({ id }) => id)

test('a late event does not restore a replaced card', async () => {
  const ada = await shop.person()
  const first = await save(ada, CARDS.good)
  const { methodId } = await save(ada, OTHER)
  await reconcile()
  expect((await stateOf(ada)).card).toMatchObject({ last4: '4444' })
  expect(await attached(first.customerId)).toEqual([methodId])
})

test('a late event does not restore a replaced card that is still attached at the provider', async () => {
  const ada = await shop.person()
  const first = await save(ada, CARDS.good)
  twoSecondsLater()
  await save(ada, OTHER)
  await shop.stripe.paymentMethods.attach(first.methodId, { customer: first.customerId })
  await reconcile()
  expect((await stateOf(ada)).card).toMatchObject({ last4: '4444' })
})

test('a late event does not restore a removed card', async () => {
  const ada = await shop.person()
  const { customerId, setupIntentId } = await save(ada, CARDS.good)
  expect((await forget(ada)).status).toBe(200)
  await reconcile()
  expect(await stateOf(ada)).toEqual({ settings: null, card: null, problem: null })
  expect(await attached(customerId)).toEqual([])
  const again = await ada.send('POST', '/api/save-card', { setupIntentId })
  expect([again.status, await again.json()]).toMatchObject([409, { code: 'conflict' }])
})

test('a late purchase does not restore a replaced card', async () => {
  const ada = await shop.person()
  const secret = await order(ada, 'light', { saveCard: true })
  await confirm(config, secret, CARDS.good)
  twoSecondsLater()
  await save(ada, OTHER)
  await reconcile()
  expect((await stateOf(ada)).card).toMatchObject({ last4: '4444' })
  expect(await ada.balance()).toBe(20)
})

test('a late event of the same card does not clear its decline', async () => {
  const ada = await shop.person()
  const { setupIntentId } = await save(ada, CARDS.declinesLater)
  await ada.send('POST', '/api/create-subscription', { packageId: 'light', thresholdCredits: 5 })
  await query(`update auto_top_up set problem = 'Your card was declined.' where user_id = $1`, [ada.user.id])
  await reconcile()
  await ada.send('POST', '/api/save-card', { setupIntentId })
  expect((await stateOf(ada)).problem).toBe('Your card was declined.')
  await save(ada, CARDS.good)
  expect((await stateOf(ada)).problem).toBeNull()
})

test('a card already detached at the provider can be removed', async () => {
  const ada = await shop.person()
  const { methodId } = await save(ada, CARDS.good)
  await shop.stripe.paymentMethods.detach(methodId)
  const answer = await forget(ada)
  expect([answer.status, await answer.json()]).toEqual([200, { settings: null, card: null, problem: null }])
})

test('a card is removed while the provider is unreachable, and detached later by a job', async () => {
  const ada = await shop.person()
  const { methodId } = await save(ada, CARDS.good)
  vi.spyOn(shop.context.credits.stripe!.paymentMethods, 'detach').mockRejectedValueOnce(new Error('away'))
  expect((await forget(ada)).status).toBe(200)
  expect((await stateOf(ada)).card).toBeNull()
  const jobs = await query(`select data from jobs.job where name = 'credits.detach-card' and singleton_key = $1`, [
    methodId,
  ])
  expect(jobs).toEqual([{ data: { paymentMethodId: methodId } }])
})

test('a customer deleted at the provider is created again once', async () => {
  const ada = await shop.person()
  const { customerId } = await save(ada, CARDS.good)
  await ada.send('POST', '/api/create-subscription', { packageId: 'light', thresholdCredits: 5 })
  await shop.stripe.customers.del(customerId)
  await Promise.all([beginSetup(ada), beginSetup(ada)])
  expect(await stateOf(ada)).toMatchObject({ card: null, problem: 'The saved card is gone. Please save it again.' })
  const saved = await save(ada, OTHER)
  expect(saved.customerId).not.toBe(customerId)
  expect(await stateOf(ada)).toMatchObject({ card: { last4: '4444' }, problem: null })

  await shop.stripe.customers.del(saved.customerId)
  const secret = await order(ada, 'light', { saveCard: true })
  await confirm(config, secret, CARDS.good)
  await process(ada, idIn(secret))
  expect(await stateOf(ada)).toMatchObject({ card: { last4: '4242' } })
  expect(await ada.balance()).toBe(20)
})
