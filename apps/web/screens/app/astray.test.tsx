import { reportsRoutes } from '@parley/contract'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { expectTexts, findingsInLooks, openScreen, serve } from '../testing.tsx'

test('an unknown address shows the 404 page with a link to the start page', async () => {
  serve(null)
  const { address } = await openScreen('/no-such-page')
  await expect.element(page.getByRole('heading', { level: 1, name: '404 Page Not Found' })).toBeVisible()
  await expectTexts(['This page does not exist, or it has moved. Check the address.'])
  await expect.poll(() => document.title).toBe('404 Page Not Found · Parley')
  expect(await findingsInLooks()).toEqual([])
  await page.getByRole('link', { name: 'Go to the start page' }).click()
  await expect.poll(address).toBe('/')
})

test('a screen that throws shows an error page with a reload button', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(console, 'warn').mockReturnValue()
  const api = serve()
  // A response that makes the screen throw.
  api.send(reportsRoutes.analytics, '{}', { headers: { 'content-type': 'application/json' } })
  await openScreen('/analytics')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Something went wrong on this page' })).toBeVisible()
  await expectTexts(['Nothing you saved is lost. Load the page again to go on.'])
  await expect.element(page.getByRole('button', { name: 'Load again' })).toBeVisible()
  expect(await findingsInLooks()).toEqual([])
  vi.restoreAllMocks()
})
