import { creditsRoutes } from '@parley/contract'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import { axeFindings, bodiesOf, expectTexts, type FakeApi, findingsInLooks, openScreen, serve } from '../testing.tsx'
import { lose, toasts } from './testing.tsx'

// The pages to which a payment returns.

const { processMissedPayment, processPaymentSuccess } = creditsRoutes
const ADDED = {
  success: true,
  credits: 30,
  status: 'added',
  message: '30 credits have been added to your account.',
} as const
const THERE_BEFORE = {
  ...ADDED,
  status: 'already_added',
  message: '30 credits have already been added to your account.',
} as const
const ON_ITS_WAY = { success: false, credits: 0, status: 'processing', message: 'On its way' } as const
const UNKNOWN = "Your payment was successful. Credits will be added shortly. If credits don't appear, contact support."
const SUCCESS = '/billing/success?payment_intent=pi_1&credits=30'
const PAID = '/new-payment?package=premium&paid=pi_1'

let api: FakeApi
const heading = (name: string) => page.getByRole('heading', { name, level: 1 })
const main = () => page.getByRole('main')
const link = (name: string) => main().getByRole('link', { name, exact: true })
const isLost = () => lose(api, processPaymentSuccess)
const isBusy = () => api.refuse(processPaymentSuccess, 'unavailable')

beforeEach(() => {
  api = serve()
})
afterEach(() => void vi.useRealTimers())

const FRAMES_MAX = 300
const stopTime = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })

/** Waits by animation frames, because other waits advance a fake clock. */
async function drawn(seen: () => Locator): Promise<void> {
  for (let frame = 0; frame < FRAMES_MAX && seen().elements().length === 0; frame++) {
    await new Promise((next) => requestAnimationFrame(next))
  }
  expect(seen().elements()).toHaveLength(1)
}

describe('Billing', () => {
  // screens.md: true-says-clears-address
  test.each([
    ['payment_success', ADDED, ['Payment Successful!', '30 credits added']],
    ['success', THERE_BEFORE, ['Payment Confirmed!', '30 credits added']],
    ['success', ON_ITS_WAY, ['Payment Received - credits will be added shortly']],
    ['payment_success', null, ['Payment Processing', UNKNOWN]],
  ] as const)('with %s=true and the reply %j shows a toast and clears the query', async (name, reply, said) => {
    if (reply) api.answer(processMissedPayment, reply)
    else lose(api, processMissedPayment)
    const { address } = await openScreen(`/billing?${name}=true&payment_intent=pi_1&credits=30`)
    await expectTexts(said, toasts())
    await expect.poll(address).toBe('/billing')
    expect(bodiesOf(api.requests(processMissedPayment))[0]).toEqual({ paymentIntentId: 'pi_1' })
  })

  test.each([
    ['success=true', ['Payment Received - credits will be added shortly']],
    ['success=true&payment_intent=pi_1&redirect_status=failed', ['Payment Failed', 'Payment could not be processed']],
  ])('with %s, without a paid intent, shows why and sends no request', async (search, said) => {
    const { address } = await openScreen(`/billing?${search}`)
    await expectTexts(said, toasts())
    await expect.poll(address).toBe('/billing')
    expect(api.requests(processMissedPayment)).toEqual([])
  })
})

describe('success page', () => {
  // screens.md: says-works-how-many
  test('shows "Processing your payment...", then the added credits and two links', async () => {
    api.answer(processPaymentSuccess, { ...ADDED, credits: 1 })
    const letGo = api.hold(processPaymentSuccess)
    await openScreen('/billing/success?payment_intent=pi_1&credits=1')
    await expect.element(heading('Processing your payment...')).toBeVisible()
    expect(await axeFindings()).toEqual([])
    letGo()
    await expect.element(heading('1 Credit Added')).toBeVisible()
    await expectTexts(['Your balance is up to date.'])
    await expectTexts(['Payment Successful!', '1 credit added'], toasts())
    await expect.element(link('Start Making Calls')).toHaveAttribute('href', '/make-call')
    await expect.element(link('Back to Dashboard')).toHaveAttribute('href', '/dashboard')
    expect(bodiesOf(api.requests(processPaymentSuccess))).toEqual([{ paymentIntentId: 'pi_1', credits: 1 }])
    expect(await findingsInLooks()).toEqual([])
  })

  test('loaded again shows "Payment Confirmed!"', async () => {
    api.answer(processPaymentSuccess, THERE_BEFORE)
    await openScreen(SUCCESS)
    await expect.element(heading('30 Credits Added')).toBeVisible()
    await expectTexts(['Payment Confirmed!', '30 credits added'], toasts())
  })

  test.each([
    ['cannot be reached', isLost, 'Payment Processing', UNKNOWN],
    [
      'is unavailable',
      isBusy,
      'Payment Received - credits will be added shortly',
      "If credits don't appear, contact support.",
    ],
  ])('when the server %s, shows that the credits will come', async (_, happens, title, text) => {
    happens()
    await openScreen(SUCCESS)
    await expect.element(heading(title)).toBeVisible()
    await expectTexts([text], main())
    await expectTexts([title], toasts())
    await expect.element(link('Start Making Calls')).toBeVisible()
    expect(await axeFindings()).toEqual([])
  })

  test('retries every 3 s until the payment is processed', async () => {
    stopTime()
    api.answer(processPaymentSuccess, ON_ITS_WAY)
    await openScreen(SUCCESS)
    // React Query delivers the response by a timer of 0 ms.
    await drawn(() => vi.advanceTimersByTime(1) && heading('Payment Received - credits will be added shortly'))
    api.answer(processPaymentSuccess, ADDED)
    vi.advanceTimersByTime(2800)
    expect(api.requests(processPaymentSuccess)).toHaveLength(1)
    await drawn(() => vi.advanceTimersByTime(10) && heading('30 Credits Added'))
    expect(api.requests(processPaymentSuccess)).toHaveLength(2)
  })

  test.each([
    [`${SUCCESS}&redirect_status=failed`, 'Payment Failed', 'Payment could not be processed'],
    [
      '/billing/success',
      'This address names no payment.',
      'If you have just paid, your credits are on their way. Billing shows every purchase.',
    ],
  ])('at %s shows that there is no payment and sends no request', async (path, title, text) => {
    await openScreen(path)
    await expect.element(heading(title)).toBeVisible()
    await expectTexts([text], main())
    await expect.element(link('Start Making Calls')).toBeVisible()
    await expect.element(link('Back to Dashboard')).toHaveAttribute('href', '/dashboard')
    expect(api.requests(processPaymentSuccess)).toEqual([])
  })
})

describe('new-payment page', () => {
  // screens.md: payment-made-says-bought
  test('after a paid intent shows the added credits and three links, without a card form', async () => {
    api.answer(processPaymentSuccess, ADDED)
    const letGo = api.hold(processPaymentSuccess)
    await openScreen(PAID)
    await expect.element(page.getByRole('heading', { name: 'Payment Successful' })).toHaveFocus()
    await expectTexts(['Adding your credits...'], main())
    letGo()
    await expectTexts(['30 credits added'], main())
    await expectTexts(['Payment Successful!', '30 credits added'], toasts())
    await expect.element(link('Go to Billing')).toHaveAttribute('href', '/billing')
    await expect.element(link('Go to Dashboard')).toHaveAttribute('href', '/dashboard')
    await expect.element(link('Make a Call')).toHaveAttribute('href', '/make-call')
    await expect.element(page.getByRole('button', { name: /^Pay / })).not.toBeInTheDocument()
    expect(api.requests(creditsRoutes.createPaymentIntent)).toEqual([])
    expect(await findingsInLooks()).toEqual([])
  })

  // screens.md: server-says-becomes-credits
  test.each([
    ['cannot be reached', isLost, "Payment Successful, contact support if credits don't appear."],
    ['is unavailable', isBusy, 'Payment Processed, credits added shortly'],
  ])('after a paid intent, when the server %s, shows what to expect', async (_, happens, said) => {
    happens()
    await openScreen(PAID)
    await expectTexts([said], main())
    expect(await axeFindings()).toEqual([])
  })
})

describe('test payment', () => {
  // A synthetic click: Playwright's click would advance the fake clock.
  const run = () =>
    page
      .getByRole('button', { name: 'Run Test Payment' })
      .element()
      .dispatchEvent(new MouseEvent('click', { bubbles: true }))

  // screens.md: takes-two-seconds-half
  test('takes 2 s and 1.5 s, sends no request and ends on the success page without adding credits', async () => {
    const { address } = await openScreen('/test-payment')
    await expectTexts([
      'Walks through a purchase without a card. Nothing is charged and no credits are added.',
      'Light Package',
      'Test',
      '$9.99 for 10 credits',
    ])
    expect(await findingsInLooks()).toEqual([])
    const { shownToast } = await import('../../src/ui/toast/toast.ts')
    stopTime()
    run()
    await drawn(() => toasts().getByText('Simulating a payment...'))
    expect(shownToast()?.title).toBe('Test Payment')
    expect(page.getByRole('button', { name: 'Processing...' }).element().ariaDisabled).toBe('true')
    vi.advanceTimersByTime(1999)
    expect(shownToast()?.title).toBe('Test Payment')
    vi.advanceTimersByTime(1)
    expect(shownToast()?.title).toBe('Test Payment Complete')
    await drawn(() => toasts().getByText('Taking you to the result...'))
    vi.advanceTimersByTime(1499)
    expect(address()).toBe('/test-payment')
    vi.advanceTimersByTime(1)
    vi.useRealTimers()
    await expect.poll(address).toMatch(/^\/billing\/success\?payment_intent=pi_test_[0-9a-f]+&credits=10$/)
    await expect.element(heading('10 Credits Added')).toBeVisible()
    await expectTexts(['This was a test payment: nothing was charged and your balance has not changed.'])
    expect(api.requests(processPaymentSuccess)).toEqual([])
  })

  test('is canceled by leaving the page', async () => {
    const { address } = await openScreen('/test-payment')
    await expect.element(page.getByRole('button', { name: 'Run Test Payment' })).toBeVisible()
    const { shownToast } = await import('../../src/ui/toast/toast.ts')
    stopTime()
    run()
    await drawn(() => toasts().getByText('Simulating a payment...'))
    await page.getByRole('navigation').getByRole('link', { name: 'Contacts' }).first().click()
    await drawn(() => heading('Contacts'))
    vi.advanceTimersByTime(4000)
    expect(shownToast()?.title).not.toBe('Test Payment Complete')
    expect(address()).toBe('/contacts')
  })
})
