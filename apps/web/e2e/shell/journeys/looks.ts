import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { axeFindings, picture } from '../../../../standalone/src/browser.ts'
import { dashboard, PHONES, type Phone, type Phones } from './phone.ts'
import { WWW } from './world.ts'

/** A phone with a notch and a home indicator. */
const INSETS = { top: 47, bottom: 34, left: 0, right: 0 }
const PATHS = ['/dashboard', '/make-call', '/call-history', '/contacts', '/billing', '/settings'] as const

const LOOKS = (Object.keys(PHONES) as (keyof typeof PHONES)[]).flatMap((size) =>
  (['light', 'dark'] as const).map((theme) => ({ size, theme })),
)

/** The screens of a phone with safe areas, small and large, light and dark; PICTURES=1 keeps pictures of them. */
export function looks({ aPhone, signedIn }: Phones): void {
  describe('the looks on a small and a large phone, light and dark: as wide as the phone, no findings', () => {
    test('of the pages of a visitor', async () => {
      const phone = aPhone('ios')
      const page = await beginOn(phone)
      await page.getByRole('link', { name: 'Get Started for Free' }).waitFor()
      await lookAt(page, 'start')
      await page.getByRole('link', { name: 'Sign In' }).first().click()
      await page.getByLabel('Email address').waitFor()
      await lookAt(page, 'login')
      expect(phone.complaints).toEqual([])
    })

    test('of the pages of a member', async () => {
      const { phone } = await signedIn('ios')
      const page = await beginOn(phone)
      await dashboard(page).waitFor()
      for (const path of PATHS) {
        if (path !== '/dashboard') await page.goto(WWW + path)
        await page.getByRole('heading', { level: 1 }).first().waitFor()
        await page.waitForLoadState('networkidle')
        await lookAt(page, path.slice(1))
      }
      expect(phone.complaints).toEqual([])
    }, 240_000)

    test('of an open dialog', async () => {
      const { phone } = await signedIn('ios')
      const page = await beginOn(phone)
      await dashboard(page).waitFor()
      await page.goto(`${WWW}/contacts`)
      await page.getByRole('button', { name: 'Add Contact' }).first().click()
      const dialog = page.getByRole('dialog', { name: 'Add Contact' })
      await dialog.waitFor()
      await lookAt(page, 'dialog')
      await eachLook(page, () => staysInSafeAreas(dialog))
      expect(phone.complaints).toEqual([])
    })

    test('of a live call', async () => {
      const { phone, person } = await signedIn('ios')
      // They talk on and on.
      const { id } = await person.place('+12025550111', 10)
      const page = await beginOn(phone)
      await dashboard(page).waitFor()
      await phone.openLink(`parley://calls/${id}`)
      const call = page.getByRole('dialog')
      await call.getByRole('log').getByText('AI assistant').waitFor()
      await lookAt(page, 'live-call')
      await eachLook(page, () => staysInSafeAreas(call))
      expect(phone.complaints).toEqual([])
    })

    test('of a scrolled page, whose header stays, and of the menu', async () => {
      const { phone } = await signedIn('ios')
      const page = await beginOn(phone)
      await dashboard(page).waitFor()
      await page.goto(`${WWW}/settings`)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await eachLook(page, (look) => scrolledHeader(page, `shell-${look}-scrolled`))
      await page.getByRole('button', { name: 'Open the menu' }).click()
      await page.getByRole('dialog').waitFor()
      await lookAt(page, 'menu')
      expect(phone.complaints).toEqual([])
    })
  })
}

async function beginOn(phone: Phone): Promise<Page> {
  const page = await phone.start()
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setSafeAreaInsetsOverride', { insets: INSETS })
  return page
}

/** One page in all looks: it is loaded once. */
async function eachLook(page: Page, look: (name: string) => Promise<void>): Promise<void> {
  for (const { size, theme } of LOOKS) {
    await page.setViewportSize(PHONES[size])
    await page.emulateMedia({ colorScheme: theme })
    await look(`${size}-${theme}`)
  }
}

function lookAt(page: Page, name: string): Promise<void> {
  return eachLook(page, async (look) => {
    await picture(page, `shell-${look}-${name}`, false)
    expect({ look, findings: await axeFindings(page) }).toEqual({ look, findings: [] })
    const { wider, top } = await page.evaluate(() => {
      const root = document.documentElement
      const first = document.querySelector('#root')
      return {
        wider: root.scrollWidth - root.clientWidth,
        top: first ? Number.parseFloat(getComputedStyle(first).paddingTop) : 0,
      }
    })
    expect({ look, wider, top }).toEqual({ look, wider: 0, top: INSETS.top })
  })
}

/** What is tapped is neither under the notch nor under the home indicator; beyond the scrolled part it is out of sight. */
async function staysInSafeAreas(dialog: Locator): Promise<void> {
  const outside = () =>
    dialog.evaluate(
      (root, { top, bottom }) =>
        [...root.querySelectorAll('button')].flatMap((button) => {
          const { top: from, bottom: to } = button.getBoundingClientRect()
          const isShown = button.checkVisibility() && from < innerHeight && to > 0
          return isShown && (from < top || to > innerHeight - bottom)
            ? [button.getAttribute('aria-label') ?? button.textContent]
            : []
        }),
      INSETS,
    )
  // A page that has just changed its size has the insets a frame later.
  await expect.poll(outside).toEqual([])
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
