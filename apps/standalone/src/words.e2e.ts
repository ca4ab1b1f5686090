import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NARROW, openBrowser, visit, visitAs } from './browser.ts'
import { chosen, expectTexts, goesTo, open, optionsOf, valueOf } from './reading.ts'
import { CALL_LANGUAGES, CAPABILITIES, SETTINGS_LANGUAGES, TIMEZONES, VOICES } from './specified.ts'
import { type Person, type Running, runParley, signUp } from './testing.ts'

// What each screen says, shows first and offers to choose, word for word as it was specified.

let parley: Running
let browser: Browser
let ada: Person
let page: Page

beforeAll(async () => {
  parley = await runParley({ SANDBOX_SPEED: '20' })
  browser = await openBrowser()
  ada = await signUp(parley.url, 'ada@parley.example')
  for (const callee of ['+12025550100', '+12025550101', '+12025550102']) {
    const { id } = await ada.place(callee, { maxDurationMinutes: 2 })
    await ada.ended(id, 90_000)
  }
  ;({ page } = await visitAs(browser, parley.url, ada))
})
afterAll(async () => {
  await browser.close()
  await parley.dispose()
})

describe('for visitors', () => {
  test('the landing page has its ways in and its seven capabilities, one every three seconds', async () => {
    const { page: visitor } = await visit(browser, parley.url, { reducedMotion: 'no-preference' })
    await visitor.goto('/')
    await expectTexts(visitor, ['Welcome to Parley', 'Get Started for Free', 'Sign In', 'Continue with Google'])
    expect(await visitor.getByText('Continue with Apple').count()).toBe(0)
    expect(await goesTo(visitor, 'Get Started for Free')).toBe('/register')
    expect(await goesTo(visitor, 'Sign In')).toBe('/login')
    expect(await goesTo(visitor, 'Privacy Policy')).toBe('/privacy-policy')
    expect(await goesTo(visitor, 'Terms of Service')).toBe('/terms-of-service')
    expect(await goesTo(visitor, 'Contact Us')).toMatch(/^mailto:/)
    for (const capability of CAPABILITIES) await visitor.getByText(capability, { exact: true }).filter({ visible: true }).first().waitFor()
  })

  test('signing in and registering ask for what they need, and lead to each other', async () => {
    const { page: visitor } = await visit(browser, parley.url)
    await visitor.goto('/login')
    await expectTexts(visitor, ['Continue with Google', 'Forgot your password?', "Didn't receive verification email?"])
    expect(await visitor.getByLabel('Email address').getAttribute('type')).toBe('email')
    for (const label of ['Email address', 'Password'])
      expect(await visitor.getByLabel(label, { exact: true }).evaluate((input: HTMLInputElement) => input.required)).toBe(true)
    expect(await visitor.getByRole('link', { name: 'Create an account' }).getAttribute('href')).toBe('/register')
    await visitor.goto('/register')
    for (const label of ['Full name', 'Email address', 'Password', 'Confirm password'])
      await visitor.getByLabel(label, { exact: true }).waitFor()
    await expectTexts(visitor, ['Continue with Google'])
    expect(await goesTo(visitor, 'Sign In')).toBe('/login')
  })

  test('the legal pages say what was agreed', async () => {
    const { page: visitor } = await visit(browser, parley.url)
    const says = async (path: string, sentences: readonly RegExp[]) => {
      await visitor.goto(path)
      await visitor.getByRole('heading', { level: 1 }).waitFor()
      const text = await visitor.locator('body').innerText()
      for (const sentence of sentences) expect(text).toMatch(sentence)
    }
    await says('/terms-of-service', [
      /Effective 28\/07\/2025/,
      /at least 18 years old/,
      /spam calling/,
      /illegal calls/,
      /harassment, threats/,
      /fraud/,
      /suspen/,
      /non-refundable/,
      /record/,
      /as is/i,
      /termination/,
      /England and Wales/,
    ])
    await says('/privacy-policy', [
      /last updated.* 2025/i,
      /identity/i,
      /contact/i,
      /transcripts, recordings and metadata|transcripts, recordings, metadata/i,
      /usage/i,
      /technical/i,
      /transaction/i,
      /communications/i,
      /legitimate interests/i,
      /performance of/i,
      /consent/i,
      /rectif|correct/i,
      /eras/i,
      /port/i,
      /solely on automated/i,
      /object/i,
      /@/,
    ])
  })
})

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
    await page.setViewportSize(NARROW)
    await expectTexts(page.getByRole('banner'), ['Credits'])
    expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Open the menu' }).click()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    await page.setViewportSize({ width: 1280, height: 800 })
  })
})

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
    await expect.poll(() => page.getByRole('region', { name: 'Recent Activity' }).getByRole('listitem').count()).toBe(3)
    const footer = page.locator('footer')
    expect(await goesTo(footer, 'Privacy Policy')).toBe('/privacy-policy')
    expect(await goesTo(footer, 'Terms of Service')).toBe('/terms-of-service')
    expect(await goesTo(footer, 'Contact Us')).toMatch(/^mailto:/)
    expect(await goesTo(footer, 'A product of Parley Group')).toMatch(/^https:/)
  })

  test.each([
    ['/dashboard', 'Dashboard', 'Friendly', ['Friendly', 'Professional', 'Casual', 'Formal']],
    ['/make-call', 'Make Call', 'Professional', ['Friendly', 'Professional', 'Casual', 'Formal', 'Empathetic']],
  ])('the form of %s begins with the specified order and refuses what is wrong', async (path, heading, tone, tones) => {
    await open(page, path, heading)
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
  })

  test('without credits the button says so, and nothing can be started', async () => {
    const { page: poor } = await visitAs(browser, parley.url, ada)
    await poor.route('**/api/auth/user', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ json: { ...((await answer.json()) as Record<string, unknown>), creditBalance: '0' } })
    })
    await poor.goto('/make-call')
    const button = poor.getByRole('button', { name: 'Add Credits to Call' })
    await button.waitFor()
    expect(await button.isDisabled()).toBe(true)
    await expectTexts(poor, ['You have 0 credits. Please purchase credits to start a call.'])
  })

  test('a call that cannot be started says why, in a toast', async () => {
    await open(page, '/make-call', 'Make Call')
    await page.route('**/api/calls', (route) => route.abort(), { times: 1 })
    await page.getByLabel('Phone Number').fill('+1 202 555 0100')
    await page.getByLabel('Purpose').fill('Book a table')
    await page.getByRole('button', { name: 'Start Call' }).click()
    await expectTexts(page, ['Error', 'Failed to start call.'])
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
    const dialog = page.getByRole('dialog')
    for (const tab of ['Transcript', 'Details', 'Summary']) await dialog.getByRole('tab', { name: tab, exact: true }).click()
    await dialog.getByRole('tab', { name: 'Transcript', exact: true }).click()
    await expectTexts(dialog, ['Agent', 'Callee'])
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await dialog.waitFor({ state: 'detached' })
    await page.setViewportSize(NARROW)
    await table.waitFor({ state: 'hidden' })
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
    await expect.poll(() => waiting.getByRole('table').getByText('Processing...').count()).toBe(1)
    expect(await waiting.getByRole('table').getByText('View', { exact: true }).count()).toBe(0)
  })

  test('analytics: summary cards, AI summaries, a search and a status', async () => {
    await open(page, '/analytics', 'Analytics')
    await expectTexts(page, ['AI Call Summary', 'Calls', 'Credits Used'])
    await page.getByLabel('Search calls').waitFor()
    expect(await chosen(page, 'Status')).toBe('All')
    expect(await optionsOf(page, 'Status')).toEqual(['All', 'Completed', 'Failed', 'In Progress'])
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
    await dialog.getByRole('button', { name: 'Add Contact' }).click()
    await page.getByRole('button', { name: 'Edit Grand Hotel' }).click()
    await page.route('**/api/contacts/*', (route) => route.abort(), { times: 1 })
    await page.getByRole('dialog').getByLabel('Company').fill('Grand')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await expectTexts(page, ['Failed to update contact.'])
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Delete Grand Hotel' }).click()
    await expectTexts(page, ['Are you sure you want to delete this contact?'])
    await page.route('**/api/contacts/*', (route) => route.abort(), { times: 1 })
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expectTexts(page, ['Failed to delete contact.'])
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
    expect(await page.getByRole('link', { name: 'Buy Light' }).getAttribute('href')).toBe('/new-payment?package=light')
    await page.getByRole('button', { name: 'Contact Sales' }).waitFor()
    await page.getByRole('tab', { name: 'Usage History' }).click()
    await expectTexts(page.getByRole('table'), ['Date', 'Calls', 'Duration', 'Credits', 'Total'])
  })

  test('the checkout has the second package chosen, and says what is included', async () => {
    await open(page, '/checkout', 'Checkout')
    await expectTexts(page, [
      '+5 bonus',
      '+25 bonus',
      'Most Popular',
      "What's Included",
      'AI-powered voice calls',
      'Real-time call monitoring',
      'Secure and encrypted',
      'No monthly fees',
      'Order summary',
    ])
    expect(await page.getByRole('radio', { name: /25 credits/ }).isChecked()).toBe(true)
    expect(await goesTo(page, 'Use Credit/Debit Card')).toBe('/billing/card-payment?package=premium')
  })

  test('the pages that take a card lead back to where they came from', async () => {
    await open(page, '/credits/purchase', 'Purchase Credits')
    expect(await goesTo(page, 'Back to Billing')).toBe('/billing')
    await page.goto('/billing/card-payment?package=pro')
    await page.getByRole('button', { name: 'Complete Payment' }).waitFor()
    expect(await goesTo(page, 'Back to Checkout')).toBe('/checkout')
    await page.goto('/new-payment')
    await page.getByRole('button', { name: 'Pay $9.99' }).waitFor()
    await page.goto('/new-payment?package=premium')
    await expectTexts(page, ['Base credits', 'Bonus', 'Credits in total', 'Total'])
    await page.goto('/billing/success?payment_intent=pi_test_1&credits=10')
    await expectTexts(page, ['10 Credits Added'])
    expect(await goesTo(page, 'Start Making Calls')).toBe('/make-call')
    expect(await goesTo(page, 'Back to Dashboard')).toBe('/dashboard')
  })
})

describe('settings', () => {
  test('are four cards with their fields, options and defaults', async () => {
    await open(page, '/settings', 'Settings')
    await expectTexts(page, ['Profile Information', 'Call Defaults', 'Notifications', 'Security', 'Danger Zone'])
    for (const label of ['Full Name', 'Email Address', 'Phone Number', 'Company', 'Webhook URL'])
      await page.getByLabel(label, { exact: true }).waitFor()
    expect(await page.getByLabel('Email Address').getAttribute('type')).toBe('email')
    expect(await page.getByLabel('Phone Number').getAttribute('type')).toBe('tel')
    expect(await page.getByLabel('Webhook URL').getAttribute('type')).toBe('url')
    expect(await chosen(page, 'Timezone')).toBe('UTC')
    expect(await optionsOf(page, 'Timezone')).toEqual(TIMEZONES)
    expect(await chosen(page, 'Default Tone')).toBe('Professional')
    expect((await optionsOf(page, 'Default Tone')).toSorted()).toEqual(['Casual', 'Empathetic', 'Formal', 'Friendly', 'Professional'])
    expect(await valueOf(page, 'Max Call Duration (minutes)')).toBe('10')
    const minutes = page.getByLabel('Max Call Duration (minutes)')
    expect([await minutes.getAttribute('min'), await minutes.getAttribute('max')]).toEqual(['1', '30'])
    expect(await optionsOf(page, 'Default Voice')).toEqual(VOICES)
    expect(await chosen(page, 'Default Language')).toBe('English')
    expect(await optionsOf(page, 'Default Language')).toEqual(SETTINGS_LANGUAGES)
    expect(await page.getByRole('switch', { name: 'Auto-detect language' }).isChecked()).toBe(true)
    expect(await page.getByRole('switch', { name: 'Email Notifications' }).isChecked()).toBe(true)
    for (const name of ['Save Profile', 'Save Call Settings', 'Generate New', 'Delete Account'])
      await page.getByRole('button', { name, exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Sign Out' }).count()).toBeGreaterThanOrEqual(2)
  })
})
