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
/** The lines of the table that is behind a picture. */
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

describe('the figures of a period', () => {
  test('stand in four numbers and four pictures, each with its table for screen readers, and with their time zone', async () => {
    const api = serve()
    api.answer(reportsRoutes.analytics, BUSY)
    await openScreen('/analytics')
    await expectTexts(['What became of your calls, when people answer, and what it cost.'])
    await expectTexts(['Calls', '7', '1 still running', 'Answer Rate', '43%', '3 of 7 answered'], cards)
    await expectTexts(['Talk Time', '3m 0s', '0m 26s a call', 'Credits Used', '6', '0.9 a call'], cards)
    await expectTexts(['7 calls by what became of them'], chart('Calls by day'))
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

  test('are read off a picture where it is pointed at, or in the table in its place, or in a file', async () => {
    const api = serve()
    api.answer(reportsRoutes.analytics, BUSY)
    await openScreen('/analytics')
    const part = chart('Calls by day')
    await expectTexts(['7 calls by what became of them'], part)
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

  test('of a call that nobody answered, without an objective, say so', async () => {
    const api = serve()
    const hours = [{ weekday: 7, hour: 0, calls: 1, answered: 0 }]
    api.answer(
      reportsRoutes.analytics,
      aPeriod([aDay('2026-11-02', { no_answer: 1, seconds: 60, credits: 1 })], { hours }),
    )
    await openScreen('/analytics')
    await expectTexts([
      '1 call by what became of them',
      'Nobody has answered yet in this period',
      '1 minute for 1 credit',
    ])
    await expectTexts(['No objectives were settled in this period', '0 of 1 answered'])
  })
})

describe('the period', () => {
  test('is the last 30 days, or others of a list; while they are read, those before them stand there', async () => {
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
    await expect.poll(() => api.asked(reportsRoutes.analytics).map(({ query }) => daysOf(query))).toEqual([30, 7, 365])
  })

  test('can be days of one’s own; days that cannot be shown are told, and nothing is asked', async () => {
    const api = serve()
    await openScreen('/analytics')
    await choosePeriod('Other days')
    const [from, until] = [page.getByLabelText('From'), page.getByLabelText('Until')]
    await until.fill('2026-10-31')
    await from.fill('2026-11-01')
    await expectTexts(['This day lies before the first one'])
    await from.fill('2024-11-01')
    await expectTexts(['At most 366 days can be shown'])
    expect(await findingsInLooks()).toEqual([])
    await from.fill('2026-10-01')
    await expect.element(page.getByText('At most 366 days can be shown')).not.toBeInTheDocument()
    await expect
      .poll(() => api.asked(reportsRoutes.analytics).at(-1)?.query)
      .toEqual({ from: '2026-10-01', until: '2026-10-31' })
    expect(api.asked(reportsRoutes.analytics).filter(({ query }) => daysOf(query) < 1 || daysOf(query) > 366)).toEqual(
      [],
    )
  })

  test('is counted in the zone of the person: figures are read anew once it is another', async () => {
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

  test('without a call leads to the first one', async () => {
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

  test('that is on its way has its place; one that cannot be read says so, and is read once more when asked to', async () => {
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
