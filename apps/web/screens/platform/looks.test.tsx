import { shellsRoutes } from '@parley/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import { aRunningCall, answerCalls, aTurn } from '../calls/testing.tsx'
import { Device } from '../device.ts'
import { enterShell, leaveShell } from '../shell.ts'
import { findingsInLooks, inLooks, openScreen, press, serve } from '../testing.tsx'

// The screens in a shell, on a phone with a notch and a home indicator: small and large, light and dark.
// That a phone's own insets reach the page: e2e/shell.

const PHONES = [
  [360, 800],
  [390, 844],
] as const
const INSETS = { top: 47, bottom: 34 }
const PATHS = ['/dashboard', '/make-call', '/call-history', '/contacts', '/billing', '/settings'] as const

// As the shell for Android tells the page of them.
beforeEach(() => {
  for (const [side, px] of Object.entries(INSETS))
    document.documentElement.style.setProperty(`--safe-area-inset-${side}`, `${px}px`)
})
afterEach(() => {
  leaveShell()
  for (const side of Object.keys(INSETS)) document.documentElement.style.removeProperty(`--safe-area-inset-${side}`)
})

async function aPhone(user?: null) {
  const api = serve(user)
  api.answer(shellsRoutes.createTicket, () => ({ ticket: 't', expiresAt: new Date().toISOString() }))
  await enterShell(new Device('ios'))
  return api
}

/** What axe finds, what is wider than the phone, and where the page begins. */
async function expectLooks(): Promise<void> {
  expect(await findingsInLooks(undefined, PHONES)).toEqual([])
  const root = document.querySelector('#root')
  expect(root && getComputedStyle(root).paddingTop).toBe(`${INSETS.top}px`)
}

/** What is tapped is neither under the notch nor under the home indicator; beyond the scrolled part it is out of sight. */
function outsideSafeAreas(dialog: Locator): string[] {
  return [...dialog.element().querySelectorAll('button')].flatMap((button) => {
    const { top, bottom } = button.getBoundingClientRect()
    const isShown = button.checkVisibility() && top < innerHeight && bottom > 0
    const isOutside = top < INSETS.top || bottom > innerHeight - INSETS.bottom
    return isShown && isOutside ? [button.getAttribute('aria-label') ?? button.textContent] : []
  })
}

async function expectSafe(dialog: Locator): Promise<void> {
  await inLooks(
    async (look) => {
      await expect.poll(() => [look, ...outsideSafeAreas(dialog)]).toEqual([look])
    },
    undefined,
    PHONES,
  )
}

describe('on a small and a large phone, light and dark, no finding and no wider than the phone', () => {
  test.each(['/', '/login'])('%s for a visitor', async (path) => {
    await aPhone(null)
    await openScreen(path)
    await expect.element(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await expectLooks()
  })

  test.each(PATHS)('%s', async (path) => {
    await aPhone()
    await openScreen(path)
    await expect.element(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await expectLooks()
  })

  test('a dialog, within the safe areas', async () => {
    await aPhone()
    await openScreen('/contacts', { size: PHONES[0] })
    await page.getByRole('button', { name: 'Add Contact' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add Contact' })
    await expect.element(dialog).toBeVisible()
    await expectLooks()
    await expectSafe(dialog)
  })

  test('a live call, within the safe areas', async () => {
    const api = await aPhone()
    const turns = Array.from({ length: 30 }, (_, index) => aTurn(index, `This is line ${index} of the talk.`))
    answerCalls(api, () => [aRunningCall({ turns })])
    await openScreen('/contacts', { size: PHONES[0] })
    await page.getByRole('complementary', { name: 'Calls running' }).getByRole('button').click()
    const call = page.getByRole('dialog', { name: 'Call to +1 202 555 0100' })
    await expect.element(call.getByText('This is line 29 of the talk.')).toBeVisible()
    await expectLooks()
    await expectSafe(call)
  })

  test('the menu', async () => {
    await aPhone()
    await openScreen('/settings', { size: PHONES[0] })
    await press('Open the menu')
    const menu = page.getByRole('dialog')
    await expect.element(menu).toBeVisible()
    await expectLooks()
    await expectSafe(menu)
  })
})

test('the header of a scrolled page stays beneath the status bar, and nothing shows through between the two', async () => {
  await aPhone()
  await openScreen('/settings', { size: PHONES[0] })
  await expect.element(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await inLooks(
    async (look) => {
      scrollTo(0, 400)
      const header = document.querySelector('header[data-app-head]')
      await expect.poll(() => [look, header?.getBoundingClientRect().y]).toEqual([look, INSETS.top])
      expect(getComputedStyle(document.body, '::before').height).toBe(`${INSETS.top}px`)
    },
    undefined,
    PHONES,
  )
})
