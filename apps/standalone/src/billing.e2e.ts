import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { axeFindings, findingsInLooks, NARROW, picture } from './browser.ts'
import { joinWorld } from './screens/testing.ts'
import { CARDS, expectSeen, pay, shopper, toastOn } from './shopping/testing.ts'
import { type Seen, STRIPE_JS } from './shopping/stripe-js.ts'

const { parley, browser } = await joinWorld()

describe('coming back to Billing', () => {
  const answer = (reply: unknown) => ({ status: 200, contentType: 'application/json', body: JSON.stringify(reply) })

  test.each([
    [
      'payment_success',
      { success: true, credits: 30, message: '30 credits have been added to your account.' },
      ['Payment Successful!', '30 credits added'],
    ],
    ['success', { success: true, credits: 30, message: '30 credits have already been added to your account.' }, ['Payment Confirmed!']],
    ['success', { success: false, credits: 0, message: 'On its way' }, ['Payment Received - credits will be added shortly']],
    [
      'payment_success',
      null,
      ['Payment Processing', "Your payment was successful. Credits will be added shortly. If credits don't appear, contact support."],
    ],
  ])('with %s=true and %j says so and clears the address', async (name, reply, said) => {
    const { page } = await shopper(parley, browser)
    await page.route('**/api/process-missed-payment', (route) => (reply ? route.fulfill(answer(reply)) : route.abort()))
    await page.goto(`/billing?${name}=true&payment_intent=pi_1&credits=30`)
    for (const words of said) await expectSeen(toastOn(page), words)
    await page.waitForURL(`${parley.url}/billing`)
  })
})

test('a test payment takes its time, asks nobody and adds nothing', async () => {
  const ada = await shopper(parley, browser)
  const { page } = ada
  const asked: string[] = []
  page.on('request', (request) => void (request.url().includes('/api/process-') && asked.push(request.url())))
  await page.goto('/test-payment')
  await page.getByRole('heading', { name: 'Light Package' }).waitFor()
  await expectSeen(page, '$9.99 for 10 credits')
  // Two seconds to the second toast, one and a half from there to the result.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.getByRole('button', { name: 'Run Test Payment' }).click()
  await expectSeen(toastOn(page), 'Simulating a payment...')
  await page.clock.runFor(1900)
  expect(await toastOn(page).getByText('Test Payment Complete').count()).toBe(0)
  await page.clock.runFor(200)
  await expectSeen(toastOn(page), 'Test Payment Complete')
  await page.clock.runFor(1300)
  expect(new URL(page.url()).pathname).toBe('/test-payment')
  await page.clock.runFor(200)
  await page.clock.resume()
  await page.getByRole('heading', { name: '10 Credits Added' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/billing/success')
  const { searchParams } = new URL(page.url())
  expect(searchParams.get('payment_intent')).toMatch(/^pi_test_[0-9a-f]+$/)
  expect(searchParams.get('credits')).toBe('10')
  await expectSeen(page, 'This was a test payment: nothing was charged and your balance has not changed.')
  expect(asked).toEqual([])
  expect(await ada.balance()).toBe(10)
  expect(ada.complaints).toEqual([])
})

describe('a payment by card', () => {
  test('on the card page says that it works, then what became of it, with its two ways on', async () => {
    const { page, complaints } = await shopper(parley, browser)
    const [money, credits] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let paid: unknown
    await page.route('**/v1/payment_intents/*/confirm', async (route) => {
      await money.promise
      const response = await route.fetch()
      paid = await response.json()
      await route.fulfill({ response })
    })
    await page.route('**/api/process-payment-success', async (route) => credits.promise.then(() => route.continue()))
    await page.goto('/billing/card-payment?package=light')
    await pay(page, CARDS.good, 'Complete Payment')
    await page.getByRole('button', { name: 'Processing...' }).waitFor()
    money.resolve()
    await page.getByRole('heading', { name: 'Processing your payment...' }).waitFor()
    expect(paid).toMatchObject({ amount: 999, currency: 'usd', allowed_payment_method_types: ['card'] })
    const { pathname, searchParams } = new URL(page.url())
    expect([pathname, searchParams.get('credits')]).toEqual(['/billing/success', '10'])
    expect(searchParams.get('payment_intent')).toMatch(/^pi_(?!test_)\w+$/)
    credits.resolve()
    await page.getByRole('heading', { name: '10 Credits Added' }).waitFor()
    expect(await page.getByRole('link', { name: 'Back to Dashboard' }).getAttribute('href')).toBe('/dashboard')
    expect(await page.getByRole('link', { name: 'Start Making Calls' }).getAttribute('href')).toBe('/make-call')
    expect(complaints).toEqual([])
  })

  test('on the new-payment page ends in place, with its three ways on', async () => {
    const { page, complaints } = await shopper(parley, browser)
    await page.goto('/new-payment')
    await pay(page, CARDS.good, 'Pay $9.99')
    await page.getByRole('heading', { name: 'Payment Successful' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/new-payment')
    const main = page.getByRole('main')
    for (const [name, path] of [
      ['Go to Billing', '/billing'],
      ['Go to Dashboard', '/dashboard'],
      ['Make a Call', '/make-call'],
    ] as const)
      expect(await main.getByRole('link', { name, exact: true }).getAttribute('href')).toBe(path)
    expect(complaints).toEqual([])
  })
})

describe('Contact Sales', () => {
  test('opens the inquiry, and promises an answer', async () => {
    const { page, complaints } = await shopper(parley, browser, { viewport: NARROW })
    await page.goto('/billing')
    await expectSeen(page, /custom pricing/)
    await page.getByRole('button', { name: 'Contact Sales' }).click()
    const dialog = page.getByRole('dialog', { name: 'Enterprise Inquiry' })
    await expectSeen(dialog, 'within 24 hours')
    await dialog.getByLabel('Company Name').fill('Trattoria Verde')
    await dialog.getByLabel('Contact Name').fill('Ada Ruiz')
    await dialog.getByLabel('Email').fill('ada@verde.example')
    await dialog.getByLabel('Phone').fill('+1 202 555 0100')
    await dialog.getByLabel('Requirements').fill('A thousand calls a week')
    expect(await axeFindings(page)).toEqual([])
    await picture(page, 'enterprise-inquiry-narrow', false)
    const failing = async (route: { abort(): Promise<void> }) => route.abort()
    await page.route('**/api/enterprise-contact', failing)
    await dialog.getByRole('button', { name: 'Submit Inquiry' }).click()
    await expectSeen(dialog, 'Submission Failed. Please try again or contact us directly at support@parley.example')
    await page.unroute('**/api/enterprise-contact', failing)
    const sent = page.waitForRequest('**/api/enterprise-contact')
    await dialog.getByRole('button', { name: 'Submit Inquiry' }).click()
    await expectSeen(dialog, 'Thank you. We will get back to you within 24 hours.')
    expect((await sent).postDataJSON()).toEqual({
      companyName: 'Trattoria Verde',
      contactName: 'Ada Ruiz',
      email: 'ada@verde.example',
      phone: '+1 202 555 0100',
      requirements: 'A thousand calls a week',
    })
    expect(complaints).toEqual([])
  })

  test('asks for what it needs', async () => {
    const { page } = await shopper(parley, browser)
    await page.goto('/billing')
    await page.getByRole('button', { name: 'Contact Sales' }).click()
    await page.getByRole('button', { name: 'Submit Inquiry' }).click()
    expect(await page.getByLabel('Company Name').evaluate((input: HTMLInputElement) => input.validity.valueMissing)).toBe(true)
    const isRequired = (label: string) => page.getByLabel(label).evaluate((input: HTMLInputElement) => input.required)
    for (const label of ['Company Name', 'Contact Name', 'Email']) expect(await isRequired(label)).toBe(true)
    for (const label of ['Phone', 'Requirements']) expect(await isRequired(label)).toBe(false)
  })
})

test('a saved card buys by itself once it is allowed to', async () => {
  const ada = await shopper(parley, browser)
  const { page } = ada
  await page.goto('/billing')
  await page.getByRole('link', { name: 'Save a card' }).click()
  await pay(page, CARDS.good, 'Save card')
  await expectSeen(page, 'Card saved')
  await page.getByRole('link', { name: 'Back to Billing' }).first().click()
  await expectSeen(page, 'Visa ending in 4242')
  await page.getByLabel('When the balance falls below').fill('2000')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await expectSeen(page, 'Enter a whole number from 1 to 1,000.')
  await page.getByLabel('When the balance falls below').fill('5')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await expectSeen(toastOn(page), 'Auto top-up is on')
  expect(await axeFindings(page)).toEqual([])
  await picture(page, 'auto-top-up')
  await page.getByRole('button', { name: 'Turn off' }).click()
  await expectSeen(toastOn(page), 'Auto top-up is off')
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('link', { name: 'Save a card' }).waitFor()
  expect(ada.complaints).toEqual([])
})

describe('who may not pay', () => {
  test('a package that is not sold is said so', async () => {
    const { page } = await shopper(parley, browser)
    await page.goto('/new-payment?package=gold')
    await expectSeen(page, 'Package not found.')
    await expectSeen(toastOn(page), 'Invalid package selected.')
    expect(await axeFindings(page)).toEqual([])
  })

  test('whoever was signed out meanwhile is asked to log in', async () => {
    const ada = await shopper(parley, browser)
    const { page } = ada
    await page.route('**/api/create-payment-intent', (route) =>
      route.fulfill({ status: 401, contentType: 'application/json', body: '{"code":"unauthenticated","message":"Please log in."}' }),
    )
    await page.goto('/new-payment')
    await expectSeen(page, 'Authentication Required')
    expect(await page.getByRole('link', { name: 'Log In' }).getAttribute('href')).toBe('/api/login')
    await page.goto('/checkout')
    await expectSeen(page, 'Please Log In')
    expect(await page.getByRole('link', { name: 'Go to Login' }).getAttribute('href')).toBe('/login')
    expect(await axeFindings(page)).toEqual([])
  })
})

describe('with keys of Stripe', () => {
  const withKey = async (page: Page, publishableKey: string) =>
    page.route('**/api/payments/config', (route) => route.fulfill({ json: { mode: 'stripe', publishableKey, apiUrl: null } }))
  const stripeScript = /^https:\/\/js\.stripe\.com\//
  const addressOf = (page: Page) => new URL(page.url())

  test('a key that is none stops the form', async () => {
    const { page } = await shopper(parley, browser, { bypassCSP: true })
    await withKey(page, 'sk_live_secret')
    await page.goto('/new-payment')
    await expectSeen(page, 'Invalid Stripe public key format')
  })

  test('that cannot be reached, the button says so', async () => {
    const { page } = await shopper(parley, browser, { bypassCSP: true })
    await withKey(page, 'pk_test_1')
    await page.route(stripeScript, (route) => route.abort())
    const failed = page.waitForEvent('requestfailed', (request) => stripeScript.test(request.url()))
    await page.goto('/new-payment')
    await failed
    await page.getByRole('button', { name: 'Pay $9.99' }).click()
    await expectSeen(page.getByRole('alert'), 'Payment system not ready. Please refresh and try again.')
  })

  test('its form stands here in our colours, its code on no page without a card, and a form not yet drawn waits', async () => {
    const { page, complaints } = await shopper(parley, browser, { bypassCSP: true })
    const loaded: string[] = []
    page.on('request', (request) => void (request.url().includes('stripe.com') && loaded.push(addressOf(page).pathname)))
    await withKey(page, 'pk_test_1')
    await page.route(stripeScript, (route) => route.fulfill({ contentType: 'text/javascript', body: STRIPE_JS }))
    for (const path of ['/billing', '/checkout', '/billing/success', '/test-payment']) await page.goto(path, { waitUntil: 'networkidle' })
    expect(loaded).toEqual([])
    await page.goto('/new-payment?package=premium')
    await expectSeen(page, 'Payment Element')
    const { key, options } = await page.evaluate(() => (globalThis as unknown as { stripeSeen: Seen }).stripeSeen)
    expect(key).toBe('pk_test_1')
    expect(options).toMatchObject({ mode: 'payment', amount: 1999, currency: 'usd', allowedPaymentMethodTypes: ['card'] })
    expect(options.appearance.variables.colorPrimary).toBe('rgb(46, 125, 50)')
    await page.getByRole('button', { name: 'Pay $19.99' }).click()
    await expectSeen(page.getByRole('alert'), 'Payment form not ready. Please wait a moment and try again.')
    await page.evaluate(() => (globalThis as unknown as { stripeReady: () => void }).stripeReady())
    await page.getByRole('button', { name: 'Pay $19.99' }).click()
    await expectSeen(page.getByRole('alert'), 'Your card has insufficient funds.')
    const { confirmed } = await page.evaluate(() => (globalThis as unknown as { stripeSeen: Seen }).stripeSeen)
    expect(confirmed.clientSecret).toMatch(/^pi_.*_secret_/)
    const intentId = confirmed.clientSecret.split('_secret_')[0]
    expect(confirmed.redirect).toBe('if_required')
    expect(confirmed.returnUrl).toBe(`${parley.url}/billing/success?payment_intent=${intentId}&credits=30`)
    expect(loaded).toEqual(['/new-payment'])
    await page.goto('/billing/card-payment?package=premium')
    await expectSeen(page, 'Payment Element')
    const seen = await page.evaluate(() => (globalThis as unknown as { stripeSeen: Seen }).stripeSeen)
    expect(seen.options.appearance.variables.colorPrimary).toBe('rgb(46, 125, 50)')
    expect(complaints).toEqual([])
  })
})

test('keeping the card, or another package, leaves the form of Stripe as it was typed, and pays for what is chosen last', async () => {
  const { page } = await shopper(parley, browser, { bypassCSP: true })
  await page.route('**/api/payments/config', (route) =>
    route.fulfill({ json: { mode: 'stripe', publishableKey: 'pk_test_1', apiUrl: null } }),
  )
  await page.route(/^https:\/\/js\.stripe\.com\//, (route) => route.fulfill({ contentType: 'text/javascript', body: STRIPE_JS }))
  await page.goto('/credits/purchase')
  await page.getByLabel('Inside Stripe').fill('4242')
  await page.evaluate(() => (globalThis as unknown as { stripeReady: () => void }).stripeReady())
  const seen = async () => page.evaluate(() => (globalThis as unknown as { stripeSeen: Seen }).stripeSeen)
  const begun = async (act: () => Promise<void>) => {
    const answer = page.waitForResponse('**/api/create-payment-intent')
    await act()
    return ((await (await answer).json()) as { clientSecret: string }).clientSecret
  }
  await begun(() => page.getByLabel('Keep this card for auto top-up').click())
  await expect.poll(async () => (await seen()).updates.at(-1)).toMatchObject({ setupFutureUsage: 'off_session' })
  const last = await begun(() => page.getByRole('radio', { name: /75 credits/ }).click())
  await expect.poll(async () => (await seen()).updates.at(-1)).toMatchObject({ amount: 4999 })
  expect(await page.getByLabel('Inside Stripe').inputValue()).toBe('4242')
  await page.getByRole('button', { name: 'Pay $49.99' }).click()
  await expectSeen(page.getByRole('alert'), 'Your card has insufficient funds.')
  expect((await seen()).confirmed.clientSecret).toBe(last)
})

describe('what Stripe may answer', () => {
  test.each([
    ['a refusal in no words', { error: { type: 'card_error' } }, 'Payment Failed: Payment could not be processed'],
    [
      'a status of its own',
      { paymentIntent: { id: 'pi_1', status: 'requires_capture' } },
      'Payment Error: Payment status: requires_capture. Please try again.',
    ],
    [
      'nothing, since it is away',
      { error: { type: 'api_connection_error' } },
      'Payment Error: Unable to process payment. Please try again.',
    ],
    ['what nobody expects', 'nonsense', 'Payment Error: An unexpected error occurred. Please try again.'],
    [
      'that the bank takes its time',
      { paymentIntent: { id: 'pi_1', status: 'processing' } },
      'Payment Processing: Your payment is being processed. Please wait...',
    ],
  ])('%s', async (_, answer, said) => {
    const { page } = await shopper(parley, browser, { bypassCSP: true })
    await page.route('**/api/payments/config', (route) =>
      route.fulfill({ json: { mode: 'stripe', publishableKey: 'pk_test_1', apiUrl: null } }),
    )
    await page.route(/^https:\/\/js\.stripe\.com\//, (route) => route.fulfill({ contentType: 'text/javascript', body: STRIPE_JS }))
    await page.goto('/new-payment')
    await expectSeen(page, 'Payment Element')
    await page.evaluate((given) => {
      const globals = globalThis as unknown as { stripeReady: () => void; stripeAnswer: unknown }
      globals.stripeAnswer = given
      globals.stripeReady()
    }, answer)
    await page.getByRole('button', { name: 'Pay $9.99' }).click()
    const form = page.getByRole('form', { name: 'Card details' })
    await form.getByText(said.slice(said.indexOf(': ') + 2)).waitFor()
    expect((await form.innerText()).replaceAll(/\s+/g, ' ')).toContain(said)
  })
})

test('a low balance is told on every page until it is read', async () => {
  const { page } = await shopper(parley, browser)
  await page.route('**/api/auth/user', async (route) => {
    const answer = await route.fetch()
    const user = (await answer.json()) as Record<string, unknown>
    await route.fulfill({ json: { ...user, creditBalance: '2' } })
  })
  await page.goto('/dashboard')
  const notice = page.getByRole('region', { name: 'Low balance' })
  await expectSeen(notice, 'You have 2 credits left.')
  expect(await axeFindings(page)).toEqual([])
  await picture(page, 'low-balance')
  await notice.getByRole('button', { name: 'Dismiss' }).click()
  await notice.waitFor({ state: 'detached' })
  await page.reload()
  await expectSeen(page, 'about 2 minutes')
  expect(await notice.count()).toBe(0)
})

describe('every way to pay', () => {
  const screens = ['/billing', '/checkout', '/credits/purchase', '/billing/card-payment', '/new-payment', '/billing/card-payment?save=card']

  test('has nothing that axe objects to with its card form open', async () => {
    const { page, complaints } = await shopper(parley, browser)
    const findings: string[] = []
    for (const path of screens) {
      await page.goto(path)
      if (!['/billing', '/checkout'].includes(path)) await page.getByLabel('Card number').waitFor()
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      findings.push(...(await findingsInLooks(page, `pay${path.replaceAll(/[/?=]/g, '-')}`)))
    }
    expect(findings).toEqual([])
    expect(complaints).toEqual([])
  }, 240_000)
})
