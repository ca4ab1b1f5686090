import { callsRoutes, type Mandate } from '@parley/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { aCall, expectTexts, type FakeApi, NARROW, openScreen, press } from '../testing.tsx'
import { openDetails } from './testing.tsx'
import {
  choices,
  choose,
  EVENING,
  field,
  MENU,
  notices,
  openForm,
  placedBy,
  READ,
  serveForm,
  TABLE,
} from './wholeForm.ts'

let api: FakeApi
beforeEach(() => {
  api = serveForm()
})

describe('what may be agreed to', () => {
  test('is as written at first, and nothing is sent of it', async () => {
    await openForm(TABLE)
    await expect.element(choices(TABLE).getByRole('radio', { name: 'As written' })).toBeChecked()
    expect(await placedBy(api)).not.toHaveProperty('mandates')
  })

  test('is chosen by the keyboard for each objective, with what the choice means', async () => {
    await openForm(TABLE, MENU)
    await choose(TABLE, 'As written')
    await userEvent.keyboard('{ArrowRight}')
    await expectTexts(['Nothing else is agreed to. Other offers are brought to you.'])
    await choose(MENU, 'Ask me first')
    await expectTexts(['Nothing is agreed to without you. Every offer is brought to you.'])
    expect(await placedBy(api)).toMatchObject({
      objectives: [TABLE, MENU],
      mandates: [{ rule: 'exactly' }, { rule: 'ask_me' }],
    })
  })

  test('shows what is understood from the words, which fills in the limits', async () => {
    api.answer(callsRoutes.reading, { objectives: [READ] })
    await openForm(TABLE)
    await expectTexts(['Understood: 7 pm, or up to 8:30 pm'])
    await choose(TABLE, 'Within limits')
    await expect.element(field('Earliest time')).toHaveValue('19:00')
    await expect.element(field('Latest time')).toHaveValue('20:30')
    expect(await placedBy(api)).toMatchObject({ mandates: [EVENING] })
  })

  test('shows nothing of it while the voice service is away, and the call can be placed', async () => {
    api.refuse(callsRoutes.reading, 'unavailable')
    await openForm(TABLE)
    await expect.poll(() => api.requests(callsRoutes.reading).length).toBe(1)
    expect(page.getByText(/^Understood/).elements()).toEqual([])
    expect(await placedBy(api)).toMatchObject({ objectives: [TABLE] })
  })

  test('takes limits in figures', async () => {
    await openForm(TABLE)
    await choose(TABLE, 'Within limits')
    await expectTexts([
      'Fill in what matters. Times are those of the place you call.',
      'One in each line, the best first',
    ])
    await field('Highest price in all').fill('99,50')
    await page.getByRole('combobox', { name: 'Currency' }).click()
    await page.getByRole('option', { name: 'EUR' }).click()
    await field('Earliest time').fill('19:00')
    await field('Latest time').fill('20:30')
    await field('First day').fill('2026-11-30')
    await field('Last day').fill('2026-12-02')
    await field('Fewest people').fill('3')
    await field('Most people').fill('5')
    await expect.element(page.getByPlaceholder('A table on the terrace')).toBeVisible()
    await field('Alternatives').fill(' The terrace \n\nThe bar')
    const limits = {
      priceMax: { amountCents: 9950, currency: 'EUR' },
      timeFrom: '19:00',
      timeTo: '20:30',
      dateFrom: '2026-11-30',
      dateTo: '2026-12-02',
      peopleMin: 3,
      peopleMax: 5,
      alternatives: ['The terrace', 'The bar'],
    }
    expect(await placedBy(api)).toMatchObject({ mandates: [{ rule: 'within_limits', limits }] })
  })

  test.each([
    ['no limit', {}, 'Set at least one limit, or choose another way.'],
    ['no number as price', { 'Highest price in all': 'cheap' }, 'Enter the price as a number, such as 120 or 99.50.'],
    [
      'times in the wrong order',
      { 'Earliest time': '21:00', 'Latest time': '20:00' },
      'The earliest time is later than the latest.',
    ],
    [
      'days in the wrong order',
      { 'First day': '2026-12-02', 'Last day': '2026-11-30' },
      'The first day is later than the last.',
    ],
    [
      'people in the wrong order',
      { 'Fewest people': '5', 'Most people': '3' },
      'Enter whole numbers of people, the smaller one first.',
    ],
    ['half a person', { 'Most people': '2.5' }, 'Enter whole numbers of people, the smaller one first.'],
    [
      'too many alternatives',
      { Alternatives: Array.from({ length: 11 }, (_, at) => `Table ${at}`).join('\n') },
      'Enter at most 10 alternatives of at most 200 characters.',
    ],
  ] as const)('%s within limits is said and places no call', async (_, typed: Record<string, string>, problem) => {
    await openForm(TABLE)
    await choose(TABLE, 'Within limits')
    for (const [name, text] of Object.entries(typed)) await field(name).fill(text)
    await press('Start Call')
    await expectTexts(['Error', `“${TABLE}”: ${problem}`], notices())
    expect(api.requests(callsRoutes.place)).toEqual([])
    await choose(TABLE, 'As written')
    await expect.element(page.getByRole('main').getByText(problem)).not.toBeInTheDocument()
  })

  test('is not asked in Quick Call', async () => {
    await openScreen('/dashboard')
    await page.getByLabelText(/^Objectives/).fill(TABLE)
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('button', { name: `Remove objective: ${TABLE}` })).toBeVisible()
    expect(choices(TABLE).elements()).toEqual([])
    expect(page.getByText('Private values').elements()).toEqual([])
  })
})

describe('the details of a call', () => {
  const within = (limits: Extract<Mandate, { rule: 'within_limits' }>['limits']): Mandate => ({
    rule: 'within_limits',
    limits,
  })

  test('say what could be agreed to for each objective', async () => {
    const mandates: (Mandate | null)[] = [
      within({ priceMax: { amountCents: 12_000, currency: 'EUR' }, timeFrom: '19:00', timeTo: '20:30' }),
      within({ timeFrom: '19:00', dateTo: '2026-11-30', peopleMin: 2, peopleMax: 4 }),
      within({ peopleMin: 1, alternatives: ['the terrace', 'the bar'] }),
      within({ peopleMax: 5 }),
      { rule: 'exactly' },
      null,
    ]
    const { dialog } = await openDetails(
      aCall({ objectives: mandates.map((_, at) => `Objective ${at}`), mandates, outcomes: [] }),
      NARROW,
    )
    await dialog.getByRole('tab', { name: 'Details' }).click()
    await expectTexts(
      [
        'Within limits: at most €120.00; 7:00 PM to 8:30 PM',
        'Within limits: from 7:00 PM; up to Mon, Nov 30, 2026; 2 to 4 people',
        'Within limits: at least 1 person; otherwise the terrace, the bar',
        'Within limits: at most 5 people',
        'Exactly this',
      ],
      dialog,
    )
  })

  test.each([
    [
      { type: 'date_time', at: '2026-11-30T19:30', timezone: 'America/New_York' },
      'Mon, Nov 30, 2026, 7:30 PM, New York time',
    ],
    [{ type: 'date', date: '2026-11-30' }, 'Mon, Nov 30, 2026'],
    [{ type: 'money', amountCents: 12_050, currency: 'EUR' }, '€120.50'],
    [{ type: 'number', number: 4, unit: 'people' }, '4 people'],
    [{ type: 'name', name: 'Ana Ruiz' }, 'Name: Ana Ruiz'],
    [{ type: 'reference', reference: 'AB 12' }, 'Reference: AB 12'],
  ] as const)('show the value %j beside the quote', async (value, text) => {
    const objective = 'A table for two at 7 pm'
    const { dialog } = await openDetails(
      aCall({ outcomes: [{ objective, status: 'met', quote: 'Sure.', turn: 1, offer: null, value }] }),
    )
    await expectTexts([text, 'Sure.'], dialog)
  })
})
