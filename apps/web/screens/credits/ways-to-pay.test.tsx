import { creditsRoutes } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { axeFindings, bodiesOf, expectTexts, findingsInLooks, openScreen, press, serve } from '../testing.tsx'
import { declined, lose, pay, processor, toasts, waysOut } from './testing.tsx'

/** Expects the end of each way to pay: a panel on its own page, or a navigation. */
async function expectPaid(path: string, ways: readonly string[], credits: number): Promise<void> {
  const end = path === '/credits/purchase' ? '/billing?success=true&' : '/billing/success?'
  const expected = path === '/new-payment' ? [] : [`replace ${end}payment_intent=pi_1&credits=${credits}`]
  const sign =
    path === '/new-payment'
      ? page.getByRole('heading', { name: 'Payment Successful' })
      : page.getByRole('button', { name: 'Processing...', disabled: true })
  await expect.element(sign).toBeVisible()
  await expect.poll(() => ways).toEqual(expected)
}

// The three screens that take a card for a package: start, failure, decline, success.

const { createPaymentIntent } = creditsRoutes
const LIGHT = { amount: 999, credits: 10, packageId: 'light', productId: 'parley_light' }
const PREMIUM = { amount: 1999, credits: 30, packageId: 'premium', productId: 'parley_premium' }
const PRO = { amount: 4999, credits: 100, packageId: 'pro', productId: 'parley_pro' }
const { productId: _, ...lightWithoutProduct } = LIGHT
const NOT_BEGUN = 'Unable to initialize payment. Please try again.'
const TOLD = 'Failed to initialize payment. Please ensure you are logged in.'

const SCREENS = [
  { path: '/new-payment', button: 'Pay $9.99', purchase: LIGHT },
  { path: '/credits/purchase', button: 'Pay $19.99', purchase: PREMIUM },
  { path: '/billing/card-payment?package=light', button: 'Complete Payment', purchase: lightWithoutProduct },
] as const

describe.each(SCREENS)('$path', ({ path, button, purchase }) => {
  // screens.md: begins-payment-package-once
  test('creates one payment intent for its package and shows a loading text meanwhile', async () => {
    const api = serve()
    const letGo = api.hold(createPaymentIntent)
    await openScreen(path)
    await expect.element(page.getByText('Loading the card form')).toBeInTheDocument()
    letGo()
    await expect.element(page.getByLabelText('Card number')).toBeVisible()
    await expectTexts(['Payments sandbox: no money moves. Try 4242 4242 4242 4242, any future date, any code.'])
    expect(bodiesOf(api.requests(createPaymentIntent))).toEqual([purchase])
    expect(await findingsInLooks()).toEqual([])
  })

  // screens.md: without-answer-says-could
  test('shows an error when the intent fails, and a retry that works', async () => {
    const api = serve()
    lose(api, createPaymentIntent)
    await openScreen(path)
    await expectTexts(['Error', path === '/new-payment' ? `${TOLD} Failed to fetch` : TOLD], toasts())
    await expectTexts([NOT_BEGUN], page.getByRole('main'))
    expect(await axeFindings()).toEqual([])
    api.answer(createPaymentIntent, { clientSecret: 'pi_1_secret_1' })
    await press('Try again')
    await expect.element(page.getByLabelText('Card number')).toBeVisible()
    await expect.element(page.getByText(NOT_BEGUN)).not.toBeInTheDocument()
  })

  test('a retry shows loading, then the error again when it fails', async () => {
    const api = serve()
    lose(api, createPaymentIntent)
    await openScreen(path)
    await expectTexts([NOT_BEGUN])
    const letGo = api.hold(createPaymentIntent)
    await press('Try again')
    await expect.element(page.getByText('Loading the card form')).toBeInTheDocument()
    letGo()
    await expectTexts([NOT_BEGUN])
    expect(api.requests(createPaymentIntent)).toHaveLength(2)
  })

  // screens.md: declined-says-words-bank
  test('a declined card shows the bank’s message, and another card pays', async () => {
    const api = serve()
    const bank = processor(api)
    const ways = waysOut()
    api.answer(creditsRoutes.processPaymentSuccess, {
      success: true,
      credits: purchase.credits,
      status: 'added',
      message: 'Added.',
    })
    bank.onCard(() => declined('Your card was declined.'))
    await openScreen(path)
    await pay(button, '4000 0000 0000 0002')
    await expectTexts([/Payment Failed/, /Your card was declined\./], page.getByRole('form').getByRole('alert'))
    await expectTexts(['Payment Failed', 'Your card was declined.'], toasts())
    expect(ways).toEqual([])
    expect(await axeFindings()).toEqual([])
    bank.onCard(() => Response.json({ id: 'pi_1', status: 'succeeded' }))
    await pay(button)
    await expectPaid(path, ways, purchase.credits)
    expect(bank.cards.map(({ path: at }) => at)).toEqual([
      '/v1/payment_intents/pi_1/confirm',
      '/v1/payment_intents/pi_1/confirm',
    ])
    expect(bank.cards.map(({ form }) => form['payment_method_data[card][number]'])).toEqual([
      '4000000000000002',
      '4242424242424242',
    ])
    expect(sessionStorage.length).toBe(0)
  })

  // screens.md: left-open-somebody-signed
  test('after the session ended, asks to log in', async () => {
    const api = serve()
    api.refuse(createPaymentIntent, 'unauthenticated')
    await openScreen(path)
    const isCard = path.startsWith('/billing')
    await expectTexts(
      isCard
        ? ['Please Log In', 'You need to be signed in to buy credits.']
        : ['Authentication Required', 'Please log in to purchase credits.'],
    )
    const logIn = page.getByRole('link', { name: isCard ? 'Go to Login' : 'Log In', exact: true })
    await expect.element(logIn).toHaveAttribute('href', isCard ? '/login' : '/api/login')
    await expect.element(page.getByText(TOLD)).not.toBeInTheDocument()
    expect(await axeFindings()).toEqual([])
  })
})

describe('failed payment intent', () => {
  const SAID = 'Cards are not taken at the moment.'

  // screens.md: told-reason-new-payment
  test('shows the reason on the new-payment page', async () => {
    const api = serve()
    api.refuse(createPaymentIntent, 'unavailable', { message: SAID })
    await openScreen('/new-payment')
    await expectTexts([`${TOLD} HTTP 503: ${SAID}`], toasts())
    await expectTexts(['Error', NOT_BEGUN], page.getByRole('main'))
    await expect
      .element(page.getByRole('alert').getByRole('link', { name: 'Back to Billing' }))
      .toHaveAttribute('href', '/billing')
  })

  // screens.md: since-answer-none-ours
  test('with an HTML response shows "Unexpected response type" on the new-payment page', async () => {
    const api = serve()
    api.send(createPaymentIntent, '<p>', { headers: { 'content-type': 'text/html' } })
    await openScreen('/new-payment')
    await expectTexts([`${TOLD} Unexpected response type`], toasts())
    await expectTexts([NOT_BEGUN], page.getByRole('main'))
  })

  test('with an empty response shows the HTTP status on the new-payment page', async () => {
    const api = serve()
    api.send(createPaymentIntent, '', { status: 500, statusText: 'Internal Server Error' })
    await openScreen('/new-payment')
    await expectTexts([`${TOLD} HTTP 500: Internal Server Error`], toasts())
  })

  // screens.md: told-without
  test.each(['/checkout', '/credits/purchase', '/billing/card-payment'])('shows no reason on %s', async (path) => {
    const api = serve()
    api.refuse(createPaymentIntent, 'unavailable', { message: SAID })
    await openScreen(path)
    await expectTexts(['Error', TOLD], toasts())
    await expect.element(page.getByText(SAID)).not.toBeInTheDocument()
  })
})

test('the checkout summarizes the chosen package and links to its card payment', async () => {
  serve()
  await openScreen('/checkout')
  const summary = page.getByRole('region', { name: 'Order summary' })
  await expectTexts(['Premium', 'Bonus', '+5', 'Credits in total', '30', '$19.99'], summary)
  await expectTexts([
    "What's Included",
    'AI-powered voice calls',
    'Your card is charged once. Nothing renews by itself.',
  ])
  const toCard = page.getByRole('link', { name: 'Use Credit/Debit Card' })
  await expect.element(toCard).toHaveAttribute('href', '/billing/card-payment?package=premium')
  expect(await findingsInLooks()).toEqual([])
  await page.getByRole('radio', { name: /10 credits/ }).click()
  await expectTexts(['Light', '10', '$9.99'], summary)
  await expect.element(summary.getByText('Bonus')).not.toBeInTheDocument()
  await expect.element(toCard).toHaveAttribute('href', '/billing/card-payment?package=light')
})

describe('change of package', () => {
  // screens.md: begins-payment
  test.each(['/checkout', '/credits/purchase'])('on %s creates another payment intent', async (path) => {
    const api = serve()
    await openScreen(path)
    await expect.element(page.getByRole('radio', { name: /25 credits/ })).toBeChecked()
    await expect.poll(() => bodiesOf(api.requests(createPaymentIntent))).toEqual([PREMIUM])
    await page.getByRole('radio', { name: /75 credits/ }).click()
    await expect.poll(() => bodiesOf(api.requests(createPaymentIntent))).toEqual([PREMIUM, PRO])
  })

  test('the card page takes the package from its address', async () => {
    const api = serve()
    await openScreen('/billing/card-payment?package=pro')
    await expect.element(page.getByLabelText('Card number')).toBeVisible()
    const { productId: _product, ...purchase } = PRO
    expect(bodiesOf(api.requests(createPaymentIntent))).toEqual([purchase])
  })

  // screens.md: sold-said-nothing-begun
  test('an unknown package shows an error and creates no intent', async () => {
    const api = serve()
    await openScreen('/new-payment?package=gold')
    await expectTexts(['Error', 'Invalid package selected.'], toasts())
    await expectTexts(['Package not found.', 'The link may be old. Choose one of the packages we sell.'])
    await expect
      .element(page.getByRole('main').getByRole('link', { name: 'Back to Billing' }).last())
      .toHaveAttribute('href', '/billing')
    expect(await axeFindings()).toEqual([])
    expect(api.requests(createPaymentIntent)).toEqual([])
  })

  test('an unknown package cannot be paid on the card page', async () => {
    const api = serve()
    await openScreen('/billing/card-payment?package=gold')
    await expectTexts(['Package not found.', 'Back to Checkout'])
    expect(api.requests(createPaymentIntent)).toEqual([])
  })

  test('changing package or saved card keeps the typed card and waits for the new intent to pay', async () => {
    const api = serve()
    const bank = processor(api)
    const ways = waysOut()
    await openScreen('/credits/purchase')
    await page.getByLabelText('Card number').fill('4242 4242 4242 4242')
    const letGo = api.hold(createPaymentIntent)
    await page.getByLabelText('Keep this card for auto top-up').click()
    await expect.element(page.getByRole('button', { name: 'Pay $19.99' })).toHaveAttribute('aria-disabled', 'true')
    letGo()
    await expect.element(page.getByRole('button', { name: 'Pay $19.99' })).not.toHaveAttribute('aria-disabled')
    lose(api, createPaymentIntent)
    await page.getByRole('radio', { name: /10 credits/ }).click()
    await expectTexts([NOT_BEGUN], page.getByRole('form'))
    await expect.element(page.getByRole('button', { name: /^Pay / })).not.toBeInTheDocument()
    await expect.element(page.getByLabelText('Card number')).toHaveValue('4242 4242 4242 4242')
    expect(await axeFindings()).toEqual([])
    api.answer(createPaymentIntent, { clientSecret: 'pi_2_secret_2' })
    await press('Try again')
    await page.getByLabelText('Expiration date').fill('12 / 34')
    await page.getByLabelText('Security code').fill('123')
    await press('Pay $9.99')
    await expect.poll(() => ways).toHaveLength(1)
    expect(bank.cards.map(({ path }) => path)).toEqual(['/v1/payment_intents/pi_2/confirm'])
    const kept = { ...LIGHT, saveCard: true }
    expect(bodiesOf(api.requests(createPaymentIntent))).toEqual([PREMIUM, { ...PREMIUM, saveCard: true }, kept, kept])
  })
})
