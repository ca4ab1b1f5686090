import { type AutoTopUpState, creditsRoutes } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ADA, axeFindings, bodiesOf, expectTexts, findingsInLooks, openScreen, serve } from '../testing.tsx'
import { hurryReads, lose, toasts } from './testing.tsx'

const { autoTopUp, createSubscription, forgetCard, stopAutoTopUp } = creditsRoutes
const CARD = { brand: 'visa', last4: '4242', expMonth: 3, expYear: 2034 }
const OFF: AutoTopUpState = { settings: null, card: CARD, problem: null }
const ON: AutoTopUpState = { ...OFF, settings: { packageId: 'pro', thresholdCredits: 5 } }

const panel = () => page.getByRole('region', { name: 'Auto top-up' })
const pressIn = async (name: string) => panel().getByRole('button', { name, exact: true }).click()
const threshold = () => panel().getByLabelText('When the balance falls below')

test('without a card links to saving one', async () => {
  serve()
  await openScreen('/billing')
  await expectTexts(
    [
      'Buys a package by itself when you run low, so that no call waits for credits.',
      'It needs a saved card. Saving one costs nothing.',
      'Off',
    ],
    panel(),
  )
  await expect
    .element(panel().getByRole('link', { name: 'Save a card' }))
    .toHaveAttribute('href', '/billing/card-payment?save=card')
})

test('with a card starts at the default package and threshold, and turns on with the chosen ones', async () => {
  const api = serve()
  api.answer(autoTopUp, OFF)
  api.answer(createSubscription, { packageId: 'light', thresholdCredits: 7 })
  await openScreen('/billing')
  await expectTexts(['Visa ending in 4242', 'expires 03/34', 'In credits'], panel())
  await expect
    .element(panel().getByRole('link', { name: 'Replace' }))
    .toHaveAttribute('href', '/billing/card-payment?save=card')
  await expect.element(threshold()).toHaveValue(3)
  await expect
    .element(panel().getByRole('combobox', { name: 'Package to buy' }))
    .toHaveTextContent('Premium: 30 credits, $19.99')
  await panel().getByRole('combobox', { name: 'Package to buy' }).click()
  await page.getByRole('option', { name: 'Light: 10 credits, $9.99' }).click()
  await threshold().fill('7')
  const letGo = api.hold(createSubscription)
  await pressIn('Turn on')
  await expect.element(panel().getByRole('button', { name: 'Turn on' })).toHaveAttribute('aria-disabled', 'true')
  letGo()
  await expectTexts(['Auto top-up is on', 'Light is bought when your balance falls below 7 credits.'], toasts())
  await expectTexts(['On', 'Save changes', 'Turn off'], panel())
  expect(bodiesOf(api.requests(createSubscription))).toEqual([{ packageId: 'light', thresholdCredits: 7 }])
  expect(await findingsInLooks()).toEqual([])
})

test.each(['', '0', '2000', '1.5'])(
  'a threshold of %j shows an error at its field and sends no request',
  async (typed) => {
    const api = serve()
    api.answer(autoTopUp, OFF)
    await openScreen('/billing')
    await threshold().fill(typed)
    await pressIn('Turn on')
    await expectTexts(['Enter a whole number from 1 to 1,000.'], panel())
    await expect.element(threshold()).toHaveAttribute('aria-invalid', 'true')
    expect(api.requests(createSubscription)).toEqual([])
  },
)

test('when on, shows its settings, can be changed and turned off', async () => {
  const api = serve()
  api.answer(autoTopUp, ON)
  api.answer(createSubscription, { packageId: 'pro', thresholdCredits: 20 })
  api.answer(stopAutoTopUp, OFF)
  await openScreen('/billing')
  await expect.element(threshold()).toHaveValue(5)
  await expect
    .element(panel().getByRole('combobox', { name: 'Package to buy' }))
    .toHaveTextContent('Pro: 100 credits, $49.99')
  await threshold().fill('20')
  await pressIn('Save changes')
  await expectTexts(['Pro is bought when your balance falls below 20 credits.'], toasts())
  await expect.element(threshold()).toHaveValue(20)
  const letGo = api.hold(stopAutoTopUp)
  await pressIn('Turn off')
  await expect.element(panel().getByRole('button', { name: 'Turn off' })).toHaveAttribute('aria-disabled', 'true')
  letGo()
  await expectTexts(['Auto top-up is off'], toasts())
  await expectTexts(['Off', 'Turn on', 'Visa ending in 4242'], panel())
  expect(api.requests(stopAutoTopUp)[0]?.params).toEqual({ id: ADA.id })
})

test('shows why the last top-up failed', async () => {
  const api = serve()
  api.answer(autoTopUp, { ...ON, problem: 'The card was declined.' })
  await openScreen('/billing')
  await expectTexts(['The card was declined.'], panel().getByRole('alert'))
  expect(await axeFindings()).toEqual([])
})

describe('failed request', () => {
  test.each([
    ['Turn on', createSubscription, OFF],
    ['Save changes', createSubscription, ON],
    ['Turn off', stopAutoTopUp, ON],
  ] as const)('of %s shows the server’s message or the default one', async (button, route, state) => {
    const api = serve()
    api.answer(autoTopUp, state)
    api.refuse(route, 'unavailable', { message: 'Cards are not taken at the moment.' })
    await openScreen('/billing')
    await pressIn(button)
    await expectTexts(['Error', 'Cards are not taken at the moment.'], toasts())
    lose(api, route)
    await pressIn(button)
    await expectTexts(['Auto top-up could not be changed.'], toasts())
    await expect
      .element(panel().getByRole('button', { name: button, exact: true }))
      .not.toHaveAttribute('aria-disabled')
  })
})

describe('saved card', () => {
  const dialog = () => page.getByRole('alertdialog', { name: 'Remove the saved card?' })

  test('is removed after confirmation', async () => {
    const api = serve()
    api.answer(autoTopUp, ON)
    api.answer(forgetCard, { settings: null, card: null, problem: null })
    await openScreen('/billing')
    await pressIn('Remove')
    await expectTexts(['Auto top-up is switched off with it. You can save a card again at any time.'], dialog())
    expect(await axeFindings()).toEqual([])
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    await expect.element(dialog()).not.toBeInTheDocument()
    expect(api.requests(forgetCard)).toEqual([])
    await pressIn('Remove')
    const letGo = api.hold(forgetCard)
    await dialog().getByRole('button', { name: 'Remove' }).click()
    await expect.element(dialog().getByRole('button', { name: 'Remove' })).toHaveAttribute('aria-disabled', 'true')
    letGo()
    await expectTexts(['Card removed'], toasts())
    await expectTexts(['It needs a saved card. Saving one costs nothing.', 'Off'], panel())
    expect(api.requests(forgetCard)).toHaveLength(1)
  })

  test('a failed removal shows the reason and keeps the card', async () => {
    const api = serve()
    api.answer(autoTopUp, ON)
    api.refuse(forgetCard, 'unavailable', { message: 'Cards are not reached at the moment.' })
    await openScreen('/billing')
    await pressIn('Remove')
    await dialog().getByRole('button', { name: 'Remove' }).click()
    await expectTexts(['Error', 'Cards are not reached at the moment.'], toasts())
    await expect.element(dialog()).toBeVisible()
    await expectTexts(['Visa ending in 4242'])
  })
})

test('a failed load of auto top-up offers a retry', async () => {
  await hurryReads()
  const api = serve()
  lose(api, autoTopUp)
  await openScreen('/billing')
  await expectTexts(['Your auto top-up could not be loaded'], panel().getByRole('alert'))
  expect(await axeFindings()).toEqual([])
  api.answer(autoTopUp, OFF)
  await pressIn('Try again')
  await expectTexts(['Visa ending in 4242'], panel())
})
