import { creditsRoutes } from '@parley/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { axeFindings, expectTexts, type FakeApi, openScreen, press, serve } from '../testing.tsx'
import {
  bankAsks,
  declined,
  fillCard,
  held,
  hurryReads,
  intent,
  isAlready,
  lose,
  lost,
  pay,
  type Processor,
  processor,
  toasts,
} from './testing.tsx'

// All screens use the same form; it is tested on one of them.
// Longer than 20 s: 28 states of a form whose bank and processor answer late.

const { createPaymentIntent, paymentsConfig, processPaymentSuccess } = creditsRoutes
const PAY = 'Pay $9.99'

let api: FakeApi
let bank: Processor
const form = () => page.getByRole('form', { name: 'Card details' })
const alert = () => form().getByRole('alert')
const button = (name = PAY) => form().getByRole('button', { name, exact: true })

beforeEach(() => {
  api = serve()
  bank = processor(api)
  api.answer(processPaymentSuccess, { success: true, credits: 10, status: 'added', message: '10 credits added.' })
})

async function expectPaid(): Promise<void> {
  await expect.element(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  await expectTexts(['10 credits added'], page.getByRole('main'))
}

describe('card fields', () => {
  test('left empty each show an error, and no card is sent', async () => {
    await openScreen('/new-payment')
    await expect.element(page.getByPlaceholder('1234 1234 1234 1234')).toBeVisible()
    await press(PAY)
    const missing = [
      'Your card number is incomplete.',
      "Your card's expiration date is incomplete.",
      "Your card's security code is incomplete.",
    ]
    await expectTexts(missing, form())
    await expect.element(page.getByLabelText('Card number')).toHaveFocus()
    await expect.element(page.getByLabelText('Card number')).toHaveAttribute('aria-invalid', 'true')
    expect(await axeFindings()).toEqual([])
    await page.getByLabelText('Security code').fill('123')
    await expect.element(page.getByText("Your card's security code is incomplete.")).not.toBeInTheDocument()
    expect(bank.cards).toEqual([])
  })

  test.each([
    ['Card number', '4242 4242 4242 4241', 'Your card number is invalid.'],
    ['Card number', '4242 42', 'Your card number is incomplete.'],
    ['Expiration date', '01 / 20', "Your card's expiration date is in the past."],
    ['Expiration date', '13 / 34', "Your card's expiration date is invalid."],
    ['Expiration date', '1', "Your card's expiration date is incomplete."],
    ['Security code', '12', "Your card's security code is incomplete."],
  ])('%s %s shows an error on blur', async (label, typed, said) => {
    await openScreen('/new-payment')
    await page.getByLabelText(label).fill(typed)
    await userEvent.tab()
    await expectTexts([said], form())
    await press(PAY)
    await expectTexts([said], form())
    expect(bank.cards).toEqual([])
  })

  test('cannot be submitted before the form is ready', async () => {
    const letGo = api.hold(createPaymentIntent)
    await openScreen('/new-payment')
    await press(PAY)
    await expectTexts([/Payment Error/, /Payment system not ready\. Please refresh and try again\./], alert())
    letGo()
    await pay(PAY)
    await expectPaid()
  })
})

describe('card payment', () => {
  test('sends the card once on a double click and locks the form while pending', async () => {
    const answer = held(() => intent('succeeded'))
    bank.onCard(answer.say)
    await openScreen('/new-payment')
    await fillCard()
    await button().dblClick()
    await expect.element(button('Processing...')).toHaveAttribute('aria-disabled', 'true')
    await expect.element(page.getByLabelText('Keep this card for auto top-up')).toBeDisabled()
    await expect.element(page.getByLabelText('Card number')).toHaveAttribute('readonly')
    await userEvent.keyboard('{Enter}')
    answer.letGo()
    await expectPaid()
    expect(bank.cards).toEqual([
      {
        path: '/v1/payment_intents/pi_1/confirm',
        form: {
          'payment_method_data[type]': 'card',
          'payment_method_data[card][number]': '4242424242424242',
          'payment_method_data[card][exp_month]': '12',
          'payment_method_data[card][exp_year]': '2034',
          'payment_method_data[card][cvc]': '123',
          use_stripe_sdk: 'true',
          key: 'pk_test_parley',
          client_secret: 'pi_1_secret_1',
        },
      },
    ])
  })

  test.each([
    [
      'refused with a reason',
      () => declined('Your card has insufficient funds.'),
      'Payment Failed: Your card has insufficient funds.',
    ],
    ['refused without a reason', () => declined(), 'Payment Failed: Payment could not be processed'],
    [
      'another status',
      () => intent('requires_capture'),
      'Payment Error: Payment status: requires_capture. Please try again.',
    ],
    ['processor unreachable', lost, 'Payment Error: Unable to process payment. Please try again.'],
    [
      'processor error',
      () => Response.json({ error: { type: 'api_error' } }, { status: 500 }),
      'Payment Error: Unable to process payment. Please try again.',
    ],
  ])('%s: the form shows the error and accepts another attempt', async (_, answer, said) => {
    bank.onCard(answer)
    bank.onLook(lost)
    await openScreen('/new-payment')
    await pay(PAY)
    await expect.element(alert()).toHaveTextContent(said)
    const [title, message] = [said.slice(0, said.indexOf(': ')), said.slice(said.indexOf(': ') + 2)]
    await expectTexts([title, message], toasts())
    bank.onCard(() => intent('succeeded'))
    await press(PAY)
    await expectPaid()
    expect(bank.cards).toHaveLength(2)
  })

  test.each([
    ['was charged with a lost response', lost, () => intent('succeeded')],
    ['has paid in another tab', () => isAlready('succeeded'), lost],
  ])('a card that %s is detected as paid and sent only once', async (_, answer, look) => {
    bank.onCard(answer)
    bank.onLook(look)
    await openScreen('/new-payment')
    await pay(PAY)
    await expectPaid()
    expect(bank.cards).toHaveLength(1)
  })
})

describe('payment with the status processing', () => {
  test('shows "Payment Processing" and locks the form until the bank decides', async () => {
    bank.onCard(() => intent('processing'))
    bank.onLook(() => intent('processing'))
    await openScreen('/new-payment')
    await pay(PAY)
    await expectTexts(['Payment Processing', 'Your payment is being processed. Please wait...'], toasts())
    await expect
      .element(form().getByRole('status'))
      .toHaveTextContent('Payment Processing: Your payment is being processed. Please wait...')
    await expect.element(button('Processing...')).toHaveAttribute('aria-disabled', 'true')
    await expect.element(page.getByLabelText('Keep this card for auto top-up')).toBeDisabled()
    expect(await axeFindings()).toEqual([])
    bank.onLook(lost)
    await expect.poll(() => bank.looks()).toBeGreaterThan(0)
    bank.onLook(() => intent('succeeded'))
    await expectPaid()
    expect(bank.cards).toHaveLength(1)
  })

  test('locks the packages of Purchase Credits while pending', async () => {
    bank.onCard(() => intent('processing'))
    bank.onLook(() => intent('processing'))
    await openScreen('/credits/purchase')
    await pay('Pay $19.99')
    await expect.element(button('Processing...')).toBeVisible()
    await expect.element(page.getByRole('radio', { name: /10 credits/ })).toBeDisabled()
    await expect.element(page.getByLabelText('Keep this card for auto top-up')).toBeDisabled()
  })

  test('a late refusal does not end an attempt begun after it', async () => {
    bank.onCard(() => intent('processing'))
    const refusal = () =>
      intent('requires_payment_method', { last_payment_error: { type: 'card_error', message: 'The bank said no.' } })
    const looks = [held(refusal), held(refusal)]
    const [first, second] = looks
    bank.onLook(() => (looks.shift() ?? held(refusal)).say())
    await openScreen('/new-payment')
    await pay(PAY)
    await expect.poll(() => looks.length).toBe(0)
    first?.letGo()
    await expectTexts([/The bank said no\./], alert())
    const answer = held(() => intent('succeeded'))
    bank.onCard(answer.say)
    await pay(PAY)
    await expect.element(button('Processing...')).toBeVisible()
    second?.letGo()
    // Wait until the response was read and drawn.
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    await expect.element(button('Processing...')).toBeVisible()
    answer.letGo()
    await expectPaid()
  })
})

describe('3-D Secure', () => {
  const dialog = () => page.getByRole('dialog', { name: 'Your bank asks for your consent' })

  beforeEach(() => {
    bank.onCard(bankAsks)
    bank.onLook(bankAsks)
  })

  test('opens in a dialog that names the amount, and completes the payment', async () => {
    await openScreen('/new-payment')
    await pay(PAY)
    await expectTexts(['Confirm the payment of $9.99 to Parley.'], dialog())
    await expect.element(dialog().getByTitle('Your bank')).toBeVisible()
    expect(await axeFindings()).toEqual([])
    bank.onLook(() => intent('succeeded'))
    await expect.element(dialog()).not.toBeInTheDocument()
    await expectPaid()
  })

  test('refused: the form shows the bank’s reason', async () => {
    await openScreen('/new-payment')
    await pay(PAY)
    await expect.element(dialog()).toBeVisible()
    const message = 'We are unable to authenticate your payment method.'
    bank.onLook(() => intent('requires_payment_method', { last_payment_error: { message } }))
    await expectTexts([/Payment Failed/, new RegExp(message)], alert())
    await expect.element(dialog()).not.toBeInTheDocument()
  })

  // screens.md: left-without-answer-form
  test('closed without an answer: the form shows the payment’s status and accepts another card', async () => {
    await openScreen('/new-payment')
    await pay(PAY)
    await dialog().getByRole('button', { name: 'Close' }).click()
    await expectTexts([/Payment status: requires_action\. Please try again\./], alert())
    await expect.element(dialog()).not.toBeInTheDocument()
    bank.onCard(() => intent('succeeded'))
    await pay(PAY)
    await expectPaid()
  })
})

describe('canceled payment', () => {
  test('is replaced by a new payment intent; the button is disabled meanwhile', async () => {
    bank.onCard(() => isAlready('canceled'))
    await openScreen('/new-payment')
    await fillCard()
    api.answer(createPaymentIntent, { clientSecret: 'pi_2_secret_2' })
    const letGo = api.hold(createPaymentIntent)
    await press(PAY)
    await expectTexts([/Payment status: canceled\. Please try again\./], alert())
    await expect.element(button()).toHaveAttribute('aria-disabled', 'true')
    bank.onCard(() => intent('succeeded'))
    letGo()
    await expect.element(button()).not.toHaveAttribute('aria-disabled')
    await pay(PAY)
    await expectPaid()
    expect(bank.cards.map(({ path }) => path)).toEqual([
      '/v1/payment_intents/pi_1/confirm',
      '/v1/payment_intents/pi_2/confirm',
    ])
  })
})

describe('returning to the page', () => {
  const secret = 'pi_1_secret_1'
  const remember = (kept: string) => sessionStorage.setItem('parley.payment.user-ada.light', kept)

  test('with a paid intent shows the success and creates no other intent', async () => {
    remember(secret)
    bank.onLook(() => intent('succeeded'))
    await openScreen('/new-payment')
    await expectPaid()
    expect(api.requests(createPaymentIntent)).toEqual([])
    expect(bank.cards).toEqual([])
  })

  test('with an unpaid intent continues that intent and its saved-card choice', async () => {
    remember(`${secret} keep`)
    await openScreen('/new-payment')
    await expect.element(page.getByLabelText('Card number')).toBeVisible()
    await expect.element(page.getByLabelText('Keep this card for auto top-up')).toBeChecked()
    await expect.element(page.getByLabelText('Keep this card for auto top-up')).toBeDisabled()
    await pay(PAY)
    await expectPaid()
    expect(api.requests(createPaymentIntent)).toEqual([])
  })
})

describe('payments configuration', () => {
  test('refused: the form shows the reason and a retry', async () => {
    await hurryReads()
    api.refuse(paymentsConfig, 'switched_off', { message: 'Payments are switched off.' })
    await openScreen('/new-payment')
    await expectTexts(['This could not be loaded', 'Payments are switched off.'])
    expect(await axeFindings()).toEqual([])
    api.answer(paymentsConfig, { mode: 'sandbox', publishableKey: 'pk_test_parley', apiUrl: 'https://sandbox.example' })
    await press('Try again')
    await expect.element(page.getByLabelText('Card number')).toBeVisible()
  })

  test('unreachable: the form tells to check the connection', async () => {
    await hurryReads()
    lose(api, paymentsConfig)
    await openScreen('/new-payment')
    await expectTexts(['This could not be loaded', 'Check your connection, then try again.'])
  })

  // screens.md: key-none-card-can
  test('with an invalid public key: shows no card form', async () => {
    api.answer(paymentsConfig, { mode: 'stripe', publishableKey: 'sk_live_secret', apiUrl: null })
    await openScreen('/new-payment')
    await expectTexts(
      [
        'Invalid Stripe public key format',
        'Card payments are set up wrongly here. Nothing was charged; please contact support.',
      ],
      page.getByRole('alert'),
    )
    await expect.element(page.getByLabelText('Card number')).not.toBeInTheDocument()
    expect(await axeFindings()).toEqual([])
  })
})
