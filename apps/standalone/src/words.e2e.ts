import type { UserStats } from '@parley/contract'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { NARROW, visitAs } from './browser.ts'
import { joinWorld } from './screens/testing.ts'
import { chosen, expectTexts, goesTo, open, optionsOf, valueOf } from './reading.ts'
import { CALL_LANGUAGES } from './specified.ts'
import { type Person, signUp } from './world.ts'

// What each screen says, shows first and offers to choose, word for word as it was specified.

/** On a machine that does much else besides. */
const SOON = { timeout: 15_000 }

const { parley, browser } = await joinWorld()
let ada: Person
let page: Page

beforeAll(async () => {
  ada = await signUp(parley.url, 'ada@parley.example')
  for (const callee of ['+12025550100', '+12025550101', '+12025550102']) {
    const { id } = await ada.place(callee, { maxDurationMinutes: 2 })
    await ada.ended(id, 90_000)
  }
  ;({ page } = await visitAs(browser, parley.url, ada))
})

/** One of the four figures of the dashboard. */
const figureOf = (on: Page, name: string) =>
  on
    .getByRole('region', { name: 'Your numbers' })
    .locator('dl > div')
    .filter({ has: on.getByText(name, { exact: true }) })
    .locator('dd')
    .innerText()

const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** What is bought, as the page sums it up below its title. */
const summaryOn = async (on: Page, title: string) =>
  inOneLine(await on.getByRole('region', { name: title }).innerText()).replace(`${title} `, '')

describe('around every screen', () => {
  test('the sidebar leads everywhere, in order, and says who is signed in', async () => {
    await open(page, '/dashboard', 'Dashboard')
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
    expect(
      await links.evaluateAll((all) => all.map((link) => [(link as HTMLElement).innerText.trim(), link.getAttribute('href')])),
    ).toEqual([
      ['Dashboard', '/dashboard'],
      ['Make Call', '/make-call'],
      ['Call History', '/call-history'],
      ['Analytics', '/analytics'],
      ['Contacts', '/contacts'],
      ['Billing', '/billing'],
      ['Settings', '/settings'],
    ])
    await expectTexts(page, ['Ada Lovelace', 'ada@parley.example', 'Sign Out', 'Available Credits'])
    expect(await goesTo(page, 'Buy Credits')).toBe('/credits/purchase')
    const sidebar = page.getByRole('navigation', { name: 'Main' })
    const place = await sidebar.boundingBox()
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await expect.poll(() => page.evaluate(() => scrollY), SOON).toBeGreaterThan(100)
    expect(await sidebar.boundingBox()).toEqual(place)
    await page.setViewportSize(NARROW)
    await expectTexts(page.getByRole('banner'), ['Credits'])
    expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Open the menu' }).click()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    await page.setViewportSize({ width: 1280, height: 800 })
  })
})

/** The page is told of these credits, whatever the account has. */
async function tellCredits(page: Page, credits: { readonly creditBalance: string; readonly creditsHeld?: number }): Promise<void> {
  await page.unroute('**/api/auth/user')
  await page.route('**/api/auth/user', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ json: { ...((await answer.json()) as Record<string, unknown>), ...credits } })
  })
}

describe('calling', () => {
  test('the dashboard: a quick call, four figures, the three latest calls, all calls, and a footer', async () => {
    await open(page, '/dashboard', 'Dashboard')
    await expectTexts(page, [
      'Manage your AI voice calls and monitor your usage',
      'Quick Call',
      'Total Calls',
      'Success Rate',
      'Avg Duration',
      'Credits Used',
      'Recent Activity',
      'Call History',
      'Showing 1 to 3 of 3 calls',
    ])
    await expect.poll(() => page.getByRole('region', { name: 'Recent Activity' }).getByRole('listitem').count(), SOON).toBe(3)
    const { creditsUsed } = await ada.get<UserStats>(`/api/user/${ada.user.id}/stats`)
    await expect.poll(() => figureOf(page, 'Total Calls'), SOON).toBe('3')
    // One of three was answered.
    expect(await figureOf(page, 'Success Rate')).toBe('33%')
    expect(await figureOf(page, 'Avg Duration')).toMatch(/^\d+m \d+s$/)
    expect(await figureOf(page, 'Credits Used')).toBe(String(creditsUsed))
    const footer = page.locator('footer')
    expect(await goesTo(footer, 'Privacy Policy')).toBe('/privacy-policy')
    expect(await goesTo(footer, 'Terms of Service')).toBe('/terms-of-service')
    expect(await goesTo(footer, 'Contact Us')).toMatch(/^mailto:/)
    expect(await goesTo(footer, 'A product of Parley Group')).toMatch(/^https:/)
  })

  test('each figure has a skeleton until it is known', async () => {
    const { page: waiting } = await visitAs(browser, parley.url, ada)
    const held = Promise.withResolvers<void>()
    await waiting.route('**/api/user/*/stats', async (route) => held.promise.then(() => route.continue()))
    await open(waiting, '/dashboard', 'Dashboard')
    const figures = waiting.getByRole('region', { name: 'Your numbers' })
    const skeletons = figures.locator('dd > span[aria-hidden=true]')
    await figures.waitFor()
    expect(await skeletons.count()).toBe(4)
    held.resolve()
    await expect.poll(() => figureOf(waiting, 'Total Calls'), SOON).toBe('3')
    expect(await skeletons.count()).toBe(0)
  })

  test('Make Call has a tab for a single call and one for batch calls', async () => {
    await open(page, '/make-call', 'Make Call')
    const tabs = page.getByRole('tablist', { name: 'One call or many' }).getByRole('tab')
    await page.getByLabel('Phone Number').waitFor()
    expect(await tabs.allInnerTexts()).toEqual(['Single Call', 'Batch Calls'])
    await tabs.last().click()
    await page.getByRole('button', { name: 'Upload contacts' }).waitFor()
    expect(await page.getByLabel('Phone Number').count()).toBe(0)
    await tabs.first().click()
    await page.getByLabel('Phone Number').waitFor()
  })

  test.each([
    ['/dashboard', 'Dashboard', 'Friendly', ['Friendly', 'Professional', 'Casual', 'Formal']],
    ['/make-call', 'Make Call', 'Professional', ['Friendly', 'Professional', 'Casual', 'Formal', 'Empathetic']],
  ])('the form of %s begins with the specified order and refuses what is wrong', async (path, heading, tone, tones) => {
    await tellCredits(page, { creditBalance: '10' })
    await open(page, path, heading)
    // With so few credits as a new account has, the specified length would hold them all.
    expect(await valueOf(page, 'Max Duration (minutes)')).toBe('5')
    await expectTexts(page, ['Shorter than your usual 10, so that credits are left for another call.'])
    await tellCredits(page, { creditBalance: '40' })
    await open(page, path, heading)
    await page.unroute('**/api/auth/user')
    expect(await chosen(page, 'Tone')).toBe(tone)
    expect((await optionsOf(page, 'Tone')).toSorted()).toEqual(tones.toSorted())
    expect(await chosen(page, 'Language')).toBe('Auto-detect from phone prefix')
    expect(await optionsOf(page, 'Language')).toEqual(CALL_LANGUAGES)
    expect(await valueOf(page, 'Max Duration (minutes)')).toBe('10')
    await expectTexts(page, ['Enter the full phone number including country code'])
    await page.getByRole('button', { name: 'Start Call' }).click()
    await expectTexts(page, ['Please fill in all required fields.'])
    await page.getByLabel('Phone Number').fill('+1 202 555 0100')
    await page.getByLabel('Purpose').fill('Book a table')
    await page.getByLabel('Context (JSON)').fill('{"name": ')
    await page.getByRole('button', { name: 'Start Call' }).click()
    await expectTexts(page, ['Invalid JSON in context field. Please check the format.'])
    await page.getByLabel('Max Duration (minutes)').fill('31')
    await page.getByLabel('Context (JSON)').fill('')
    await page.getByRole('button', { name: 'Start Call' }).click()
    await expectTexts(page, ['Enter a whole number from 1 to 30.'])
    const objectives = page.getByLabel('Objectives')
    await objectives.fill('  A table at 7 pm ')
    await objectives.press('Enter')
    await objectives.fill('A table at 7 pm')
    await page.getByRole('button', { name: 'Add objective' }).click()
    const added = page.getByRole('button', { name: 'Remove objective: A table at 7 pm' })
    expect(await added.count()).toBe(1)
    await added.click()
    expect(await added.count()).toBe(0)
    await objectives.fill('A terrace')
    await page.getByRole('button', { name: 'Add objective' }).click()
    await page.getByRole('button', { name: 'Remove objective: A terrace' }).waitFor()
  })

  test('without credits the button says so, and nothing can be started', async () => {
    const { page: poor } = await visitAs(browser, parley.url, ada)
    await tellCredits(poor, { creditBalance: '0', creditsHeld: 0 })
    await poor.goto('/make-call')
    const button = poor.getByRole('button', { name: 'Add Credits to Call' })
    await button.waitFor()
    expect(await button.isDisabled()).toBe(true)
    await expectTexts(poor, ['You have 0 credits. Please purchase credits to start a call.'])
    // Reserved is not gone.
    await poor.route('**/api/user/*/calls/active*', (route) => route.abort())
    await tellCredits(poor, { creditBalance: '0', creditsHeld: 10 })
    await poor.goto('/make-call')
    await expectTexts(poor, [
      'All your 10 credits are reserved by calls in progress. What they do not use comes back when they end.',
      '10 reserved by calls in progress',
    ])
  })

  test('a call that cannot be started says why, in a toast', async () => {
    await open(page, '/make-call', 'Make Call')
    const refusal = { status: 422, json: { code: 'do_not_call', message: 'This number asked not to be called.' } }
    await page.route('**/api/calls', (route) => route.fulfill(refusal), { times: 1 })
    await page.getByLabel('Phone Number').fill('+1 202 555 0100')
    await page.getByLabel('Purpose').fill('Book a table')
    await page.getByRole('button', { name: 'Start Call' }).click()
    await expectTexts(page, ['Error', refusal.json.message])
    await page.route('**/api/calls', (route) => route.abort(), { times: 1 })
    await page.getByRole('button', { name: 'Start Call' }).click()
    await expectTexts(page, ['Error', 'Failed to start call.'])
  })

  test('while a call is being started, its button cannot be pressed again', async () => {
    const { page: eager } = await visitAs(browser, parley.url, ada)
    const held = Promise.withResolvers<void>()
    let orders = 0
    await eager.route('**/api/calls', async (route) => {
      orders++
      await held.promise
      await route.abort()
    })
    await open(eager, '/make-call', 'Make Call')
    await eager.getByLabel('Phone Number').fill('+1 202 555 0100')
    await eager.getByLabel('Purpose').fill('Book a table')
    await eager.getByRole('button', { name: 'Start Call' }).click()
    const starting = eager.getByRole('button', { name: 'Starting Call...' })
    await starting.waitFor()
    expect(await starting.getAttribute('aria-disabled')).toBe('true')
    await starting.click({ force: true })
    held.resolve()
    await expectTexts(eager, ['Failed to start call.'])
    expect(orders).toBe(1)
  })

  test('the history shows who, what, how and when, and opens what was said', async () => {
    await open(page, '/call-history', 'Call History')
    const table = page.getByRole('table')
    for (const column of ['Callee', 'Purpose', 'Status', 'Duration', 'Date', 'Transcript'])
      await table.getByRole('columnheader', { name: column, exact: true }).waitFor()
    await expectTexts(table, ['N/A', 'Completed', 'Failed'])
    await expectTexts(page, ['Showing 1 to 3 of 3 calls'])
    for (const name of ['Previous', 'Next']) expect(await page.getByRole('button', { name }).isDisabled()).toBe(true)
    await table
      .getByText(/^\d+m \d+s$/)
      .first()
      .waitFor()
    expect(await page.getByRole('button', { name: 'Retry call' }).count()).toBe(2)
    expect(await page.getByRole('button', { name: 'Download transcript' }).count()).toBe(1)
    await table.getByText('View', { exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Call details' })
    for (const tab of ['Transcript', 'Details', 'Summary']) await dialog.getByRole('tab', { name: tab, exact: true }).click()
    await dialog.getByRole('tab', { name: 'Transcript', exact: true }).click()
    await expectTexts(dialog, ['Agent', 'Callee'])
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await dialog.waitFor({ state: 'detached' })
    // As wide as md, and a pixel less.
    await page.setViewportSize({ width: 768, height: 800 })
    await table.waitFor()
    await page.setViewportSize({ width: 767, height: 800 })
    await table.waitFor({ state: 'hidden' })
    await page.setViewportSize(NARROW)
    await page.getByText('+1 202 555 0100').filter({ visible: true }).first().click()
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('a call whose words are still being written says that it is processing', async () => {
    const { page: waiting } = await visitAs(browser, parley.url, ada)
    await waiting.route('**/api/user/*/calls?*', async (route) => {
      const answer = await route.fetch()
      const calls = (await answer.json()) as Record<string, unknown>[]
      await route.fulfill({ response: answer, json: calls.map((call) => ({ ...call, transcript: null })) })
    })
    await waiting.goto('/call-history')
    await expect.poll(() => waiting.getByRole('table').getByText('Processing...').count(), SOON).toBe(1)
    expect(await waiting.getByRole('table').getByText('View', { exact: true }).count()).toBe(0)
  })

  test('analytics: summary cards, AI summaries, a search and a status', async () => {
    await open(page, '/analytics', 'Analytics')
    const cards = page.getByRole('region', { name: 'The period in numbers' })
    await expectTexts(cards, ['1 of 3 answered'])
    expect(await cards.getByRole('term').allInnerTexts()).toEqual(['Calls', 'Answer Rate', 'Talk Time', 'Credits Used'])
    await page.getByRole('region', { name: 'AI Call Summary' }).getByRole('heading', { level: 3 }).first().waitFor()
    await page.getByLabel('Search calls').waitFor()
    expect(await chosen(page, 'Status')).toBe('All')
    expect(await optionsOf(page, 'Status')).toEqual(['All', 'Completed', 'Failed', 'In Progress'])
    const list = page.getByRole('region', { name: 'Calls', exact: true })
    for (const [status, found] of [
      ['In Progress', '0 calls'],
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

  test('contacts: a card each, and a dialog that needs a name and a number', async () => {
    await open(page, '/contacts', 'Contacts')
    await page.getByRole('button', { name: 'Add Contact' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add Contact' })
    for (const label of ['Name', 'Phone Number', 'Email', 'Company', 'Title', 'Notes']) await dialog.getByLabel(label).first().waitFor()
    expect(await dialog.getByLabel('Email').getAttribute('type')).toBe('email')
    await page.route('**/api/contacts', (route) => route.abort(), { times: 1 })
    await dialog.getByLabel('Name').fill('Grand Hotel')
    await dialog.getByLabel('Phone Number').fill('+1 202 555 0100')
    await dialog.getByRole('button', { name: 'Add Contact' }).click()
    await expectTexts(page, ['Error', 'Failed to create contact.'])
    const refusal = { status: 409, json: { code: 'conflict', message: 'There is such a contact already.' } }
    await page.route('**/api/contacts', (route) => route.fulfill(refusal), { times: 1 })
    await dialog.getByRole('button', { name: 'Add Contact' }).click()
    await expectTexts(page, ['Error', refusal.json.message])
    await dialog.getByRole('button', { name: 'Add Contact' }).click()
    await page.getByRole('listitem').getByRole('heading', { name: 'Grand Hotel' }).waitFor()
    await page.getByRole('button', { name: 'Edit Grand Hotel' }).click()
    await page.route('**/api/contacts/*', (route) => route.abort(), { times: 1 })
    const change = page.getByRole('dialog', { name: 'Edit Contact' })
    await change.getByLabel('Company').fill('Grand')
    await change.getByRole('button', { name: 'Save' }).click()
    await expectTexts(page, ['Error', 'Failed to update contact.'])
    await change.getByRole('button', { name: 'Save' }).click()
    await change.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Delete Grand Hotel' }).click()
    await expectTexts(page, ['Are you sure you want to delete this contact?'])
    await page.route('**/api/contacts/*', (route) => route.abort(), { times: 1 })
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expectTexts(page, ['Error', 'Failed to delete contact.'])
  })
})

describe('paying', () => {
  test('Billing sells the packages at their prices and counts the last ten days', async () => {
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
    await expect.poll(() => table.getByRole('row').last().innerText(), SOON).toMatch(/^Total\s+3\s+\d+m \d+s\s+[1-9]\d*$/)
  })

  test('the checkout has the second package chosen, and says what is included', async () => {
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
    await expect.poll(() => summaryOn(page, 'Order summary'), SOON).toBe('Pro Credits 75 Bonus +25 Credits in total 100 Total $49.99')
    expect(await goesTo(page, 'Use Credit/Debit Card')).toBe('/billing/card-payment?package=pro')
  })

  test('the pages that take a card lead back to where they came from', async () => {
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
    expect(await summaryOn(page, 'Package summary')).toBe('Premium Base credits 25 Bonus +5 Credits in total 30 Total $19.99')
    await page.goto('/billing/success?payment_intent=pi_test_1&credits=10')
    await expectTexts(page, ['10 Credits Added'])
    expect(await goesTo(page, 'Start Making Calls')).toBe('/make-call')
    expect(await goesTo(page, 'Back to Dashboard')).toBe('/dashboard')
  })
})
