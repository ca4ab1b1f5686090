import { RECONCILE_EVERY_MS } from '@parley/api/testing'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { joinWorld } from '../testing.ts'
import { bankButton, CARDS, fillCard, holdLooks, paid, pay, type Shopper, shopper } from './testing.ts'
import { expectBooksInOrder } from '../../../standalone/src/testing.ts'
import { type Running, runParley, until, type World } from '../../../standalone/src/world.ts'
import { type Sandbox, startSandbox } from '@parley/sandbox'

// The browser closes after paying: the server credits the payment without it.
// Longer than 20 s: two products of its own, and payments that nobody waits for.

const MINUTE_MS = 60_000
const PROCESSING_MS = 2000
const RECORD = /\/api\/process-(payment-success|missed-payment)$/

/** When each browser closes. Its own requests to record the payment are blocked. */
const ENDS: readonly (readonly [string, (page: Page) => Promise<void>])[] = [
  [
    'while sending the card',
    async (page) => {
      await page.goto('/new-payment')
      await fillCard(page, CARDS.good)
      const confirmed = handledWithoutResponse(page, '**/confirm')
      await page.getByRole('button', { name: 'Pay $9.99' }).click()
      await confirmed
    },
  ],
  [
    'after answering the bank',
    async (page) => {
      await page.goto('/new-payment')
      await pay(page, CARDS.needsConsent)
      const complete = await bankButton(page, /complete/i)
      const answered = handledWithoutResponse(page, '**/3ds/**')
      await complete.click({ noWaitAfter: true })
      await answered
    },
  ],
  [
    'while the bank is processing',
    async (page) => {
      await page.goto('/new-payment')
      await holdLooks(page)
      await pay(page, CARDS.slow)
      await page.getByText('Your payment is being processed. Please wait...').first().waitFor()
    },
  ],
  [
    'before the success page has loaded',
    async (page) => {
      await page.goto('/billing/card-payment?package=light')
      await pay(page, CARDS.good, 'Complete Payment')
      await page.waitForURL('**/billing/success?**', { waitUntil: 'commit' })
    },
  ],
]

/** Resolves when the server has handled the next request to `url`; the page never gets the response. */
function handledWithoutResponse(page: Page, url: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const hold = (route: Route): void => void route.fetch().then(() => resolve(), reject)
  page.route(url, hold).catch(reject)
  return promise
}

const { parley: world, browser } = await joinWorld()

async function payAndGo(parley: World): Promise<Shopper[]> {
  const goes = ENDS.map(async ([, end]) => {
    const person = await shopper(parley, browser)
    await person.page.route(RECORD, (route) => route.abort())
    await end(person.page)
    await person.page.context().close()
    return person
  })
  return Promise.all(goes)
}

async function expectCredits(parley: World, gone: readonly Shopper[], withinMs: number): Promise<void> {
  for (const [index, person] of gone.entries()) {
    await until(
      `the credits of the browser closed ${ENDS[index]?.[0]}`,
      async () => (await person.balance()) === 20,
      withinMs,
    )
    expect(await paid(person)).toHaveLength(1)
  }
  await expectBooksInOrder(parley)
}

// screens.md: within-minute-webhook
test('the webhook credits a payment of a closed browser within 1 minute', { timeout: 5 * MINUTE_MS }, async () => {
  await expectCredits(world, await payAndGo(world), MINUTE_MS)
})

describe('with STRIPE_API_BASE and no webhook', () => {
  let sandbox: Sandbox
  let parley: Running

  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0, processingMs: PROCESSING_MS, frameAncestors: ['http://localhost:*'] })
    parley = await runParley({
      STRIPE_SECRET_KEY: 'sk_test_sandbox',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_sandbox',
      STRIPE_WEBHOOK_SECRET: 'whsec_that_nobody_uses',
      STRIPE_API_BASE: sandbox.url,
    })
  })
  afterAll(async () => {
    await parley.dispose()
    await sandbox.close()
  })

  // Every start reconciles once, so the test restarts instead of waiting for the interval of 2 minutes.
  test(
    'reconciliation credits a payment of a closed browser without a webhook',
    { timeout: 5 * MINUTE_MS },
    async () => {
      const gone = await payAndGo(parley)
      expect(RECONCILE_EVERY_MS).toBeLessThan(10 * MINUTE_MS)
      await new Promise((processed) => setTimeout(processed, PROCESSING_MS))
      await parley.stop()
      await parley.start()
      await expectCredits(parley, gone, MINUTE_MS)
    },
  )
})
