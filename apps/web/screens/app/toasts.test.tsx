import { contactsRoutes, reportsRoutes, systemRoutes } from '@parley/contract'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { aCall, expectTexts, findingsInLooks, listed, NARROW, openScreen, press, serve } from '../testing.tsx'

/** From the specification. */
const TOASTS = { durationMs: 5000, swipeThresholdPx: 50, hotkey: 'F8' } as const
const TOOLTIPS = { delayMs: 700, skipDelayMs: 300 } as const

const stopTime = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
afterEach(() => void vi.useRealTimers())

const toast = page.getByRole('region', { name: `Notifications (${TOASTS.hotkey})` }).getByRole('listitem')
const later = async (ms: number) => vi.advanceTimersByTimeAsync(ms)

// screens.md: toast-waits-under-pointer
test('a toast pauses on hover and focus, and closes on Escape, its button or a swipe right of 50 px', async () => {
  serve()
  await openScreen('/make-call')
  stopTime()
  await press('Start Call')
  await userEvent.hover(toast)
  await later(4 * TOASTS.durationMs)
  await expect.element(toast).toBeVisible()
  await userEvent.hover(page.getByRole('heading', { level: 1 }))
  await later(TOASTS.durationMs + 100)
  await expect.element(toast).not.toBeInTheDocument()

  await press('Start Call')
  await expect.element(toast).toBeVisible()
  await userEvent.keyboard(`{${TOASTS.hotkey}}`)
  expect(toast.element().parentElement).toBe(document.activeElement)
  await later(4 * TOASTS.durationMs)
  await expect.element(toast).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(toast).not.toBeInTheDocument()

  await press('Start Call')
  await toast.getByRole('button', { name: 'Close' }).click()
  await expect.element(toast).not.toBeInTheDocument()

  await press('Start Call')
  await expect.element(toast).toBeVisible()
  swipe(toast.element(), TOASTS.swipeThresholdPx - 10)
  await later(100)
  await expect.element(toast).toBeVisible()
  swipe(toast.element(), TOASTS.swipeThresholdPx + 10)
  await expect.element(toast).not.toBeInTheDocument()
})

test('a toast over a dialog on a phone can be closed without closing the dialog', async () => {
  const api = serve()
  api.lose(contactsRoutes.create)
  api.send(systemRoutes.health, '{}')
  await openScreen('/contacts', { size: NARROW })
  await page.getByRole('button', { name: 'Add Contact' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add Contact' })
  await dialog.getByLabelText('Name').fill('Ruiz')
  await dialog.getByLabelText(/^Phone/).fill('+1 202 555 0100')
  await dialog.getByRole('button', { name: 'Add Contact' }).click()
  // A click only succeeds if nothing covers the button.
  await toast.getByRole('button', { name: 'Close' }).click()
  await expect.element(toast).not.toBeInTheDocument()
  await expect.element(dialog).toBeVisible()
})

// screens.md: toast-time-five-seconds
test('shows one toast at a time, for 5 seconds', async () => {
  serve()
  await openScreen('/make-call')
  await press('Start Call')
  await expectTexts(['Error', 'Please fill in all required fields.'], toast)
  // A focused toast stays.
  await userEvent.keyboard(`{${TOASTS.hotkey}}`)
  expect(await findingsInLooks()).toEqual([])
  await userEvent.keyboard('{Escape}')
  await expect.element(toast).not.toBeInTheDocument()
  const { shownToast } = await import('../../src/ui/toast/toast.ts')
  stopTime()
  // A synthetic click: Playwright's click and its polling would advance the fake clock.
  const before = Date.now()
  page
    .getByRole('button', { name: 'Start Call' })
    .element()
    .dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
  await expect.element(toast).toBeVisible()
  const seen = Date.now()
  await later(before + TOASTS.durationMs - 100 - seen)
  expect(toast.elements()).toHaveLength(1)
  await later(seen - before + 200)
  expect(shownToast()).toBeUndefined()
  await expect.element(toast).not.toBeInTheDocument()
  await press('Start Call')
  await expectTexts(['Please fill in all required fields.'], toast)
  await page.getByLabelText('Phone Number').fill('+1 202 555 0100')
  await page.getByLabelText('Purpose').fill('Ask')
  await page.getByRole('textbox', { name: /^Context/ }).fill('{')
  await press('Start Call')
  await expectTexts(['Invalid JSON in context field. Please check the format.'], toast)
  expect(toast.elements()).toHaveLength(1)
})

function swipe(element: Element, px: number): void {
  const dispatch = (type: string, x: number) =>
    element.dispatchEvent(
      new PointerEvent(type, { bubbles: true, pointerId: 1, pointerType: 'mouse', clientX: x, clientY: 20 }),
    )
  dispatch('pointerdown', 100)
  for (const part of [0.25, 0.5, 0.75, 1]) dispatch('pointermove', 100 + px * part)
  dispatch('pointerup', 100 + px)
}

// screens.md: tooltip-comes-after-700
test('a tooltip opens after 700 ms, or at once within 300 ms of the previous one', async () => {
  const api = serve()
  api.answer(
    reportsRoutes.calls,
    ['1', '2', '3', '4'].map((id) => listed(aCall({ id }))),
  )
  await openScreen('/call-history')
  const icons = page.getByRole('button', { name: 'Download transcript' })
  const tip = page.getByRole('tooltip')
  const leave = async () => {
    await userEvent.hover(page.getByRole('heading', { level: 1 }))
    await expect.element(tip).not.toBeInTheDocument()
  }
  await expect.element(icons.first()).toBeVisible()
  stopTime()
  await userEvent.hover(icons.nth(0))
  await later(TOOLTIPS.delayMs - 50)
  await expect.element(tip).not.toBeInTheDocument()
  await later(100)
  await expect.element(tip).toBeVisible()
  await leave()
  await later(TOOLTIPS.skipDelayMs - 100)
  await userEvent.hover(icons.nth(3))
  await expect.element(tip).toBeVisible()
  await leave()
  await later(TOOLTIPS.skipDelayMs + 100)
  await userEvent.hover(icons.nth(0))
  await later(TOOLTIPS.delayMs - 50)
  await expect.element(tip).not.toBeInTheDocument()
})
