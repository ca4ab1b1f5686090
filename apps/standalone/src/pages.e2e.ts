import { PAGES } from '@parley/contract'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { SEEN, tickUntil, visit, visitAs, visitWithStoppedClock } from './browser.ts'
import { heedComplaints, joinWorld } from './screens/testing.ts'
import { signUp } from './world.ts'

const { parley, browser } = await joinWorld()
const complaints = heedComplaints()

async function visitor(path: string): Promise<Page> {
  const { page, complaints: own } = await visit(browser, parley.url)
  complaints.push(own)
  await page.goto(path)
  return page
}

async function member(email: string, path: string): Promise<Page> {
  const { page, complaints: own } = await visitAs(browser, parley.url, await signUp(parley.url, email))
  complaints.push(own)
  await page.goto(path)
  return page
}

/** As specified, word for word. */
const ROWS = {
  public: '/, /verify-email, /privacy-policy, /terms-of-service',
  'signed-out': '/login, /register, /reset-password',
  'signed-in':
    '/dashboard, /make-call, /call-history, /analytics, /contacts, /billing, /checkout, /credits/purchase, /billing/card-payment, ' +
    '/billing/success, /test-payment, /new-payment, /settings, /welcome',
} as const

/** The screens of the sidebar. */
const SIDEBAR = ['/dashboard', '/make-call', '/call-history', '/analytics', '/contacts', '/billing', '/settings']

describe('who may see which page', () => {
  const rows = Object.entries(ROWS).flatMap(([access, paths]) => paths.split(', ').map((path) => [path, access] as const))

  test('is what the contract says as well', () => {
    expect(Object.fromEntries(rows)).toEqual(PAGES)
  })

  test('a visitor is led from the pages of members to the landing page', async () => {
    const page = await visitor('/')
    for (const [path, access] of rows) {
      await page.goto(path)
      await expect.poll(() => new URL(page.url()).pathname, SEEN).toBe(access === 'signed-in' ? '/' : path)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
    }
  })

  test('a member is led from the forms of visitors to the dashboard, and sees all others', async () => {
    const page = await member('rows@parley.example', '/settings')
    for (const [path, access] of rows) {
      await page.goto(path)
      await expect.poll(() => new URL(page.url()).pathname, SEEN).toBe(access === 'signed-out' ? '/dashboard' : path)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
    }
  }, 120_000)

  test.each(['/', '/welcome', '/credits/purchase', '/login'])(
    'while it is not known who comes, a member sees a spinner at %s',
    async (path) => {
      const page = await member(`spinner${path.replaceAll('/', '-')}@parley.example`, '/terms-of-service')
      await expect.poll(() => page.evaluate(() => localStorage.getItem('parley.user')), SEEN).toContain('spinner')
      const held = Promise.withResolvers<void>()
      await page.route('**/api/auth/user', async (route) => held.promise.then(() => route.continue()), { times: 1 })
      await page.goto(path)
      await page.getByRole('status').getByText('Loading your session').waitFor()
      expect(await page.getByRole('heading').count()).toBe(0)
      held.resolve()
      await page.getByRole('heading', { level: 1 }).waitFor()
    },
  )

  test.each(SIDEBAR.flatMap((path) => [360, 1280].map((width) => [path, width] as const)))(
    'a member reads the head of %s before any script has come, above a spinner until it is known who reads, %i wide',
    async (path, width) => {
      const page = await member(`head${path.replace('/', '-')}-${width}@parley.example`, '/terms-of-service')
      await page.setViewportSize({ width, height: 800 })
      const scripts = Promise.withResolvers<void>()
      const session = Promise.withResolvers<void>()
      await page.route('**/assets/*.js', async (route) => scripts.promise.then(() => route.continue()))
      await page.route('**/api/auth/user', async (route) => session.promise.then(() => route.continue()), { times: 1 })
      await page.goto(path, { waitUntil: 'commit' })
      const head = () => page.locator('header:has(h1)').first().innerText()
      const where = () => page.locator('h1').boundingBox()
      await page.getByRole('status').getByText('Loading your session').waitFor()
      const [read, stood] = [await head(), await where()]
      // Out of the page's text, then drawn by its code, then with the rest of the screen: nothing moves and nothing is said anew.
      const frame = await page.locator('h1').elementHandle()
      scripts.resolve()
      await expect.poll(() => frame?.evaluate(({ isConnected }) => isConnected), SEEN).toBe(false)
      await page.getByRole('status').getByText('Loading your session').waitFor()
      expect([await head(), await where()]).toEqual([read, stood])
      session.resolve()
      await page.getByRole('status').getByText('Loading').first().waitFor({ state: 'detached' })
      await expect.poll(head, SEEN).toContain(read)
      await expect.poll(where, SEEN).toMatchObject({ x: stood?.x, y: stood?.y })
    },
  )

  test('the old ways in and out still lead on', async () => {
    const page = await member('old-ways@parley.example', '/api/login')
    await page.waitForURL('**/dashboard')
    await page.goto('/api/logout')
    expect(page.url()).toBe(`${parley.url}/`)
    await page.goto('/api/login')
    expect(page.url()).toBe(`${parley.url}/login`)
  })

  test('a session that ended elsewhere is noticed when the window is looked at again, and its copy of the user goes', async () => {
    const email = 'elsewhere@parley.example'
    const page = await member(email, '/settings')
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    const copy = () => page.evaluate(() => localStorage.getItem('parley.user'))
    await expect.poll(copy, SEEN).toContain(email)
    const [cookie] = await page.context().cookies()
    await fetch(`${parley.url}/api/logout`, { headers: { cookie: `${cookie!.name}=${cookie!.value}` }, redirect: 'manual' })
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await page.waitForURL(`${parley.url}/`)
    await expect.poll(copy, SEEN).toBeNull()
  })

  test('signing out ends the session and forgets the copy', async () => {
    const page = await member('leaver@parley.example', '/settings')
    await page.getByRole('button', { name: 'Sign Out' }).first().click()
    await page.waitForURL(`${parley.url}/`)
    expect(await page.evaluate(() => localStorage.getItem('parley.user'))).toBeNull()
    expect((await page.request.get('/api/auth/user')).status()).toBe(401)
  })

  test('whoever comes back after a day is welcomed back', async () => {
    const page = await visitWithStoppedClock(browser, parley.url, await signUp(parley.url, 'back@parley.example'))
    await page.goto('/welcome')
    await tickUntil(page, page.getByRole('heading', { name: 'Welcome back, Ada' }))
    for (const left of ['3 seconds', '2 seconds', '1 second']) {
      await page.getByText(`Your dashboard opens in ${left}`).waitFor()
      await page.clock.runFor(1000)
    }
    await page.clock.resume()
    await expect.poll(() => new URL(page.url()).pathname, SEEN).toBe('/dashboard')
  })

  test('the start page greets a member and opens the dashboard after the countdown', async () => {
    const { page, complaints: own } = await visitAs(browser, parley.url, await signUp(parley.url, 'greeted@parley.example'))
    complaints.push(own)
    // The greeting stands there for three seconds: time waits until it is read.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.goto('/')
    await tickUntil(page, page.getByRole('heading', { name: 'Welcome, Ada' }))
    await page.getByRole('progressbar').waitFor()
    await page.clock.resume()
    await expect.poll(() => new URL(page.url()).pathname, SEEN).toBe('/dashboard')
  })

  test('any other path is the 404 page', async () => {
    const { page } = await visit(browser, parley.url)
    expect((await page.goto('/no-such-page'))?.status()).toBe(404)
    await page.getByRole('heading', { name: '404 Page Not Found' }).waitFor()
  })
})
