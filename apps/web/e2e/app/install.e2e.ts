import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CallDetails } from '@parley/contract'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openProfile } from '../../../standalone/src/browser.ts'
import { leaveTraces } from '../../../standalone/src/failure.ts'
import { type Person, signUp, until } from '../../../standalone/src/world.ts'

// Longer than 20 s: a service worker is installed for each test, and calls end behind it.

/** For a busy machine. */
const SOON = { timeout: 40_000 }

const parley = inject('world')
let folder: string
let profile: BrowserContext
let person: Person

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-profile-'))
  profile = (await openProfile(folder, { baseURL: parley.url, reducedMotion: 'reduce' })).profile
  person = await signUp(parley.url, 'install@parley.example')
  const [name = '', value = ''] = person.cookie.split('=')
  await profile.addCookies([{ name, value, url: parley.url }])
})
afterAll(async () => {
  await profile.close()
  await rm(folder, { recursive: true, force: true })
})

async function open(path: string): Promise<Page> {
  const page = await profile.newPage()
  await leaveTraces(page)
  await page.goto(path)
  return page
}

/** The page's service worker, once active. */
async function worker(page: Page) {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  return until('the worker', async () => profile.serviceWorkers().find((each) => each.url().endsWith('/worker.js')))
}

/** An open call would reopen on the next page. */
async function closeCall(page: Page): Promise<void> {
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

test('the browser reports no installability errors and every icon has its declared size', async () => {
  const page = await open('/dashboard')
  await worker(page)
  const devtools = await profile.newCDPSession(page)
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
  // Chrome treats a test profile as incognito; that error is expected.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([])
  const { errors, data } = await devtools.send('Page.getAppManifest')
  expect(errors).toEqual([])
  const manifest = JSON.parse(data ?? '{}') as { icons: { src: string; sizes: string; type: string }[] }
  for (const { src, sizes, type } of manifest.icons.filter((icon) => icon.type === 'image/png')) {
    const size = await page.evaluate(async (url) => {
      const image = await createImageBitmap(await (await fetch(url)).blob())
      return `${image.width}x${image.height}`
    }, src)
    expect([src, size, type]).toEqual([src, sizes, 'image/png'])
  }
  await page.close()
})

test.each([
  [
    '/make-call?title=Trattoria&text=Call%20%2B1%20(202)%20555-0100&url=https%3A%2F%2Ftrattoria.example',
    '+12025550100',
  ],
  ['/make-call?phone=tel%3A%2B442079460018', '+442079460018'],
])('sharing to %s fills the phone number', async (path, number) => {
  const page = await open(path)
  await page.getByLabel('Phone number').waitFor()
  await expect.poll(() => page.getByLabel('Phone number').inputValue(), SOON).toBe(number)
  expect(new URL(page.url()).search).toBe(`?phone=${encodeURIComponent(number)}`)
  await page.close()
})

test('offline, a page shows the offline notice, and only that page is cached', async () => {
  const page = await open('/dashboard')
  await worker(page)
  await profile.setOffline(true)
  await page.goto('/contacts')
  await page.getByRole('heading', { name: 'You are offline' }).waitFor()
  await profile.setOffline(false)
  await page.getByRole('link', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor()
  const kept = await page.evaluate(async () => {
    const names = await caches.keys()
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return requests.flat().map(({ url }) => new URL(url).pathname)
  })
  expect(kept).toEqual(['/offline.html'])
  await page.close()
})

test('notifications ask at the first call, show in the background, open by click, can be off', async () => {
  const page = await open('/dashboard')
  const asked = () => page.evaluate(() => Number(sessionStorage.getItem('asked') ?? 0))
  // The browser's permission prompt cannot be clicked from here; when it is requested can be observed.
  await profile.addInitScript(() => {
    const ask = Notification.requestPermission.bind(Notification)
    Notification.requestPermission = async () => {
      sessionStorage.setItem('asked', String(Number(sessionStorage.getItem('asked') ?? 0) + 1))
      return ask()
    }
    const { prototype } = ServiceWorkerRegistration
    const show = Reflect.get(prototype, 'showNotification')
    prototype.showNotification = async function (...parts) {
      await show.apply(this, parts)
      sessionStorage.setItem('shown', String(parts[1]?.tag))
    }
  })
  await page.reload()
  await page.getByLabel('Phone number').fill('+1 202 555 0100')
  await page.getByLabel('Purpose').fill('Book a table for two')
  expect(await asked()).toBe(0)
  const placed = page.waitForResponse(
    (response) => response.url().endsWith('/api/calls') && response.request().method() === 'POST',
  )
  await page.getByRole('button', { name: 'Start Call' }).click()
  const first = (await (await placed).json()) as CallDetails
  expect(await asked()).toBe(1)
  await person.ended(first.id, 60_000)
  await closeCall(page)

  await profile.grantPermissions(['notifications'], { origin: parley.url })
  // Messages sent before the socket is open are not announced.
  const liveMessage = page
    .waitForEvent('framenavigated', (frame) => frame.url().endsWith('/settings'))
    .then(() => page.waitForEvent('websocket'))
    .then((socket) => socket.waitForEvent('framereceived'))
  await page.goto('/settings')
  await liveMessage
  const notices = page.getByRole('switch', { name: 'Notifications in this browser' })
  await notices.waitFor()
  await expect.poll(() => notices.isChecked(), SOON).toBe(true)
  await page.evaluate(() => Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' }))
  const shown = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready
      const all = await registration.getNotifications()
      return all.map(({ title, tag }) => ({ title, tag }))
    })
  const second = await person.place('+12025550101')
  // Chromium drops a notification when it is asked for all of them while it begins to show it.
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('shown')), SOON).toBe(second.id)
  expect(await shown()).toEqual([{ title: 'Call to +1 202 555 0101 has ended', tag: second.id }])

  const background = await worker(page)
  await background.evaluate(async () => {
    const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration }
    const [notification] = await registration.getNotifications()
    const Click = (globalThis as unknown as { NotificationEvent: new (type: string, init: object) => Event })
      .NotificationEvent
    dispatchEvent(new Click('notificationclick', { notification }))
  })
  await page.getByRole('dialog').getByText('+1 202 555 0101').first().waitFor()
  await expect.poll(shown, SOON).toEqual([])
  await page.goto(`/dashboard?call=${second.id}`)
  await page.getByRole('dialog').getByText('+1 202 555 0101').first().waitFor()
  await expect.poll(() => new URL(page.url()).search, SOON).toBe('')
  await closeCall(page)

  await page.goto('/settings')
  await notices.click()
  await expect.poll(() => notices.isChecked(), SOON).toBe(false)
  await page.evaluate(() => Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' }))
  const third = await person.place('+12025550101')
  await person.ended(third.id)
  await page.goto('/call-history')
  await page.getByText('Showing 1 to 3 of 3 calls').waitFor()
  expect(await shown()).toEqual([])
}, 180_000)
