import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectText, NARROW, picture, visit, visitAs } from '../../../standalone/src/browser.ts'
import { openParley } from '../testing.ts'
import { type Person, signUp } from '../../../standalone/src/world.ts'

// Longer than 20 s: networks fail and come back, with every prefetched screen loaded.

const OFFLINE = 'You are offline. This page continues when you reconnect.'
const AWAY = 'The server does not answer. Trying again…'
const BACK = 'You are connected again.'

/** For a busy machine. */
const SOON = { timeout: 40_000 }

const { parley, browser } = await openParley({ SANDBOX_SPEED: '10' })
let person: Person

beforeAll(async () => {
  person = await signUp(parley.url, 'shell@parley.example')
})

async function member(path: string, options: Parameters<typeof visitAs>[3] = {}): Promise<Page> {
  const { page } = await visitAs(browser, parley.url, person, options)
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '')

describe('landing page', () => {
  test('is readable without JavaScript', async () => {
    const { page } = await visit(browser, parley.url, { javaScriptEnabled: false })
    await page.goto('/')
    await page.getByRole('heading', { level: 1, name: 'Welcome to Parley' }).waitFor()
    await expectText(page, 'Half past eight would be possible.')
    await page.getByRole('link', { name: 'Get Started for Free' }).waitFor()
    await page.getByRole('link', { name: 'Sign In' }).waitFor()
    const seen = await page
      .getByText('possible.')
      .last()
      .evaluate((word) => getComputedStyle(word).opacity)
    expect(seen).toBe('1')
    await page.context().close()
  })
})

describe('navigation', () => {
  test('sets tab title, scroll position and focus, and restores the scroll position on back', async () => {
    const page = await member('/dashboard', { viewport: NARROW })
    await expect.poll(() => page.title(), SOON).toBe('Dashboard · Parley')
    await page.waitForLoadState('networkidle')
    await page.getByRole('heading', { name: 'Call History' }).scrollIntoViewIfNeeded()
    await page.getByRole('button', { name: 'Open the menu' }).click()
    await page.getByRole('dialog', { name: 'Menu' }).waitFor()
    const left = await page.evaluate(() => scrollY)
    expect(left).toBeGreaterThan(300)
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    await expect.poll(() => page.title(), SOON).toBe('Settings · Parley')
    await expect.poll(() => focused(page), SOON).toBe('Settings')
    expect(await page.evaluate(() => scrollY)).toBe(0)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.goBack()
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
    await expect.poll(() => page.evaluate(() => scrollY), SOON).toBe(left)
    await page.context().close()
  })
})

describe('lost connection', () => {
  test('keeps typed values, and loads the missing code when the network is back', async () => {
    const page = await member('/dashboard')
    await page.getByLabel('Purpose').waitFor()
    await page.context().setOffline(true)
    await page.getByLabel('Phone Number').fill('+12025550100')
    await page.getByLabel('Purpose').fill('Ask for a table')
    await page.getByRole('button', { name: 'Start Call' }).click()
    await page.getByRole('combobox', { name: 'Language', exact: true }).click()
    await expectText(page, OFFLINE)
    expect(await page.getByLabel('Purpose').inputValue()).toBe('Ask for a table')
    await page.context().setOffline(false)
    await page.getByText('Failed to start call.').first().waitFor(SOON)
    expect(await page.getByLabel('Purpose').inputValue()).toBe('Ask for a table')

    await page.goto('/contacts')
    await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Add Contact' }).first().click()
    await expectText(page, OFFLINE)
    expect(await page.getByRole('heading', { name: 'Contacts', level: 1 }).count()).toBe(1)
    await page.context().setOffline(false)
    await page.getByRole('dialog').waitFor(SOON)
    await page.context().close()
  })

  test('leaves prefetched screens usable', async () => {
    const { page } = await visitAs(browser, parley.url, person)
    const ahead = page.waitForResponse((response) => /Settings-.*\.js$/.test(response.url()), { timeout: 45_000 })
    await page.goto('/dashboard')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await ahead
    await page.waitForLoadState('networkidle')
    await page.context().setOffline(true)
    await page.getByRole('navigation').first().getByRole('link', { name: 'Analytics' }).click()
    await page.getByRole('heading', { name: 'Analytics', level: 1 }).waitFor()
    await expectText(page, OFFLINE)
    await page.context().setOffline(false)
    await expectText(page, BACK)
    await page.context().close()
  })

  test('to the server is noticed without input, and the page recovers by itself', async () => {
    const page = await member('/call-history', { viewport: NARROW })
    await parley.kill('main', 'voice', 'postgres')
    await page.getByText(AWAY).waitFor({ timeout: 45_000 })
    await picture(page, 'server-gone-narrow', false)
    const readAgain = page.waitForResponse((response) => response.url().includes('/calls?') && response.ok(), {
      timeout: 90_000,
    })
    await parley.start()
    await readAgain
    await page.getByText(AWAY).waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe('/call-history')
    await page.context().close()
  }, 150_000)
})
