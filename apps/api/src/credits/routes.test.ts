import { creditsRoutes, LOW_BALANCE_CREDITS, STRIPE_WEBHOOK_PATH } from '@parley/contract'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withTx } from '../platform/db.ts'
import { createTestApp, type TestApp } from '../testing.ts'
import { adjust, hold } from './index.ts'
import { tellLowBalances } from './low-balance.ts'
import { sendMail } from './mails.ts'
import { payment } from './schema.ts'
import { checkBooks } from './ledger/check.ts'

// Routes without a payment provider; payments/ tests those with one.

let app: TestApp

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

test('the packages and prices are public', async () => {
  const { data } = await app.client().request(creditsRoutes.packages)
  expect(data).toMatchObject([
    { id: 'light', credits: 10, price: 9.99, popular: false },
    { id: 'premium', credits: 25, bonus: 5, price: 19.99, popular: true },
    { id: 'pro', credits: 75, bonus: 25, price: 49.99, popular: false },
  ])
})

test("returns 501 for payments without the provider's keys", async () => {
  const { client } = await app.signUp()
  const answers = [
    await app.client().request(creditsRoutes.paymentsConfig),
    await client.request(creditsRoutes.createPaymentIntent, { body: { amount: 999, credits: 10, packageId: 'light' } }),
    await client.request(creditsRoutes.createSetupIntent),
    await client.request(creditsRoutes.createSubscription, { body: { packageId: 'light', thresholdCredits: 5 } }),
  ]
  expect(answers.map(({ status, body }) => [status, body])).toEqual(
    answers.map(() => [501, { code: 'switched_off', message: 'Payments are not available here.' }]),
  )
  expect((await app.client().fetch(STRIPE_WEBHOOK_PATH, { method: 'POST', body: '{}' })).status).toBe(501)
})

test('lists payments of the same millisecond once each across pages', async () => {
  const { client, user } = await app.signUp()
  const item = { packageId: 'light', credits: 10, bonusCredits: 0, amountCents: 999 } as const
  const at = (micros: number) => sql`${`2026-01-02T03:04:05.000${micros}Z`}::timestamptz`
  const orders = [1, 3, 2].map((n) => ({ ...item, id: `${user.id}-${n}`, createdAt: at(n * 100) }))
  await app.context.db
    .insert(payment)
    .values(orders.map((order) => ({ ...order, userId: user.id, status: 'failed' as const })))
  const seen: string[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { limit: 1, ...(cursor === undefined ? {} : { cursor }) }
    const page = await client.request(creditsRoutes.payments, { params: { id: user.id }, query })
    seen.push(...page.data.map(({ id }) => id))
    cursor = page.headers.get('x-next-cursor')
  }
  expect(seen).toEqual([3, 2, 1].map((n) => `${user.id}-${n}`))
})

test('the statement lists each movement with its cause, and its CSV escapes formulas', async () => {
  const { client, user } = await app.signUp()
  const reason = '=HYPERLINK("https://evil.example")'
  await withTx(app.context.db, (tx) => adjust(tx, { userId: user.id, key: `adjust:${user.id}-1`, credits: 5, reason }))
  await withTx(app.context.db, (tx) =>
    adjust(tx, { userId: user.id, key: `adjust:${user.id}-2`, credits: -3, reason: 'A mistake' }),
  )
  const { data } = await client.request(creditsRoutes.statement, { params: { id: user.id } })
  expect(data).toMatchObject([
    { kind: 'adjust', credits: -3, balance: 12, cause: 'A mistake' },
    { kind: 'adjust', credits: 5, balance: 15, cause: reason },
    { kind: 'grant', credits: 10, balance: 10, cause: 'Free credits for a new account' },
  ])
  const file = await client.fetch(`/api/user/${user.id}/statement.csv`)
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const lines = (await file.text()).split('\r\n')
  expect(lines[0]).toBe('Date,Kind,Description,Credits,Balance,Call')
  expect(lines[1]).toContain(',adjust,A mistake,-3,12,')
  expect(lines[2]).toContain(`,adjust,"'=HYPERLINK(""https://evil.example"")",5,15,`)
  await checkBooks(app.context.db)
})

test('an adjustment beyond the available credits is refused', async () => {
  const { user } = await app.signUp()
  const take = withTx(app.context.db, (tx) =>
    adjust(tx, { userId: user.id, key: `adjust:${user.id}`, credits: -11, reason: 'Too much' }),
  )
  await expect(take).rejects.toMatchObject({
    code: 'insufficient_credits',
    message: 'There are only 10 credits to take.',
  })
})

test('a low balance is told once by mail and live message, until it has recovered', async () => {
  const { user } = await app.signUp()
  const heard: unknown[] = []
  app.context.bus.subscribe(`user:${user.id}`, (message) => heard.push(message))
  let steps = 0
  const move = async (credits: number) => {
    await withTx(app.context.db, (tx) =>
      adjust(tx, { userId: user.id, key: `adjust:${user.id}-${++steps}`, credits, reason: 'A step' }),
    )
    await tellLowBalances(app.context.credits)
  }
  await move(LOW_BALANCE_CREDITS - 10)
  expect(heard).toEqual([])
  await move(-1)
  expect((await app.mailTo(user.email, 'running low')).text).toContain(
    'You have 2 credits left, good for about 2 minutes of calling.',
  )
  await move(-1)
  await move(5)
  await move(-5)
  await app.mailTo(user.email, 'You have 1 credit left, good for about 1 minute of calling.')
  expect(heard).toEqual([
    { type: 'credits_low', creditBalance: '2' },
    { type: 'credits_low', creditBalance: '1' },
  ])
})

test('a low balance that cannot be told does not keep others from being told', async () => {
  const people = [await app.signUp(), await app.signUp(), await app.signUp()]
  const [poisoned] = people
  app.context.credits.hooks.on({
    async low(_tx, userId) {
      if (userId === poisoned?.user.id) throw new Error('poisoned')
    },
  })
  for (const { user } of people)
    await withTx(app.context.db, (tx) =>
      adjust(tx, { userId: user.id, key: `adjust:${user.id}`, credits: -9, reason: 'A step' }),
    )
  await tellLowBalances(app.context.credits)
  for (const { user } of people.slice(1)) await app.mailTo(user.email, 'running low')
  const { rows } = await app.context.db.execute<{ user_id: string }>(
    sql`select user_id from low_balance where told_at is null and user_id = ${poisoned?.user.id}`,
  )
  expect(rows).toHaveLength(1)
})

test('a low balance includes held credits, and its mail is skipped once it has recovered', async () => {
  const { context } = app
  const [ada, eve] = [await app.signUp(), await app.signUp()]
  const heard: unknown[] = []
  context.bus.subscribe(`user:${ada.user.id}`, (message) => heard.push(message))
  const expiresAt = new Date(Date.now() + 3_600_000)
  await hold(context.db, { userId: ada.user.id, callId: ada.user.id, wantedCredits: 1, expiresAt })
  await withTx(context.db, (tx) =>
    adjust(tx, { userId: ada.user.id, key: `adjust:${ada.user.id}`, credits: -8, reason: 'A step' }),
  )
  await tellLowBalances(context.credits)
  expect((await app.mailTo(ada.user.email, 'running low')).text).toContain(
    'You have 2 credits left, good for about 2 minutes of calling.',
  )
  expect(heard).toEqual([{ type: 'credits_low', creditBalance: '2' }])

  const { mailer } = context
  await sendMail(context.credits, { mail: 'low_balance', userId: eve.user.id })
  const mails = mailer.kind === 'outbox' ? await mailer.list() : []
  expect(mails.filter(({ to, subject }) => to === eve.user.email && subject.includes('running low'))).toEqual([])
  await checkBooks(context.db)
})
