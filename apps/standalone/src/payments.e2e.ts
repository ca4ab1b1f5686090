import type { Request, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { axeFindings, NARROW, picture, SEEN } from './browser.ts'
import { joinWorld } from './screens/testing.ts'
import { answerBank, bankButton, CARDS, expectSeen, fillCard, holdLooks, LOOK, paid, pay, shopper, toastOn } from './shopping/testing.ts'
import { until } from './world.ts'

const CONFIRM = '**/v1/payment_intents/*/confirm'

const { parley, browser } = await joinWorld()

describe('buying a package', () => {
  test('from Billing: the card is charged, the credits are there, and every record shows it', async () => {
    const ada = await shopper(parley, browser)
    const { page } = ada
    await page.goto('/billing')
    await page.getByRole('link', { name: 'Buy Premium' }).click()
    await page.waitForURL('**/new-payment?package=premium')
    await pay(page, CARDS.good)
    await page.getByRole('heading', { name: 'Payment Successful' }).waitFor()
    await expectSeen(page, '30 credits added')
    await expectSeen(page.getByRole('region', { name: 'Credits' }), '40')
    expect(await ada.balance()).toBe(40)
    await picture(page, 'payment-successful')
    // Loaded again, it is the same payment, and no form to pay once more.
    await page.reload()
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
    await page.setViewportSize(NARROW)
    expect(await axeFindings(page)).toEqual([])
    await picture(page, 'billing-statement-narrow')
    await page.getByRole('tab', { name: 'Purchases' }).click()
    await expectSeen(page, 'Paid')
    expect(await axeFindings(page)).toEqual([])
    await picture(page, 'billing-purchases-narrow')
    await page.getByRole('tab', { name: 'Statement' }).click()
    const statement = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download CSV' }).click()
    expect((await statement).suggestedFilename()).toBe('statement.csv')
    expect(ada.complaints).toEqual([])
  })

  test('from the checkout: the second package is chosen, and stepping back does not lead to a form that is done', async () => {
    const ada = await shopper(parley, browser)
    const { page } = ada
    await page.goto('/checkout')
    expect(await page.getByRole('radio', { name: /25 credits/ }).isChecked()).toBe(true)
    await page.getByRole('radio', { name: /75 credits/ }).click()
    await page.getByRole('link', { name: 'Use Credit/Debit Card' }).click()
    await page.waitForURL('**/billing/card-payment?package=pro')
    await pay(page, CARDS.good, 'Complete Payment')
    await page.getByRole('heading', { name: '100 Credits Added' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/billing/success')
    expect(new URL(page.url()).searchParams.get('credits')).toBe('100')
    await picture(page, 'billing-success')
    expect(await ada.balance()).toBe(110)

    await page.reload()
    await expectSeen(toastOn(page), 'Payment Confirmed!')
    await page.goBack()
    await page.waitForURL('**/checkout')
    expect(await ada.balance()).toBe(110)
    expect(ada.complaints).toEqual([])
  })

  test('on Purchase Credits: a bank that takes its time is waited for, and Billing tells the end', async () => {
    const ada = await shopper(parley, browser)
    const { page } = ada
    await page.goto('/billing')
    await page.getByRole('link', { name: 'Buy Credits' }).click()
    await page.waitForURL('**/credits/purchase')
    await page.getByRole('radio', { name: /10 credits/ }).click()
    const look = await holdLooks(page)
    await pay(page, CARDS.slow)
    await expectSeen(page, 'Your payment is being processed. Please wait...')
    await page.getByRole('button', { name: 'Processing...' }).waitFor()
    expect(await page.getByRole('radio', { name: /25 credits/ }).isDisabled()).toBe(true)
    expect(await page.getByLabel('Keep this card for auto top-up').isDisabled()).toBe(true)
    await picture(page, 'payment-processing')
    look()
    await page.waitForURL('**/billing', { timeout: 60_000 })
    await expectSeen(toastOn(page), /Payment (Successful|Confirmed)!/)
    await expectSeen(toastOn(page), '10 credits added')
    expect(await ada.balance()).toBe(20)
    expect(ada.complaints).toEqual([])
  })
})

test('another package and the keeping of the card leave the typed card where it is, and one payment is made of them all', async () => {
  const ada = await shopper(parley, browser)
  const { page } = ada
  await page.goto('/credits/purchase')
  await fillCard(page, CARDS.good)
  const begun = async (act: () => Promise<void>) => {
    const answer = page.waitForResponse('**/api/create-payment-intent')
    await act()
    await answer
  }
  await begun(() => page.getByLabel('Keep this card for auto top-up').click())
  await begun(() => page.getByRole('radio', { name: /75 credits/ }).click())
  expect(await page.getByLabel('Card number').inputValue()).toBe(CARDS.good)
  expect(await page.getByLabel('Expiration date').inputValue()).toBe('12 / 34')
  expect(await page.getByLabel('Security code').inputValue()).toBe('123')
  // Where the next one cannot be begun, the card stays as well, and the last one cannot be paid in its place.
  await page.route('**/api/create-payment-intent', (route) => route.abort(), { times: 1 })
  await page.getByRole('radio', { name: /10 credits/ }).click()
  await expectSeen(page, 'Unable to initialize payment. Please try again.')
  expect(await page.getByRole('button', { name: /^Pay / }).count()).toBe(0)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: 'Pay $9.99' }).click()
  await page.waitForURL('**/billing')
  await expectSeen(toastOn(page), '10 credits added')
  expect(await paid(ada)).toMatchObject([{ packageId: 'light' }])
  expect(await ada.balance()).toBe(20)
  await page.getByText('•••• 4242').or(page.getByText('4242')).first().waitFor()
})

test('a refusal that is told late, and a second time, does not end what was begun after it', async () => {
  const ada = await shopper(parley, browser)
  const { page } = ada
  const looks: Route[] = []
  const refuse = async (route: Route | undefined) => {
    const response = await route!.fetch()
    const refusal = { status: 'requires_payment_method', last_payment_error: { type: 'card_error', message: 'The bank said no.' } }
    await route!.fulfill({ response, json: { ...((await response.json()) as object), ...refusal } })
  }
  await page.goto('/new-payment?package=light')
  await page.route(LOOK, (route) => void looks.push(route))
  await pay(page, CARDS.slow)
  await expect.poll(() => looks.length, SEEN).toBeGreaterThan(1)
  await refuse(looks.shift())
  await expectSeen(page.getByRole('alert'), 'The bank said no.')
  await page.route(CONFIRM, () => undefined)
  await pay(page, CARDS.good)
  await page.getByRole('button', { name: 'Processing...' }).waitFor()
  for (const look of looks) await refuse(look)
  // Long enough for a page to draw what it was told.
  await page.waitForTimeout(500)
  expect(await page.getByRole('button', { name: 'Processing...' }).isVisible()).toBe(true)
  expect(ada.complaints).toEqual([])
  await page.context().close()
})

describe('a card that does not pay', () => {
  test('is told of before it is sent, field by field', async () => {
    const { page } = await shopper(parley, browser)
    const sent: Request[] = []
    page.on('request', (request) => void (request.url().includes('/confirm') && sent.push(request)))
    await page.goto('/new-payment')
    await page.getByLabel('Card number').fill('4242 4242 4242 4241')
    await page.getByRole('button', { name: 'Pay $9.99' }).click()
    await expectSeen(page, 'Your card number is invalid.')
    await expectSeen(page, "Your card's expiration date is incomplete.")
    await expectSeen(page, "Your card's security code is incomplete.")
    await page.getByLabel('Expiration date').fill('01 / 20')
    await page.getByLabel('Security code').focus()
    await expectSeen(page, "Your card's expiration date is in the past.")
    await picture(page, 'card-wrong')
    expect(await axeFindings(page)).toEqual([])
    expect(sent).toEqual([])
  })

  test('is declined in the words of its bank, and another card pays', async () => {
    const ada = await shopper(parley, browser)
    const { page } = ada
    await page.goto('/new-payment')
    await pay(page, CARDS.declined)
    await expectSeen(page.getByRole('alert'), 'Payment Failed')
    await expectSeen(page.getByRole('alert'), 'Your card was declined.')
    await picture(page, 'payment-declined')
    expect(await axeFindings(page)).toEqual([])
    expect(await ada.balance()).toBe(10)
    await pay(page, CARDS.good)
    await page.getByRole('heading', { name: 'Payment Successful' }).waitFor()
    expect(await until('the credits', async () => (await ada.balance()) === 20)).toBe(true)
    expect(ada.complaints).toEqual([])
  })
})

describe('a bank that asks first', () => {
  test('and is told yes, lets the payment through', async () => {
    const ada = await shopper(parley, browser, { viewport: NARROW })
    const { page } = ada
    await page.goto('/billing/card-payment?package=light')
    await pay(page, CARDS.needsConsent, 'Complete Payment')
    await bankButton(page, /complete/i)
    await picture(page, 'secure-step-narrow', false)
    expect(await axeFindings(page)).toEqual([])
    await answerBank(page, /complete/i)
    await page.getByRole('heading', { name: '10 Credits Added' }).waitFor()
    expect(await ada.balance()).toBe(20)
    expect(ada.complaints).toEqual([])
  })

  test('and is told no, keeps the money', async () => {
    const ada = await shopper(parley, browser)
    const { page } = ada
    await page.goto('/new-payment')
    await pay(page, CARDS.needsConsent)
    await answerBank(page, /fail/i)
    await expectSeen(page.getByRole('alert'), 'We are unable to authenticate your payment method.')
    expect(await ada.balance()).toBe(10)
    expect(ada.complaints).toEqual([])
  })

  test('and is left without an answer, says how the payment stands', async () => {
    const { page } = await shopper(parley, browser)
    await page.goto('/new-payment')
    await pay(page, CARDS.needsConsent)
    await bankButton(page, /complete/i)
    await page.getByRole('button', { name: 'Close' }).first().click()
    await expectSeen(page.getByRole('alert'), 'Payment status: requires_action. Please try again.')
    await pay(page, CARDS.good)
    await page.getByRole('heading', { name: 'Payment Successful' }).waitFor()
  })
})

describe('paying once', () => {
  test('a double click sends one confirmation and makes one payment', async () => {
    const ada = await shopper(parley, browser)
    const { page } = ada
    const sent: string[] = []
    page.on('request', (request) => void (request.url().includes('/confirm') && request.method() === 'POST' && sent.push(request.url())))
    await page.goto('/new-payment')
    await fillCard(page, CARDS.good)
    await page.getByRole('button', { name: 'Pay $9.99' }).dblclick()
    await page.getByRole('heading', { name: 'Payment Successful' }).waitFor()
    expect(await until('the credits', async () => (await ada.balance()) === 20)).toBe(true)
    expect(sent).toHaveLength(1)
    expect(await paid(ada)).toHaveLength(1)
  })

  test('two tabs of one order pay for it once', async () => {
    const ada = await shopper(parley, browser)
    const other = await ada.page.context().newPage()
    for (const page of [ada.page, other]) {
      await page.goto('/new-payment')
      await fillCard(page, CARDS.good)
    }
    for (const page of [ada.page, other]) {
      await page.getByRole('button', { name: 'Pay $9.99' }).click()
      await page.getByRole('heading', { name: 'Payment Successful' }).waitFor()
    }
    expect(await until('the credits', async () => (await ada.balance()) === 20)).toBe(true)
    expect(await paid(ada)).toHaveLength(1)
  })

  test('a tab that left its bank without an answer begins anew when another tab has done so', async () => {
    const ada = await shopper(parley, browser)
    const other = await ada.page.context().newPage()
    await ada.page.goto('/new-payment')
    await pay(ada.page, CARDS.needsConsent)
    await bankButton(ada.page, /complete/i)
    await ada.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await ada.page.getByRole('dialog').waitFor({ state: 'detached' })
    await other.goto('/new-payment')
    await other.getByLabel('Card number').waitFor()
    const held = Promise.withResolvers<undefined>()
    await ada.page.route('**/api/create-payment-intent', async (route) => {
      await held.promise
      await route.continue()
    })
    await ada.page.getByRole('button', { name: 'Pay $9.99' }).click()
    await expectSeen(ada.page, 'Payment status: canceled. Please try again.')
    // Nothing can be paid until the order of the other tab is here, which both share from now on.
    await ada.page.getByRole('button', { name: 'Pay $9.99', disabled: true }).waitFor()
    held.resolve(undefined)
    await pay(ada.page, CARDS.good)
    await ada.page.getByRole('heading', { name: 'Payment Successful' }).waitFor()
    expect(await until('the credits', async () => (await ada.balance()) === 20)).toBe(true)
    expect(await paid(ada)).toHaveLength(1)
  })
})

describe('the network goes', () => {
  test('while the payment is begun: the page says so and begins again', async () => {
    const { page } = await shopper(parley, browser)
    await page.route('**/api/create-payment-intent', (route) => route.abort())
    await page.goto('/new-payment')
    await expectSeen(page, 'Unable to initialize payment. Please try again.')
    await expectSeen(toastOn(page), 'Failed to initialize payment. Please ensure you are logged in.')
    expect(await axeFindings(page)).toEqual([])
    await picture(page, 'payment-not-begun')
    await page.getByRole('link', { name: 'Back to Billing' }).first().waitFor()
    await page.unroute('**/api/create-payment-intent')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByLabel('Card number').waitFor()
  })

  test('after the money moved: the page finds out by itself', async () => {
    const ada = await shopper(parley, browser)
    const { page } = ada
    await page.goto('/new-payment')
    await page.route(CONFIRM, async (route) => {
      await route.fetch()
      await route.abort()
    })
    await pay(page, CARDS.good)
    await page.getByRole('heading', { name: 'Payment Successful' }).waitFor()
    expect(await until('the credits', async () => (await ada.balance()) === 20)).toBe(true)
  })

  test('for longer: the same page, loaded again, is at the same payment', async () => {
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
    expect(await until('the credits', async () => (await ada.balance()) === 20)).toBe(true)
    expect(await paid(ada)).toHaveLength(1)
  })

  test('while the credits are recorded: they come all the same', async () => {
    const ada = await shopper(parley, browser)
    const { page } = ada
    await page.route('**/api/process-payment-success', (route) => route.abort())
    await page.goto('/billing/card-payment?package=light')
    await pay(page, CARDS.good, 'Complete Payment')
    await page.getByRole('heading', { name: 'Payment Processing' }).waitFor()
    await page
      .getByText("Your payment was successful. Credits will be added shortly. If credits don't appear, contact support.")
      .first()
      .waitFor()
    expect(await until('the credits', async () => (await ada.balance()) === 20)).toBe(true)
  })

  test('or the server cannot record them: the new-payment page says it', async () => {
    const { page } = await shopper(parley, browser)
    await page.route('**/api/process-payment-success', (route) => route.abort())
    await page.goto('/new-payment')
    await pay(page, CARDS.good)
    await expectSeen(page, "Payment Successful, contact support if credits don't appear.")
  })

  test.each([
    ['/new-payment', /^Pay/, 'Payment Processed, credits added shortly'],
    ['/billing/card-payment?package=light', 'Complete Payment', 'Payment Received - credits will be added shortly'],
  ])('or the server is too busy to record them: %s says that they come, and they do', async (path, button, said) => {
    const ada = await shopper(parley, browser)
    const { page } = ada
    await page.route('**/api/process-payment-success', (route) =>
      route.fulfill({ status: 503, json: { code: 'unavailable', message: 'Payments cannot be reached at the moment. Please try again.' } }),
    )
    await page.goto(path)
    await pay(page, CARDS.good, button)
    await expectSeen(page, said)
    expect(await until('the credits', async () => (await ada.balance()) === 20)).toBe(true)
  })

  test('or the bank led back from a page of its own, having said no: the success page says it', async () => {
    const { page } = await shopper(parley, browser)
    await page.goto('/billing/success?payment_intent=pi_1&credits=10&redirect_status=failed')
    await page.getByRole('heading', { name: 'Payment Failed' }).waitFor()
    await expectSeen(page, 'Payment could not be processed')
    await page.goto('/billing/success')
    await expectSeen(page, 'This address names no payment.')
    await page.getByRole('link', { name: 'Start Making Calls' }).waitFor()
    expect(await page.getByRole('link', { name: 'Back to Dashboard' }).getAttribute('href')).toBe('/dashboard')
  })
})
