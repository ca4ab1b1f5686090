import { callsRoutes } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { aCall, ADA, expectTexts, findingsInLooks, listed, openScreen, serve } from '../testing.tsx'

const notice = () => page.getByRole('region', { name: 'Low balance' })
const bar = () => page.getByRole('region', { name: 'Credits' })
const TOLD = 'parley.lowBalance.user-ada'

describe('low balance', () => {
  test('shows a notice with the minutes left until dismissed', async () => {
    serve({ ...ADA, creditBalance: '2' })
    await openScreen('/contacts')
    await expectTexts(['You have 2 credits left. Buy more before your next call is cut short.'], notice())
    await expectTexts(['2', 'about 2 minutes'], bar())
    expect(await findingsInLooks()).toEqual([])
    await notice().getByRole('button', { name: 'Dismiss' }).click()
    await expect.element(notice()).not.toBeInTheDocument()
    expect(localStorage.getItem(TOLD)).not.toBeNull()
  })

  test('stays dismissed until the balance rises and falls again', async () => {
    localStorage.setItem(TOLD, 'told')
    serve({ ...ADA, creditBalance: '1' })
    const { say } = await openScreen('/contacts')
    await expectTexts(['about 1 minute'], bar())
    await expect.element(notice()).not.toBeInTheDocument()
    say({ type: 'credits', creditBalance: '11' })
    await expectTexts(['about 11 minutes'], bar())
    say({ type: 'credits', creditBalance: '1' })
    await expectTexts(['You have 1 credit left. Buy more before your next call is cut short.'], notice())
    say({ type: 'credits', creditBalance: '0' })
    await expectTexts(['You have no credits left. Buy more to start a call.'], notice())
  })

  test('shows no notice while calls in progress hold the rest; the bar shows the held credits', async () => {
    const api = serve({ ...ADA, creditBalance: '1', creditsHeld: 5 })
    api.answer(callsRoutes.active, [
      listed(aCall({ status: 'in_progress', endReason: null, creditsCharged: null, completedAt: null })),
    ])
    await openScreen('/contacts')
    await expectTexts(['about 1 minute', /^5 reserved by a call in progress$/], bar())
    await expect.element(notice()).not.toBeInTheDocument()
  })
})
