import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectText, press, SEEN, visitAs } from '../../../standalone/src/browser.ts'
import { joinWorld } from '../testing.ts'
import { openDatabase } from '../../../standalone/src/testing.ts'
import { type Person, signUp, until } from '../../../standalone/src/world.ts'

// Longer than 20 s: lists of many pages are scrolled to their ends.

/** From the specification. */
const PAGE_OF_CALLS = 50
const CALLS = 120
const CONTACTS = 230
const PAYMENTS = 60
const { parley, browser } = await joinWorld()
let person: Person

beforeAll(async () => {
  person = await signUp(parley.url, 'history@parley.example')
  await fill(person.user.id)
})

/** Inserts ended calls, newest first; every tenth was busy. */
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
    // Canceled payments only: other files check the ledger of this database.
    `insert into payment (id, intent_id, user_id, package_id, credits, bonus_credits, amount_cents, captured_cents, status, automatic, created_at)
     select 'payment-' || n, 'pi_' || n, $1, 'light', 10, 0, 999, 0, 'canceled', true, now() - make_interval(days => n)
     from generate_series(1, $2::int) n`,
    [userId, PAYMENTS],
  )
  await database.close()
}

const purposes = (page: Page) => page.getByRole('table').getByText(/^Call number \d+$/)

describe('call history', () => {
  // screens.md: comes-pages-fifty-forth
  test('is paged by 50, forward and back', async () => {
    const { page, complaints } = await visitAs(browser, parley.url, person)
    await page.goto('/call-history')
    await expectText(page, 'Showing 1 to 50 of 120 calls')
    const [previous, next] = [
      page.getByRole('button', { name: 'Previous' }),
      page.getByRole('button', { name: 'Next' }),
    ]
    expect(await previous.isDisabled()).toBe(true)
    await next.click()
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
    expect(complaints).toEqual([])
  })

  // screens.md: stands-dashboard-well-where
  test('on the dashboard shows the 3 latest calls as recent activity', async () => {
    const { page, complaints } = await visitAs(browser, parley.url, person)
    await page.goto('/dashboard')
    await expectText(page, 'Showing 1 to 50 of 120 calls')
    const recent = page.getByRole('region', { name: 'Recent Activity' }).getByRole('listitem')
    await expect
      .poll(() => recent.getByText(/^Call number/).allInnerTexts(), SEEN)
      .toEqual(['Call number 1', 'Call number 2', 'Call number 3'])
    expect(complaints).toEqual([])
  })
})

describe('lists of more than 200 items', () => {
  test('contacts load page by page to the last one', async () => {
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
  })

  // screens.md: calls-analytics-go-well
  test('calls of analytics load page by page, also when filtered by text', async () => {
    const { page, complaints } = await visitAs(browser, parley.url, person)
    await page.goto('/analytics')
    const list = page.getByRole('region', { name: 'Calls' }).last()
    const rows = page.locator('main').getByText(/^Call number \d+$/)
    await expect.poll(() => rows.count(), SEEN).toBe(PAGE_OF_CALLS)
    await list.getByRole('button', { name: /^Show more/ }).click()
    await expect.poll(() => rows.count(), SEEN).toBe(2 * PAGE_OF_CALLS)
    await page.getByLabel('Search calls').fill('NUMBER 11')
    await expectText(page, '11 calls')
    await expect.poll(() => rows.count(), SEEN).toBe(11)
    expect(complaints).toEqual([])
  })
})

test('purchases are paged; the previous page stays, marked busy, while the next one loads', async () => {
  const { page, complaints } = await visitAs(browser, parley.url, person)
  await page.goto('/billing')
  await page.getByRole('tab', { name: 'Purchases' }).click()
  await expectText(page, 'Showing 1 to 50 of 60')
  const held = Promise.withResolvers<void>()
  await page.route('**/payments?*cursor=*', async (route) => held.promise.then(() => route.continue()), { times: 1 })
  await press(page, 'Older')
  await page.locator('main [aria-busy=true] ul').waitFor()
  await expectText(page, 'Showing 1 to 50 of 60')
  held.resolve()
  await expectText(page, 'Showing 51 to 60 of 60')
  expect(await page.getByRole('list', { name: 'Your purchases, newest first' }).getByRole('listitem').count()).toBe(10)
  await press(page, 'Newer')
  await expectText(page, 'Showing 1 to 50 of 60')
  expect(complaints).toEqual([])
})

// screens.md: live-line-all-screens
test('all screens share one live socket; a call that ends refetches stats and user', async () => {
  const grace = await signUp(parley.url, 'grace@parley.example')
  const { page } = await visitAs(browser, parley.url, grace)
  const sockets: string[] = []
  const heard: string[] = []
  page.on('websocket', (socket) => {
    sockets.push(socket.url())
    socket.on('framereceived', ({ payload }) => void heard.push(String(payload)))
  })
  await page.goto('/settings')
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  for (const screen of ['Contacts', 'Dashboard']) {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: screen }).click()
    await page.getByRole('heading', { level: 1, name: screen }).waitFor()
  }
  const figures = page.getByRole('region', { name: 'Your numbers' })
  await expect.poll(() => figures.getByRole('definition').first().innerText(), SEEN).toBe('0')
  await expect.poll(() => heard.length, SEEN).toBeGreaterThan(0)
  const asked: string[] = []
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
  const call = await grace.place('+12025550101', { maxDurationMinutes: 2 })
  await grace.ended(call.id)
  await expect.poll(() => heard.some((message) => message.includes('call_completed')), SEEN).toBe(true)
  await expect
    .poll(() => asked, SEEN)
    .toEqual(expect.arrayContaining([`/api/user/${grace.user.id}/stats`, '/api/auth/user']))
  await expect.poll(() => figures.getByRole('definition').first().innerText(), SEEN).toBe('1')
  expect(sockets).toEqual([`${parley.url.replace('http', 'ws')}/ws?userId=${grace.user.id}`])
})
