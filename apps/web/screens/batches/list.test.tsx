import { BATCH_STATUSES, batchesRoutes } from '@parley/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { axeFindings, expectTexts, findingsInLooks, openScreen, press, serve } from '../testing.tsx'
import { aBatch, answerBatch, overview } from './testing.tsx'

const PATH = '/make-call?tab=batch'
const lists = page.getByRole('region', { name: 'Your batches' })
const rows = lists.getByRole('listitem')

test('lists earlier batches below the form, each with its status and a link', async () => {
  const api = serve()
  answerBatch(api, aBatch({ status: 'running', contacts: { waiting: 0, completed: 1, failed: 1 } }))
  const every = BATCH_STATUSES.map((status, at) =>
    overview(
      aBatch({
        id: `list-${at}`,
        name: `It is ${status}`,
        status,
        totalCalls: 4,
        contacts: { waiting: 2, completed: 2 },
      }),
    ),
  )
  api.answer(batchesRoutes.list, every)
  const { address } = await openScreen(PATH)
  for (const word of ['Draft', 'Scheduled', 'Running', 'Paused', 'Done', 'Stopped']) {
    await expectTexts([word, /^2 of 4 done · /], rows.filter({ hasText: `It is ${word.toLowerCase()}` }))
  }
  expect(await findingsInLooks()).toEqual([])
  await page.getByRole('link', { name: 'Open It is running' }).click()
  await expectTexts(['2 of 2 contacts done'])
  expect(address()).toBe('/make-call?tab=batch&batch=list-2')
  expect(lists.query()).toBeNull()
})

test('loads more pages of batches until the last', async () => {
  const api = serve()
  const pageOf = (from: number) =>
    Array.from({ length: Math.min(10, 12 - from) }, (_, at) =>
      overview(aBatch({ id: `list-${from + at}`, name: `List ${from + at + 1}` })),
    )
  api.answer(batchesRoutes.list, pageOf(0), { total: 12, nextCursor: '10' })
  await openScreen(PATH)
  await expect.poll(() => rows.elements().length).toBe(10)
  api.answer(batchesRoutes.list, pageOf(10), { total: 12 })
  const goOn = api.hold(batchesRoutes.list)
  await press('Show more batches')
  await expect.element(page.getByRole('button', { name: 'Show more batches' })).toHaveAttribute('aria-disabled', 'true')
  goOn()
  await expect.poll(() => rows.elements().length).toBe(12)
  await expect.element(page.getByRole('link', { name: 'Open List 12' })).toBeVisible()
  expect(page.getByRole('button', { name: 'Show more batches' }).query()).toBeNull()
  expect(api.requests(batchesRoutes.list).map(({ query }) => query['cursor'])).toEqual([undefined, '10'])
})

test('a failed load offers a retry', async () => {
  const api = serve()
  api.refuse(batchesRoutes.list, 'internal')
  await openScreen(PATH)
  await expectTexts(['Your batches could not be loaded'])
  expect(await axeFindings()).toEqual([])
  answerBatch(api)
  await press('Try again')
  await expectTexts(['Guests'], lists)
})

test('live messages update the list of batches', async () => {
  const api = serve()
  const kept = answerBatch(api, aBatch({ status: 'running' }))
  const { say } = await openScreen(PATH)
  await expectTexts(['Running', /^0 of 2 done · /], lists)
  kept.batch = aBatch({ status: 'done', contacts: { waiting: 0, completed: 2 } })
  say({ type: 'batch_progress', batchId: 'list-1', status: 'done', counts: {}, contacts: kept.batch.contacts })
  await expectTexts(['Done', /^2 of 2 done · /], lists)
})
