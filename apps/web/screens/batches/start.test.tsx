import { batchesRoutes } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { axeFindings, expectTexts, openScreen, press, serve } from '../testing.tsx'
import { aBatch, agree, anImport, answerBatch, changesOf } from './testing.tsx'

const DRAFT = '/make-call?tab=batch&batch=list-1'
const purpose = page.getByLabelText('Purpose')
const planned = (change: Parameters<typeof aBatch>[0] = {}) =>
  aBatch({ plan: { ...aBatch().plan, purpose: 'Ask about lunch' }, ...change })
const estimate = { calls: 2, likelyCredits: 4, mostCredits: 20, availableCredits: 10, minutes: 1, opensAt: null }

describe('estimate', () => {
  test('shows the credits and the duration', async () => {
    const api = serve()
    answerBatch(api, planned({ estimate }))
    await openScreen(DRAFT)
    await expect.element(page.getByRole('heading', { name: 'Estimate' })).toBeVisible()
    await expectTexts(['About 4 credits, at most 20', 'Done in about 1 minute', 'You have 10 credits.'])
  })

  test('warns when credits will run out, and at night shows the first call’s time', async () => {
    const api = serve()
    const opensAt = '2026-11-21T08:00:00.000Z'
    answerBatch(api, planned({ estimate: { ...estimate, availableCredits: 1, minutes: 75, opensAt } }))
    await openScreen(DRAFT)
    await expectTexts(['Done in about 1 h 15 min'])
    await expectTexts([
      /^You have 1 credit\. The batch pauses when the credits are used up\. Buy more, and resume it\.$/,
    ])
    const opens = page.getByText(/^It is outside calling hours for every contact\. The first call is made at .*\d:\d\d/)
    await expect.element(opens).toBeVisible()
    expect(await axeFindings()).toEqual([])
    await page.getByLabelText('Start at a time').click()
    await expect.element(opens).not.toBeInTheDocument()
  })
})

describe('start', () => {
  test('disables the button until the batch runs, then focuses its name', async () => {
    const api = serve()
    answerBatch(api, planned())
    await openScreen(DRAFT)
    await agree()
    // Typed values are saved before, so that only the start is delayed.
    await expect.poll(() => changesOf(api).length).toBe(1)
    const goOn = api.hold(batchesRoutes.change)
    await press('Start 2 Calls')
    await expect.element(page.getByRole('button', { name: 'Starting...' })).toHaveAttribute('aria-disabled', 'true')
    goOn()
    await expectTexts(['Batch started'])
    await expect.element(page.getByRole('heading', { name: 'Guests' })).toHaveFocus()
    expect(changesOf(api).slice(-2)).toMatchObject([
      { description: 'Batch call with 2 contacts', consent: { marketing: false, permission: 'relationship' } },
      { action: 'start', dropIncomplete: false },
    ])
  })

  test('refuses a start time that is missing or past, and schedules a future one', async () => {
    const api = serve()
    answerBatch(api, planned(), { list: anImport({ contacts: 1 }) })
    await openScreen(DRAFT)
    await agree()
    const when = page.getByRole('group', { name: 'When' })
    await expect.element(when.getByLabelText('Start now')).toBeChecked()
    await when.getByLabelText('Start at a time').click()
    const at = page.getByLabelText('Start time')
    await press('Schedule 1 Call')
    await expectTexts(['Choose a time in the future.'])
    await expect.element(at).toHaveFocus()
    await at.fill('2020-01-01T10:00')
    await press('Schedule 1 Call')
    await expect.element(at).toHaveAttribute('aria-invalid', 'true')
    expect(await axeFindings()).toEqual([])
    await at.fill('2039-01-01T10:00')
    await press('Schedule 1 Call')
    await expectTexts(['Batch scheduled', 'Scheduled', /Starts .*2039/])
    expect(changesOf(api).at(-1)).toEqual({
      action: 'schedule',
      at: new Date('2039-01-01T10:00').toISOString(),
      dropIncomplete: false,
    })
  })

  // screens.md: could-started-says-why
  test('a failed start shows the reason and keeps the draft', async () => {
    const api = serve()
    answerBatch(api, planned())
    await openScreen(DRAFT)
    await agree()
    api.lose(batchesRoutes.change)
    await press('Start 2 Calls')
    await expectTexts(['Error', 'Failed to start batch calls.'])
    api.refuse(batchesRoutes.change, 'insufficient_credits', { message: 'There are no credits for a call.' })
    await press('Start 2 Calls')
    await expectTexts(['There are no credits for a call.'])
    await expect.element(purpose).toHaveValue('Ask about lunch')
  })
})

describe('reopened draft', () => {
  test('a failed load offers a retry, then shows the draft', async () => {
    const api = serve()
    api.refuse(batchesRoutes.get, 'not_found')
    await openScreen(DRAFT)
    await expectTexts(['This batch could not be loaded'])
    await expect.element(page.getByRole('link', { name: 'New batch' })).toBeVisible()
    expect(await axeFindings()).toEqual([])
    answerBatch(api, planned())
    const goOn = api.hold(batchesRoutes.get)
    await press('Try again')
    await expect.element(page.getByText('This batch could not be loaded')).not.toBeInTheDocument()
    expect(purpose.query()).toBeNull()
    goOn()
    await expect.element(purpose).toHaveValue('Ask about lunch')
  })

  test('a failed load of its file offers a retry', async () => {
    const api = serve()
    answerBatch(api, planned())
    api.refuse(batchesRoutes.getImport, 'internal')
    await openScreen(DRAFT)
    await expectTexts(['This batch could not be loaded'])
    api.answer(batchesRoutes.getImport, anImport())
    await press('Try again')
    await expect.element(purpose).toHaveValue('Ask about lunch')
  })

  test('keeps what was typed last, even if unsaved or refused', async () => {
    const api = serve()
    answerBatch(api, planned())
    await openScreen(DRAFT)
    await agree('Nothing at all')
    await page.getByRole('checkbox', { name: 'These calls advertise or sell something' }).click()
    await page.getByLabelText('Start at a time').click()
    await page.getByLabelText('Start time').fill('2039-01-01T10:00')
    await purpose.fill('Typed last of all')
    await page.getByRole('tab', { name: 'Single Call' }).click()
    await expect.element(page.getByLabelText('Phone Number')).toBeVisible()
    await page.getByRole('tab', { name: 'Batch Calls' }).click()
    const expectTyped = async () => {
      await expect.element(purpose).toHaveValue('Typed last of all')
      await expect
        .element(page.getByRole('checkbox', { name: 'These calls advertise or sell something' }))
        .toBeChecked()
      await expect.element(page.getByRole('combobox', { name: /^What did these/ })).toHaveTextContent('Nothing at all')
      await expect.element(page.getByLabelText('Start time')).toHaveValue('2039-01-01T10:00')
    }
    await expectTyped()
    await page.getByRole('link', { name: 'Billing' }).first().click()
    await expect.element(page.getByRole('heading', { name: 'Billing and Usage' })).toBeVisible()
    await page.getByRole('link', { name: 'Make Call' }).click()
    await page.getByRole('tab', { name: 'Batch Calls' }).click()
    await page.getByRole('link', { name: 'Open Guests' }).click()
    await expectTyped()
    expect(changesOf(api)).toContainEqual({ plan: { purpose: 'Typed last of all' } })
  })

  test('shows changes from elsewhere and overwrites only the fields typed here', async () => {
    const api = serve()
    const kept = answerBatch(api, planned())
    await openScreen(DRAFT)
    await expect.element(purpose).toHaveValue('Ask about lunch')
    await page.getByRole('link', { name: 'New batch' }).click()
    await expect.element(purpose).toHaveValue('')
    const elsewhere = (said: string) => {
      kept.batch = { ...kept.batch, plan: { ...kept.batch.plan, purpose: said } }
    }
    elsewhere('Typed elsewhere')
    await page.getByRole('link', { name: 'Open Guests' }).click()
    await expect.element(purpose).toHaveValue('Typed elsewhere')
    elsewhere('Typed elsewhere again')
    for (const minutes of ['5', '6']) {
      await page.getByLabelText('Max Duration (minutes)').fill(minutes)
      await expect.poll(() => changesOf(api).at(-1)).toEqual({ plan: { maxDurationMinutes: Number(minutes) } })
    }
    expect(kept.batch.plan.purpose).toBe('Typed elsewhere again')
  })
})
