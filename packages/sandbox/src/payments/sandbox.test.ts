import { randomUUID } from 'node:crypto'
import { SANDBOX_KEYS } from '@parley/contract'
import Stripe from 'stripe'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Sandbox } from './sandbox.ts'
import { cardOf, clientOf, openSandboxes, ORDER, payWith } from './testing.ts'

// Tested through the official package: it must not notice a difference.

const start = openSandboxes()
let stripe: Stripe
let sandbox: Sandbox

beforeEach(async () => {
  sandbox = await start()
  stripe = clientOf(sandbox)
})

const methodOf = (number: string) => stripe.paymentMethods.create({ type: 'card', card: cardOf(number) })

const pay = (number: string, more?: Partial<Stripe.PaymentIntentCreateParams>) => payWith(stripe, number, more)

/** Requests as Stripe.js sends them: a form, the publishable key, the client secret. */
function asPage(method: string, path: string, params: Record<string, string> = {}): Promise<Response> {
  const body = new URLSearchParams(params)
  const headers = { authorization: `Bearer ${SANDBOX_KEYS.publishable}`, origin: 'http://localhost:3000' }
  return method === 'GET'
    ? fetch(`${sandbox.url}${path}?${body.toString()}`, { headers })
    : fetch(sandbox.url + path, { method, headers, body })
}

async function failureOf(work: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Stripe.errors.StripeError)) throw new Error(`No refusal, but ${String(error)}`)
  return error
}

describe('a payment', () => {
  test('is created, confirmed, charged and found by its id and in the list', async () => {
    const created = await stripe.paymentIntents.create(ORDER)
    expect(created).toMatchObject({
      object: 'payment_intent',
      status: 'requires_payment_method',
      amount: 1999,
      currency: 'usd',
      metadata: { order: 'o-1' },
    })
    expect(created.client_secret).toMatch(new RegExp(`^${created.id}_secret_`))
    const { id } = await methodOf('4242 4242 4242 4242'.replaceAll(' ', ''))
    const paid = await stripe.paymentIntents.confirm(created.id, { payment_method: id })
    expect(paid).toMatchObject({ status: 'succeeded', amount_received: 1999, payment_method: id, next_action: null })
    const seen = await stripe.paymentIntents.retrieve(created.id, {
      expand: ['payment_method', 'latest_charge.balance_transaction'],
    })
    expect(seen).toMatchObject({
      payment_method: { card: { brand: 'visa', last4: '4242' } },
      latest_charge: { paid: true, amount: 1999, balance_transaction: { amount: 1999, fee: 88, net: 1911 } },
    })
    const { data, has_more } = await stripe.paymentIntents.list({ limit: 1 })
    expect([data.map((each) => each.id), has_more]).toEqual([[created.id], false])
  })

  test.each([
    ['4000000000000002', 'card_declined', 'generic_decline', 'Your card was declined.'],
    ['4000000000009995', 'card_declined', 'insufficient_funds', 'Your card has insufficient funds.'],
    ['4000000000000069', 'expired_card', 'expired_card', 'Your card has expired.'],
    ['4000000000000127', 'incorrect_cvc', 'incorrect_cvc', "Your card's security code is incorrect."],
    [
      '4111111111111111',
      'card_declined',
      'test_mode_live_card',
      'Your card was declined. Your request was in test mode, but used a non test card.',
    ],
  ])('with %s is declined: %s, %s', async (number, code, declineCode, message) => {
    const error = await failureOf(pay(number))
    expect(error).toBeInstanceOf(Stripe.errors.StripeCardError)
    expect(error).toMatchObject({ statusCode: 402, code, decline_code: declineCode, message })
    const intent = await stripe.paymentIntents.retrieve(error.payment_intent?.id ?? '')
    expect(intent).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code, message, type: 'card_error' },
    })
    // Another card may still do.
    const { id } = await methodOf('4242424242424242')
    expect((await stripe.paymentIntents.confirm(intent.id, { payment_method: id })).status).toBe('succeeded')
  })

  test.each([
    [{ number: '4242424242424241' }, 'incorrect_number'],
    [{ number: '42' }, 'incorrect_number'],
    [{ exp_month: 13 }, 'invalid_expiry_month'],
    [{ exp_year: 2020 }, 'invalid_expiry_year'],
    [{ cvc: '1' }, 'invalid_cvc'],
  ])('with an invalid card, %o, is refused by the form: %s', async (wrong, code) => {
    const error = await failureOf(
      stripe.paymentMethods.create({ type: 'card', card: { ...cardOf('4242424242424242'), ...wrong } }),
    )
    expect(error).toMatchObject({ statusCode: 402, type: 'StripeCardError', code })
  })

  test('with a slow card is processing and then succeeds', async () => {
    const processing = await pay('4000000000000077')
    expect(processing.status).toBe('processing')
    await vi.waitFor(
      async () => expect((await stripe.paymentIntents.retrieve(processing.id)).status).toBe('succeeded'),
      10_000,
    )
  })

  test('once paid can be neither confirmed again nor canceled', async () => {
    const paid = await pay('4242424242424242')
    const again = await failureOf(stripe.paymentIntents.confirm(paid.id, { payment_method: 'pm_card_visa' }))
    expect(again).toMatchObject({
      statusCode: 400,
      code: 'payment_intent_unexpected_state',
      payment_intent: { id: paid.id, status: 'succeeded' },
    })
    expect(await failureOf(stripe.paymentIntents.cancel(paid.id))).toMatchObject({
      code: 'payment_intent_unexpected_state',
    })
    const { id } = await stripe.paymentIntents.create(ORDER)
    expect(await stripe.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' })).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'abandoned',
    })
  })

  test.each<[string, () => Promise<unknown>, Record<string, unknown>]>([
    [
      'an amount that is too small',
      () => stripe.paymentIntents.create({ ...ORDER, amount: 10 }),
      { code: 'amount_too_small', param: 'amount' },
    ],
    [
      'an amount that is no number',
      () => stripe.paymentIntents.create({ ...ORDER, amount: Number.NaN }),
      { code: 'parameter_invalid', param: 'amount' },
    ],
    ['an unknown id', () => stripe.paymentIntents.retrieve('pi_nobody'), { code: 'resource_missing', statusCode: 404 }],
    [
      'a foreign key',
      () => clientOf(sandbox, 'sk_test_other').customers.create(),
      { type: 'StripeAuthenticationError', statusCode: 401 },
    ],
    [
      'a publishable key',
      () => clientOf(sandbox, SANDBOX_KEYS.publishable).customers.create(),
      { code: 'secret_key_required', statusCode: 403 },
    ],
  ])("requested with %s fails with Stripe's error", async (_, ask, expected) => {
    expect(await failureOf(ask())).toMatchObject(expected)
  })

  test("with an unknown parameter fails with the parameter's name", async () => {
    const body = new URLSearchParams({ amount: '1999', currency: 'usd', 'payment_method_types[0]': 'card' })
    const answer = await fetch(`${sandbox.url}/v1/payment_intents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${SANDBOX_KEYS.secret}` },
      body,
    })
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { error: { code: 'parameter_unknown', param: 'payment_method_types' } },
    ])
  })
})

describe('an idempotency key', () => {
  test('replays the first answer or refusal, and fails for another request', async () => {
    const idempotencyKey = randomUUID()
    const first = await stripe.paymentIntents.create(ORDER, { idempotencyKey })
    const again = await stripe.paymentIntents.create(ORDER, { idempotencyKey })
    expect(again.id).toBe(first.id)
    expect(await failureOf(stripe.paymentIntents.create({ ...ORDER, amount: 999 }, { idempotencyKey }))).toMatchObject({
      type: 'StripeIdempotencyError',
    })
    const key = randomUUID()
    const params = { ...ORDER, payment_method: 'pm_card_visa_chargeDeclined', confirm: true }
    const refusals = [
      await failureOf(stripe.paymentIntents.create(params, { idempotencyKey: key })),
      await failureOf(stripe.paymentIntents.create(params, { idempotencyKey: key })),
    ]
    expect(refusals[0]?.payment_intent?.id).toBe(refusals[1]?.payment_intent?.id)
  })
})

describe("a page's own card form", () => {
  test('creates a payment method, confirms by client secret and gets no metadata', async () => {
    const { id, client_secret: secret } = await stripe.paymentIntents.create(ORDER)
    const details = {
      type: 'card',
      'card[number]': '4242424242424242',
      'card[exp_month]': '12',
      'card[exp_year]': '34',
      'card[cvc]': '123',
    }
    const made = await asPage('POST', '/v1/payment_methods', { ...details, 'billing_details[name]': 'Ada Lovelace' })
    expect(made.headers.get('access-control-allow-origin')).toBe('*')
    const method = (await made.json()) as Stripe.PaymentMethod
    expect(method).toMatchObject({ card: { last4: '4242', exp_year: 2034 }, billing_details: { name: 'Ada Lovelace' } })
    const wrong = await asPage('POST', `/v1/payment_intents/${id}/confirm`, {
      payment_method: method.id,
      client_secret: `${id}_secret_x`,
    })
    expect(wrong.status).toBe(404)
    const done = await asPage('POST', `/v1/payment_intents/${id}/confirm`, {
      payment_method: method.id,
      client_secret: secret ?? '',
    })
    const intent = (await done.json()) as Stripe.PaymentIntent
    expect(intent.status).toBe('succeeded')
    expect(intent).not.toHaveProperty('metadata')
    const seen = await asPage('GET', `/v1/payment_intents/${id}`, { client_secret: secret ?? '' })
    expect(await seen.json()).toMatchObject({ id, status: 'succeeded' })
  })

  test('gets a CORS preflight answer', async () => {
    const answer = await fetch(`${sandbox.url}/v1/payment_methods`, { method: 'OPTIONS' })
    expect([answer.status, answer.headers.get('access-control-allow-headers')]).toEqual([
      204,
      expect.stringContaining('authorization'),
    ])
  })
})

describe('3-D Secure', () => {
  async function challenged(returnUrl?: string) {
    const { id, client_secret: secret } = await stripe.paymentIntents.create(ORDER)
    const { id: method } = await methodOf('4000002500003155')
    const more: Record<string, string> = returnUrl === undefined ? {} : { return_url: returnUrl }
    const answer = await asPage('POST', `/v1/payment_intents/${id}/confirm`, {
      payment_method: method,
      client_secret: secret ?? '',
      ...more,
    })
    return { id, secret, intent: (await answer.json()) as Stripe.PaymentIntent }
  }
  const decide = (url: string, answer: 'accept' | 'refuse') =>
    fetch(url, { method: 'POST', body: new URLSearchParams({ answer }) })

  test("accepted on the bank's page pays, and redirects with Stripe's query parameters", async () => {
    const { id, secret, intent } = await challenged('http://localhost:3000/billing/success?credits=30')
    expect(intent).toMatchObject({ status: 'requires_action', next_action: { type: 'redirect_to_url' } })
    const { url } = intent.next_action!.redirect_to_url!
    expect(await (await fetch(url!)).text()).toContain('Complete authentication')
    const page = await (await decide(url!, 'accept')).text()
    const back = `http://localhost:3000/billing/success?credits=30&payment_intent=${id}&payment_intent_client_secret=${secret}&redirect_status=succeeded`
    expect(page).toContain(`location.replace("${back}")`)
    expect((await stripe.paymentIntents.retrieve(id)).status).toBe('succeeded')
    // A reload changes nothing.
    expect((await decide(url!, 'refuse')).status).toBe(200)
    expect((await stripe.paymentIntents.retrieve(id)).status).toBe('succeeded')
  })

  test('refused leaves the payment unpaid with an error code', async () => {
    const { id, intent } = await challenged()
    expect(intent.next_action?.type).toBe('use_stripe_sdk')
    await decide(String(intent.next_action?.use_stripe_sdk?.['stripe_js']), 'refuse')
    expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'payment_intent_authentication_failure' },
    })
  })

  test('fails off session unless the card was set up with authentication', async () => {
    const customer = await stripe.customers.create({ email: 'ada@example.com' })
    const { id: method } = await methodOf('4000002500003155')
    const setup = await stripe.setupIntents.create({
      customer: customer.id,
      payment_method: method,
      confirm: true,
      usage: 'off_session',
      return_url: 'http://localhost:3000/',
    })
    expect(setup.status).toBe('requires_action')
    const { id: unknown } = await methodOf('4000002500003155')
    const error = await failureOf(
      stripe.paymentIntents.create({ ...ORDER, payment_method: unknown, confirm: true, off_session: true }),
    )
    expect(error).toMatchObject({
      code: 'authentication_required',
      payment_intent: { status: 'requires_payment_method' },
    })
    await decide(setup.next_action!.redirect_to_url!.url!, 'accept')
    expect((await stripe.setupIntents.retrieve(setup.id)).status).toBe('succeeded')
    const paid = await stripe.paymentIntents.create({
      ...ORDER,
      customer: customer.id,
      payment_method: method,
      confirm: true,
      off_session: true,
    })
    expect(paid.status).toBe('succeeded')
  })
})

describe('after a payment', () => {
  test('partial refunds are limited to the amount left, and a failed refund restores it', async () => {
    const { id } = await pay('4242424242424242')
    const partial = await stripe.refunds.create({ payment_intent: id, amount: 999 })
    expect(partial).toMatchObject({ status: 'succeeded', amount: 999 })
    expect(await failureOf(stripe.refunds.create({ payment_intent: id, amount: 1001 }))).toMatchObject({
      param: 'amount',
    })
    expect((await stripe.refunds.create({ payment_intent: id })).amount).toBe(1000)
    expect(await failureOf(stripe.refunds.create({ payment_intent: id }))).toMatchObject({
      code: 'charge_already_refunded',
    })
    sandbox.failRefund(partial.id)
    const { data } = await stripe.refunds.list({ payment_intent: id })
    expect(data.map(({ amount, status }) => [amount, status])).toEqual([
      [1000, 'succeeded'],
      [999, 'failed'],
    ])
    const charge = await stripe.charges.list({ payment_intent: id })
    expect(charge.data[0]).toMatchObject({ amount_refunded: 1000, refunded: false })
  })

  test('a dispute withdraws the amount and reinstates it when the evidence wins', async () => {
    const { id } = await pay('4000000000000259')
    const [dispute] = (await stripe.disputes.list({ payment_intent: id })).data
    expect(dispute).toMatchObject({ status: 'needs_response', amount: 1999 })
    expect(await failureOf(stripe.refunds.create({ payment_intent: id }))).toMatchObject({ code: 'charge_disputed' })
    const won = await stripe.disputes.update(dispute!.id, {
      evidence: { uncategorized_text: 'winning_evidence' },
      submit: true,
    })
    expect(won.status).toBe('won')
    expect(won.balance_transactions.map(({ amount }) => amount)).toEqual([-1999, 1999])
    const other = await pay('4242424242424242')
    expect((await stripe.disputes.close(sandbox.openDispute(other.id, 500).id)).status).toBe('lost')
  })

  test('a saved card is listed for its customer until it is detached or the customer is deleted', async () => {
    const { id: customer } = await stripe.customers.create({ email: 'ada@example.com', metadata: { user: 'u-1' } })
    const { payment_method: method } = await pay('4242424242424242', { customer, setup_future_usage: 'off_session' })
    const cards = async () => (await stripe.customers.listPaymentMethods(customer)).data.map(({ id }) => id)
    expect(await cards()).toEqual([method])
    await stripe.paymentMethods.detach(typeof method === 'string' ? method : '')
    expect(await cards()).toEqual([])
    expect(await stripe.customers.del(customer)).toMatchObject({ deleted: true })
    expect(await failureOf(stripe.customers.retrieve(customer))).toMatchObject({ code: 'resource_missing' })
  })
})
