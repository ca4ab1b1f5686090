import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { axeFindings, expectText, NARROW, picture, press, SEEN, undoByKeys, visitAs } from './browser.ts'
import { joinWorld } from './screens/testing.ts'
import { PAGE_OF_CALLS, READ_RETRIES, TOASTS, TOOLTIPS } from './specified.ts'
import { openDatabase } from './testing.ts'
import { type Person, signUp, until } from './world.ts'

const CALLS = 120
const CONTACTS = 230
const PAYMENTS = 60
const { parley, browser } = await joinWorld()
let person: Person

beforeAll(async () => {
  person = await signUp(parley.url, 'history@parley.example')
  await fill(person.user.id)
})

/** Calls as they are when they have ended, the first the newest; every tenth was busy. */
async function fill(userId: string): Promise<void> {
  const database = await openDatabase(parley)
  await database.pool.query(
    `insert into call (id, user_id, callee, purpose, objectives, tone, voice_id, max_duration_minutes, context, language, on_behalf_of, record,
       status, phase, stage_at, heard_at, outcomes, transcript, summary, duration_seconds, credits_held, credits_charged, end_reason, end_message,
       created_at, connected_at, completed_at)
     select 'call-' || n, $1, '+12025550100', 'Call number ' || n, '[]', 'friendly', 'default', 5, '{}', 'en', 'Ada', false,
       case when n % 10 = 0 then 'failed' else 'completed' end, 'ended', at, at, '[]', case when n % 10 = 0 then null else 'Agent: Hello.' end,
       null, 60, 5, 1, case when n % 10 = 0 then 'busy' else 'agent_closed' end, 'The line was busy.', at, at, at
     from (select n, date_trunc('milliseconds', now() - make_interval(mins => n)) as at from generate_series(1, $2::int) n) as made`,
    [userId, CALLS],
  )
  await database.pool.query(
    `insert into contact (id, user_id, name, phone, created_at)
     select 'contact-' || n, $1, 'Person ' || n, '+1202555' || lpad(n::text, 4, '0'), now() - make_interval(secs => n)
     from generate_series(1, $2::int) n`,
    [userId, CONTACTS],
  )
  await database.pool.query(
    `insert into payment (id, intent_id, user_id, package_id, credits, bonus_credits, amount_cents, captured_cents, status, created_at, paid_at)
     select 'payment-' || n, 'pi_' || n, $1, 'light', 10, 0, 999, 999, 'succeeded', at, at
     from (select n, now() - make_interval(days => n) as at from generate_series(1, $2::int) n) as made`,
    [userId, PAYMENTS],
  )
  await database.close()
}

/** One of them may have been tried again. */
const firstPage = /^Showing 1 to 50 of 12\d calls$/

const purposes = (page: Page) => page.getByRole('table').getByText(/^Call number \d+$/)

describe('the history', () => {
  test('comes in pages of fifty, forth and back', async () => {
    const { page, complaints } = await visitAs(browser, parley.url, person)
    await page.goto('/call-history')
    await expectText(page, 'Showing 1 to 50 of 120 calls')
    const [previous, next] = [page.getByRole('button', { name: 'Previous' }), page.getByRole('button', { name: 'Next' })]
    expect(await previous.isDisabled()).toBe(true)
    const held = Promise.withResolvers<void>()
    await page.route('**/calls?*cursor=*', async (route) => held.promise.then(() => route.continue()), { times: 1 })
    await next.click()
    await page.locator('[aria-busy=true]').first().waitFor()
    await expectText(page, 'Showing 1 to 50 of 120 calls')
    held.resolve()
    await expectText(page, 'Showing 51 to 100 of 120 calls')
    expect(await purposes(page).first().innerText()).toBe('Call number 51')
    await next.click()
    await expectText(page, 'Showing 101 to 120 of 120 calls')
    expect(await purposes(page).count()).toBe(20)
    expect(await next.isDisabled()).toBe(true)
    await previous.click()
    await previous.click()
    await expectText(page, 'Showing 1 to 50 of 120 calls')
    expect(await purposes(page).count()).toBe(PAGE_OF_CALLS)
    const time = page.getByRole('table').locator('time').nth(4)
    expect(await time.innerText()).toMatch(/^\d+ minutes? ago$/)
    expect(await time.getAttribute('title')).toMatch(/\d{4}.*\d{1,2}:\d{2}/)
    expect(complaints).toEqual([])
  }, 60_000)

  test('stands on the dashboard as well, where its three latest calls are the recent activity', async () => {
    const { page, complaints } = await visitAs(browser, parley.url, person)
    await page.goto('/dashboard')
    await expectText(page, 'Showing 1 to 50 of 120 calls')
    const recent = page.getByRole('region', { name: 'Recent Activity' }).getByRole('listitem')
    await expect
      .poll(() => recent.getByText(/^Call number/).allInnerTexts(), SEEN)
      .toEqual(['Call number 1', 'Call number 2', 'Call number 3'])
    expect(complaints).toEqual([])
  })

  test('goes on under the details of one of them, which stay when a newer call takes its place on the list', async () => {
    const ada = await signUp(parley.url, 'pushed@parley.example')
    const busy = async (purpose: string) => ada.ended((await ada.place('+12025550101', { purpose, maxDurationMinutes: 1 })).id)
    for (const purpose of ['Ask first', 'Ask second', 'Ask third']) await busy(purpose)
    const { page, complaints } = await visitAs(browser, parley.url, ada)
    await page.goto('/dashboard')
    const recent = page.getByRole('region', { name: 'Recent Activity' }).getByRole('listitem')
    await recent.filter({ hasText: 'Ask first' }).getByRole('button').click()
    const dialog = page.getByRole('dialog', { name: 'Call details' })
    await dialog.getByRole('tab', { name: 'Details', exact: true }).click()
    await dialog.getByText('Ask first', { exact: true }).waitFor()
    await busy('Ask fourth')
    const lines = page.locator('[aria-labelledby=recent-activity] li')
    await expect.poll(() => lines.allInnerTexts(), SEEN).toContainEqual(expect.stringContaining('Ask fourth'))
    expect(await lines.filter({ hasText: 'Ask first' }).count()).toBe(0)
    expect(await dialog.getByText('Ask first', { exact: true }).isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    // So do those of a call that words have found.
    await page.goto('/analytics')
    await page.getByLabel('Search calls').fill('Ask second')
    await expectText(page, '1 call')
    await page.getByRole('region', { name: 'Calls' }).last().getByRole('listitem').getByRole('button').click()
    await dialog.getByRole('tab', { name: 'Details', exact: true }).click()
    await dialog.getByText('Ask second', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    expect(complaints).toEqual([])
  }, 90_000)

  test('is cards on a phone, each leading to its call; a failed call is tried again with its own order', async () => {
    const { page, complaints } = await visitAs(browser, parley.url, person, { viewport: NARROW })
    await page.goto('/call-history')
    await expectText(page, 'Showing 1 to 50 of 120 calls')
    expect(await page.getByRole('table').count()).toBe(0)
    await picture(page, 'history-long-narrow', false)
    await page
      .getByRole('button', { name: /^View the call to/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog', { name: 'Call details' })
    await dialog.getByRole('tab', { name: 'Details', exact: true }).click()
    await dialog.getByText('Call number 1', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    const retry = page.getByRole('button', { name: 'Retry call' }).first()
    const placed = page.waitForResponse((response) => response.request().method() === 'POST' && response.url().endsWith('/api/calls'))
    await retry.click()
    await undoByKeys(page)
    await expectText(page, 'Not called')
    const before = Date.now()
    await retry.click()
    expect(await placed.then(() => Date.now() - before)).toBeGreaterThan(4900)
    const again = (await (await placed).json()) as { id: string }
    expect(again).toMatchObject({ purpose: 'Call number 10', maxDurationMinutes: 5, tone: 'friendly' })
    await person.send('PATCH', `/api/calls/${again.id}`, { action: 'stop' })
    await person.ended(again.id)
    expect(complaints).toEqual([])
  }, 90_000)

  test('while it loads, when it is empty, and when it cannot be read', async () => {
    const stranger = await signUp(parley.url, 'empty@parley.example')
    const { page } = await visitAs(browser, parley.url, stranger)
    let letThrough: (() => void) | undefined
    await page.route('**/api/user/*/calls?*', async (route) => {
      await new Promise<void>((resolve) => (letThrough = resolve))
      await route.continue()
    })
    await page.goto('/call-history')
    await page.locator('main [aria-busy=true]').first().waitFor()
    await picture(page, 'history-loading-wide', false)
    await until('the request', async () => letThrough !== undefined)
    letThrough?.()
    await expectText(page, 'No calls yet')
    await page.getByRole('link', { name: 'Make a call' }).waitFor()
    await page.unroute('**/api/user/*/calls?*')

    let asked = 0
    let isDown = true
    await page.route('**/api/user/*/calls?*', async (route) => {
      asked++
      await (isDown ? route.fulfill({ status: 503, body: '' }) : route.continue())
    })
    await page.reload()
    await expectText(page, 'Your calls could not be loaded')
    expect(asked).toBe(1 + READ_RETRIES)
    await picture(page, 'history-failed-wide', false)
    isDown = false
    await press(page, 'Try again')
    await expectText(page, 'No calls yet')
    expect(asked).toBe(2 + READ_RETRIES)
  }, 60_000)

  test('is not read again while it is fresh, nor for the focus alone; a read without a session is not repeated', async () => {
    const { page } = await visitAs(browser, parley.url, person)
    const asked: string[] = []
    page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
    const times = (path: string) => asked.filter((each) => each.endsWith(path)).length
    await page.goto('/call-history')
    await page.getByText(firstPage).waitFor()
    await page.getByRole('link', { name: 'Contacts' }).click()
    await page.getByRole('heading', { name: 'Person 1', exact: true }).waitFor()
    const before = times('/auth/user')
    await page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    await until('the session to be asked for', async () => times('/auth/user') > before)
    await page.getByRole('link', { name: 'Call History' }).click()
    await page.getByText(firstPage).waitFor()
    expect(times('/calls')).toBe(1)
    expect(times('/contacts')).toBe(1)

    await page.route('**/api/user/*/calls?*', (route) =>
      route.fulfill({ status: 401, json: { code: 'unauthenticated', message: 'Sign in.' } }),
    )
    await press(page, 'Next')
    await until('the session to be asked for after the refusal', async () => times('/auth/user') > before + 1)
    await until('the answer', async () => (await page.locator('main [aria-busy=true]').count()) === 0)
    expect(times('/calls')).toBe(2)
  }, 60_000)
})

describe('lists beyond 200', () => {
  test('contacts go on, a page at a time, to the last one', async () => {
    const { page, complaints } = await visitAs(browser, parley.url, person)
    await page.goto('/contacts')
    await expectText(page, '230 contacts')
    const more = page.getByRole('button', { name: 'Show more contacts' })
    const cards = page.locator('main ul > li').filter({ has: page.getByRole('heading', { level: 2 }) })
    for (const shown of [100, 150, 200, 230]) {
      await more.click()
      await until(`${shown} cards`, async () => (await cards.count()) === shown)
    }
    expect(await more.count()).toBe(0)
    await page.getByRole('heading', { name: 'Person 230' }).waitFor({ state: 'attached' })
    await page.getByLabel('Search contacts').fill('Person 100')
    await until('one card', async () => (await cards.count()) === 1)
    expect(complaints).toEqual([])
  }, 60_000)

  test('the calls of analytics go on as well, also those that words find', async () => {
    const { page, complaints } = await visitAs(browser, parley.url, person)
    await page.goto('/analytics')
    const list = page.getByRole('region', { name: 'Calls' }).last()
    const rows = page.locator('main').getByText(/^Call number \d+$/)
    await until('fifty', async () => (await rows.count()) === PAGE_OF_CALLS)
    await list.getByRole('button', { name: /^Show more/ }).click()
    await until('a hundred', async () => (await rows.count()) === 2 * PAGE_OF_CALLS)
    await page.getByLabel('Search calls').fill('NUMBER 11')
    await expectText(page, '11 calls')
    await until('those alone', async () => (await rows.count()) === 11)
    expect(complaints).toEqual([])
  }, 60_000)
})

test('analytics say whose days and hours they show, and what is wrong with days that they cannot show', async () => {
  const ada = await signUp(parley.url, 'zone@parley.example')
  await ada.ended((await ada.place('+12025550101', { maxDurationMinutes: 1 })).id)
  const { page, complaints } = await visitAs(browser, parley.url, ada)
  await page.goto('/analytics')
  await expectText(page, 'Days and hours are those of the time zone UTC. Change it in Settings')
  await page.getByRole('combobox', { name: 'Period' }).click()
  await page.getByRole('option', { name: 'Other days' }).click()
  const [from, until] = [page.getByLabel('From'), page.getByLabel('Until')]
  const [first, last] = [await from.inputValue(), await until.inputValue()]
  const yearsLater = (date: string, years: number) =>
    date.replace(/^\d+/, (year) => String(Number(year) + years)).replace('-02-29', '-02-28')
  await from.fill(yearsLater(last, 1))
  await expectText(page, 'This day lies before the first one')
  await from.fill(yearsLater(last, -2))
  await expectText(page, 'At most 366 days can be shown')
  expect(await axeFindings(page)).toEqual([])
  await picture(page, 'analytics-too-long-wide', false)
  await from.fill(first)
  await page.getByText('At most 366 days can be shown').waitFor({ state: 'detached' })
  await page.setViewportSize(NARROW)
  await picture(page, 'analytics-own-days-narrow')

  await page.getByRole('link', { name: 'Change it in Settings' }).click()
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  await page.getByRole('combobox', { name: 'Timezone' }).click()
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click()
  await press(page, 'Save Profile')
  await expectText(page, 'Profile Updated')
  await page.goBack()
  await expectText(page, 'Days and hours are those of the time zone Asia/Tokyo. Change it in Settings')
  expect(complaints).toEqual([])
}, 60_000)

test('purchases come in pages too; while the next one is on its way, the last one stands there under its own numbers', async () => {
  const { page, complaints } = await visitAs(browser, parley.url, person)
  await page.goto('/billing')
  await page.getByRole('tab', { name: 'Purchases' }).click()
  await expectText(page, 'Showing 1 to 50 of 60')
  const held = Promise.withResolvers<void>()
  await page.route('**/payments?*cursor=*', async (route) => held.promise.then(() => route.continue()), { times: 1 })
  await press(page, 'Older')
  await page.locator('main ul[aria-busy=true]').waitFor()
  await expectText(page, 'Showing 1 to 50 of 60')
  held.resolve()
  await expectText(page, 'Showing 51 to 60 of 60')
  expect(await page.getByRole('list', { name: 'Your purchases, newest first' }).getByRole('listitem').count()).toBe(10)
  await press(page, 'Newer')
  await expectText(page, 'Showing 1 to 50 of 60')
  expect(complaints).toEqual([])
})

describe('toasts and tooltips', () => {
  /** The page's time stands still from now on, until it is told to go on. */
  async function stopTime(page: Page): Promise<void> {
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
  }

  /** Off what has a tip, step by step: the first may still lead to the tip itself. */
  async function leave(page: Page): Promise<void> {
    let step = 10
    await until('the tip to go', async () => {
      await page.mouse.move(step++, 10)
      return (await page.getByRole('tooltip').count()) === 0
    })
  }

  test('there is one toast at a time, for five seconds; it waits under the pointer and the focus, and goes by swipe or Escape', async () => {
    const { page, complaints } = await visitAs(browser, parley.url, person)
    await page.goto('/make-call')
    // The first one brings its code along.
    await press(page, 'Start Call')
    const toast = page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')
    await toast.waitFor()
    await page.keyboard.press('Escape')
    await toast.waitFor({ state: 'detached' })
    await stopTime(page)
    const show = async () => {
      await press(page, 'Start Call')
      await toast.waitFor()
    }

    await show()
    await page.clock.runFor(TOASTS.durationMs - 100)
    expect(await toast.count()).toBe(1)
    await page.clock.runFor(200)
    await toast.waitFor({ state: 'detached' })

    await show()
    await page.getByLabel('Phone Number').fill('+1 202 555 0100')
    await page.getByLabel('Purpose').fill('Ask')
    await page.getByLabel('Context').fill('{')
    await press(page, 'Start Call')
    await toast.getByText('Invalid JSON in context field. Please check the format.').waitFor()
    expect(await toast.count()).toBe(TOASTS.limit)

    await toast.hover()
    await page.clock.runFor(4 * TOASTS.durationMs)
    expect(await toast.count()).toBe(1)
    await page.mouse.move(10, 10)
    await page.clock.runFor(TOASTS.durationMs + 100)
    await toast.waitFor({ state: 'detached' })

    await show()
    await page.keyboard.press(TOASTS.hotkey)
    expect(await toast.evaluate((item) => item.parentElement === document.activeElement)).toBe(true)
    await page.clock.runFor(4 * TOASTS.durationMs)
    expect(await toast.count()).toBe(1)
    await page.keyboard.press('Escape')
    await toast.waitFor({ state: 'detached' })

    await show()
    const box = (await toast.boundingBox())!
    const [x, y] = [box.x + 120, box.y + box.height / 2]
    const swipe = async (px: number) => {
      await page.mouse.move(x, y)
      await page.mouse.down()
      for (const part of [0.25, 0.5, 0.75, 1]) await page.mouse.move(x + px * part, y)
      await page.mouse.up()
    }
    await swipe(TOASTS.swipeThresholdPx - 10)
    expect(await toast.count()).toBe(1)
    await swipe(TOASTS.swipeThresholdPx + 10)
    await toast.waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  }, 90_000)

  test('a tooltip comes after 700 ms; the next one at once, as long as no more than 300 ms lie between them', async () => {
    const { page, complaints } = await visitAs(browser, parley.url, person)
    await page.goto('/call-history')
    const icons = page.getByRole('button', { name: 'Download transcript' })
    await icons.first().waitFor()
    await stopTime(page)
    const tip = page.getByRole('tooltip')
    await icons.nth(0).hover()
    await page.clock.runFor(TOOLTIPS.delayMs - 50)
    expect(await tip.count()).toBe(0)
    await page.clock.runFor(100)
    await tip.waitFor({ state: 'attached' })

    await leave(page)
    await page.clock.runFor(TOOLTIPS.skipDelayMs - 100)
    await icons.nth(3).hover()
    await tip.waitFor({ state: 'attached' })

    await leave(page)
    await page.clock.runFor(TOOLTIPS.skipDelayMs + 100)
    await icons.nth(0).hover()
    await page.clock.runFor(TOOLTIPS.delayMs - 50)
    expect(await tip.count()).toBe(0)
    expect(complaints).toEqual([])
  }, 60_000)
})
