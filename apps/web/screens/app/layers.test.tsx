import { expect, test } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import { expectTexts, openScreen, press, serve } from '../testing.tsx'

const MISSING = 'Please fill in all required fields.'
const notices = page.getByRole('region', { name: /^Notifications/ })

/** The centre is not covered and lies within the viewport. */
async function expectOnTop(target: Locator): Promise<void> {
  const isOnTop = () => {
    const element = target.element()
    const { left, top, width, height } = element.getBoundingClientRect()
    return element.contains(document.elementFromPoint(left + width / 2, top + height / 2))
  }
  await expect.poll(isOnTop).toBe(true)
}

test.each([
  ['wide', [1280, 800]],
  ['narrow', [360, 640]],
] as const)('a toast covers neither the title nor the buttons of a dialog: %s', async (_, size) => {
  serve()
  await openScreen('/contacts', { size })
  await page.getByRole('button', { name: 'Add Contact' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add Contact' })
  await dialog.getByRole('button', { name: 'Add Contact' }).click()
  await expectTexts([MISSING], notices)
  await expectOnTop(dialog.getByRole('heading'))
  await expectOnTop(dialog.getByRole('button', { name: 'Add Contact' }))
})

test('a toast does not cover the Buy Credits link', async () => {
  serve()
  await openScreen('/dashboard')
  await press('Start Call')
  await expectTexts([MISSING], notices)
  await expectOnTop(page.getByRole('link', { name: 'Buy Credits' }).first())
})
