import { PAGES } from '@parley/contract'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { SEEN, visit, visitAs } from '../../../standalone/src/browser.ts'
import { watchComplaints, joinWorld } from '../testing.ts'
import { signIn, signUp } from '../../../standalone/src/world.ts'

const PASSWORD = 'correct horse battery'

const { parley, browser } = await joinWorld()
const complaints = watchComplaints()

async function member(email: string, path: string): Promise<Page> {
  const { page, complaints: own } = await visitAs(browser, parley.url, await signUp(parley.url, email))
  complaints.push(own)
  await page.goto(path)
  return page
}

/** The screens of the sidebar. */
const SIDEBAR = ['/dashboard', '/make-call', '/call-history', '/analytics', '/contacts', '/billing', '/settings']
const WIDTHS = [1280, 360]

describe('pages', () => {
  // screens.md: served-every-path-contract
  test('are served at every path of the contract', async () => {
    const answers = await Promise.all(Object.keys(PAGES).map(async (path) => fetch(parley.url + path)))
    expect(answers.filter(({ status }) => status !== 200).map(({ url }) => url)).toEqual([])
  })

  // screens.md: sidebar-head-before-any
  test('of the sidebar show their heading before scripts and session load, at the final position', async () => {
    const page = await member('heads@parley.example', '/terms-of-service')
    for (const path of SIDEBAR) {
      const scripts = Promise.withResolvers<void>()
      const session = Promise.withResolvers<void>()
      await page.route('**/assets/*.js', async (route) => scripts.promise.then(() => route.continue()))
      await page.route('**/api/auth/user', async (route) => session.promise.then(() => route.continue()), { times: 1 })
      await page.goto(path, { waitUntil: 'commit' })
      const head = () => page.locator('header:has(h1)').first().innerText()
      const drawn = () =>
        page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
      const seen = async () => {
        const all: unknown[] = []
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 })
          await drawn()
          const box = await page.locator('h1').boundingBox()
          all.push([await head(), box?.x, box?.y])
        }
        return all
      }
      await page.getByRole('status').getByText('Loading your session').waitFor()
      const read = await seen()
      // The heading from the HTML, then drawn by React, then with the whole screen: it must not move or be announced
      // again.
      const frame = await page.locator('h1').elementHandle()
      scripts.resolve()
      await expect.poll(() => frame?.evaluate(({ isConnected }) => isConnected), SEEN).toBe(false)
      await page.getByRole('status').getByText('Loading your session').waitFor()
      expect(await seen()).toEqual(read)
      session.resolve()
      await page.getByRole('status').getByText('Loading').first().waitFor({ state: 'detached' })
      const [, [narrowHead, x, y]] = read as [unknown, [string, number, number]]
      await expect.poll(head, SEEN).toContain(narrowHead)
      await expect.poll(async () => page.locator('h1').boundingBox(), SEEN).toMatchObject({ x, y })
      await page.setViewportSize({ width: 1280, height: 800 })
      const [[, wideX, wideY]] = read as [[string, number, number]]
      await expect.poll(async () => page.locator('h1').boundingBox(), SEEN).toMatchObject({ x: wideX, y: wideY })
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    }
  })

  test('/api/login and /api/logout redirect', async () => {
    const page = await member('old-ways@parley.example', '/api/login')
    await page.waitForURL('**/dashboard')
    await page.goto('/api/logout')
    expect(page.url()).toBe(`${parley.url}/`)
    await page.goto('/api/login')
    expect(page.url()).toBe(`${parley.url}/login`)
  })

  // screens.md: signing-out-sidebar-settings
  test('signing out ends the session in every tab and removes the stored user', async () => {
    const email = 'leaver@parley.example'
    await signUp(parley.url, email, PASSWORD)
    for (const part of ['complementary', 'main'] as const) {
      const { page, complaints: own } = await visitAs(browser, parley.url, await signIn(parley.url, email, PASSWORD))
      complaints.push(own)
      const copy = () => page.evaluate(() => localStorage.getItem('parley.user'))
      await page.goto('/settings')
      await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
      await expect.poll(copy, SEEN).toContain(email)
      const other = await page.context().newPage()
      await other.goto('/contacts')
      await other.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor()
      const left = page.waitForRequest('**/api/logout')
      await page.getByRole(part).getByRole('button', { name: 'Sign Out' }).click()
      expect((await left).isNavigationRequest()).toBe(true)
      await page.waitForURL(`${parley.url}/`)
      await expect.poll(copy, SEEN).toBeNull()
      expect((await page.request.get('/api/auth/user')).status()).toBe(401)
      await other.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
      await other.waitForURL(`${parley.url}/`)
      await page.context().close()
    }
  })

  // screens.md: any-other-path-404
  test('an unknown path shows the 404 page with status 404', async () => {
    const { page } = await visit(browser, parley.url)
    expect((await page.goto('/no-such-page'))?.status()).toBe(404)
    await page.getByRole('heading', { name: '404 Page Not Found' }).waitFor()
  })
})
