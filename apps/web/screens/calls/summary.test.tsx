import { type CallDetails, reportsRoutes } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { aCall, axeFindings, expectTexts, press } from '../testing.tsx'
import { answerCalls, openDetails } from './testing.tsx'

async function openSummary(call: CallDetails) {
  const opened = await openDetails(call)
  await opened.dialog.getByRole('tab', { name: 'Summary' }).click()
  return opened
}

describe('summary of a call', () => {
  test('is written again on request, and shown when it is there', async () => {
    const call = aCall()
    const { api, dialog } = await openSummary(call)
    await expectTexts(['The table for two at 7 pm is booked.'], dialog)
    api.answer(reportsRoutes.makeSummaries, () => {
      answerCalls(api, () => [{ ...call, summary: 'They keep a table at 7 pm.' }])
      return { summaries: [] }
    })
    const letGo = api.hold(reportsRoutes.makeSummaries)
    await press('Summarise again')
    await expect
      .element(dialog.getByRole('button', { name: 'Summarise again' }))
      .toHaveAttribute('aria-disabled', 'true')
    letGo()
    await expectTexts(['They keep a table at 7 pm.'], dialog)
    await expectTexts(['The summary was written again'])
    expect(api.requests(reportsRoutes.makeSummaries)).toMatchObject([{ body: { callId: call.id } }])
    expect(await axeFindings()).toEqual([])
  })

  test('stays as it is when it cannot be written again', async () => {
    const { api, dialog } = await openSummary(aCall())
    api.refuse(reportsRoutes.makeSummaries, 'internal')
    await press('Summarise again')
    await expectTexts(['The summary could not be written. Please try again.'])
    await expectTexts(['The table for two at 7 pm is booked.'], dialog)
  })
})
