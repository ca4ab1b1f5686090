import { BatchChange, batchesRoutes, callsRoutes, type Mandate } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { axeFindings, expectTexts, type FakeApi, openScreen, press, serve } from '../testing.tsx'
import { aBatch, agree, answerBatch, changesOf } from './testing.tsx'

const DRAFT = '/make-call?tab=batch&batch=list-1'
const TABLE = 'Table at 7 pm'
const EVENING: Mandate = { rule: 'within_limits', limits: { timeFrom: '19:00', timeTo: '20:30' } }
const planned = (mandates?: (Mandate | null)[]) =>
  aBatch({
    plan: { ...aBatch().plan, purpose: 'Book for {{name}}', objectives: [TABLE], ...(mandates && { mandates }) },
  })
const choices = page.getByRole('group', { name: `What may be agreed to: ${TABLE}` })
const field = (name: string) => page.getByLabelText(name, { exact: true })
const saved = (api: FakeApi) =>
  changesOf(api).map((body) => {
    const change = BatchChange.parse(body)
    return change.action === undefined ? (change.plan ?? {}) : {}
  })

// screens.md: batch-mandate-each-objective
describe('what may be agreed to in every call of a list', () => {
  test('is as written at first, and nothing is saved of it', async () => {
    const api = serve()
    answerBatch(api, planned())
    await openScreen(DRAFT)
    await expect.element(choices.getByRole('radio', { name: 'As written' })).toBeChecked()
    await agree()
    await expect.poll(() => changesOf(api).length).toBe(1)
    expect(saved(api).every((plan) => !('mandates' in plan))).toBe(true)
    expect(await axeFindings()).toEqual([])
  })

  test('is chosen beneath an objective and saved, also for one that is added', async () => {
    const api = serve()
    answerBatch(api, planned())
    await openScreen(DRAFT)
    await choices.getByRole('radio', { name: 'Ask me first' }).click()
    await expectTexts(['Nothing is agreed to without you. Every offer is brought to you.'])
    await expect.poll(() => saved(api).at(-1)).toMatchObject({ mandates: [{ rule: 'ask_me' }] })
    await page.getByLabelText(/^Objectives/).fill('Vegetarian menu')
    await userEvent.keyboard('{Enter}')
    await expect
      .poll(() => saved(api).at(-1))
      .toMatchObject({ objectives: [TABLE, 'Vegetarian menu'], mandates: [{ rule: 'ask_me' }, null] })
  })

  test('is read from the draft, with its limits, and can be taken back', async () => {
    const api = serve()
    answerBatch(api, planned([EVENING]))
    await openScreen(DRAFT)
    await expect.element(choices.getByRole('radio', { name: 'Within limits' })).toBeChecked()
    await expect.element(field('Latest time')).toHaveValue('20:30')
    await field('Latest time').fill('21:00')
    await expect
      .poll(() => saved(api).at(-1))
      .toMatchObject({ mandates: [{ rule: 'within_limits', limits: { timeFrom: '19:00', timeTo: '21:00' } }] })
    await choices.getByRole('radio', { name: 'As written' }).click()
    await expect.poll(() => saved(api).at(-1)).toMatchObject({ mandates: [] })
  })

  test('shows what is understood from the words', async () => {
    const api = serve()
    api.answer(callsRoutes.reading, { objectives: [{ mandate: EVENING, understood: '7 pm, or up to 8:30 pm' }] })
    answerBatch(api, planned())
    await openScreen(DRAFT)
    await expectTexts(['Understood: 7 pm, or up to 8:30 pm'])
  })

  test('refuses to start with limits that cannot be used, and says which', async () => {
    const api = serve()
    answerBatch(api, planned([EVENING]))
    await openScreen(DRAFT)
    await agree()
    await field('Latest time').fill('18:00')
    await press('Start 2 Calls')
    const notices = page.getByRole('region', { name: /^Notifications/ })
    await expectTexts([/Table at 7 pm/], notices)
    const bodies = JSON.stringify(api.requests(batchesRoutes.change).map(({ body }) => body))
    expect(bodies).not.toMatch(/"action":"start"|18:00/)
  })

  // screens.md: batch-no-private-values
  test('private values are not offered, and the form says where they can be given', async () => {
    const api = serve()
    answerBatch(api, planned())
    await openScreen(DRAFT)
    await expectTexts([
      'A list takes no private values: give them in a single call, where they are deleted at its end.',
    ])
    expect(page.getByRole('button', { name: 'Add a private value' }).elements()).toEqual([])
  })

  test('is offered in Spanish', async () => {
    const api = serve()
    answerBatch(api, planned())
    await openScreen(DRAFT, { language: 'es' })
    await expect.element(page.getByRole('radio', { name: 'Pregúntame antes' })).toBeVisible()
  })
})
