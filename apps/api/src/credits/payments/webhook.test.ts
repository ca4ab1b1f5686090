import { reconcilePayments } from '@parley/api/testing'
import type { Movement, Payment } from '@parley/contract'
import { STRIPE_WEBHOOK_PATH } from '@parley/contract'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Person } from '../../../../standalone/src/world.ts'
import { CARDS, idIn, openAuditedShop, order, process } from './testing.ts'

// Events from the provider; they come only when a test delivers them.

const { shop, bought, deliverAll } = await openAuditedShop()

describe('the webhook', () => {
  const send = (body: string, signature?: string) =>
    fetch(shop.url + STRIPE_WEBHOOK_PATH, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        ...(signature === undefined ? {} : { 'stripe-signature': signature }),
      },
    })
  const sign = (payload: string, secret = shop.webhookSecret, at = Math.floor(Date.now() / 1000)) =>
    shop.stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: at })

  afterEach(() => vi.useRealTimers())

  test('repeated and unordered events credit a payment once without a page', async () => {
    const ada = await shop.person()
    const heard: unknown[] = []
    shop.context.bus.subscribe(`user:${ada.user.id}`, (message) => heard.push(message))
    await bought(ada)
    const statuses = [...(await deliverAll()), ...(await deliverAll())]
    expect(new Set(statuses)).toEqual(new Set([200]))
    await Promise.all(
      shop.sandbox
        .events()
        .toReversed()
        .map(({ id }) => shop.sandbox.deliver(id)),
    )
    expect(await ada.balance()).toBe(40)
    expect(heard).toEqual([{ type: 'credits', creditBalance: '40' }])
  })

  test.each<[string, (body: string) => string | undefined]>([
    ['without a signature', () => undefined],
    ['with a wrong secret', (body) => sign(body, 'whsec_other')],
    ['signed 301 seconds ago', (body) => sign(body, undefined, Math.floor(Date.now() / 1000) - 301)],
    ['signed for other bytes', (body) => sign(`${body} `)],
    ['with a malformed signature', () => 'nonsense'],
  ])('refuses an event %s', async (_, signature) => {
    const ada = await shop.person()
    const intentId = await bought(ada)
    const event = shop.sandbox.events().findLast(({ type }) => type === 'payment_intent.succeeded')
    const body = JSON.stringify(event)
    // One second decides: the clock stands still between signing and checking.
    vi.useFakeTimers({ toFake: ['Date'] })
    const answer = await send(body, signature(body))
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'invalid_signature' }])
    expect(await ada.balance()).toBe(10)
    expect((await send(body, sign(body, undefined, Math.floor(Date.now() / 1000) - 290))).status).toBe(200)
    expect(await ada.balance()).toBe(40)
    expect((await process(ada, intentId)).body.message).toContain('already been added')
  })

  test('reads the payment from the provider: a false event credits nothing', async () => {
    const ada = await shop.person()
    const secret = await order(ada, 'pro')
    const lie = {
      id: 'evt_lie',
      object: 'event',
      type: 'payment_intent.succeeded',
      data: { object: { id: idIn(secret), object: 'payment_intent', status: 'succeeded', amount_received: 4999 } },
    }
    const body = JSON.stringify(lie)
    expect((await send(body, sign(body))).status).toBe(200)
    expect(await ada.balance()).toBe(10)
  })

  test('ignores payments made outside Parley on the same provider account', async () => {
    await shop.stripe.paymentIntents.create({
      amount: 4999,
      currency: 'usd',
      payment_method: 'pm_card_visa',
      confirm: true,
    })
    expect(new Set(await deliverAll())).toEqual(new Set([200]))
  })

  test('credits the payment when no webhook arrives (reconciler)', async () => {
    const ada = await shop.person()
    await bought(ada)
    await reconcilePayments(shop.context.credits)
    expect(await ada.balance()).toBe(40)
    await reconcilePayments(shop.context.credits)
    expect(await ada.balance()).toBe(40)
  })

  test('credits no payment whose amount differs from the order', async () => {
    const ada = await shop.person()
    const ordered = idIn(await order(ada, 'pro'))
    const { metadata } = await shop.stripe.paymentIntents.retrieve(ordered)
    const cheap = await shop.stripe.paymentIntents.create({
      amount: 50,
      currency: 'usd',
      metadata,
      payment_method: 'pm_card_visa',
      confirm: true,
    })
    await deliverAll('payment_intent.succeeded')
    await reconcilePayments(shop.context.credits)
    expect(await process(ada, cheap.id)).toMatchObject({ status: 404 })
    expect(await ada.balance()).toBe(10)
  })
})

describe('refunds and disputes', () => {
  async function synced(): Promise<void> {
    await deliverAll()
  }
  const paymentsOf = (person: Person) => person.get<Payment[]>(`/api/user/${person.user.id}/payments`)

  test('a partial refund takes back its share, a full refund all credits', async () => {
    const ada = await shop.person()
    const intentId = await bought(ada)
    await shop.stripe.refunds.create({ payment_intent: intentId, amount: 1000 })
    await synced()
    // 1000 of 1999 cents: 12 of 25 credits and 2 of 5 bonus credits.
    expect(await ada.balance()).toBe(40 - 14)
    expect(await paymentsOf(ada)).toMatchObject([{ refundedCents: 1000, disputed: false, status: 'succeeded' }])
    await shop.stripe.refunds.create({ payment_intent: intentId })
    await synced()
    expect(await ada.balance()).toBe(10)
    const [movement] = await ada.get<Movement[]>(`/api/user/${ada.user.id}/statement`)
    expect(movement).toMatchObject({ kind: 'clawback', credits: -16, cause: 'Refund of $9.99 for the Premium package' })
  })

  test('a failed refund gives the credits back', async () => {
    const ada = await shop.person()
    const { id } = await shop.stripe.refunds.create({ payment_intent: await bought(ada, CARDS.good, 'light') })
    await synced()
    expect(await ada.balance()).toBe(10)
    shop.sandbox.failRefund(id)
    await synced()
    expect(await ada.balance()).toBe(20)
    expect(await paymentsOf(ada)).toMatchObject([{ refundedCents: 0 }])
  })

  test.each([
    ['won', 20, false],
    ['lost', 10, true],
  ] as const)('a dispute takes the credits back; then it is %s', async (outcome, balance, disputed) => {
    const ada = await shop.person()
    await bought(ada, CARDS.disputes, 'light')
    await synced()
    expect(await ada.balance()).toBe(10)
    const [dispute] = (await shop.stripe.disputes.list()).data
    shop.sandbox.closeDispute(dispute!.id, outcome)
    await synced()
    expect(await ada.balance()).toBe(balance)
    expect(await paymentsOf(ada)).toMatchObject([{ disputed }])
  })
  test('a dispute opened again after it was won, or lost after that, takes the credits back each time', async () => {
    const ada = await shop.person()
    await bought(ada, CARDS.disputes, 'light')
    await synced()
    const [dispute] = (await shop.stripe.disputes.list()).data
    const id = dispute?.id ?? ''
    const balanceAfter = async (...changes: readonly (() => unknown)[]) => {
      for (const change of changes) change()
      await synced()
      const first = await ada.balance()
      // Read again without news, nothing moves.
      await reconcilePayments(shop.context.credits)
      expect(await ada.balance()).toBe(first)
      return first
    }
    const won = () => shop.sandbox.closeDispute(id, 'won')
    const lost = () => shop.sandbox.closeDispute(id, 'lost')
    const reopened = () => shop.sandbox.reopenDispute(id)
    expect(await balanceAfter()).toBe(10)
    expect(await balanceAfter(won)).toBe(20)
    expect(await balanceAfter(reopened)).toBe(10)
    expect(await balanceAfter(won)).toBe(20)
    // The api hears only how it ended.
    expect(await balanceAfter(reopened, lost)).toBe(10)
    expect(await paymentsOf(ada)).toMatchObject([{ disputed: true }])
    const movements = await ada.get<Movement[]>(`/api/user/${ada.user.id}/statement`)
    expect(movements.map(({ credits }) => credits)).toEqual([-10, 10, -10, 10, -10, 10, 10])
  })
})
