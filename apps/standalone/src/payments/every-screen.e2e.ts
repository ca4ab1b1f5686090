import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { joinWorld } from '../screens/testing.ts'
import { answerBank, CARDS, expectSeen, fillCard, holdLooks, paid, pay, type Shopper, shopper, toastOn } from '../shopping/testing.ts'
import { until } from '../world.ts'

// What can happen to a payment, on each of the screens that take one. The package is the one of ten credits.

const CONFIRM = '**/v1/payment_intents/*/confirm'
const RECORD = /\/api\/process-(payment-success|missed-payment)$/

interface Screen {
  readonly path: string
  readonly button: string | RegExp
  readonly open: (page: Page) => Promise<void>
  /** What a person sees in the end. */
  readonly done: (page: Page) => Promise<void>
  /** What is seen while the server cannot be reached to record the payment. */
  readonly unrecorded: (page: Page) => Promise<void>
}

const screens: readonly Screen[] = [
  {
    path: '/new-payment',
    button: 'Pay $9.99',
    open: async (page) => void (await page.goto('/new-payment')),
    done: async (page) => {
      await page.getByRole('heading', { name: 'Payment Successful' }).waitFor()
      await expectSeen(page, '10 credits added')
    },
    unrecorded: async (page) => expectSeen(page, "Payment Successful, contact support if credits don't appear."),
  },
  {
    path: '/billing/card-payment',
    button: 'Complete Payment',
    open: async (page) => void (await page.goto('/billing/card-payment?package=light')),
    done: async (page) => {
      await page.waitForURL('**/billing/success?**')
      await page.getByRole('heading', { name: '10 Credits Added' }).waitFor()
    },
    unrecorded: async (page) => {
      await page.getByRole('heading', { name: 'Payment Processing' }).waitFor()
      await expectSeen(page, 'Your payment was successful. Credits will be added shortly.')
    },
  },
  {
    path: '/credits/purchase',
    button: 'Pay $9.99',
    open: async (page) => {
      await page.goto('/credits/purchase')
      await page.getByRole('radio', { name: /10 credits/ }).click()
      await page.getByRole('button', { name: 'Pay $9.99' }).waitFor()
    },
    done: async (page) => {
      await page.waitForURL('**/billing')
      await expectSeen(toastOn(page), /Payment (Successful|Confirmed)!/)
    },
    unrecorded: async (page) => {
      await page.waitForURL('**/billing')
      await expectSeen(toastOn(page), 'Payment Processing')
    },
  },
]

const { parley, browser } = await joinWorld()

async function expectPaidOnce(person: Shopper): Promise<void> {
  await until('ten credits more', async () => (await person.balance()) === 20)
  expect(await paid(person)).toHaveLength(1)
}

describe.each(screens)('$path', ({ path, button, open, done, unrecorded }) => {
  test('declined, then paid with another card', async () => {
    const ada = await shopper(parley, browser)
    await open(ada.page)
    await pay(ada.page, CARDS.declined, button)
    await expectSeen(ada.page.getByRole('alert'), 'Payment Failed')
    await expectSeen(ada.page.getByRole('alert'), 'Your card was declined.')
    expect(await ada.balance()).toBe(10)
    await pay(ada.page, CARDS.good, button)
    await done(ada.page)
    await expectPaidOnce(ada)
    expect(ada.complaints).toEqual([])
  })

  test('two tabs pay once', async () => {
    const ada = await shopper(parley, browser)
    const tabs = [ada.page, await ada.page.context().newPage()]
    for (const page of tabs) {
      await open(page)
      await fillCard(page, CARDS.good)
    }
    for (const page of tabs) {
      await page.getByRole('button', { name: button }).click()
      await done(page)
    }
    await expectPaidOnce(ada)
  })

  test('stepping back from what is paid leads to no form that is done', async () => {
    const ada = await shopper(parley, browser)
    await ada.page.goto('/dashboard')
    await open(ada.page)
    await pay(ada.page, CARDS.good, button)
    await done(ada.page)
    await ada.page.goBack()
    await ada.page.waitForURL('**/dashboard')
    await ada.page.goForward()
    await ada.page.waitForURL((url) => !url.pathname.endsWith('/dashboard'))
    await expectPaidOnce(ada)
  })

  test('the network goes as the payment is begun', async () => {
    const ada = await shopper(parley, browser)
    await ada.page.route('**/api/create-payment-intent', (route) => route.abort())
    await ada.page.goto(path)
    await expectSeen(toastOn(ada.page), 'Failed to initialize payment. Please ensure you are logged in.')
    await expectSeen(ada.page, 'Unable to initialize payment. Please try again.')
    await ada.page.unroute('**/api/create-payment-intent')
    await ada.page.getByRole('button', { name: 'Try again' }).click()
    await ada.page.getByLabel('Card number').waitFor()
  })

  test('the network goes as the credits are recorded', async () => {
    const ada = await shopper(parley, browser)
    await ada.page.route(RECORD, (route) => route.abort())
    await open(ada.page)
    await pay(ada.page, CARDS.good, button)
    await unrecorded(ada.page)
    await expectPaidOnce(ada)
  })
})

// All of them draw the same form: what happens within it is shown once.
describe('the form of a card', () => {
  const { button, open, done } = screens[0]!

  test.each([
    ['accepted', /complete/i, 20],
    ['refused', /fail/i, 10],
  ] as const)('the bank asks, and is %s', async (answer, choice, balance) => {
    const ada = await shopper(parley, browser)
    await open(ada.page)
    await pay(ada.page, CARDS.needsConsent, button)
    await answerBank(ada.page, choice)
    if (answer === 'accepted') await done(ada.page)
    else await expectSeen(ada.page.getByRole('alert'), 'We are unable to authenticate your payment method.')
    expect(await ada.balance()).toBe(balance)
    expect(ada.complaints).toEqual([])
  })

  test('the bank takes its time', async () => {
    const ada = await shopper(parley, browser)
    await open(ada.page)
    const look = await holdLooks(ada.page)
    await pay(ada.page, CARDS.slow, button)
    await expectSeen(toastOn(ada.page), 'Payment Processing')
    await expectSeen(ada.page, 'Your payment is being processed. Please wait...')
    expect(await ada.page.getByRole('button', { name: 'Processing...' }).isDisabled()).toBe(true)
    look()
    await done(ada.page)
    await expectPaidOnce(ada)
  })

  test('a double click pays once', async () => {
    const ada = await shopper(parley, browser)
    const sent: string[] = []
    ada.page.on(
      'request',
      (request) => void (request.url().endsWith('/confirm') && request.method() === 'POST' && sent.push(request.url())),
    )
    await open(ada.page)
    await fillCard(ada.page, CARDS.good)
    await ada.page.getByRole('button', { name: button }).dblclick()
    await done(ada.page)
    await expectPaidOnce(ada)
    expect(sent).toHaveLength(1)
  })

  test('the network goes before the card is sent', async () => {
    const ada = await shopper(parley, browser)
    await open(ada.page)
    await ada.page.route(CONFIRM, (route) => route.abort())
    await pay(ada.page, CARDS.good, button)
    await expectSeen(ada.page.getByRole('alert'), 'Unable to process payment. Please try again.')
    expect(await ada.balance()).toBe(10)
    await ada.page.unroute(CONFIRM)
    await ada.page.getByRole('button', { name: button }).click()
    await done(ada.page)
    await expectPaidOnce(ada)
  })

  test('the network goes as the answer comes back', async () => {
    const ada = await shopper(parley, browser)
    await open(ada.page)
    await ada.page.route(CONFIRM, async (route) => {
      await route.fetch()
      await route.abort()
    })
    await pay(ada.page, CARDS.good, button)
    await done(ada.page)
    await expectPaidOnce(ada)
  })
})
