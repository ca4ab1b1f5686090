import { CALLS_FOUND_MAX, reportsRoutes } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { aCall, axeFindings, expectTexts, findingsInLooks, listed, openScreen, serve } from '../testing.tsx'
import { aSummary } from './testing.ts'

const summaries = page.getByRole('region', { name: 'AI Call Summary' })
const calls = page.getByRole('region', { name: 'Calls', exact: true })
const chooseStatus = async (name: string) => {
  await calls.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name, exact: true }).click()
}

describe('AI summaries', () => {
  test('show type, insights, next steps and required action of each call', async () => {
    const api = serve()
    const more = { insights: ['They close at ten.'], nextSteps: ['Call again on Monday'] }
    api.answer(reportsRoutes.summaries, [
      aSummary(more),
      aSummary({
        callId: 'call-2',
        type: 'failed',
        title: 'Cancel a room',
        actionRequired: true,
        actionText: 'Choose another day',
      }),
      aSummary({ callId: 'call-3', type: 'pending', title: 'Ask for a price' }),
      aSummary({ callId: 'call-4', type: 'other', title: 'Say hello' }),
    ])
    await openScreen('/analytics')
    await expectTexts(['Success', 'Failed', 'Pending', 'Other', 'The table for two at 7 pm is booked.'], summaries)
    await expectTexts(['They close at ten.'], summaries.getByRole('list', { name: 'Insights' }))
    await expectTexts(['Call again on Monday'], summaries.getByRole('list', { name: 'Next steps' }))
    await expectTexts([/To do:/, /Choose another day/], summaries)
    expect(await findingsInLooks()).toEqual([])
  })

  test('load their next page on request', async () => {
    const api = serve()
    api.answer(reportsRoutes.summaries, [aSummary()], { total: 2, nextCursor: '1' })
    await openScreen('/analytics')
    await expectTexts(['Book a table for two'], summaries)
    api.answer(reportsRoutes.summaries, [aSummary({ callId: 'call-2', title: 'Cancel a room' })])
    await summaries.getByRole('button', { name: 'Show more summaries' }).click()
    await expectTexts(['Book a table for two', 'Cancel a room'], summaries)
    await expect.element(summaries.getByRole('button', { name: 'Show more summaries' })).not.toBeInTheDocument()
  })
})

describe('calls of analytics', () => {
  // screens.md: go-press-found-words
  test('load their next page on request, and are filtered by text and status', async () => {
    const api = serve()
    api.answer(reportsRoutes.calls, [listed(aCall())], { total: 2, nextCursor: '50' })
    await openScreen('/analytics')
    await expectTexts(['2 calls', 'Book a table for two at 7 pm'], calls)
    api.answer(reportsRoutes.calls, [listed(aCall({ id: 'call-2', purpose: 'Cancel a room' }))], { total: 2 })
    await calls.getByRole('button', { name: 'Show more calls' }).click()
    await expectTexts(['Book a table for two at 7 pm', 'Cancel a room'], calls)
    await expect.element(calls.getByRole('button', { name: 'Show more calls' })).not.toBeInTheDocument()

    api.answer(reportsRoutes.calls, [listed(aCall())], { total: 1 })
    const search = calls.getByRole('searchbox', { name: 'Search calls' })
    await expect.element(search).toHaveAttribute('placeholder', 'Callee, purpose, transcript or summary')
    await search.fill(' table ')
    await expectTexts(['1 call'], calls)
    expect(api.requests(reportsRoutes.calls).at(-1)?.query).toMatchObject({ status: 'all', q: 'table' })
    api.answer(reportsRoutes.calls, [listed(aCall())], { total: CALLS_FOUND_MAX + 1, nextCursor: '50' })
    await chooseStatus('Completed')
    await expectTexts([`More than ${CALLS_FOUND_MAX.toLocaleString('en')} calls`], calls)
    await chooseStatus('In Progress')
    await expect
      .poll(() => api.requests(reportsRoutes.calls).at(-1)?.query)
      .toMatchObject({ status: 'in_progress', q: 'table' })
    api.answer(reportsRoutes.calls, [])
    await chooseStatus('Failed')
    await expectTexts(['0 calls', 'No calls found', 'Try a different search or status.'], calls)
    expect(await findingsInLooks()).toEqual([])
  })

  // screens.md: count-call-answered-moment
  test('show a connected call as in progress, in yellow', async () => {
    const api = serve()
    const running = {
      status: 'connected',
      endReason: null,
      completedAt: null,
      summary: null,
      transcript: null,
    } as const
    api.answer(reportsRoutes.calls, [
      listed(aCall(running)),
      listed(aCall({ ...running, id: 'call-2', status: 'in_progress' })),
      listed(aCall({ id: 'call-3' })),
    ])
    await openScreen('/analytics')
    await expectTexts(['Completed'], calls)
    const badges = calls.getByText('In Progress', { exact: true }).elements()
    expect(badges).toHaveLength(2)
    await expect.element(calls.getByText('Connected', { exact: true })).not.toBeInTheDocument()
    // Soft yellow.
    expect(new Set(badges.map((badge) => getComputedStyle(badge).backgroundColor))).toEqual(
      new Set(['rgb(251, 241, 224)']),
    )
  })
})

test('summaries and calls that fail to load each offer a retry', async () => {
  const api = serve()
  api.send(reportsRoutes.summaries, '', { status: 503 })
  api.send(reportsRoutes.calls, '', { status: 503 })
  await openScreen('/analytics')
  await expectTexts(['The summaries could not be loaded'], summaries)
  await expectTexts(['Your calls could not be loaded'], calls)
  expect(await axeFindings()).toEqual([])
  api.answer(reportsRoutes.summaries, [])
  api.answer(reportsRoutes.calls, [])
  await summaries.getByRole('button', { name: 'Try again' }).click()
  await expectTexts(['Each finished call is summed up here: what was learned, and what to do next.'], summaries)
  await calls.getByRole('button', { name: 'Try again' }).click()
  await expectTexts(['No calls found'], calls)
})
