import { creditsRoutes, type Movement, type Payment, type Route } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import { ADA, expectTexts, type FakeApi, findingsInLooks, openScreen, press, serve } from '../testing.tsx'
import { lose } from './testing.tsx'

// Records on Billing: usage by day, statement, purchases.

const { payments, statement, usage } = creditsRoutes
const NOTHING_USED = { days: [], totals: { calls: 0, seconds: 0, credits: 0 } }

const records = () => page.getByRole('region', { name: 'Your records' })
const tab = (name: string) => records().getByRole('tab', { name })
const linesOf = (rows: Locator) => rows.elements().map((row) => [...row.children].map((cell) => cell.textContent))

function aPayment(change: Partial<Payment> = {}): Payment {
  return {
    id: 'payment-1',
    intentId: 'pi_1',
    packageId: 'light',
    credits: 10,
    amountCents: 999,
    currency: 'usd',
    status: 'succeeded',
    refundedCents: 0,
    disputed: false,
    automatic: false,
    createdAt: '2026-11-20T10:00:00.000Z',
    paidAt: '2026-11-20T10:00:10.000Z',
    ...change,
  }
}

function aMovement(change: Partial<Movement> = {}): Movement {
  const base = {
    id: 'movement-1',
    kind: 'grant',
    credits: 10,
    balance: 10,
    cause: 'Free credits',
    callId: null,
  } as const
  return { ...base, at: '2026-11-20T10:00:00.000Z', ...change }
}

describe.each([
  {
    name: 'Usage History',
    route: usage,
    empty: [
      'No calls in the last 10 days',
      'Each day with calls shows up here with its minutes and credits.',
      'Make a call',
    ],
    failed: 'Your usage could not be loaded',
    answerNothing: (api: FakeApi) => api.answer(usage, NOTHING_USED),
  },
  {
    name: 'Statement',
    route: statement as Route,
    empty: [
      'No changes to your balance yet',
      'Your account begins with 10 free credits; they and every call are listed here.',
    ],
    failed: 'Your statement could not be loaded',
    answerNothing: (api: FakeApi) => api.answer(statement, []),
  },
  {
    name: 'Purchases',
    route: payments as Route,
    empty: ['No purchases yet', 'Your purchases appear here with their receipts.'],
    failed: 'Your purchases could not be loaded',
    answerNothing: (api: FakeApi) => api.answer(payments, []),
  },
])('$name', ({ name, route, empty, failed, answerNothing }) => {
  test('shows loading, then a failure with a retry, then the empty text', async () => {
    const api = serve()
    lose(api, route)
    const letGo = api.hold(route)
    await openScreen('/billing')
    await tab(name).click()
    await expect.element(records().getByText('Loading')).toBeInTheDocument()
    letGo()
    await expectTexts([failed], records().getByRole('alert'))
    answerNothing(api)
    await press('Try again')
    await expectTexts(empty, records())
    await expect.element(records().getByRole('alert')).not.toBeInTheDocument()
  })
})

test('usage lists each day with calls, duration and credits, and the totals', async () => {
  const api = serve()
  api.answer(usage, {
    days: [
      { date: '2026-11-20', calls: 2, seconds: 125, credits: 4 },
      { date: '2026-11-19', calls: 0, seconds: 0, credits: 0 },
      { date: '2026-11-18', calls: 1, seconds: 30, credits: 1 },
    ],
    totals: { calls: 3, seconds: 155, credits: 5 },
  })
  const { say } = await openScreen('/billing')
  await expect
    .element(records().getByRole('table', { name: 'Calls by the day they ended, last 10 days' }))
    .toBeVisible()
  expect(linesOf(records().getByRole('row'))).toEqual([
    ['Date', 'Calls', 'Duration', 'Credits'],
    ['Nov 20, 2026', '2', '2m 5s', '4'],
    ['Nov 18, 2026', '1', '0m 30s', '1'],
    ['Total', '3', '2m 35s', '5'],
  ])
  expect(await findingsInLooks()).toEqual([])
  // A credits message refetches the usage.
  api.answer(usage, NOTHING_USED)
  say({ type: 'credits', creditBalance: '5' })
  await expectTexts(['No calls in the last 10 days'], records())
})

test('the statement lists each movement with the balance after it, and as CSV', async () => {
  const api = serve()
  api.answer(statement, [
    aMovement({ id: 'call', kind: 'settle', credits: -2, balance: 1008, cause: 'Call to +1 202 555 0100' }),
    aMovement({ id: 'bought', kind: 'purchase', credits: 1000, balance: 1010, cause: 'Bought credits' }),
    aMovement(),
  ])
  await openScreen('/billing')
  await tab('Statement').click()
  await expect.element(records().getByRole('table', { name: 'Changes to your balance, newest first' })).toBeVisible()
  expect(linesOf(records().getByRole('row'))).toEqual([
    ['Date', 'What happened', 'Credits', 'Balance'],
    ['Nov 20, 2026', 'Call to +1 202 555 0100Nov 20, 2026', '−2', '1,008'],
    ['Nov 20, 2026', 'Bought creditsNov 20, 2026', '+1,000', '1,010'],
    ['Nov 20, 2026', 'Free creditsNov 20, 2026', '+10', '10'],
  ])
  await expect
    .element(records().getByRole('link', { name: 'Download CSV' }))
    .toHaveAttribute('href', expect.stringContaining(`/api/user/${ADA.id}/statement.csv`))
  expect(await findingsInLooks()).toEqual([])
})

test('a long statement is read page by page, older and newer', async () => {
  const api = serve()
  const page1 = Array.from({ length: 50 }, (_, at) => aMovement({ id: `movement-${at}`, cause: `Newer ${at}` }))
  api.answer(statement, page1, { total: 51, nextCursor: 'second' })
  await openScreen('/billing')
  await tab('Statement').click()
  await expectTexts(['Showing 1 to 50 of 51', /^Newer 0/], records())
  await expect.element(records().getByRole('button', { name: 'Newer' })).toBeDisabled()
  api.answer(statement, [aMovement({ cause: 'The oldest' })], { total: 51 })
  await press('Older')
  await expectTexts(['Showing 51 to 51 of 51', /^The oldest/], records())
  await expect.element(records().getByRole('button', { name: 'Older' })).toBeDisabled()
  expect(api.requests(statement).at(-1)?.query).toEqual({ limit: '50', cursor: 'second' })
  api.answer(statement, page1, { total: 51, nextCursor: 'second' })
  await press('Newer')
  await expectTexts(['Showing 1 to 50 of 51', /^Newer 0/], records())
})

test('each purchase shows its status, and a paid one its receipt', async () => {
  const api = serve()
  const unpaid = { paidAt: null } as const
  api.answer(payments, [
    aPayment({ id: 'paid' }),
    aPayment({ id: 'automatic', packageId: 'premium', credits: 30, amountCents: 1999, automatic: true }),
    aPayment({ id: 'processing', status: 'processing', ...unpaid }),
    aPayment({ id: 'failed', status: 'failed', ...unpaid }),
    aPayment({ id: 'canceled', status: 'canceled', ...unpaid }),
    aPayment({ id: 'refunded', refundedCents: 999 }),
    aPayment({ id: 'partly', refundedCents: 250 }),
    aPayment({ id: 'disputed', refundedCents: 999, disputed: true }),
  ])
  await openScreen('/billing')
  await tab('Purchases').click()
  const list = records().getByRole('list', { name: 'Your purchases, newest first' })
  await expect.element(list).toBeVisible()
  const of = (each: string) => `LightNov 20, 2026 · 10 credits$9.99${each}`
  expect(
    list
      .getByRole('listitem')
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual([
    of('PaidReceipt'),
    'PremiumNov 20, 2026 · 30 credits · Auto top-up$19.99PaidReceipt',
    of('Processing'),
    of('Failed'),
    of('Canceled'),
    of('RefundedReceipt'),
    of('$2.50 refundedReceipt'),
    of('DisputedReceipt'),
  ])
  const receipt = list.getByRole('link', { name: 'Receipt for Premium, Nov 20, 2026 (PDF)' })
  await expect.element(receipt).toHaveAttribute('href', expect.stringContaining('/api/payments/automatic/receipt.pdf'))
  await expect.element(receipt).toHaveAttribute('download')
  expect(await findingsInLooks()).toEqual([])
})
