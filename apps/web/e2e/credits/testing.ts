import { randomUUID } from 'node:crypto'
import type { Payment } from '@parley/contract'
import type { Browser, BrowserContextOptions, Locator, Page, Route } from 'playwright-core'
import { visitAs } from '../../../standalone/src/browser.ts'
import { type Person, type World, signUp } from '../../../standalone/src/world.ts'

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

/** A new signed-in user with a browser context. */
export async function shopper(parley: World, browser: Browser, options: BrowserContextOptions = {}): Promise<Shopper> {
  const person = await signUp(parley.url, `shopper-${randomUUID()}@parley.example`)
  const { page, complaints } = await visitAs(browser, parley.url, person, options)
  return { ...person, page, complaints }
}

const AT_REST_MS = 3000

/** Types once the network is idle. */
export async function fillCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').waitFor()
  await page.waitForLoadState('networkidle', { timeout: AT_REST_MS }).catch(() => undefined)
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

/** The page's request for the status of its payment. */
export const LOOK = /\/v1\/payment_intents\/[^/]+$/

/** Shows the payment to the page as processing until released, so that a test can read the page meanwhile. */
export async function holdLooks(page: Page): Promise<() => void> {
  let isHeld = true
  const answer = async (route: Route) => {
    const response = await route.fetch()
    const intent = (await response.json()) as { status: string }
    await route.fulfill({
      response,
      json: isHeld && intent.status === 'succeeded' ? { ...intent, status: 'processing' } : intent,
    })
  }
  await page.route(LOOK, async (route) =>
    answer(route).catch((error: unknown) => {
      if (!page.isClosed()) throw error
    }),
  )
  return () => void (isHeld = false)
}

const HEARD_MS = 2000
const PRESSES_MAX = 5

/** A button of the bank's page, once visible. */
export async function bankButton(page: Page, answer: RegExp): Promise<Locator> {
  const button = page.frameLocator('iframe[title="Your bank"]').getByRole('button', { name: answer })
  await button.waitFor()
  await button.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  return button
}

/** Answers the bank. A click on a frame that was just drawn may reach the page around it, so the click is repeated. */
export async function answerBank(page: Page, answer: RegExp): Promise<void> {
  const button = await bankButton(page, answer)
  for (let press = 0; press < PRESSES_MAX; press++) {
    // The press before may have been heard late: then the button is gone.
    await button.click({ timeout: HEARD_MS }).catch(() => undefined)
    const isHeard = await button.waitFor({ state: 'detached', timeout: HEARD_MS }).then(
      () => true,
      () => false,
    )
    if (isHeard) return
  }
  throw new Error(`The bank's page heard none of ${PRESSES_MAX} presses.`)
}

export function toastOn(page: Page): Locator {
  return page.getByRole('region', { name: 'Notifications' })
}

/** Waits until the text is visible. */
export async function expectSeen(within: Page | Locator, text: string | RegExp): Promise<void> {
  await within.getByText(text).filter({ visible: true }).first().waitFor()
}
