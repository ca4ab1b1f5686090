import { expect, test } from 'vitest'
import { picture } from '../../../standalone/src/browser.ts'
import { joinWorld } from '../testing.ts'
import { CARDS, expectSeen, paid, pay, shopper, toastOn } from './testing.ts'
import { expectBooksInOrder } from '../../../standalone/src/testing.ts'
import { type Person, storedMails, until } from '../../../standalone/src/world.ts'

// Low balance and auto top-up, caused by calls.
// Longer than 20 s: calls run to their time limit before the balance is low.

const { parley, browser } = await joinWorld()

/** Calls that run to their time limit at the same time: one credit per minute. */
async function talk(person: Person, calls: number, minutes: number): Promise<void> {
  const one = async (call: number) => {
    const { id } = await person.place(`+1${202 + call}5550111`, { maxDurationMinutes: minutes })
    expect(await person.ended(id, 60_000)).toMatchObject({ endReason: 'time_limit', creditsCharged: minutes })
  }
  await Promise.all(Array.from({ length: calls }, (_, call) => one(call)))
}

async function warnings({ user }: Person): Promise<string[]> {
  const mails = await storedMails(parley.url)
  return mails.filter(({ to, subject }) => to === user.email && subject.includes('running low')).map(({ text }) => text)
}

test('a low balance is announced on the page and by mail, once each time it falls', { timeout: 180_000 }, async () => {
  const ada = await shopper(parley, browser)
  const { page } = ada
  await page.goto('/dashboard')
  const credits = page.getByRole('region', { name: 'Credits' })
  const notice = page.getByRole('region', { name: 'Low balance' })
  await expectSeen(credits, 'about 10 minutes')
  await talk(ada, 4, 2)
  await expectSeen(notice, 'You have 2 credits left.')
  await expectSeen(credits, 'about 2 minutes')
  await picture(page, 'low-balance-after-a-call')
  await until('the mail', async () => (await warnings(ada)).length === 1)
  await talk(ada, 1, 1)
  await expectSeen(notice, 'You have 1 credit left.')

  await page.goto('/new-payment')
  await pay(page, CARDS.good)
  await expectSeen(credits, 'about 11 minutes')
  await notice.waitFor({ state: 'detached' })
  await talk(ada, 5, 2)
  await expectSeen(notice, 'You have 1 credit left.')
  // The second fall is announced; the call in between was not.
  await until('the second mail', async () => (await warnings(ada)).length >= 2)
  const [second, first, ...more] = await warnings(ada)
  expect(first).toContain('You have 2 credits left, good for about 2 minutes of calling.')
  expect(second).toContain('You have 1 credit left, good for about 1 minute of calling.')
  expect(more).toEqual([])
  expect(ada.complaints).toEqual([])
})

test(
  'auto top-up buys a package when a call brings the balance below the threshold',
  { timeout: 120_000 },
  async () => {
    const ada = await shopper(parley, browser)
    const { page } = ada
    await page.goto('/billing')
    await page.getByRole('link', { name: 'Save a card' }).click()
    await pay(page, CARDS.good, 'Save card')
    await expectSeen(page, 'Card saved')
    await page.getByRole('link', { name: 'Back to Billing' }).first().click()
    await page.getByLabel('Package to buy').click()
    await page.getByRole('option', { name: /^Light/ }).click()
    await page.getByLabel('When the balance falls below').fill('5')
    await page.getByRole('button', { name: 'Turn on' }).click()
    await expectSeen(toastOn(page), 'Light is bought when your balance falls below 5 credits.')
    await page.getByRole('tab', { name: 'Purchases' }).click()
    await expectSeen(page, 'No purchases yet')

    await talk(ada, 5, 1)
    expect(await ada.balance()).toBe(5)
    await talk(ada, 2, 2)
    await until('the purchase', async () => (await ada.balance()) === 11, 40_000)
    const credits = page.getByRole('region', { name: 'Credits' })
    await expectSeen(credits, 'about 11 minutes')
    await expectSeen(page.getByRole('list', { name: /purchases/i }), 'Auto top-up')
    await picture(page, 'auto-top-up-bought')
    expect(await paid(ada)).toMatchObject([{ automatic: true, packageId: 'light', amountCents: 999 }])
    expect(await warnings(ada)).toEqual([])
    await expectBooksInOrder(parley)

    await page.getByRole('button', { name: 'Turn off' }).click()
    await expectSeen(toastOn(page), 'Auto top-up is off')
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('link', { name: 'Save a card' }).waitFor()
    expect(ada.complaints).toEqual([])
  },
)
