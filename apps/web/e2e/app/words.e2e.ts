import type { UserStats } from '@parley/contract'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { visitAs } from '../../../standalone/src/browser.ts'
import { joinWorld } from '../testing.ts'
import { expectTexts, goesTo, open } from '../reading.ts'
import { type Person, signUp } from '../../../standalone/src/world.ts'

// Texts and numbers of the screens after three calls, and of the packages.

/** For a busy machine. */
const SOON = { timeout: 40_000 }

const { parley, browser } = await joinWorld()
let ada: Person
let page: Page

beforeAll(async () => {
  ada = await signUp(parley.url, 'ada@parley.example')
  const calls = ['+12025550100', '+12025550101', '+12025550102'].map(async (callee) => {
    const { id } = await ada.place(callee, { maxDurationMinutes: 2 })
    await ada.ended(id, 90_000)
  })
  await Promise.all(calls)
  ;({ page } = await visitAs(browser, parley.url, ada))
})

/** One of the four numbers of the dashboard. */
const figureOf = (on: Page, name: string) =>
  on
    .getByRole('region', { name: 'Your numbers' })
    .locator('dl > div')
    .filter({ has: on.getByText(name, { exact: true }) })
    .locator('dd')
    .innerText()

const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** The summary below its title, in one line. */
const summaryOn = async (on: Page, title: string) =>
  inOneLine(await on.getByRole('region', { name: title }).innerText()).replace(`${title} `, '')

describe('calls', () => {
  // screens.md: dashboard-counts-three-calls
  test('the dashboard counts three calls and lists them as recent activity and history', async () => {
    await open(page, '/dashboard', 'Dashboard')
    await expectTexts(page, ['Showing 1 to 3 of 3 calls'])
    await expect
      .poll(() => page.getByRole('region', { name: 'Recent Activity' }).getByRole('listitem').count(), SOON)
      .toBe(3)
    const { creditsUsed } = await ada.get<UserStats>(`/api/user/${ada.user.id}/stats`)
    await expect.poll(() => figureOf(page, 'Total Calls'), SOON).toBe('3')
    // One of three calls was answered.
    expect(await figureOf(page, 'Success Rate')).toBe('33%')
    expect(await figureOf(page, 'Avg Duration')).toMatch(/^\d+m \d+s$/)
    expect(await figureOf(page, 'Credits Used')).toBe(String(creditsUsed))
  })

  // screens.md: history-opens-said-table
  test('the history opens the call details, and is a table from 768 px', async () => {
    await open(page, '/call-history', 'Call History')
    const table = page.getByRole('table')
    await expectTexts(page, ['Showing 1 to 3 of 3 calls'])
    expect(await page.getByRole('button', { name: 'Retry call' }).count()).toBe(2)
    expect(await page.getByRole('button', { name: 'Download transcript' }).count()).toBe(1)
    await table.getByText('View', { exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Call details' })
    for (const tab of ['Transcript', 'Details', 'Summary'])
      await dialog.getByRole('tab', { name: tab, exact: true }).click()
    await dialog.getByRole('tab', { name: 'Transcript', exact: true }).click()
    await expectTexts(dialog, ['Agent', 'Callee'])
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await dialog.waitFor({ state: 'detached' })
    // md begins at 768 px.
    await page.setViewportSize({ width: 768, height: 800 })
    await table.waitFor()
    await page.setViewportSize({ width: 767, height: 800 })
    await table.waitFor({ state: 'hidden' })
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  // screens.md: analytics-count-answered-sum
  test('analytics count answered calls, show summaries and filter by status', async () => {
    await open(page, '/analytics', 'Analytics')
    const cards = page.getByRole('region', { name: 'The period in numbers' })
    await expectTexts(cards, ['1 of 3 answered'])
    await page.getByRole('region', { name: 'AI Call Summary' }).getByRole('heading', { level: 3 }).first().waitFor()
    const list = page.getByRole('region', { name: 'Calls', exact: true })
    for (const [status, found] of [
      ['Failed', '2 calls'],
      ['Completed', '1 call'],
    ] as const) {
      await page.getByRole('combobox', { name: 'Status', exact: true }).click()
      await page.getByRole('option', { name: status }).click()
      await list.getByText(found, { exact: true }).waitFor()
    }
    await list.getByRole('button', { name: /^View the call to/ }).click()
    await page.getByRole('dialog', { name: 'Call details' }).getByRole('tab', { name: 'Transcript' }).waitFor()
    await page.keyboard.press('Escape')
  })
})

describe('payments', () => {
  // screens.md: billing-sells-packages-their
  test('Billing shows the packages with prices and the usage of the last 10 days', async () => {
    await open(page, '/billing', 'Billing and Usage')
    await expectTexts(page, [
      '$9.99',
      '$19.99',
      '$49.99',
      '$1.00 per credit',
      '$0.67 per credit',
      '$0.50 per credit',
      'Most Popular',
      'Enterprise',
    ])
    for (const name of ['Light', 'Premium', 'Pro'])
      expect(await goesTo(page, `Buy ${name}`)).toBe(`/new-payment?package=${name.toLowerCase()}`)
    await page.getByRole('button', { name: 'Contact Sales' }).waitFor()
    await page.getByRole('tab', { name: 'Usage History' }).click()
    const table = page.getByRole('table', { name: 'Calls by the day they ended, last 10 days' })
    await expectTexts(table, ['Date', 'Calls', 'Duration', 'Credits'])
    await expect
      .poll(() => table.getByRole('row').last().innerText(), SOON)
      .toMatch(/^Total\s+3\s+\d+m \d+s\s+[1-9]\d*$/)
  })

  // screens.md: checkout-second-package-chosen
  test('the checkout preselects the second package and lists what is included', async () => {
    await open(page, '/checkout', 'Checkout')
    await expectTexts(page, [
      "What's Included",
      'AI-powered voice calls',
      'Real-time call monitoring',
      'Secure and encrypted',
      'No monthly fees',
    ])
    const packages = page.getByRole('radiogroup', { name: 'Credit packages' }).getByRole('radio')
    await packages.first().waitFor()
    expect((await packages.allInnerTexts()).map(inOneLine)).toEqual([
      '10 credits Light. For the calls you keep putting off. $9.99',
      '25 credits +5 bonus Most Popular Premium. For people who call every week. $19.99',
      '75 credits +25 bonus Pro. For teams that work through a list. $49.99',
    ])
    expect(await page.getByRole('radio', { name: /25 credits/ }).isChecked()).toBe(true)
    expect(await summaryOn(page, 'Order summary')).toBe('Premium Credits 25 Bonus +5 Credits in total 30 Total $19.99')
    expect(await goesTo(page, 'Use Credit/Debit Card')).toBe('/billing/card-payment?package=premium')
    await page.getByRole('radio', { name: /75 credits/ }).click()
    await expect
      .poll(() => summaryOn(page, 'Order summary'), SOON)
      .toBe('Pro Credits 75 Bonus +25 Credits in total 100 Total $49.99')
    expect(await goesTo(page, 'Use Credit/Debit Card')).toBe('/billing/card-payment?package=pro')
  })

  // screens.md: pages-take-card-lead
  test('card pages link back to the page they came from', async () => {
    await open(page, '/credits/purchase', 'Purchase Credits')
    expect(await goesTo(page, 'Back to Billing')).toBe('/billing')
    await page.goto('/billing/card-payment?package=pro')
    await page.getByRole('button', { name: 'Complete Payment' }).waitFor()
    expect(await goesTo(page, 'Back to Checkout')).toBe('/checkout')
    expect(await summaryOn(page, 'Order summary')).toBe('Pro Credits 75 Bonus +25 Credits in total 100 Total $49.99')
    await page.goto('/new-payment')
    await page.getByRole('button', { name: 'Pay $9.99' }).waitFor()
    expect(await summaryOn(page, 'Package summary')).toBe('Light Base credits 10 Total $9.99')
    await page.goto('/new-payment?package=premium')
    await page.getByRole('button', { name: 'Pay $19.99' }).waitFor()
    expect(await summaryOn(page, 'Package summary')).toBe(
      'Premium Base credits 25 Bonus +5 Credits in total 30 Total $19.99',
    )
    await page.goto('/billing/success?payment_intent=pi_test_1&credits=10')
    await expectTexts(page, ['10 Credits Added'])
    expect(await goesTo(page, 'Start Making Calls')).toBe('/make-call')
    expect(await goesTo(page, 'Back to Dashboard')).toBe('/dashboard')
  })
})
