import { describe, expect, test } from 'vitest'
import { axeFindings, NARROW, picture } from '../../../standalone/src/browser.ts'
import { joinWorld } from '../testing.ts'
import { STRIPE_JS, type Seen } from './stripe-js.ts'
import { answerBank, bankButton, CARDS, expectSeen, fillCard, LOOK, paid, pay, shopper, toastOn } from './testing.ts'
import { expectBooksInOrder } from '../../../standalone/src/testing.ts'

// Each way to pay once, with a processor that speaks Stripe's API. Texts and looks: apps/web/screens/credits.
// Longer than 20 s: seven purchases of new users, with the pages of their banks.

const CONFIRM = '**/v1/payment_intents/*/confirm'

const { parley, browser } = await joinWorld()

describe('buying a package', () => {
  // screens.md: billing-card-charged-credits
  test('from Billing charges the card once, adds the credits and shows in every record', async () => {
    const ada = await shopper(parley, browser)
    const { page } = ada
    await page.goto('/billing')
    await page.getByRole('button', { name: 'Contact Sales' }).click()
    const dialog = page.getByRole('dialog', { name: 'Enterprise Inquiry' })
    await dialog.getByLabel('Company Name').fill('Trattoria Verde')
    await dialog.getByLabel('Contact Name').fill('Ada Ruiz')
    await dialog.getByLabel('Email').fill('ada@verde.example')
    await dialog.getByRole('button', { name: 'Submit Inquiry' }).click()
    await expectSeen(dialog, 'Thank you. We will get back to you within 24 hours.')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('link', { name: 'Buy Premium' }).click()
    await page.waitForURL('**/new-payment?package=premium')
    await pay(page, CARDS.declined)
    await expectSeen(page.getByRole('alert'), 'Payment Failed')
    await expectSeen(page.getByRole('alert'), 'Your card was declined.')
    expect(await ada.balance()).toBe(10)

    // Another card pays once, despite a double click.
    const sent: string[] = []
    page.on(
      'request',
      (request) => void (request.url().endsWith('/confirm') && request.method() === 'POST' && sent.push(request.url())),
    )
    await fillCard(page, CARDS.good)
    await page.getByRole('button', { name: /^Pay \$/ }).dblclick()
    await page.getByRole('heading', { name: 'Payment Successful' }).waitFor()
    await expectSeen(page, '30 credits added')
    await expectSeen(page.getByRole('region', { name: 'Credits' }), '40')
    expect(await ada.balance()).toBe(40)
    expect(sent).toHaveLength(1)
    expect(await paid(ada)).toMatchObject([{ packageId: 'premium', credits: 30, amountCents: 1999, currency: 'usd' }])
    await picture(page, 'payment-successful')
    // After a reload or back and forward: the same payment, and no form to pay again.
    await page.reload()
    await expectSeen(page, '30 credits added')
    await page.goBack()
    await page.waitForURL('**/billing')
    await page.goForward()
    await expectSeen(page, '30 credits added')
    expect(await page.getByRole('button', { name: /^Pay / }).count()).toBe(0)
    expect(await ada.balance()).toBe(40)

    await page.getByRole('link', { name: 'Go to Billing' }).click()
    await page.getByRole('tab', { name: 'Purchases' }).click()
    await expectSeen(page, 'Paid')
    await picture(page, 'billing-purchases')
    const receipt = page.waitForEvent('download')
    await page.getByRole('link', { name: /^Receipt for Premium/ }).click()
    expect((await receipt).suggestedFilename()).toMatch(/^receipt-.*\.pdf$/)
    await page.getByRole('tab', { name: 'Statement' }).click()
    await expectSeen(page, '+30')
    await picture(page, 'billing-statement')
    const statement = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download CSV' }).click()
    expect((await statement).suggestedFilename()).toBe('statement.csv')
    await expectBooksInOrder(parley)
    expect(ada.complaints).toEqual([])
  })

  // screens.md: checkout-stepping-back-paid
  test('from the checkout: going back after the payment shows no form to pay again', async () => {
    const ada = await shopper(parley, browser)
    const { page } = ada
    await page.goto('/checkout')
    await page.getByRole('radio', { name: /75 credits/ }).click()
    await page.getByRole('link', { name: 'Use Credit/Debit Card' }).click()
    await page.waitForURL('**/billing/card-payment?package=pro')
    await pay(page, CARDS.good, 'Complete Payment')
    await page.getByRole('heading', { name: '100 Credits Added' }).waitFor()
    const { pathname, searchParams } = new URL(page.url())
    expect([pathname, searchParams.get('credits')]).toEqual(['/billing/success', '100'])
    expect(searchParams.get('payment_intent')).toMatch(/^pi_(?!test_)\w+$/)
    await picture(page, 'billing-success')
    expect(await ada.balance()).toBe(110)

    await page.reload()
    await expectSeen(toastOn(page), 'Payment Confirmed!')
    await page.goBack()
    await page.waitForURL('**/checkout')
    expect(await ada.balance()).toBe(110)
    expect(await paid(ada)).toMatchObject([{ packageId: 'pro' }])
    expect(ada.complaints).toEqual([])
  })

  // screens.md: purchase-credits-last-chosen
  test('on Purchase Credits pays the last choice, waits for a slow bank and ends on Billing', async () => {
    const ada = await shopper(parley, browser)
    const { page } = ada
    await page.goto('/contacts')
    await page.getByRole('link', { name: 'Buy Credits' }).click()
    await page.waitForURL('**/credits/purchase')
    await fillCard(page, CARDS.slow)
    const begun = async (act: () => Promise<void>) => {
      const answer = page.waitForResponse('**/api/create-payment-intent')
      await act()
      await answer
    }
    await begun(() => page.getByLabel('Keep this card for auto top-up').click())
    await begun(() => page.getByRole('radio', { name: /75 credits/ }).click())
    await begun(() => page.getByRole('radio', { name: /10 credits/ }).click())
    expect(await page.getByLabel('Card number').inputValue()).toBe(CARDS.slow)
    expect(await page.getByLabel('Expiration date').inputValue()).toBe('12 / 34')
    expect(await page.getByLabel('Security code').inputValue()).toBe('123')
    await page.getByRole('button', { name: 'Pay $9.99' }).click()
    await expectSeen(page, 'Your payment is being processed. Please wait...')
    await page.waitForURL('**/billing', { timeout: 60_000 })
    await expectSeen(toastOn(page), /Payment (Successful|Confirmed)!/)
    await expectSeen(toastOn(page), '10 credits added')
    expect(await ada.balance()).toBe(20)
    expect(await paid(ada)).toMatchObject([{ packageId: 'light' }])
    await expectSeen(page, 'Visa ending in 0077')
    await page.goBack()
    await page.waitForURL('**/contacts')
    expect(ada.complaints).toEqual([])
  })
})

// screens.md: bank-asks-first-keeps
test('3-D Secure: refusal keeps the money, consent completes the payment', async () => {
  const ada = await shopper(parley, browser, { viewport: NARROW })
  const { page } = ada
  await page.goto('/billing/card-payment?package=light')
  await pay(page, CARDS.needsConsent, 'Complete Payment')
  await answerBank(page, /fail/i)
  await expectSeen(page.getByRole('alert'), 'We are unable to authenticate your payment method.')
  expect(await ada.balance()).toBe(10)
  const confirmed = page.waitForResponse(CONFIRM)
  await pay(page, CARDS.needsConsent, 'Complete Payment')
  expect(await (await confirmed).json()).toMatchObject({
    amount: 999,
    currency: 'usd',
    allowed_payment_method_types: ['card'],
  })
  await bankButton(page, /complete/i)
  await picture(page, 'secure-step-narrow', false)
  expect(await axeFindings(page)).toEqual([])
  await answerBank(page, /complete/i)
  await page.getByRole('heading', { name: '10 Credits Added' }).waitFor()
  expect(await ada.balance()).toBe(20)
  expect(await paid(ada)).toHaveLength(1)
  expect(ada.complaints).toEqual([])
})

test('two tabs pay once, also after one of them closed its 3-D Secure dialog', async () => {
  const ada = await shopper(parley, browser)
  const { page } = ada
  const other = await page.context().newPage()
  await page.goto('/new-payment')
  await pay(page, CARDS.needsConsent)
  await bankButton(page, /complete/i)
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expectSeen(page.getByRole('alert'), 'Payment status: requires_action. Please try again.')
  await other.goto('/new-payment')
  await fillCard(other, CARDS.good)
  // This tab's intent was canceled; from now on both tabs share the other's intent.
  await page.getByRole('button', { name: 'Pay $9.99' }).click()
  await expectSeen(page, 'Payment status: canceled. Please try again.')
  await pay(page, CARDS.good)
  await page.getByRole('heading', { name: 'Payment Successful' }).waitFor()
  await other.getByRole('button', { name: 'Pay $9.99' }).click()
  await other.getByRole('heading', { name: 'Payment Successful' }).waitFor()
  await expect.poll(() => ada.balance()).toBe(20)
  expect(await paid(ada)).toHaveLength(1)
})

test('a page that lost its network during the payment shows that payment after a reload', async () => {
  const ada = await shopper(parley, browser)
  const { page } = ada
  await page.goto('/new-payment')
  await page.route(LOOK, (route) => route.abort())
  await page.route(CONFIRM, async (route) => {
    await route.fetch()
    await route.abort()
  })
  await pay(page, CARDS.good)
  await expectSeen(page.getByRole('alert'), 'Unable to process payment. Please try again.')
  await page.unrouteAll()
  await page.reload()
  await page.getByRole('heading', { name: 'Payment Successful' }).waitFor()
  await expect.poll(() => ada.balance()).toBe(20)
  expect(await paid(ada)).toHaveLength(1)
})

// screens.md: keys-stripe-code-loaded
test('Stripe’s script loads only on pages with a card form; the form pays the intent of the server', async () => {
  const { page, complaints } = await shopper(parley, browser, { bypassCSP: true })
  const script = /^https:\/\/js\.stripe\.com\//
  const loaded: string[] = []
  page.on(
    'request',
    (request) => void (request.url().includes('stripe.com') && loaded.push(new URL(page.url()).pathname)),
  )
  await page.route('**/api/payments/config', (route) =>
    route.fulfill({ json: { mode: 'stripe', publishableKey: 'pk_test_1', apiUrl: null } }),
  )
  await page.route(script, (route) => route.fulfill({ contentType: 'text/javascript', body: STRIPE_JS }))
  for (const path of ['/billing', '/checkout']) await page.goto(path, { waitUntil: 'networkidle' })
  expect(loaded).toEqual([])
  await page.goto('/new-payment?package=premium')
  await expectSeen(page, 'Payment Element')
  await page.evaluate(() => (globalThis as unknown as { stripeReady: () => void }).stripeReady())
  await page.getByRole('button', { name: 'Pay $19.99' }).click()
  await expectSeen(page.getByRole('alert'), 'Your card has insufficient funds.')
  const { confirmed, options } = await page.evaluate(() => (globalThis as unknown as { stripeSeen: Seen }).stripeSeen)
  expect(confirmed.clientSecret).toMatch(/^pi_.*_secret_/)
  const intentId = confirmed.clientSecret.split('_secret_')[0]
  expect(confirmed.redirect).toBe('if_required')
  expect(confirmed.returnUrl).toBe(`${parley.url}/billing/success?payment_intent=${intentId}&credits=30`)
  expect(options.appearance.variables.colorPrimary).toBe('rgb(46, 125, 50)')
  expect(loaded).toEqual(['/new-payment'])
  expect(complaints).toEqual([])

  await page.route(script, (route) => route.abort())
  const failed = page.waitForEvent('requestfailed', (request) => script.test(request.url()))
  await page.goto('/new-payment')
  await failed
  await page.getByRole('button', { name: 'Pay $9.99' }).click()
  await expectSeen(page.getByRole('alert'), 'Payment system not ready. Please refresh and try again.')
})
