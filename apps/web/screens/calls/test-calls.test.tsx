import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { aCall, axeFindings, expectTexts, NARROW, openScreen, serve } from '../testing.tsx'
import { answerCalls, aRunningCall, openDetails, watchCall } from './testing.tsx'

const aTest = aCall({ isTest: true, creditsHeld: 0, creditsCharged: 0 })

describe('a test call is marked', () => {
  test.each([
    ['the table', undefined],
    ['the cards of a phone', NARROW],
  ])('in %s of the history, and no other call is', async (_, size) => {
    const other = aCall({ id: 'call-2', purpose: 'A real one' })
    answerCalls(serve(), () => [aTest, other])
    await openScreen('/call-history', size && { size })
    await expect.element(page.getByText('Test call').first()).toBeVisible()
    expect(page.getByText('Test call').elements()).toHaveLength(1)
    expect(await axeFindings()).toEqual([])
  })

  test('in its details', async () => {
    const { dialog } = await openDetails(aTest)
    await expect.element(dialog.getByText('+1 202 555 0100 · Test call')).toBeVisible()
  })

  test('while it runs, in the place of its credits', async () => {
    const { view } = await watchCall(aRunningCall({ isTest: true, creditsHeld: 0 }))
    await expectTexts(['Test call'], view)
    expect(view.getByText(/^\d+ credits?$/).query()).toBeNull()
  })
})
