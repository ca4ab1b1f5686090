import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectText, NARROW, press, SEEN, visitAs } from '../../../standalone/src/browser.ts'
import { joinWorld } from '../testing.ts'
import { signUp } from '../../../standalone/src/world.ts'

// Typed values and open dialogs survive a key press, a link and a lost session.

const { parley, browser } = await joinWorld()

const PASSWORD = 'correct horse battery'
const purposeOn = (page: Page) => page.getByLabel('Purpose')

describe('typed values of the call form', () => {
  test('survive navigation and a new sign-in, and are not shown to another user', async () => {
    const ada = await signUp(parley.url, 'typed@parley.example', PASSWORD)
    const { page, complaints } = await visitAs(browser, parley.url, ada)
    await page.goto('/dashboard')
    await page.getByLabel('Phone Number').fill('+1 202 555 0100')
    await purposeOn(page).fill('Ask for a table for four.')
    await page.getByLabel('Objectives').fill('A table by the window')
    await press(page, 'Add objective')
    await page.getByRole('link', { name: 'Settings' }).first().click()
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    await page.goBack()
    await page.getByText('A table by the window').waitFor()
    expect(await purposeOn(page).inputValue()).toBe('Ask for a table for four.')
    // Each form keeps its own values.
    await page.getByRole('link', { name: 'Make Call' }).first().click()
    await page.getByRole('heading', { name: 'Make Call', level: 1 }).waitFor()
    expect(await purposeOn(page).inputValue()).toBe('')

    // The session ends elsewhere; the next request leads to the landing page.
    await page.goBack()
    await page.getByText('A table by the window').waitFor()
    await page.request.get('/api/logout')
    // The socket may notice the lost session before the click.
    await page
      .getByRole('button', { name: 'Start Call' })
      .click({ timeout: 3000 })
      .catch(() => undefined)
    await page.getByRole('link', { name: 'Sign In' }).first().click()
    await page.getByLabel('Email address').fill('typed@parley.example')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await press(page, 'Sign In')
    await page.waitForURL('**/dashboard')
    await page.getByText('A table by the window').waitFor()
    expect(await page.getByLabel('Phone Number').inputValue()).toBe('+1 202 555 0100')

    // Another user of this page must not see the values.
    await press(page, 'Sign Out')
    await page.waitForURL(parley.url + '/')
    await signUp(parley.url, 'typed-next@parley.example', PASSWORD)
    await page.getByRole('link', { name: 'Sign In' }).first().click()
    await page.getByLabel('Email address').fill('typed-next@parley.example')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await press(page, 'Sign In')
    await page.waitForURL('**/dashboard')
    await page.getByLabel('Phone Number').waitFor()
    expect(await purposeOn(page).inputValue()).toBe('')
    expect(await page.getByText('A table by the window').count()).toBe(0)
    expect(complaints).toEqual([])
    await page.context().close()
  })
})

describe('the back button', () => {
  test('closes menu and dialog before it leaves the screen', async () => {
    const { page, complaints } = await visitAs(
      browser,
      parley.url,
      await signUp(parley.url, 'typed-back@parley.example'),
      {
        viewport: NARROW,
      },
    )
    await page.goto('/dashboard')
    await press(page, 'Open the menu')
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Contacts' }).click()
    await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor()
    await press(page, 'Open the menu')
    await page.getByRole('dialog', { name: 'Menu' }).waitFor()
    await page.goBack()
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Add Contact' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add Contact' })
    await dialog.getByLabel('Name').fill('Ruiz')
    await dialog.getByLabel('Phone').fill('+1 202 555 0100')
    await dialog.getByLabel('Email').fill('ruiz at home')
    await dialog.getByRole('button', { name: 'Add Contact' }).click()
    await expectText(page, 'Please enter a valid email address')
    await page.goBack()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => new URL(page.url()).pathname, SEEN).toBe('/contacts')
    await page.goBack()
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()

    // The same when this screen is the first of the page's history, with its scroll position; then back leaves the
    // page.
    await page.goto('/contacts')
    await page.goto('/dashboard')
    // Late content changes the length of the page.
    await page.waitForLoadState('networkidle')
    await page.waitForFunction(() => document.querySelector('main') && !document.querySelector('[aria-busy="true"]'))
    await page.getByRole('heading', { name: 'Call History' }).scrollIntoViewIfNeeded()
    const left = await page.evaluate(() => scrollY)
    for (let time = 0; time < 2; time++) {
      await press(page, 'Open the menu')
      await page.getByRole('dialog', { name: 'Menu' }).waitFor()
      await page.goBack()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    expect(new URL(page.url()).pathname).toBe('/dashboard')
    expect(await page.evaluate(() => scrollY)).toBe(left)
    await page.goBack()
    await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })
})
