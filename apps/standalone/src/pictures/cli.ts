import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { NARROW, openBrowser, visit, WIDE } from '../browser.ts'
import { runParley, signUp } from '../world.ts'

// Takes the pictures of the README and docs/ from the running product.

const FOLDER = fileURLToPath(new URL('../../../../docs/pictures', import.meta.url))
const shots: { name: string; take: (page: Page) => Promise<void> }[] = [
  { name: 'landing', take: async (page) => void (await page.goto('/')) },
  { name: 'live-call', take: callInProgress },
  {
    name: 'outcome',
    take: async (page) =>
      page.getByText('What to do next').or(page.getByText('Summary')).first().waitFor({ timeout: 90_000 }),
  },
  {
    name: 'dashboard',
    take: async (page) => {
      await closeCall(page)
      await page.evaluate(() => scrollTo(0, 0))
    },
  },
  {
    name: 'call-history',
    take: async (page) => {
      await page.goto('/call-history')
      await page.waitForLoadState('networkidle')
    },
  },
]

async function callInProgress(page: Page): Promise<void> {
  await page.goto('/dashboard')
  await page.getByLabel('Phone number').fill('+1 202 555 0110')
  await page.getByLabel('Purpose').fill('Book a table for four on Friday evening')
  for (const objective of ['A table at 7 pm', 'Ask if they have a vegetarian menu']) {
    await page.getByLabel('Objectives').fill(objective)
    await page.getByLabel('Objectives').press('Enter')
  }
  await page.getByRole('button', { name: 'Start Call' }).click()
  const callee = page.getByRole('log').getByText('Callee')
  await callee.nth(1).waitFor({ timeout: 60_000 })
}

async function closeCall(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Close' }).first().click()
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
}

async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'))
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
}

await mkdir(FOLDER, { recursive: true })
const browser = await openBrowser()
const parley = await runParley({ SANDBOX_SPEED: '2' })
try {
  const person = await signUp(parley.url, 'ana.ruiz@parley.example')
  for (const [size, viewport] of [
    ['', WIDE],
    ['-phone', NARROW],
  ] as const) {
    const { page } = await visit(browser, parley.url, { viewport, colorScheme: 'light' })
    for (const { name, take } of shots) {
      if (name === 'live-call') {
        const [cookieName = '', value = ''] = person.cookie.split('=')
        await page.context().addCookies([{ name: cookieName, value, url: parley.url }])
      }
      await take(page)
      await settled(page)
      await page.screenshot({ path: `${FOLDER}/${name}${size}.png` })
      console.log(`docs/pictures/${name}${size}.png`)
    }
    await page.context().close()
  }
} finally {
  await browser.close()
  await parley.dispose()
}
