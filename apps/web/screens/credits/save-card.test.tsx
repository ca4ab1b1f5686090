import { creditsRoutes } from '@parley/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  axeFindings,
  bodiesOf,
  expectTexts,
  type FakeApi,
  findingsInLooks,
  openScreen,
  press,
  serve,
} from '../testing.tsx'
import { bankAsks, intent, isAlready, lose, pay, type Processor, processor } from './testing.tsx'

// Saving a card for auto top-up, without a payment.

const { createSetupIntent, saveCard } = creditsRoutes
const PATH = '/billing/card-payment?save=card'
const KEPT = { settings: null, card: { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2034 }, problem: null }
const FAILED = 'The card could not be saved. Please try again.'

let api: FakeApi
let bank: Processor
const main = () => page.getByRole('main')

beforeEach(() => {
  api = serve()
  bank = processor(api)
  api.answer(saveCard, KEPT)
})

async function expectSaved(): Promise<void> {
  await expectTexts(['Card saved', 'You can switch auto top-up on now.'], main())
  await expect.element(main().getByRole('link', { name: 'Back to Billing' }).last()).toHaveAttribute('href', '/billing')
}

test('a saved card leads back to Billing', async () => {
  await openScreen(PATH)
  await expect.element(page.getByRole('heading', { name: 'Save a card', level: 1 })).toBeVisible()
  await expectTexts(['For auto top-up. Nothing is charged now.'])
  await expect.element(page.getByLabelText('Card number')).toBeVisible()
  expect(await findingsInLooks()).toEqual([])
  await pay('Save card')
  await expectSaved()
  expect(await axeFindings()).toEqual([])
  expect(bank.cards.map(({ path }) => path)).toEqual(['/v1/setup_intents/seti_1/confirm'])
  expect(bodiesOf(api.requests(saveCard))).toEqual([{ setupIntentId: 'pi_1' }])
})

test('3-D Secure asks to keep the card, without an amount', async () => {
  bank.onCard(bankAsks)
  bank.onLook(bankAsks)
  await openScreen(PATH)
  await pay('Save card')
  const dialog = page.getByRole('dialog', { name: 'Your bank asks for your consent' })
  await expectTexts(['Confirm that Parley may keep your card.'], dialog)
  bank.onLook(() => intent('succeeded'))
  await expectSaved()
})

test('a canceled setup intent is replaced by a new one', async () => {
  bank.onCard(() => isAlready('canceled'))
  await openScreen(PATH)
  await pay('Save card')
  await expectTexts([/Payment status: canceled\. Please try again\./], page.getByRole('alert'))
  await expect.poll(() => api.requests(createSetupIntent)).toHaveLength(2)
  bank.onCard(() => intent('succeeded'))
  await pay('Save card')
  await expectSaved()
})

describe('a failure shows the server’s message or the default one, and can be retried', () => {
  test('when creating the setup intent', async () => {
    api.refuse(createSetupIntent, 'unavailable', { message: 'Cards are not taken at the moment.' })
    await openScreen(PATH)
    await expectTexts(['Cards are not taken at the moment.'], page.getByRole('alert'))
    lose(api, createSetupIntent)
    await press('Try again')
    await expectTexts([FAILED], page.getByRole('alert'))
    expect(await axeFindings()).toEqual([])
    api.answer(createSetupIntent, { clientSecret: 'seti_2_secret_2' })
    await press('Try again')
    await expect.element(page.getByLabelText('Card number')).toBeVisible()
  })

  test('when saving the card, without sending the card twice', async () => {
    api.refuse(saveCard, 'conflict', { message: 'This card was refused.' })
    await openScreen(PATH)
    await pay('Save card')
    await expectTexts(['This card was refused.'], page.getByRole('alert'))
    lose(api, saveCard)
    await press('Try again')
    await expectTexts([FAILED], page.getByRole('alert'))
    api.answer(saveCard, KEPT)
    await press('Try again')
    await expectSaved()
    expect(bank.cards).toHaveLength(1)
  })
})
