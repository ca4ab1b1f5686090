import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { ADA, openScreen, serve } from '../testing.tsx'

afterEach(() => void vi.useRealTimers())

const stopTime = () => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })

// screens.md: start-page-greets-new
test('greets a new account without "back" and links to the dashboard at once', async () => {
  serve({ ...ADA, createdAt: new Date().toISOString() })
  stopTime()
  const { address } = await openScreen('/')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Welcome, Ada' })).toBeVisible()
  await page.getByRole('link', { name: 'Open it now' }).click()
  await expect.poll(address).toBe('/dashboard')
})

// screens.md: comes-back-after-day
test('greets a returning user with "Welcome back" and opens the dashboard after 3 seconds', async () => {
  serve({ ...ADA, createdAt: new Date(Date.now() - 48 * 3_600_000).toISOString() })
  stopTime()
  const { address } = await openScreen('/welcome')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Welcome back, Ada' })).toBeVisible()
  await expect.element(page.getByRole('progressbar')).toBeVisible()
  for (const left of ['3 seconds', '2 seconds', '1 second']) {
    await expect.element(page.getByText(new RegExp(`^Your dashboard opens in ${left}`)).first()).toBeVisible()
    await vi.advanceTimersByTimeAsync(1000)
  }
  await expect.poll(address).toBe('/dashboard')
})
