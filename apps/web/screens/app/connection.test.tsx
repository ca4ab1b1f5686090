import { reportsRoutes, securityRoutes, systemRoutes } from '@parley/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { axeFindings, expectTexts, findingsInLooks, openScreen, press, serve } from '../testing.tsx'

const OFFLINE = 'You are offline. This page continues when you reconnect.'
const AWAY = 'The server does not answer. Trying again…'
const BACK = 'You are connected again.'
const BACK_SHOWN_MS = 3000

const network = { isThere: true }
const change = (isThere: boolean) => {
  network.isThere = isThere
  dispatchEvent(new Event(isThere ? 'online' : 'offline'))
}

beforeEach(() => {
  network.isThere = true
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => network.isThere)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
})
afterEach(async () => {
  change(true)
  await vi.advanceTimersByTimeAsync(BACK_SHOWN_MS)
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('a lost network shows the offline notice at once; reconnecting refetches the screen', async () => {
  const api = serve()
  await openScreen('/call-history')
  await expectTexts(['No calls yet'])
  change(false)
  await expectTexts([OFFLINE])
  expect(await findingsInLooks()).toEqual([])
  const before = api.requests(reportsRoutes.calls).length
  change(true)
  await expectTexts([BACK])
  expect(await axeFindings()).toEqual([])
  await expect.poll(() => api.requests(reportsRoutes.calls).length).toBe(before + 1)
  await vi.advanceTimersByTimeAsync(BACK_SHOWN_MS)
  await expect.element(page.getByText(BACK)).not.toBeInTheDocument()
})

test('failed requests show the server as unreachable and poll its health until it responds', async () => {
  const api = serve()
  await openScreen('/analytics')
  await expectTexts(['No calls in this period'])
  for (const route of [systemRoutes.health, reportsRoutes.stats, reportsRoutes.calls]) api.lose(route)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click()
  await expectTexts([AWAY])
  const before = api.requests(systemRoutes.health).length
  await vi.advanceTimersByTimeAsync(1000)
  await expect.poll(() => api.requests(systemRoutes.health).length).toBe(before + 1)
  await expectTexts([AWAY])
  api.send(systemRoutes.health, '', { status: 503 })
  api.answer(reportsRoutes.stats, { totalCalls: 7, successRate: 0, avgDuration: 0, creditsUsed: 0 })
  api.answer(reportsRoutes.calls, [])
  await vi.advanceTimersByTimeAsync(2000)
  await expectTexts([BACK])
  await expectTexts(['7'], page.getByRole('region', { name: 'Your numbers' }))
})

test('the authenticator key stays the same after the network is lost and back', async () => {
  const api = serve()
  api.answer(securityRoutes.setUpSecondFactor, {
    secret: 'JBSWY3DPEHPK3PXP',
    uri: 'otpauth://totp/Parley?secret=JBSWY3DPEHPK3PXP',
  })
  await openScreen('/settings')
  await press('Set up an authenticator app')
  const key = page.getByLabelText('Or type this key into the app')
  await expect.element(key).toHaveValue('JBSWY3DPEHPK3PXP')
  const read = api.requests(securityRoutes.secondFactor).length
  change(false)
  await expectTexts([OFFLINE])
  change(true)
  await expectTexts([BACK])
  await expect.poll(() => api.requests(securityRoutes.secondFactor).length).toBe(read + 1)
  expect(api.requests(securityRoutes.setUpSecondFactor)).toHaveLength(1)
  await expect.element(key).toHaveValue('JBSWY3DPEHPK3PXP')
})
