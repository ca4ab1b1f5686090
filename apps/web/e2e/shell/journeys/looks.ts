import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { axeFindings, picture } from '../../../../standalone/src/browser.ts'
import { dashboard, PHONES, type Phone, type Phones } from './phone.ts'
import { WWW } from './world.ts'

/** A phone with a notch and a home indicator. */
const INSETS = { top: 47, bottom: 34, left: 0, right: 0 }
const PATHS = ['/dashboard', '/make-call', '/call-history', '/contacts', '/billing', '/settings'] as const

/** The screens of a phone with safe areas, small and large, light and dark; PICTURES=1 keeps pictures of them. */
export function looks({ aPhone, signedIn }: Phones): void {
  describe.each(Object.keys(PHONES) as (keyof typeof PHONES)[])('the looks on a %s phone', (name) => {
    test.each(['light', 'dark'] as const)(
      'in %s: within the safe areas, as wide as the phone, without findings',
      async (theme) => {
        const visitor = aPhone('ios', PHONES[name])
        await beginOn(visitor, theme)
        await visitor.page.getByRole('link', { name: 'Get Started for Free' }).waitFor()
        await lookAt(visitor.page, `shell-${name}-${theme}-start`)
        await visitor.page.getByRole('link', { name: 'Sign In' }).first().click()
        await visitor.page.getByLabel('Email address').waitFor()
        await lookAt(visitor.page, `shell-${name}-${theme}-login`)
        const { phone } = await signedIn('ios', PHONES[name])
        const page = await beginOn(phone, theme)
        await dashboard(page).waitFor()
        for (const path of PATHS) {
          await page.goto(WWW + path)
          await page.getByRole('heading', { level: 1 }).first().waitFor()
          await page.waitForLoadState('networkidle')
          await lookAt(page, `shell-${name}-${theme}${path.replaceAll('/', '-')}`)
        }
        await scrolledHeader(page, `shell-${name}-${theme}-scrolled`)
        await page.getByRole('button', { name: 'Open the menu' }).click()
        await page.getByRole('dialog').waitFor()
        await lookAt(page, `shell-${name}-${theme}-menu`)
        expect(phone.complaints).toEqual([])
      },
      180_000,
    )
  })
}

async function beginOn(phone: Phone, theme: 'light' | 'dark'): Promise<Page> {
  const page = await phone.start()
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setSafeAreaInsetsOverride', { insets: INSETS })
  await page.emulateMedia({ colorScheme: theme })
  return page
}

async function lookAt(page: Page, name: string): Promise<void> {
  await picture(page, name, false)
  expect(await axeFindings(page)).toEqual([])
  const { wider, top } = await page.evaluate(() => {
    const root = document.documentElement
    const first = document.querySelector('#root')
    return {
      wider: root.scrollWidth - root.clientWidth,
      top: first ? Number.parseFloat(getComputedStyle(first).paddingTop) : 0,
    }
  })
  expect({ wider, top }).toEqual({ wider: 0, top: INSETS.top })
}

/** The header stays beneath the status bar, and nothing shows through between the two. */
async function scrolledHeader(page: Page, name: string): Promise<void> {
  await page.evaluate(() => scrollTo(0, 400))
  const header = page.locator('header[data-app-head]')
  await expect.poll(async () => (await header.boundingBox())?.y).toBe(INSETS.top)
  const above = await page.evaluate((y) => getComputedStyle(document.body, '::before').height === `${y}px`, INSETS.top)
  expect(above).toBe(true)
  await picture(page, name, false)
}
