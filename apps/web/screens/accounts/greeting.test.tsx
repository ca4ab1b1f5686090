import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { ADA, openScreen, serve } from '../testing.tsx'

afterEach(() => void vi.useRealTimers())

const stopTime = () => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })

test('the start page greets whoever is new, and need not be waited for', async () => {
  serve({ ...ADA, createdAt: new Date().toISOString() })
  stopTime()
  const { address } = await openScreen('/')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Welcome, Ada' })).toBeVisible()
  await page.getByRole('link', { name: 'Open it now' }).click()
  await expect.poll(address).toBe('/dashboard')
})
