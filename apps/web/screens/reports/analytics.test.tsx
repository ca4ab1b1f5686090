import { accountsRoutes, reportsRoutes } from '@parley/contract'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import { ADA, axeFindings, expectTexts, findingsInLooks, openScreen, press, serve } from '../testing.tsx'
import { aDay, aPeriod } from './testing.ts'

const cards = page.getByRole('region', { name: 'The period in numbers' })
const chart = (name: string) => page.getByRole('region', { name, exact: true })
const choosePeriod = async (name: string) => {
  await page.getByRole('combobox', { name: 'Period' }).click()
  await page.getByRole('option', { name }).click()
}
/** The rows of the table behind a chart. */
const rowsOf = (part: Locator) =>
  [...part.element().querySelectorAll('tr')].map((row) => [...row.children].map((cell) => cell.textContent).join(' '))

const BUSY = aPeriod(
  [
    aDay('2026-11-02', {
      answered: 2,
      voicemail: 1,
      seconds: 150,
      credits: 4,
      met: 2,
      met_within_limits: 1,
      offered: 1,
    }),
    aDay('2026-11-03', { answered: 1, no_answer: 1, failed: 1, seconds: 30, credits: 2, refused: 1, open: 1 }),
  ],
  {
    running: 1,
    hours: [
      { weekday: 1, hour: 9, calls: 3, answered: 2 },
      { weekday: 2, hour: 14, calls: 4, answered: 1 },
    ],
  },
)

afterEach(() => {
  vi.restoreAllMocks()
})

describe('figures of a period', () => {
  // screens.md: stand-four-numbers-four
  test('are four numbers and four charts, each with a table for screen readers, and the time zone', async () => {
    const api = serve()
    api.answer(reportsRoutes.analytics, BUSY)
    await openScreen('/analytics')
    await expectTexts(['How your calls ended, when people answer, and what the calls cost.'])
    await expectTexts(['Calls', '7', '1 still running', 'Answer Rate', '43%', '3 of 7 answered'], cards)
    await expectTexts(['Talk Time', '3m 0s', '0m 26s a call', 'Credits Used', '6', '0.9 a call'], cards)
    await expectTexts(['7 calls by outcome'], chart('Calls by day'))
    await expectTexts(['Best so far: Monday at 09:00', /^None answered.*All answered$/], chart('When people answer'))
    await expectTexts(['3 minutes for 6 credits'], chart('Minutes and credits'))
    await expectTexts(['Success: 50%, 3 of 6 met as asked or within your limits'], chart('Objectives'))
    await expectTexts([/^Days and hours are those of the time zone Europe\/London\./])
    await expect.element(page.getByRole('link', { name: 'Change it in Settings' })).toHaveAttribute('href', '/settings')
    expect(rowsOf(chart('Calls by day'))).toEqual([
      'Date Answered Voicemail No answer Failed',
      '2026-11-02 2 1 0 0',
      '2026-11-03 1 0 1 1',
    ])
    expect(rowsOf(chart('When people answer'))).toEqual([
      'Weekday Hour Calls Answered Answer rate',
      'Monday 09:00 3 2 67%',
      'Tuesday 14:00 4 1 25%',
    ])
    expect(rowsOf(chart('Minutes and credits'))).toEqual([
      'Date Minutes Credits',
      '2026-11-02 2.5 4',
      '2026-11-03 0.5 2',
    ])
    expect(rowsOf(chart('Objectives'))).toEqual([
      'Date Met Met within limits Offered Refused Open',
      '2026-11-02 2 1 1 0 0',
      '2026-11-03 0 0 0 1 1',
    ])
    expect(chart('When people answer').element().querySelector('[title="Monday 09:00: 67%, 2 of 3"]')).not.toBeNull()
    expect(await findingsInLooks()).toEqual([])
  })

  test('a CSV file that cannot be made is reported in a toast', async () => {
    const api = serve()
    api.answer(reportsRoutes.analytics, BUSY)
    await openScreen('/analytics')
    vi.spyOn(URL, 'createObjectURL').mockImplementation(() => {
      throw new Error('There is no memory left.')
    })
    await press('Download CSV: Calls by day')
    await expectTexts(['This could not be loaded', 'Check your connection, then try again.'])
  })

  test('can be read by pointing at a chart, as a table or as a CSV file', async () => {
    const api = serve()
    api.answer(reportsRoutes.analytics, BUSY)
    await openScreen('/analytics')
    const part = chart('Calls by day')
    await expectTexts(['7 calls by outcome'], part)
    const drawn = part.element().querySelector('[data-chart] > div')
    expect(drawn).not.toBeNull()
    await userEvent.hover(drawn!)
    await expect.poll(() => part.element().textContent).toContain('Nov 3, 2026Answered1Voicemail0No answer1Failed1')
    const saved: Promise<readonly [name: string, text: string]>[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      const { download, href } = this
      saved.push(fetch(href).then(async (file) => [download, await file.text()]))
    })
    await part.getByRole('button', { name: 'Download CSV: Calls by day' }).click()
    // What writes the file comes when the first one is wanted.
    await expect.poll(() => saved.length).toBe(1)
    const [[name, text] = ['', '']] = await Promise.all(saved)
    expect(name).toBe('calls-by-day-2026-11-02-2026-11-03.csv')
    expect(text.replace('\uFEFF', '').trim().split(/\r?\n/)).toEqual([
      'Date,Answered,Voicemail,No answer,Failed',
      '2026-11-02,2,1,0,0',
      '2026-11-03,1,0,1,1',
    ])
    const asTable = part.getByRole('button', { name: 'Show as table: Calls by day' })
    await expect.element(asTable).toHaveAttribute('title', 'Show as table')
    await asTable.click()
    await expectTexts(['2026-11-03'], part)
    expect(part.element().querySelector('[data-chart]')).toBeNull()
    expect(await axeFindings()).toEqual([])
    const asChart = part.getByRole('button', { name: 'Show as chart: Calls by day' })
    await expect.element(asChart).toHaveAttribute('title', 'Show as chart')
    await asChart.click()
    await expect.poll(() => part.element().querySelector('[data-chart]')).not.toBeNull()
  })

  test('show their empty texts for a period without answers and objectives', async () => {
    const api = serve()
    const hours = [{ weekday: 7, hour: 0, calls: 1, answered: 0 }]
    api.answer(
      reportsRoutes.analytics,
      aPeriod([aDay('2026-11-02', { no_answer: 1, seconds: 60, credits: 1 })], { hours }),
    )
    await openScreen('/analytics')
    await expectTexts(['1 call by outcome', 'Nobody has answered yet in this period', '1 minute for 1 credit'])
    await expectTexts(['No objectives were settled in this period', '0 of 1 answered'])
  })
})

describe('period', () => {
  test('is 30 days by default or another from the list; the previous figures stay while loading', async () => {
    const api = serve()
    api.answer(reportsRoutes.analytics, BUSY)
    await openScreen('/analytics')
    await expectTexts(['7'], cards)
    await page.getByRole('combobox', { name: 'Period' }).click()
    const options = page.getByRole('option')
    await expect
      .poll(() => options.elements().map(({ textContent }) => textContent))
      .toEqual(['Last 7 days', 'Last 30 days', 'Last 90 days', 'Last 12 months', 'Other days'])
    const letGo = api.hold(reportsRoutes.analytics)
    await page.getByRole('option', { name: 'Last 7 days' }).click()
    await expect.poll(() => document.querySelector('main [aria-busy=true]')).not.toBeNull()
    await expectTexts(['7'], cards)
    letGo()
    await expect.poll(() => document.querySelector('main [aria-busy=true]')).toBeNull()
    await choosePeriod('Last 12 months')
    await expect
      .poll(() => api.requests(reportsRoutes.analytics).map(({ query }) => daysOf(query)))
      .toEqual([30, 7, 365])
  })

  test('can be custom dates; invalid ranges show an error and send no request', async () => {
    const api = serve()
    await openScreen('/analytics')
    await choosePeriod('Other days')
    const [from, until] = [page.getByLabelText('From'), page.getByLabelText('Until')]
    await until.fill('2026-10-31')
    await from.fill('2026-11-01')
    await expectTexts(['The last day is before the first'])
    await from.fill('2024-11-01')
    await expectTexts(['At most 366 days can be shown'])
    expect(await findingsInLooks()).toEqual([])
    await from.fill('2026-10-01')
    await expect.element(page.getByText('At most 366 days can be shown')).not.toBeInTheDocument()
    await expect
      .poll(() => api.requests(reportsRoutes.analytics).at(-1)?.query)
      .toEqual({ from: '2026-10-01', until: '2026-10-31' })
    expect(
      api.requests(reportsRoutes.analytics).filter(({ query }) => daysOf(query) < 1 || daysOf(query) > 366),
    ).toEqual([])
  })

  test('uses the user’s time zone and is refetched when it changes', async () => {
    const api = serve()
    api.answer(reportsRoutes.analytics, BUSY)
    await openScreen('/analytics')
    await expectTexts([/^Days and hours are those of the time zone Europe\/London\./])
    await page.getByRole('link', { name: 'Change it in Settings' }).click()
    await expect.element(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
    api.answer(accountsRoutes.changeUser, { ...ADA, timezone: 'Asia/Tokyo' })
    api.answer(accountsRoutes.currentUser, { ...ADA, timezone: 'Asia/Tokyo' })
    api.answer(reportsRoutes.analytics, { ...BUSY, timezone: 'Asia/Tokyo' })
    await page.getByRole('combobox', { name: 'Timezone' }).click()
    await page.getByRole('option', { name: 'Asia/Tokyo' }).click()
    await press('Save Profile')
    await expectTexts(['Profile Updated'])
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Analytics' }).click()
    await expectTexts([/^Days and hours are those of the time zone Asia\/Tokyo\./])
  })

  test('without calls links to Make Call', async () => {
    serve()
    const { address } = await openScreen('/analytics')
    await expectTexts([
      'No calls in this period',
      'Choose more days, or make a call: its outcome shows up here the moment it ends.',
    ])
    await expectTexts(['–'], cards)
    await page.getByRole('link', { name: 'Make a call' }).click()
    await expect.poll(address).toBe('/make-call')
  })

  test('shows a placeholder while loading; a failed load offers a retry', async () => {
    const api = serve()
    api.send(reportsRoutes.analytics, '', { status: 503 })
    const letGo = api.hold(reportsRoutes.analytics)
    await openScreen('/analytics')
    await expect.element(cards).toHaveAttribute('aria-busy', 'true')
    letGo()
    await expectTexts(['Your analytics could not be loaded'])
    expect(await axeFindings()).toEqual([])
    api.answer(reportsRoutes.analytics, BUSY)
    await press('Try again')
    await expectTexts(['7'], cards)
  })
})

function daysOf(query: Readonly<Record<string, string>>): number {
  return Math.round((Date.parse(query['until'] ?? '') - Date.parse(query['from'] ?? '')) / 86_400_000) + 1
}
