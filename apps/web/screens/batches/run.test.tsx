import { type Batch, batchesRoutes, type LiveMessage } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { axeFindings, expectTexts, type FakeApi, findingsInLooks, openScreen, press, serve } from '../testing.tsx'
import { aBatch, anImport, answerBatch, changesOf } from './testing.tsx'

const PATH = '/make-call?tab=batch&batch=list-1'
const card = page.getByRole('region', { name: 'Guests' })
const button = (name: string) => card.getByRole('button', { name, exact: true })

async function openRun(
  change: Parameters<typeof aBatch>[0],
): Promise<{ api: FakeApi; say: (message: LiveMessage) => void }> {
  const api = serve()
  answerBatch(api, aBatch(change))
  const { say } = await openScreen(PATH)
  await expect.element(page.getByRole('heading', { name: 'Guests' })).toBeVisible()
  return { api, say }
}

function buttons(): (string | null)[] {
  return card
    .getByRole('button')
    .elements()
    .map((each) => each.textContent)
}

const UNDER_WAY = {
  status: 'running',
  totalCalls: 6,
  description: 'Batch call with 6 contacts',
  creditsCharged: 3,
  contacts: { waiting: 2, calling: 1, completed: 1, failed: 1, cancelled: 1 },
  estimate: { calls: 3, likelyCredits: 6, mostCredits: 30, availableCredits: 10, minutes: 2, opensAt: null },
} as const

describe('running batch', () => {
  test('shows its progress, the credits used and the remaining estimate', async () => {
    await openRun(UNDER_WAY)
    await expectTexts(
      [
        'Batch call with 6 contacts',
        'Running',
        '3 of 6 contacts done',
        '3 credits used · about 6 credits left, 2 minutes',
      ],
      card,
    )
    await expect
      .element(card.getByRole('progressbar', { name: '3 of 6 contacts done' }))
      .toHaveAttribute('aria-valuenow', '3')
    const figures = [...document.querySelectorAll('dl > div')].map((each) => each.textContent)
    expect(figures).toEqual(['To call2', 'Calling now1', 'Completed1', 'Failed1'])
    for (const format of ['CSV', 'JSON'])
      await expect
        .element(card.getByRole('link', { name: `Results ${format}` }))
        .toHaveAttribute('href', `/api/batch-calls/list-1/results?format=${format.toLowerCase()}`)
    expect(await findingsInLooks()).toEqual([])
  })

  test('a live message updates the counts at once and refetches the rest', async () => {
    const { api, say } = await openRun(UNDER_WAY)
    await expectTexts(['3 of 6 contacts done'], card)
    answerBatch(
      api,
      aBatch({ ...UNDER_WAY, status: 'done', creditsCharged: 9, contacts: { waiting: 0, completed: 6 } }),
    )
    const { contacts } = aBatch({ contacts: { waiting: 0, completed: 6 } })
    const goOn = api.hold(batchesRoutes.get)
    say({ type: 'batch_progress', batchId: 'another', status: 'stopped', counts: {}, contacts })
    say({ type: 'batch_progress', batchId: 'list-1', status: 'done', counts: {}, contacts })
    await expectTexts(['6 of 6 contacts done', 'Done'], card)
    goOn()
    await expectTexts(['9 credits used'], card)
  })

  test('pauses and resumes; the pressed button is disabled while pending', async () => {
    const { api } = await openRun(UNDER_WAY)
    const goOn = api.hold(batchesRoutes.change)
    await button('Pause').click()
    await expect.element(button('Pause')).toHaveAttribute('aria-disabled', 'true')
    goOn()
    await expectTexts(['Paused'], card)
    await button('Resume').click()
    await expectTexts(['Running'], card)
    expect(changesOf(api)).toEqual([{ action: 'pause' }, { action: 'resume' }])
  })

  test('stops only after confirmation', async () => {
    const { api } = await openRun(UNDER_WAY)
    await button('Stop').click()
    const question = page.getByRole('alertdialog', { name: 'Stop this batch?' })
    await expectTexts(['Calls in progress end, and nobody else is called. This cannot be undone.'], question)
    expect(await axeFindings()).toEqual([])
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect.element(question).not.toBeInTheDocument()
    expect(changesOf(api)).toEqual([])
    await button('Stop').click()
    await question.getByRole('button', { name: 'Stop' }).click()
    await expectTexts(['Stopped'], card)
    expect(changesOf(api)).toEqual([{ action: 'stop' }])
  })

  test('a failed change shows the reason and keeps the status', async () => {
    const { api } = await openRun(UNDER_WAY)
    api.lose(batchesRoutes.change)
    await button('Pause').click()
    await expectTexts(['Error', 'The batch could not be changed. Please try again.'])
    api.refuse(batchesRoutes.change, 'conflict', { message: 'It has ended already.' })
    await button('Pause').click()
    await expectTexts(['It has ended already.'])
    await expectTexts(['Running'], card)
  })
})

describe('actions of each status', () => {
  test.each<[string, Partial<Batch>, readonly string[], readonly (string | RegExp)[]]>([
    [
      'scheduled',
      { status: 'scheduled', scheduledFor: '2039-01-01T10:00:00.000Z' },
      ['Start now', 'Stop'],
      ['Scheduled', /· Starts .*2039/],
    ],
    [
      'paused without credits',
      { status: 'paused', pausedBy: 'credits', statusMessage: 'The credits are used up.' },
      ['Resume', 'Stop'],
      ['Paused', /^The credits are used up\./],
    ],
    [
      'paused by the calling hours',
      { status: 'paused', pausedBy: 'hours', statusMessage: 'It is night.', goesOnAt: '2039-01-01T10:00:00.000Z' },
      ['Pause', 'Stop'],
      ['Paused', /^It is night\. The next call is made at .*\d:\d\d/],
    ],
    ['done', { status: 'done' }, ['Delete'], ['Done']],
    [
      'stopped without contacts left',
      { status: 'stopped', statusMessage: 'Nobody is left.' },
      ['Delete'],
      ['Stopped', /^Nobody is left\./],
    ],
  ])('%s', async (_, change, actions, texts) => {
    await openRun(change)
    await expectTexts(texts, card)
    expect(buttons()).toEqual(actions)
    expect(await axeFindings()).toEqual([])
  })

  test('done, with failed contacts: calls them again', async () => {
    const { api } = await openRun({ status: 'done', contacts: { waiting: 0, completed: 1, failed: 1 } })
    expect(buttons()).toEqual(['Retry failed', 'Delete'])
    await button('Retry failed').click()
    await expectTexts(['Running'], card)
    expect(changesOf(api)).toEqual([{ action: 'retry-failed' }])
  })

  test('scheduled: starts early on request', async () => {
    const { api } = await openRun({ status: 'scheduled', scheduledFor: '2039-01-01T10:00:00.000Z' })
    await button('Start now').click()
    await expectTexts(['Running'], card)
    expect(changesOf(api)).toEqual([{ action: 'start' }])
  })
})

describe('deleting a batch asks for confirmation', () => {
  const question = page.getByRole('alertdialog', { name: 'Delete this batch?' })

  test('and returns to the list, without the deleted batch', async () => {
    const api = serve()
    answerBatch(api, aBatch({ status: 'done' }))
    const { address } = await openScreen('/make-call?tab=batch')
    await page.getByRole('link', { name: 'Open Guests' }).click()
    await button('Delete').click()
    await expectTexts(['The batch is deleted. Calls already made stay in your history.'], question)
    expect(await axeFindings()).toEqual([])
    const goOn = api.hold(batchesRoutes.remove)
    await question.getByRole('button', { name: 'Delete' }).click()
    await expect.element(question.getByRole('button', { name: 'Delete' })).toHaveAttribute('aria-disabled', 'true')
    goOn()
    await expectTexts(['Batch deleted'])
    await expect.element(page.getByRole('button', { name: 'Upload contacts' })).toBeVisible()
    expect(page.getByRole('region', { name: 'Your batches' }).query()).toBeNull()
    expect(address()).toBe('/make-call?tab=batch')
  })

  test('for a draft too; a failed deletion keeps the draft', async () => {
    const api = serve()
    answerBatch(api, aBatch(), { list: anImport() })
    await openScreen(PATH)
    api.lose(batchesRoutes.remove)
    await press('Delete')
    await question.getByRole('button', { name: 'Delete' }).click()
    await expectTexts(['Error', 'The batch could not be changed. Please try again.'])
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expectTexts(['2 contacts can be called'])
    answerBatch(api)
    await press('Delete')
    await question.getByRole('button', { name: 'Delete' }).click()
    await expect.element(page.getByRole('button', { name: 'Upload contacts' })).toBeVisible()
    expect(api.requests(batchesRoutes.remove).map(({ params }) => params)).toEqual([{ id: 'list-1' }, { id: 'list-1' }])
  })
})
