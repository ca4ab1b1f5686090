import type { Payment } from '@parley/contract'
import type { Browser, BrowserContextOptions, FrameLocator, Locator, Page, Route } from 'playwright-core'
import { visitAs } from '../browser.ts'
import { type Person, type Running, signUp } from '../testing.ts'

export const CARDS = {
  good: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  needsConsent: '4000 0025 0000 3155',
  slow: '4000 0000 0000 0077',
} as const

export interface Shopper extends Person {
  readonly page: Page
  readonly complaints: string[]
}

let shoppers = 0

/** Somebody new who is signed in, with a browser of their own. */
export async function shopper(parley: Running, browser: Browser, options: BrowserContextOptions = {}): Promise<Shopper> {
  const person = await signUp(parley.url, `shopper-${++shoppers}@parley.example`)
  const { page, complaints } = await visitAs(browser, parley.url, person, options)
  return { ...person, page, complaints }
}

export async function fillCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiration date').fill('12 / 34')
  await page.getByLabel('Security code').fill('123')
}

export async function pay(page: Page, number: string, button: string | RegExp = /^Pay \$/): Promise<void> {
  await fillCard(page, number)
  await page.getByRole('button', { name: button }).click()
}

export async function paid(person: Person): Promise<Payment[]> {
  const all = await person.get<Payment[]>(`/api/user/${person.user.id}/payments`)
  return all.filter(({ status }) => status === 'succeeded')
}

/** A page's look at its payment itself. */
export const LOOK = /\/v1\/payment_intents\/[^/]+$/

/** What is paid looks to the page as if its bank still took its time, until it may see: so long there is time to read the page. */
export async function holdLooks(page: Page): Promise<() => void> {
  let isHeld = true
  const answer = async (route: Route) => {
    const response = await route.fetch()
    const intent = (await response.json()) as { status: string }
    await route.fulfill({ response, json: isHeld && intent.status === 'succeeded' ? { ...intent, status: 'processing' } : intent })
  }
  await page.route(LOOK, async (route) =>
    answer(route).catch((error: unknown) => {
      if (!page.isClosed()) throw error
    }),
  )
  return () => void (isHeld = false)
}

/** The bank's page, in its frame. */
export function bankIn(page: Page): FrameLocator {
  return page.frameLocator('iframe[title="Your bank"]')
}

export function toastOn(page: Page): Locator {
  return page.getByRole('region', { name: 'Notifications' })
}

/** Waits until it is there to be read. */
export async function expectSeen(within: Page | Locator, text: string | RegExp): Promise<void> {
  await within.getByText(text).filter({ visible: true }).first().waitFor()
}
