import { randomUUID } from 'node:crypto'
import { reconcilePayments } from '@parley/api/testing'
import type { Movement } from '@parley/contract'
import { expect, test, vi } from 'vitest'
import type { Person } from '../../../../standalone/src/world.ts'
import { operate, USAGE } from '../../ops.ts'
import { endBackOffs } from '../../platform/rounds/testing.ts'
import { PATIENTLY } from '../../testing.ts'
import { idIn, openAuditedShop, OPERATOR, order } from './testing.ts'

// Payments that are paid, but not what was ordered.

const { shop, deliverAll } = await openAuditedShop()

const run = (...args: string[]) => operate(shop.context.database, args)
const why = ['--reason', 'The bank changed it']

async function idOfTask(intentId: string): Promise<string> {
  const line = (await run('tasks', 'list')).split('\n').find((each) => each.includes(intentId))
  return line?.split(' ')[0] ?? 'none'
}

/** A light package of 999 cents, paid with another amount or user, or ordered in another currency. Returns the payment's id. */
async function payWrongly(
  person: Person,
  wrong: { amount?: number; ordered?: string; user?: string },
): Promise<string> {
  const { amount = 999, ordered = 'usd', user = person.user.id } = wrong
  const orderId = randomUUID()
  const paid = { payment_method: 'pm_card_visa', confirm: true, metadata: { order: orderId, user } }
  const { id } = await shop.stripe.paymentIntents.create({ amount, currency: 'usd', ...paid })
  await shop.context.database.pool.query(
    `insert into payment (id, intent_id, user_id, package_id, credits, bonus_credits, amount_cents, currency)
     values ($1, $2, $3, 'light', 10, 0, 999, $4)`,
    [orderId, id, person.user.id, ordered],
  )
  await deliverAll('payment_intent.succeeded')
  return id
}

async function mailsAbout(intentId: string): Promise<string[]> {
  const { mailer } = shop.context
  const mails = mailer.kind === 'outbox' ? await mailer.list() : []
  return mails.filter(({ to, text }) => to === OPERATOR && text.includes(intentId)).map(({ subject }) => subject)
}

test.each([
  ['amount', { amount: 500 }, 'Paid 500 usd'],
  ['currency', { ordered: 'eur' }, 'Paid 999 usd'],
  ['user', { user: 'somebody' }, 'Paid 999 usd'],
])('a payment of another %s grants nothing, and is one task and one mail', async (_, wrong, detail) => {
  const ada = await shop.person()
  const intentId = await payWrongly(ada, wrong)
  await deliverAll()
  await reconcilePayments(shop.context.credits)
  const listed = (await run('tasks', 'list')).split('\n').filter((line) => line.includes(intentId))
  expect(listed).toEqual([expect.stringContaining(`open  ${intentId}  ${detail}`)])
  await vi.waitFor(async () => expect(await mailsAbout(intentId)).toHaveLength(1), PATIENTLY)
  expect(await ada.balance()).toBe(10)
  await run('tasks', 'close', await idOfTask(intentId), ...why)
  expect(await run('tasks', 'list')).not.toContain(intentId)
  expect(await mailsAbout(intentId)).toHaveLength(1)
})

test('a second payment of an order is a task', async () => {
  const ada = await shop.person()
  const ordered = idIn(await order(ada, 'pro'))
  const { metadata } = await shop.stripe.paymentIntents.retrieve(ordered)
  const paid = { payment_method: 'pm_card_visa', confirm: true, metadata }
  const { id } = await shop.stripe.paymentIntents.create({ amount: 4999, currency: 'usd', ...paid })
  await deliverAll('payment_intent.succeeded')
  expect(await run('tasks', 'list')).toContain(id)
  expect(await ada.balance()).toBe(10)
})

test('a task is granted once, with the credits ordered or those named', async () => {
  const ada = await shop.person()
  const first = await payWrongly(ada, { amount: 998 })
  const second = await payWrongly(ada, { amount: 500 })
  const [one, two] = [await idOfTask(first), await idOfTask(second)]
  expect(await run('tasks', 'grant', one, ...why)).toBe('10 credits were added; the user can spend 20 now.')
  expect(await run('tasks', 'grant', two, '5', ...why)).toBe('5 credits were added; the user can spend 25 now.')
  for (const verb of ['grant', 'refund', 'close'])
    await expect(run('tasks', verb, one, ...why)).rejects.toThrow(`Task ${one} is decided: granted.`)
  await deliverAll()
  await reconcilePayments(shop.context.credits)
  expect(await ada.balance()).toBe(25)
  const movements = await ada.get<Movement[]>(`/api/user/${ada.user.id}/statement`)
  expect(movements.map(({ credits, cause }) => [credits, cause])).toEqual([
    [5, 'The bank changed it'],
    [10, 'The bank changed it'],
    [10, 'Free credits for a new account'],
  ])
})

test('a refund is made in the next round, once, and grants nothing', async () => {
  const ada = await shop.person()
  const intentId = await payWrongly(ada, { amount: 500 })
  await run('tasks', 'refund', await idOfTask(intentId), ...why)
  expect(await run('tasks', 'list')).toContain(`refund under way  ${intentId}`)
  for (let round = 0; round < 2; round++) await reconcilePayments(shop.context.credits)
  const { data } = await shop.stripe.refunds.list({ payment_intent: intentId })
  expect(data.map(({ amount }) => amount)).toEqual([500])
  expect(await run('tasks', 'list')).not.toContain(intentId)
  expect(await ada.balance()).toBe(10)
})

test('a refund that the provider refuses is open again with the reason', async () => {
  const ada = await shop.person()
  const intentId = await payWrongly(ada, { amount: 500 })
  shop.sandbox.openDispute(intentId)
  await run('tasks', 'refund', await idOfTask(intentId), ...why)
  await reconcilePayments(shop.context.credits)
  expect(await run('tasks', 'list')).toMatch(new RegExp(`open  ${intentId}  .*The refund was refused: .*charged back`))
})

test('a refund that fails five times is open again, and the others are made in the same round', async () => {
  const ada = await shop.person()
  const poisoned = await payWrongly(ada, { amount: 501 })
  await run('tasks', 'refund', await idOfTask(poisoned), ...why)
  const { refunds } = shop.context.credits.stripe!
  const create = refunds.create.bind(refunds)
  const failing = vi.spyOn(refunds, 'create').mockImplementation(async (params, options) => {
    if (params?.payment_intent === poisoned) throw new TypeError('poisoned')
    return create(params, options)
  })
  for (let round = 1; round <= 5; round++) {
    const other = await payWrongly(ada, { amount: 500 })
    await run('tasks', 'refund', await idOfTask(other), ...why)
    await endBackOffs(shop.context.db)
    await reconcilePayments(shop.context.credits)
    const listed = await run('tasks', 'list')
    expect(listed).not.toContain(other)
    expect(listed).toContain(round < 5 ? `refund under way  ${poisoned}` : `open  ${poisoned}`)
  }
  expect(await run('tasks', 'list')).toContain('it failed 5 times (TypeError)')
  failing.mockRestore()
  await run('tasks', 'refund', await idOfTask(poisoned), ...why)
  await reconcilePayments(shop.context.credits)
  expect(await run('tasks', 'list')).not.toContain(poisoned)
})

test.each([
  [['grant', '1'], 'Say why, with --reason.'],
  [['grant', '1', '0', ...why], 'Grant from 1 to 1000000 credits.'],
  [['close', '999999', ...why], 'There is no task 999999.'],
  [['close', 'one', ...why], USAGE],
  [['refund', '1', '5', ...why], USAGE],
  [['forget', '1', ...why], USAGE],
])('refuses tasks %j with the reason', async (args, sentence) => {
  await expect(run('tasks', ...args)).rejects.toThrow(sentence)
})
