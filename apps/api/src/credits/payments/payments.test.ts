import { randomUUID } from 'node:crypto'
import { checkBooks } from '@parley/api/testing'
import type { Movement, Payment, PaymentsConfig } from '@parley/contract'
import { describe, expect, test, vi } from 'vitest'
import { answerBank, CARDS, confirm, idIn, openAuditedShop, openShop, order, process } from './testing.ts'

// Events come only when a test delivers them; the rest comes from the page or the reconciler.

const { shop, config, bought, deliverAll } = await openAuditedShop()

describe('the payment page', () => {
  test("gets the provider's mode and key, and health names the provider", async () => {
    expect(config).toEqual({ mode: 'sandbox', publishableKey: 'pk_test_sandbox', apiUrl: shop.sandbox.url })
    const health = (await (await fetch(`${shop.url}/health`)).json()) as { parts: { payments: string } }
    expect(health.parts.payments).toBe('sandbox')
  })

  test('gets the credits of a payment once, for repeated requests', async () => {
    const ada = await shop.person()
    const intentId = await bought(ada)
    expect(await process(ada, intentId)).toEqual({
      status: 200,
      body: { success: true, credits: 30, status: 'added', message: '30 credits have been added to your account.' },
    })
    const again = {
      success: true,
      credits: 30,
      status: 'already_added',
      message: '30 credits have already been added to your account.',
    }
    expect((await process(ada, intentId)).body).toEqual(again)
    expect((await process(ada, intentId, 'missed')).body).toEqual(again)
    expect(await ada.balance()).toBe(40)
    const [movement] = await ada.get<Movement[]>(`/api/user/${ada.user.id}/statement`)
    expect(movement).toMatchObject({
      kind: 'purchase',
      credits: 30,
      balance: 40,
      cause: 'Premium package bought for $19.99: 25 credits and 5 bonus credits',
    })
  })

  test('ten parallel requests credit a payment once', async () => {
    const ada = await shop.person()
    const intentId = await bought(ada, CARDS.good, 'light')
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => process(ada, intentId, index % 2 === 0 ? 'success' : 'missed')),
    )
    expect(answers.every(({ body }) => body.success === true && body.credits === 10)).toBe(true)
    expect(answers.filter(({ body }) => body.message.includes('have been added'))).toHaveLength(1)
    expect(await ada.balance()).toBe(20)
  })

  test.each([
    [
      'an amount other than the price',
      { amount: 1, credits: 10, packageId: 'light' },
      'invalid_amount',
      'Invalid amount.',
    ],
    [
      'credits other than the package',
      { amount: 999, credits: 100, packageId: 'light' },
      'invalid_amount',
      'Invalid number of credits.',
    ],
    ['a negative amount', { amount: -999, credits: 10, packageId: 'light' }, 'invalid_input', 'Invalid amount.'],
    ['fractional cents', { amount: 999.5, credits: 10, packageId: 'light' }, 'invalid_input', 'Invalid amount.'],
    [
      'an unknown package',
      { amount: 999, credits: 10, packageId: 'gold' },
      'invalid_package',
      'Invalid package selected.',
    ],
    [
      'the product of another package',
      { amount: 999, credits: 10, packageId: 'light', productId: 'parley_pro' },
      'invalid_package',
      'Invalid package selected.',
    ],
  ])('refuses an order with %s', async (_, body, code, message) => {
    const ada = await shop.person()
    const answer = await ada.send('POST', '/api/create-payment-intent', body)
    expect([answer.status, await answer.json()]).toMatchObject([400, { code, message }])
  })

  test("returns 404 for another user's payment and receipt", async () => {
    const [ada, eve] = [await shop.person(), await shop.person()]
    const intentId = await bought(ada)
    for (const door of ['success', 'missed'] as const) {
      expect(await process(eve, intentId, door)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    expect(await process(eve, 'pi_test_1234')).toMatchObject({ status: 404 })
    expect(await eve.balance()).toBe(10)
    const { data } = await shop.stripe.paymentIntents.list({ limit: 1 })
    expect(data[0]?.metadata).toMatchObject({ user: ada.user.id, package: 'premium' })
    await process(ada, intentId)
    const [payment] = await ada.get<Payment[]>(`/api/user/${ada.user.id}/payments`)
    expect(
      (await fetch(`${shop.url}/api/payments/${payment!.id}/receipt.pdf`, { headers: { cookie: eve.cookie } })).status,
    ).toBe(404)
  })

  test('a second tab or a double click gets the same payment until it is paid', async () => {
    const ada = await shop.person()
    const secrets = await Promise.all([1, 2, 3].map(() => order(ada, 'light', { key: '' })))
    expect(new Set(secrets).size).toBe(1)
    expect(await order(ada, 'pro', { key: '' })).not.toBe(secrets[0])
    const first = await confirm(config, secrets[0]!, CARDS.good)
    const second = await confirm(config, secrets[0]!, CARDS.good)
    expect([first.body.status, second.status, second.body.error?.code]).toEqual([
      'succeeded',
      400,
      'payment_intent_unexpected_state',
    ])
    const next = await order(ada, 'light', { key: '' })
    expect(next).not.toBe(secrets[0])
    // Creating the next payment credited the first, which was paid.
    expect(await ada.balance()).toBe(20)
  })

  test('a second tab during a bank check gets a new payment and voids the first', async () => {
    const ada = await shop.person()
    const first = await order(ada, 'light', { key: '' })
    const { body } = await confirm(config, first, CARDS.authenticates)
    const [second, third] = await Promise.all([order(ada, 'light', { key: '' }), order(ada, 'light', { key: '' })])
    expect([second === first, third]).toEqual([false, second])
    await answerBank(body, 'accept')
    const late = await confirm(config, first, CARDS.good)
    expect([late.status, late.body.error?.code]).toEqual([400, 'payment_intent_unexpected_state'])
    expect((await process(ada, idIn(first))).body.message).toBe('Payment status: canceled. Please try again.')
    await confirm(config, second, CARDS.good)
    expect((await process(ada, idIn(second))).body.success).toBe(true)
    expect(await ada.balance()).toBe(20)
  })

  test('one Idempotency-Key gives the same payment; another body gets 409', async () => {
    const ada = await shop.person()
    const key = randomUUID()
    expect(await order(ada, 'light', { key })).toBe(await order(ada, 'light', { key }))
    const other = await ada.send(
      'POST',
      '/api/create-payment-intent',
      { amount: 4999, credits: 100, packageId: 'pro' },
      { 'idempotency-key': key },
    )
    expect([other.status, await other.json()]).toMatchObject([409, { code: 'idempotency_mismatch' }])
  })
})

const nothing = (status: string, message: string) => ({ success: false, credits: 0, status, message })

describe('a card', () => {
  test('a declined card costs nothing, and another card can pay', async () => {
    const ada = await shop.person()
    const secret = await order(ada, 'light')
    const declined = await confirm(config, secret, CARDS.declined)
    expect([declined.status, declined.body.error?.message]).toEqual([402, 'Your card was declined.'])
    expect((await process(ada, idIn(secret))).body).toEqual(
      nothing('unpaid', 'Payment status: requires_payment_method. Please try again.'),
    )
    expect((await ada.get<Payment[]>(`/api/user/${ada.user.id}/payments`)).map(({ status }) => status)).toEqual([
      'failed',
    ])
    await confirm(config, secret, CARDS.good)
    expect((await process(ada, idIn(secret))).body.success).toBe(true)
    expect(await ada.balance()).toBe(20)
  })

  test.each(['accept', 'refuse'] as const)('a card with a bank check: %s', async (answer) => {
    const ada = await shop.person()
    const secret = await order(ada, 'light')
    const { body } = await confirm(config, secret, CARDS.authenticates)
    expect(body.status).toBe('requires_action')
    expect((await process(ada, idIn(secret))).body.message).toBe('Payment status: requires_action. Please try again.')
    await answerBank(body, answer)
    expect((await process(ada, idIn(secret))).body.success).toBe(answer === 'accept')
    expect(await ada.balance()).toBe(answer === 'accept' ? 20 : 10)
  })

  test('a payment recorded repeatedly gets one receipt', async () => {
    const enqueue = vi.spyOn(shop.context.jobs, 'enqueue')
    const ada = await shop.person()
    const intentId = await bought(ada, CARDS.good)
    await process(ada, intentId)
    await process(ada, intentId, 'missed')
    await deliverAll('payment_intent.succeeded')
    const [{ id: orderId } = { id: '' }] = await ada.get<Payment[]>(`/api/user/${ada.user.id}/payments`)
    const { mailer } = shop.context
    const receipts = async () => {
      const mails = mailer.kind === 'outbox' ? await mailer.list() : []
      return mails.filter(({ to, subject }) => to === ada.user.email && subject.includes('receipt'))
    }
    await vi.waitFor(async () => expect(await receipts()).toHaveLength(1), 40_000)
    const [receipt] = await receipts()
    expect(receipt!.subject).toBe('Your Parley receipt: $19.99')
    for (const words of [
      'Premium package: 30 credits, 5 of them as a bonus',
      '$19.99 on 20',
      'with Visa ending in 4242',
      `Order: ${orderId}`,
    ])
      expect(receipt!.text).toContain(words)
    expect(enqueue.mock.calls.filter(([, , data]) => 'orderId' in data && data.orderId === orderId)).toHaveLength(1)
  })

  test('a payment in processing is credited when it succeeds', async () => {
    const ada = await shop.person()
    const intentId = await bought(ada, CARDS.processing)
    expect((await process(ada, intentId)).body).toEqual(
      nothing('processing', 'Payment Received - credits will be added shortly'),
    )
    shop.sandbox.finishProcessing(intentId)
    await deliverAll('payment_intent.succeeded')
    expect(await ada.balance()).toBe(40)
  })
})

describe('the payment list', () => {
  test('has each payment with its receipt', async () => {
    const ada = await shop.person()
    const intentId = await bought(ada)
    await order(ada, 'pro')
    await process(ada, intentId)
    const [payment, ...more] = await ada.get<Payment[]>(`/api/user/${ada.user.id}/payments`)
    expect(more).toEqual([])
    expect(payment).toMatchObject({
      intentId,
      packageId: 'premium',
      credits: 30,
      amountCents: 1999,
      currency: 'usd',
      status: 'succeeded',
      automatic: false,
    })
    const receipt = await fetch(`${shop.url}/api/payments/${payment!.id}/receipt.pdf`, {
      headers: { cookie: ada.cookie },
    })
    expect(receipt.headers.get('content-type')).toBe('application/pdf')
    expect(receipt.headers.get('content-disposition')).toBe(`attachment; filename="receipt-${payment!.id}.pdf"`)
    const pdf = Buffer.from(await receipt.arrayBuffer())
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    expect(pdf.length).toBeGreaterThan(1000)
  })
})

describe('an unreachable provider', () => {
  test('processing gets 503 with Retry-After and changes nothing', async () => {
    const lonely = await openShop({ holdEvents: true })
    try {
      const ada = await lonely.person()
      const own = (await (await fetch(`${lonely.url}/api/payments/config`)).json()) as PaymentsConfig
      const secret = await order(ada, 'light')
      await confirm(own, secret, CARDS.good)
      await lonely.sandbox.close()
      const answer = await ada.send('POST', '/api/process-payment-success', { paymentIntentId: idIn(secret) })
      expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toMatchObject([
        503,
        '5',
        { code: 'unavailable' },
      ])
      await checkBooks(lonely.context.db)
    } finally {
      await lonely.close()
    }
  })
})
