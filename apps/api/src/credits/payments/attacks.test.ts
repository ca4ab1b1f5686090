import { randomUUID } from 'node:crypto'
import { hold, reconcilePayments, settle } from '@parley/api/testing'
import { STRIPE_WEBHOOK_PATH } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { CARDS, confirm, idIn, openAuditedShop, order, process } from './testing.ts'

// Attempts to get free credits or another user's credits.

const { shop, config } = await openAuditedShop()

const HUGE = Number.MAX_SAFE_INTEGER + 1
const light = { amount: 999, credits: 10, packageId: 'light' }

describe('malformed input', () => {
  test.each([
    { ...light, amount: 0 },
    { ...light, amount: HUGE },
    { ...light, amount: 1e308 },
    { ...light, amount: '999' },
    { ...light, amount: null },
    { ...light, amount: [999] },
    { ...light, credits: 0 },
    { ...light, credits: -10 },
    { ...light, credits: 10.5 },
    { ...light, credits: HUGE },
    { ...light, packageId: '__proto__' },
    { ...light, packageId: 'constructor' },
    { ...light, packageId: ['light'] },
    { ...light, packageId: 'x'.repeat(10_000) },
    { ...light, packageId: 'pro' },
    { amount: 1999, credits: 100, packageId: 'pro' },
    { amount: 4999, credits: 100, packageId: 'light', productId: 'parley_pro' },
    { ...light, saveCard: 'yes' },
    {},
    [],
    null,
  ])('the order %j is refused and creates no payment', async (body) => {
    const eve = await shop.person()
    const before = shop.sandbox.events().length
    const answer = await eve.send('POST', '/api/create-payment-intent', body)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ code: expect.stringMatching(/^invalid_(input|amount|package)$/) })
    expect(shop.sandbox.events()).toHaveLength(before)
  })

  test.each([0, -1, 1.5, 1001, HUGE, '5', null])('the threshold %j is refused', async (thresholdCredits) => {
    const eve = await shop.person()
    const answer = await eve.send('POST', '/api/create-subscription', { packageId: 'light', thresholdCredits })
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'invalid_input' }])
  })

  test.each([
    ['', 400],
    ['x'.repeat(10_000), 400],
    [17, 400],
    [{ id: 'pi_1' }, 400],
    ['pi_none', 404],
    ["pi_' or true --", 400],
    ['../refunds', 400],
    ['..', 400],
    ['\ud800', 400],
    ['pi_\u0000', 400],
    ['pi_test_0123456789abcdef', 404],
  ])('the payment id %j gets 400 or 404 and no credits', async (paymentIntentId, status) => {
    const eve = await shop.person()
    for (const path of ['/api/process-payment-success', '/api/process-missed-payment'])
      expect((await eve.send('POST', path, { paymentIntentId })).status).toBe(status)
    expect(await eve.balance()).toBe(10)
  })

  test.each([-10, 0, 9.5, HUGE, '10'])(
    'the credits %j of a payment are refused, and the payment can still be processed',
    async (credits) => {
      const ada = await shop.person()
      const secret = await order(ada, 'light')
      await confirm(config, secret, CARDS.good)
      const answer = await ada.send('POST', '/api/process-payment-success', { paymentIntentId: idIn(secret), credits })
      expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'invalid_input' }])
      expect((await process(ada, idIn(secret))).body.success).toBe(true)
      expect(await ada.balance()).toBe(20)
    },
  )

  test.each([
    ['../customers', 400],
    ['seti_1/../../payment_intents/pi_1', 400],
    ['pi_1?expand[]=customer', 400],
    ['..', 400],
    ['\ud800', 400],
    ['seti_1\n', 400],
    ['', 400],
    ['seti_none', 404],
    ['pi_none', 404],
  ])('the setup intent %j gets 400 or 404', async (setupIntentId, status) => {
    const eve = await shop.person()
    expect((await eve.send('POST', '/api/save-card', { setupIntentId })).status).toBe(status)
  })
})

describe('another user', () => {
  test("gets 404 for a user's payments, statements and card, with any userId in the body", async () => {
    const [ada, eve] = [await shop.person(), await shop.person()]
    const secret = await order(ada, 'pro')
    await confirm(config, secret, CARDS.good)
    const paymentIntentId = idIn(secret)
    for (const body of [
      { paymentIntentId },
      { paymentIntentId, userId: ada.user.id },
      { paymentIntentId, userId: eve.user.id },
    ])
      for (const path of ['/api/process-payment-success', '/api/process-missed-payment'])
        expect((await eve.send('POST', path, body)).status).toBe(404)
    for (const list of ['payments', 'statement', 'statement.csv', 'usage', 'auto-top-up'])
      await expect(eve.get(`/api/user/${ada.user.id}/${list}`)).rejects.toThrow('answered 404')
    expect((await eve.send('DELETE', `/api/user/${ada.user.id}/card`, {})).status).toBe(404)
    expect([await ada.balance(), await eve.balance()]).toEqual([10, 10])
    expect((await process(ada, paymentIntentId)).body.credits).toBe(100)
  })

  test("processing another user's order gets 404, and its owner gets the credits", async () => {
    const [ada, eve] = [await shop.person(), await shop.person()]
    const secret = await order(ada, 'light')
    await confirm(config, secret, CARDS.good)
    expect((await process(eve, idIn(secret))).status).toBe(404)
    await reconcilePayments(shop.context.credits)
    expect([await ada.balance(), await eve.balance()]).toEqual([20, 10])
  })

  test('gets an own order for the same Idempotency-Key', async () => {
    const [ada, eve] = [await shop.person(), await shop.person()]
    const key = randomUUID()
    expect(await order(ada, 'light', { key })).not.toBe(await order(eve, 'light', { key }))
  })

  test('cannot change the amount with the publishable key', async () => {
    const ada = await shop.person()
    const secret = await order(ada, 'pro')
    const headers = { authorization: `Bearer ${config.publishableKey}` }
    const body = new URLSearchParams({ amount: '50', client_secret: secret })
    const answer = await fetch(`${config.apiUrl}/v1/payment_intents/${idIn(secret)}`, { method: 'POST', headers, body })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect((await shop.stripe.paymentIntents.retrieve(idIn(secret))).amount).toBe(4999)
  })
})

describe('webhook attacks', () => {
  const send = (body: string, signature: string) =>
    fetch(shop.url + STRIPE_WEBHOOK_PATH, { method: 'POST', body, headers: { 'stripe-signature': signature } })
  const sign = (payload: string, secret = shop.webhookSecret) =>
    shop.stripe.webhooks.generateTestHeaderString({ payload, secret })

  test('refuses signatures by public or empty secrets and altered signature headers', async () => {
    const body = JSON.stringify({
      id: 'evt_1',
      object: 'event',
      type: 'payment_intent.succeeded',
      data: { object: { id: 'pi_1' } },
    })
    for (const secret of ['', config.publishableKey, 'sk_test_sandbox', 'whsec_', 'undefined', 'null'])
      expect((await send(body, sign(body, secret || ' '))).status).toBe(400)
    const right = sign(body)
    const time = /t=(\d+)/.exec(right)?.[1]
    for (const signature of [
      `t=${time},v0=${right.split('v1=')[1]}`,
      `t=${time}`,
      right.replace(/t=\d+/, `t=${Number(time) + 1}`),
      `t=-1,v1=`,
    ])
      expect((await send(body, signature)).status).toBe(400)
  })

  test('an event replayed 100 times in parallel has one effect', async () => {
    const ada = await shop.person()
    const secret = await order(ada, 'light')
    await confirm(config, secret, CARDS.good)
    const event = shop.sandbox.events().findLast(({ type }) => type === 'payment_intent.succeeded')
    const body = JSON.stringify(event)
    const answers = await Promise.all(Array.from({ length: 100 }, () => send(body, sign(body))))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await ada.balance()).toBe(20)
  })

  test('an event with altered amounts credits what the provider reports', async () => {
    const ada = await shop.person()
    const secret = await order(ada, 'light')
    await confirm(config, secret, CARDS.good)
    const event = shop.sandbox.events().findLast(({ type }) => type === 'payment_intent.succeeded')!
    const object = {
      ...event.data.object,
      amount: 499_900,
      amount_received: 499_900,
      metadata: { package: 'pro', user: ada.user.id },
    }
    const altered = { ...event, id: `evt_${randomUUID()}`, data: { object } }
    const body = JSON.stringify(altered)
    expect((await send(body, sign(body))).status).toBe(200)
    expect(await ada.balance()).toBe(20)
  })
})

test('a user has at most 20 unpaid payments, and paying one allows another', async () => {
  const eve = await shop.person()
  const orders = await Promise.allSettled(Array.from({ length: 25 }, () => order(eve, 'light')))
  const secrets = orders.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  expect(secrets).toHaveLength(20)
  const refused = await eve.send('POST', '/api/create-payment-intent', light, { 'idempotency-key': randomUUID() })
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toMatchObject([
    429,
    '3600',
    { code: 'rate_limited' },
  ])
  await confirm(config, secrets[0]!, CARDS.good)
  await process(eve, idIn(secrets[0]!))
  await order(eve, 'light')
})

test('parallel purchases, refunds, calls, events and reconciling add up', async () => {
  const ada = await shop.person()
  const { db, credits } = shop.context
  const secrets = await Promise.all(Array.from({ length: 6 }, () => order(ada, 'premium')))
  for (const secret of secrets) await confirm(config, secret, CARDS.good)
  const calls = Array.from({ length: 5 }, () => randomUUID())
  const expiresAt = new Date(Date.now() + 3_600_000)
  for (const callId of calls) await hold(db, { userId: ada.user.id, callId, wantedCredits: 2, expiresAt })
  await Promise.all([
    ...secrets.flatMap((secret) => [process(ada, idIn(secret)), process(ada, idIn(secret), 'missed')]),
    ...secrets.slice(0, 3).map((secret) => shop.stripe.refunds.create({ payment_intent: idIn(secret) })),
    ...calls.map((callId) => settle(db, { callId, connectedSeconds: 119 })),
    ...shop.sandbox.events().map(({ id }) => shop.sandbox.deliver(id)),
    reconcilePayments(credits),
  ])
  // Delivers again the events that were read too early.
  for (const { id } of shop.sandbox.events()) await shop.sandbox.deliver(id)
  await reconcilePayments(credits)
  expect(await ada.balance()).toBe(10 + 3 * 30 - 5 * 2)
})
