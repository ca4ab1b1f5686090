import { reportsRoutes } from '@parley/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { aCall, ADA, axeFindings, expectTexts, findingsInLooks, listed, openScreen, serve } from '../testing.tsx'

const numbers = page.getByRole('region', { name: 'Your numbers' })
const recent = page.getByRole('region', { name: 'Recent Activity' })
const calls = page.getByRole('region', { name: 'Call History' })
const MINUTE = 60_000
const HOUR = 60 * MINUTE

// screens.md: dashboard-somebody-called-shows
test('the dashboard shows four numbers, the latest calls with their age, and the footer links', async () => {
  const api = serve({ ...ADA, creditBalance: '38' })
  api.answer(reportsRoutes.stats, { totalCalls: 1204, successRate: 66.6, avgDuration: 125, creditsUsed: 62 })
  const ages = [5000, MINUTE + 5000, 5 * MINUTE + 5000, HOUR + 5000, 50 * HOUR]
  api.answer(
    reportsRoutes.calls,
    ages.map((age, at) => listed(aCall({ id: `call-${at}`, createdAt: new Date(Date.now() - age).toISOString() }))),
  )
  await openScreen('/dashboard')
  await expectTexts(['Manage your AI voice calls and monitor your usage'])
  await expectTexts(
    ['Total Calls', '1,204', 'Success Rate', '67%', 'Avg Duration', '2m 5s', 'Credits Used', '62'],
    numbers,
  )
  await expectTexts([/Just now/, /1 minute ago/, /5 minutes ago/, /1 hour ago/, /2 days ago/], recent)
  const links = [
    ['A product of Parley Group', 'https://parley.example'],
    ['Privacy Policy', '/privacy-policy'],
    ['Terms of Service', '/terms-of-service'],
    ['Contact Us', 'mailto:support@parley.example'],
  ] as const
  for (const [name, href] of links) await expect.element(page.getByRole('link', { name })).toHaveAttribute('href', href)
  await expect.element(page.getByRole('navigation', { name: 'Legal and contact' })).toBeVisible()
  expect(await findingsInLooks()).toEqual([])
})

// screens.md: while-figures-calls-their
test('the dashboard shows placeholders while loading and empty texts without calls', async () => {
  const api = serve()
  const letGo = [api.hold(reportsRoutes.stats), api.hold(reportsRoutes.calls)]
  await openScreen('/dashboard')
  await expect.element(numbers).toHaveAttribute('aria-busy', 'true')
  const skeletons = () => numbers.element().querySelectorAll('dd > span[aria-hidden=true]').length
  expect(skeletons()).toBe(4)
  await expect.poll(() => recent.element().querySelector('[aria-busy=true]')).not.toBeNull()
  await expectTexts(['Loading'], calls)
  for (const go of letGo) go()
  await expectTexts(['0%', '0m 0s'], numbers)
  expect(skeletons()).toBe(0)
  await expectTexts(['Your latest calls will appear here.'], recent)
  await expectTexts(['No calls yet'], calls)
})

test('numbers and calls that fail to load each offer a retry', async () => {
  const api = serve()
  api.send(reportsRoutes.stats, '', { status: 503 })
  api.send(reportsRoutes.calls, '', { status: 503 })
  await openScreen('/dashboard')
  await expectTexts(['Your numbers could not be loaded', 'Check your connection, then try again.'])
  await expectTexts(['Your latest calls could not be loaded'], recent)
  await expectTexts(['Your calls could not be loaded'], calls)
  expect(await axeFindings()).toEqual([])
  api.answer(reportsRoutes.stats, { totalCalls: 7, successRate: 0, avgDuration: 0, creditsUsed: 0 })
  api.answer(reportsRoutes.calls, [])
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await expectTexts(['7'], numbers)
  await recent.getByRole('button', { name: 'Try again' }).click()
  await expectTexts(['Your latest calls will appear here.'], recent)
})
