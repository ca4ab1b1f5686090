import type { Call } from '@parley/contract'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectText, openBrowser, visitAs } from './browser.ts'
import { expectTexts, open } from './reading.ts'
import { type Person, type Running, runParley, signUp } from './testing.ts'

// What the page knows and how it finds out: the session, the statuses of calls, answers that never come.

let parley: Running
let browser: Browser
let ada: Person

beforeAll(async () => {
  parley = await runParley({ SANDBOX_SPEED: '20' })
  browser = await openBrowser()
  ada = await signUp(parley.url, 'ada@parley.example')
})
afterAll(async () => {
  await browser.close()
  await parley.dispose()
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
    expect(await page.evaluate(() => localStorage.getItem('parley.user'))).toContain('ada@parley.example')
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
  })

  test('on analytics connected counts as in progress', async () => {
    const { page } = await visitAs(browser, parley.url, ada)
    await withStatuses(page)
    await open(page, '/analytics', 'Analytics')
    await expect.poll(() => page.getByText('In Progress', { exact: true }).count()).toBe(2)
    expect(await page.getByText('Connected', { exact: true }).count()).toBe(0)
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
    await page.route('**/api/batch-calls/*', (route) => (route.request().method() === 'PATCH' ? route.abort() : route.continue()))
    const start = page.getByRole('button', { name: /^Start 1 Call/ })
    await start.click()
    await expectTexts(page, ['Error', 'Failed to start batch calls.'])
    expect(await start.isEnabled()).toBe(true)
  })

  test('of a payment that cannot begin is told with its reason', async () => {
    const { page } = await visitAs(browser, parley.url, ada)
    await page.route('**/api/create-payment-intent', (route) =>
      route.fulfill({ status: 503, json: { code: 'payments_unavailable', message: 'Cards are not taken at the moment.' } }),
    )
    await page.goto('/new-payment')
    await expectText(page, 'Failed to initialize payment. Please ensure you are logged in. HTTP 503: Cards are not taken at the moment.')
    await page.unrouteAll()
    await page.route('**/api/create-payment-intent', (route) => route.fulfill({ status: 200, contentType: 'text/html', body: '<p>' }))
    await page.reload()
    await expectText(page, 'Failed to initialize payment. Please ensure you are logged in. Unexpected response type')
    await expectTexts(page, ['Error', 'Unable to initialize payment. Please try again.'])
    expect(await page.getByRole('link', { name: 'Back to Billing' }).first().getAttribute('href')).toBe('/billing')
  })

  test('of a payment on the other pages is told without one, and another package is another intent', async () => {
    const { page } = await visitAs(browser, parley.url, ada)
    const orders: string[] = []
    await page.route('**/api/create-payment-intent', async (route) => {
      orders.push((route.request().postDataJSON() as { packageId: string }).packageId)
      await route.continue()
    })
    await page.goto('/credits/purchase')
    await page.getByLabel('Card number').waitFor()
    await page.getByRole('radio', { name: /75 credits/ }).click()
    await expect.poll(() => orders).toEqual(['premium', 'pro'])
  })
})
