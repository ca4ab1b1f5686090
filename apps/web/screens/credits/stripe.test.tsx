import { creditsRoutes } from '@parley/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectTexts, type FakeApi, openScreen, press, serve } from '../testing.tsx'
import { stripeInPage } from './stripe.ts'
import { waysOut } from './testing.tsx'

// The card form with Stripe keys: Stripe's element within our form.

const { createPaymentIntent, createSetupIntent, processPaymentSuccess, saveCard } = creditsRoutes
const GREEN = 'rgb(46, 125, 50)'

let api: FakeApi
beforeEach(() => {
  api = serve()
})
const stripe = stripeInPage(() => api)
const form = () => page.getByRole('form', { name: 'Card details' })
const alert = () => form().getByRole('alert')
const inside = () => page.getByLabelText('Inside Stripe')

/** Makes the element ready and submits. */
async function payOn(path: string, button: string): Promise<void> {
  await openScreen(path)
  await expect.element(inside()).toBeVisible()
  stripe.draw()
  await press(button)
}

// screens.md: form-stands-here-our
test('the Payment Element has our colours; submitting waits until the element is ready, then pays', async () => {
  const ways = waysOut()
  await openScreen('/billing/card-payment?package=premium')
  await expect.element(inside()).toBeVisible()
  await expectTexts(['Card details go straight to the card processor. We never see or store them.'])
  expect(stripe.seen.key).toMatch(/^pk_test_/)
  expect(stripe.seen.options).toMatchObject({
    mode: 'payment',
    amount: 1999,
    currency: 'usd',
    allowedPaymentMethodTypes: ['card'],
  })
  expect(stripe.seen.options.appearance?.variables['colorPrimary']).toBe(GREEN)
  await press('Complete Payment')
  await expectTexts([/Payment Error/, /Payment form not ready\. Please wait a moment and try again\./], alert())
  expect(stripe.seen.confirmed).toEqual([])
  stripe.draw()
  stripe.say({ paymentIntent: { id: 'pi_1', status: 'succeeded' } })
  await press('Complete Payment')
  await expect.poll(() => ways).toEqual(['replace /billing/success?payment_intent=pi_1&credits=30'])
  const returnUrl = `${location.origin}/billing/success?payment_intent=pi_1&credits=30`
  expect(stripe.seen.confirmed).toEqual([{ clientSecret: 'pi_1_secret_1', redirect: 'if_required', returnUrl }])
})

test.each(['/billing', '/checkout', '/billing/success', '/test-payment'])('%s loads no Stripe', async (path) => {
  await openScreen(path)
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(stripe.seen.key).toBe('')
  expect(document.querySelector('script[src*="stripe.com"]')).toBeNull()
})

test('changing the package or keeping the card keeps the typed fields and pays the last choice', async () => {
  const intents = ['pi_1_secret_1', 'pi_2_secret_2', 'pi_3_secret_3']
  api.answer(createPaymentIntent, () => ({ clientSecret: intents.shift() ?? '' }))
  stripe.say({ error: { type: 'card_error', code: 'card_declined', message: 'Your card has insufficient funds.' } })
  await openScreen('/credits/purchase')
  await inside().fill('4242')
  stripe.draw()
  await page.getByLabelText('Keep this card for auto top-up').click()
  await expect.poll(() => stripe.seen.updates.at(-1)).toMatchObject({ setupFutureUsage: 'off_session' })
  await page.getByRole('radio', { name: /75 credits/ }).click()
  await expect.poll(() => stripe.seen.updates.at(-1)).toMatchObject({ amount: 4999 })
  await expect.element(inside()).toHaveValue('4242')
  await press('Pay $49.99')
  await expectTexts([/Your card has insufficient funds\./], alert())
  expect(stripe.seen.confirmed.map(({ clientSecret }) => clientSecret)).toEqual(['pi_3_secret_3'])
})

test('a card is saved without an amount', async () => {
  api.answer(createSetupIntent, { clientSecret: 'seti_1_secret_1' })
  api.answer(saveCard, { settings: null, card: null, problem: null })
  stripe.say({ setupIntent: { id: 'seti_1', status: 'succeeded' } })
  await payOn('/billing/card-payment?save=card', 'Save card')
  await expectTexts(['Card saved'])
  expect(stripe.seen.options).toMatchObject({ mode: 'setup', currency: 'usd', allowedPaymentMethodTypes: ['card'] })
  expect(api.requests(saveCard).map(({ body }) => body)).toEqual([{ setupIntentId: 'seti_1' }])
})

// screens.md: stripe-may-answer
describe('answers of Stripe', () => {
  test.each([
    ['a refusal without a reason', { error: { type: 'card_error' } }, 'Payment Failed: Payment could not be processed'],
    [
      'another status',
      { paymentIntent: { id: 'pi_1', status: 'requires_capture' } },
      'Payment Error: Payment status: requires_capture. Please try again.',
    ],
    [
      'a network error',
      { error: { type: 'api_connection_error' } },
      'Payment Error: Unable to process payment. Please try again.',
    ],
    ['an unexpected answer', 'nonsense', 'Payment Error: An unexpected error occurred. Please try again.'],
  ])('%s', async (_, answer, said) => {
    stripe.say(answer)
    await payOn('/new-payment', 'Pay $9.99')
    await expect.element(alert()).toHaveTextContent(said)
  })

  test('incomplete fields, which the element reports itself', async () => {
    stripe.refuseFields({ type: 'validation_error' })
    await payOn('/new-payment', 'Pay $9.99')
    await expect.element(form().getByRole('button', { name: 'Pay $9.99' })).not.toHaveAttribute('aria-disabled')
    await expect.element(alert()).not.toBeInTheDocument()
    expect(stripe.seen.confirmed).toEqual([])
  })

  test('processing, then succeeded', async () => {
    api.answer(processPaymentSuccess, { success: true, credits: 10, status: 'added', message: 'Added.' })
    const processing = { paymentIntent: { id: 'pi_1', status: 'processing' } }
    stripe.say(processing)
    stripe.sayToLooks(processing)
    await payOn('/new-payment', 'Pay $9.99')
    await expect
      .element(form().getByRole('status'))
      .toHaveTextContent('Payment Processing: Your payment is being processed. Please wait...')
    stripe.sayToLooks({ paymentIntent: { id: 'pi_1', status: 'succeeded' } })
    await expectTexts(['10 credits added'], page.getByRole('main'))
  })

  test('already paid', async () => {
    api.answer(processPaymentSuccess, { success: true, credits: 10, status: 'added', message: 'Added.' })
    stripe.say({ error: { type: 'invalid_request_error', payment_intent: { id: 'pi_1', status: 'succeeded' } } })
    await payOn('/new-payment', 'Pay $9.99')
    await expectTexts(['10 credits added'], page.getByRole('main'))
  })
})
