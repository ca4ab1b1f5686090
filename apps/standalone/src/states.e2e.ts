import type { Call } from '@parley/contract'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { agreed, expectText, visitAs } from './browser.ts'
import { joinWorld } from './screens/testing.ts'
import { expectTexts, open } from './reading.ts'
import { type Person, signUp } from './world.ts'

// What the page knows and how it finds out: the session, the statuses of calls, answers that never come.

/** On a machine that does much else besides. */
const SOON = { timeout: 15_000 }

const { parley, browser } = await joinWorld()
let ada: Person

beforeAll(async () => {
  ada = await signUp(parley.url, 'states@parley.example')
})

describe('the session', () => {
  test('is never asked for a second time by itself, and a wrapped user is one too', async () => {
    const { page } = await visitAs(browser, parley.url, ada)
    let asked = 0
    let isDown = true
    await page.route('**/api/auth/user', async (route) => {
      asked++
      await route.fulfill(isDown ? { status: 500, body: '' } : { json: { user: await (await route.fetch()).json() } })
    })
    await page.goto('/dashboard')
    await expectText(page, 'We could not reach the server')
    // Once as the page starts, once as its screen mounts; a read would have been tried three times each.
    expect(asked).toBeLessThanOrEqual(2)
    isDown = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
    // The head of the screen is there before its user is.
    await expect.poll(() => page.evaluate(() => localStorage.getItem('parley.user') ?? ''), SOON).toContain('states@parley.example')
  })

  test.each(['complementary', 'main'] as const)('ends by Sign Out in %s, which navigates to the logout endpoint', async (part) => {
    const { page } = await visitAs(browser, parley.url, await signUp(parley.url, `leaver-${part}@parley.example`))
    await open(page, '/settings', 'Settings')
    const left = page.waitForRequest('**/api/logout')
    await page.getByRole(part).getByRole('button', { name: 'Sign Out' }).click()
    expect((await left).isNavigationRequest()).toBe(true)
    await page.waitForURL(`${parley.url}/`)
    await expect.poll(() => page.evaluate(() => localStorage.getItem('parley.user')), SOON).toBeNull()
  })
})

describe('before it is known who comes', () => {
  test('nothing of the frame is shown that would show a user', async () => {
    const { page } = await visitAs(browser, parley.url, ada)
    const held = Promise.withResolvers<void>()
    await page.route('**/api/auth/user', async (route) => held.promise.then(() => route.continue()))
    await page.goto('/dashboard')
    await page.getByText('Loading your session').waitFor({ state: 'attached' })
    const frame = [
      page.getByRole('navigation', { name: 'Main' }),
      page.getByRole('button', { name: 'Sign Out' }),
      page.getByText('Ada Lovelace'),
      page.getByText('states@parley.example'),
    ]
    for (const part of frame) expect(await part.count()).toBe(0)
    held.resolve()
    for (const part of frame) await part.first().waitFor()
  })
})

describe('the statuses of a call', () => {
  const STATUSES = ['initiated', 'dialing', 'ringing', 'connected', 'in_progress', 'completed', 'failed', 'teleported'] as const

  /** The list of calls, each of them in another status. */
  async function withStatuses(page: Page): Promise<void> {
    const call = await ada.place('+12025550101', { maxDurationMinutes: 2 })
    const ended = await ada.ended(call.id)
    const calls = STATUSES.map((status, index) => ({ ...ended, id: `call${index}`, status: status as Call['status'] }))
    await page.route(/\/api\/user\/[^/]+\/calls(\?|$)/, (route) =>
      route.fulfill({ json: calls, headers: { 'X-Total-Count': String(calls.length) } }),
    )
  }

  const colourOf = (badge: Locator) => badge.evaluate((element) => getComputedStyle(element).backgroundColor)

  test('have a badge each; one that is not known stands as it is', async () => {
    const { page } = await visitAs(browser, parley.url, ada)
    await withStatuses(page)
    await open(page, '/call-history', 'Call History')
    await expectTexts(page.getByRole('table'), [
      'Initiated',
      'Dialing',
      'Ringing',
      'Connected',
      'In Progress',
      'Completed',
      'Failed',
      'teleported',
    ])
    expect(await page.getByRole('table').getByText('N/A').count()).toBe(7)
    const badge = (text: string) => colourOf(page.getByRole('table').getByText(text, { exact: true }))
    expect(await badge('teleported')).toBe(await badge('Initiated'))
    const colours = [await badge('teleported'), await badge('In Progress'), await badge('Completed'), await badge('Failed')]
    expect(new Set(colours).size).toBe(4)
  })

  test('on analytics connected counts as in progress', async () => {
    const { page } = await visitAs(browser, parley.url, ada)
    await withStatuses(page)
    await open(page, '/analytics', 'Analytics')
    const badges = page.getByText('In Progress', { exact: true })
    await expect.poll(() => badges.count(), SOON).toBe(2)
    expect(await page.getByText('Connected', { exact: true }).count()).toBe(0)
    // A soft yellow.
    for (const badge of await badges.all()) expect(await colourOf(badge)).toBe('rgb(251, 241, 224)')
  })
})

describe('the live line', () => {
  test('is one for all screens; a call that ends brings figures and user up to date', async () => {
    const grace = await signUp(parley.url, 'grace@parley.example')
    const { page } = await visitAs(browser, parley.url, grace)
    const lines: string[] = []
    const heard: string[] = []
    page.on('websocket', (socket) => {
      lines.push(socket.url())
      socket.on('framereceived', ({ payload }) => void heard.push(String(payload)))
    })
    await open(page, '/settings', 'Settings')
    for (const screen of ['Contacts', 'Dashboard']) {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: screen }).click()
      await page.getByRole('heading', { level: 1, name: screen }).waitFor()
    }
    const figures = page.getByRole('region', { name: 'Your numbers' })
    await expect.poll(() => figures.getByRole('definition').first().innerText(), SOON).toBe('0')
    await expect.poll(() => heard.length, SOON).toBeGreaterThan(0)
    const asked: string[] = []
    page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
    const call = await grace.place('+12025550101', { maxDurationMinutes: 2 })
    await grace.ended(call.id)
    await expect.poll(() => heard.some((message) => message.includes('call_completed')), SOON).toBe(true)
    await expect.poll(() => asked, SOON).toEqual(expect.arrayContaining([`/api/user/${grace.user.id}/stats`, '/api/auth/user']))
    await expect.poll(() => figures.getByRole('definition').first().innerText(), SOON).toBe('1')
    expect(lines).toEqual([`${parley.url.replace('http', 'ws')}/ws?userId=${grace.user.id}`])
  })
})

describe('an answer that is not good', () => {
  test('of a list that cannot be started says so; what was typed before its file was there is kept', async () => {
    const { page } = await visitAs(browser, parley.url, ada)
    await open(page, '/make-call?tab=batch', 'Make Call')
    const fileOf = (name: string) => ({
      name: `${name}.csv`,
      mimeType: 'text/csv',
      buffer: Buffer.from(`phone,name\n+12025550100,${name}\n`),
    })
    await page.getByLabel('Purpose').fill('Ask {{name}} for a table')
    for (const name of ['Ada', 'Grace']) {
      await page.setInputFiles('input[type=file]', fileOf(name))
      await page.getByRole('cell', { name }).waitFor()
      expect(await page.getByLabel('Purpose').inputValue()).toBe('Ask {{name}} for a table')
    }
    await agreed(page)
    await page.route('**/api/batch-calls/*', (route) => (route.request().method() === 'PATCH' ? route.abort() : route.continue()))
    const start = page.getByRole('button', { name: /^Start 1 Call/ })
    await start.click()
    await expectTexts(page, ['Error', 'Failed to start batch calls.'])
    await expect.poll(() => start.isEnabled(), SOON).toBe(true)
  })
})
