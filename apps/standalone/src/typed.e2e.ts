import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectText, NARROW, press, SEEN, visitAs } from './browser.ts'
import { joinWorld } from './screens/testing.ts'
import { signUp } from './world.ts'

// What a person has typed or opened does not go because a key, a link or a clock came in between.

const { parley, browser } = await joinWorld()

const PASSWORD = 'correct horse battery'
const purposeOn = (page: Page) => page.getByLabel('Purpose')

describe('what was typed for a call', () => {
  test('is there again after another screen and a new sign-in, and for nobody else', async () => {
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
    // Another form has words of its own.
    await page.getByRole('link', { name: 'Make Call' }).first().click()
    await page.getByRole('heading', { name: 'Make Call', level: 1 }).waitFor()
    expect(await purposeOn(page).inputValue()).toBe('')

    // The session ends elsewhere; the next press of a button leads to the way in.
    await page.goBack()
    await page.getByText('A table by the window').waitFor()
    await page.request.get('/api/logout')
    // The line may notice before anybody presses.
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

    // Whoever comes next to this page finds nothing of it.
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
  }, 120_000)

  test('starts from what the settings say, where they say something', async () => {
    const ada = await signUp(parley.url, 'defaults@parley.example')
    const { page } = await visitAs(browser, parley.url, ada)
    const expectDefaults = async (path: string, tone: string, minutes: string) => {
      await page.goto(path)
      await expect.poll(() => page.getByRole('combobox', { name: 'Tone' }).innerText(), SEEN).toBe(tone)
      await expect.poll(() => page.getByLabel('Max Duration').inputValue(), SEEN).toBe(minutes)
    }
    // Ten minutes where nothing is said, of which ten credits leave five.
    await expectDefaults('/dashboard', 'Friendly', '5')
    await expectDefaults('/make-call', 'Professional', '5')
    await ada.send('PUT', `/api/user/${ada.user.id}/settings`, { defaultTone: 'formal', defaultMaxDurationMinutes: 3 })
    await expectDefaults('/dashboard', 'Formal', '3')
    await expectDefaults('/make-call', 'Formal', '3')
    await page.context().close()
  }, 60_000)

  test('and a call to make again with changes are still there after a glance at the other tab', async () => {
    const ada = await signUp(parley.url, 'glance@parley.example')
    const objectives = ['A table at 7 pm', 'Vegetarian menu']
    const call = await ada.place('+12025550101', { objectives, maxDurationMinutes: 1 })
    await ada.ended(call.id, 60_000)
    const { page, complaints } = await visitAs(browser, parley.url, ada)
    await page.goto(`/make-call?from=${call.id}`)
    const [first, second] = objectives.map((each) => page.getByRole('button', { name: `Remove objective: ${each}` }))
    await second!.waitFor()
    await page.getByRole('tab', { name: 'Batch Calls' }).click()
    await page.getByRole('button', { name: 'Upload contacts' }).waitFor()
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ from: call.id, tab: 'batch' })
    await page.getByRole('tab', { name: 'Single Call' }).click()
    await second!.waitFor()
    expect(await page.getByLabel('Phone Number').inputValue()).toBe(call.callee)
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ from: call.id, tab: 'single' })

    // What takes itself away leaves the focus to the next.
    const hasFocus = (button: Locator) => button.evaluate((each) => each === document.activeElement)
    await first!.click()
    await expect.poll(() => hasFocus(second!), SEEN).toBe(true)
    await second!.click()
    await expect.poll(() => hasFocus(page.getByRole('button', { name: 'Add objective' })), SEEN).toBe(true)
    await page.getByRole('tab', { name: 'Batch Calls' }).click()
    await page.getByRole('tab', { name: 'Single Call' }).click()
    await page.getByLabel('Phone Number').waitFor()
    expect(await first!.count()).toBe(0)
    expect(complaints).toEqual([])
    await page.context().close()
  }, 60_000)

  test('comes back when a template has taken its place by mistake', async () => {
    const { page } = await visitAs(browser, parley.url, await signUp(parley.url, 'undo@parley.example'))
    await page.goto('/make-call')
    await page.getByRole('button', { name: 'Reserve a table' }).click()
    await expect.poll(() => purposeOn(page).inputValue(), SEEN).toContain('Reserve a table')
    // Nothing had been typed: there is nothing to say.
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    await purposeOn(page).fill('Ask for the lost umbrella.')
    await page.getByRole('button', { name: 'Send a reminder' }).click()
    await expectText(page, 'The template has taken the place of what you had typed.')
    await press(page, 'Undo')
    await expect.poll(() => purposeOn(page).inputValue(), SEEN).toBe('Ask for the lost umbrella.')
    await page.context().close()
  }, 60_000)
})

describe('what is said', () => {
  test('is read and pressed over whatever lies over the screen; a number that is refused is led to', async () => {
    const { page } = await visitAs(browser, parley.url, await signUp(parley.url, 'over@parley.example'), { viewport: NARROW })
    // What says it is fetched in a quiet moment.
    const toaster = page.waitForResponse((response) => /Toaster-.*\.js$/.test(response.url()))
    await page.goto('/contacts')
    await page.getByRole('button', { name: 'Add Contact' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add Contact' })
    await dialog.getByLabel('Name').fill('Ruiz')
    await dialog.getByLabel('Phone').fill('+1 202 555 0100')
    await toaster
    await page.context().setOffline(true)
    await dialog.getByRole('button', { name: 'Add Contact' }).click()
    // A click arrives only at what nothing else covers.
    await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Close' }).click()
    await expectText(page, 'You are offline. This goes on by itself when you are back.')
    await dialog.waitFor()
    await page.context().setOffline(false)

    await page.goto('/make-call')
    await page.getByLabel('Phone Number').fill('2025550100')
    await purposeOn(page).fill('Ask about lunch')
    await press(page, 'Start Call')
    await expect.poll(() => page.getByLabel('Phone Number').evaluate((field) => field === document.activeElement), SEEN).toBe(true)
    await page.context().close()
  }, 60_000)

  test('gives the focus back to where it was before the first of two dialogs', async () => {
    const { page } = await visitAs(browser, parley.url, await signUp(parley.url, 'focus@parley.example'))
    await page.goto('/make-call')
    for (const purpose of ['Ask about lunch', 'Ask about dinner']) {
      await page.getByLabel('Phone Number').fill('+1 202 555 0101')
      await purposeOn(page).fill(purpose)
      await press(page, 'Start Call')
      const view = page.getByRole('dialog', { name: 'Call to +1 202 555 0101' })
      const atThisHour = page.getByRole('button', { name: 'Call anyway' })
      await view.or(atThisHour).waitFor()
      if (await atThisHour.isVisible()) await atThisHour.click()
      await view
        .getByText('Busy')
        .first()
        .waitFor({ timeout: 20_000 })
        .catch(() => undefined)
      await page.keyboard.press('Escape')
      await view.waitFor({ state: 'detached' })
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent), SEEN).toMatch(/Start Call|Add Credits/)
    }
    await page.context().close()
  }, 90_000)
})

describe('a step back', () => {
  test('closes what lies over the screen, and only then leaves the screen', async () => {
    const { page, complaints } = await visitAs(browser, parley.url, await signUp(parley.url, 'typed-back@parley.example'), {
      viewport: NARROW,
    })
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

    // The same on a page of which this screen is the first, scrolled as it was; and then the page is left at once.
    await page.goto('/contacts')
    await page.goto('/dashboard')
    // What comes in late makes the page longer.
    await page.waitForLoadState('networkidle')
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
  }, 60_000)
})
