import { type CallDetails, callsRoutes, CALL_STATUSES, contactsRoutes, reportsRoutes } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  aCall,
  aContact,
  axeFindings,
  expectTexts,
  type FakeApi,
  findingsInLooks,
  listed,
  NARROW,
  openScreen,
  press,
  serve,
} from '../testing.tsx'
import { answerCalls, aRunningCall } from './testing.tsx'

const view = () => page.getByRole('button', { name: 'View the call to +1 202 555 0100' })
const row = (purpose: string) => page.getByRole('row').filter({ hasText: purpose })

test('the history shows a call with its status and duration', async () => {
  const api = serve()
  api.answer(reportsRoutes.calls, [listed(aCall())])
  await openScreen('/call-history')
  await expectTexts(['Completed', '1m 5s'], page.getByRole('table'))
  expect(await axeFindings()).toEqual([])
})

test('a contact is shown on a narrow screen', async () => {
  const api = serve()
  api.answer(contactsRoutes.list, [aContact()])
  await openScreen('/contacts', { size: NARROW })
  await expectTexts(['Grace Hopper'])
})

describe('each call status has its label and its actions', () => {
  const notOver = {
    endReason: null,
    summary: null,
    transcript: null,
    durationSeconds: null,
    completedAt: null,
  } as const
  const calls: CallDetails[] = [
    ...CALL_STATUSES.slice(0, 5).map((status) => aCall({ ...notOver, id: status, purpose: `It is ${status}`, status })),
    aCall({ id: 'done', purpose: 'It is done' }),
    aCall({ id: 'writing', purpose: 'It is being written', transcript: null }),
    aCall({
      id: 'bad',
      purpose: 'It went wrong',
      status: 'failed',
      endReason: 'busy',
      endMessage: 'The line was busy.',
      transcript: null,
    }),
  ]

  // screens.md: wide-table
  test('in the table', async () => {
    const api = serve()
    answerCalls(api, () => calls)
    await openScreen('/call-history')
    for (const [status, word] of [
      ['initiated', 'Initiated'],
      ['dialing', 'Dialing'],
      ['ringing', 'Ringing'],
      ['connected', 'Connected'],
      ['in_progress', 'In Progress'],
    ] as const) {
      await expectTexts([word, 'N/A'], row(`It is ${status}`))
      await expect.element(row(`It is ${status}`).getByRole('button', { name: 'Watch the call' })).toBeVisible()
    }
    await expectTexts(['Completed', 'View', '1m 5s'], row('It is done'))
    await expect.element(row('It is done').getByRole('button', { name: 'Download transcript' })).toBeVisible()
    await expectTexts(['Completed', 'Processing...'], row('It is being written'))
    await expectTexts(['Failed', 'Busy', 'The line was busy.', 'N/A'], row('It went wrong'))
    await expect.element(row('It went wrong').getByRole('button', { name: 'Retry call' })).toBeVisible()
    const columns = page.getByRole('columnheader').elements()
    expect(columns.map((column) => column.textContent)).toEqual([
      'Callee',
      'Purpose',
      'Status',
      'Duration',
      'Date',
      'Transcript',
      'Actions',
    ])
    expect(await findingsInLooks()).toEqual([])
  })

  // screens.md: known-stands-colour-call
  test('an unknown status is shown raw, as a neutral badge', async () => {
    const api = serve()
    const shown = ['teleported', 'initiated', 'in_progress', 'completed', 'failed'].map((status) => ({
      ...listed(aCall({ ...notOver, id: status, purpose: `It is ${status}` })),
      status,
    }))
    api.send(reportsRoutes.calls, JSON.stringify(shown), {
      headers: { 'content-type': 'application/json', 'x-total-count': '5' },
    })
    await openScreen('/call-history')
    await expectTexts(['teleported'], row('It is teleported'))
    const colourOf = (purpose: string, word: string) =>
      getComputedStyle(row(purpose).getByText(word, { exact: true }).element()).backgroundColor
    const neutral = colourOf('It is teleported', 'teleported')
    expect(neutral).toBe(colourOf('It is initiated', 'Initiated'))
    const others = [
      colourOf('It is in_progress', 'In Progress'),
      colourOf('It is completed', 'Completed'),
      colourOf('It is failed', 'Failed'),
    ]
    expect(new Set([neutral, ...others]).size).toBe(4)
  })

  test('a running call opens its live view', async () => {
    const api = serve()
    answerCalls(api, () => [aRunningCall()])
    await openScreen('/call-history')
    await press('Watch the call')
    await expect.element(page.getByRole('dialog', { name: 'Call to +1 202 555 0100' })).toBeVisible()
  })

  test('in the recent activity of the dashboard', async () => {
    const api = serve()
    answerCalls(api, () => [aRunningCall(), aCall({ id: 'call-2', callee: '+12025550101', endReason: 'voicemail' })])
    await openScreen('/dashboard')
    const recent = page.getByRole('region', { name: 'Recent Activity' })
    await expectTexts(['In Progress', 'Voicemail ·'], recent)
    await recent.getByRole('button', { name: 'View the call to +1 202 555 0101' }).click()
    await page.getByRole('dialog', { name: 'Call details' }).getByRole('button', { name: 'Close' }).last().click()
    await recent.getByRole('button', { name: 'Watch the call to +1 202 555 0100' }).click()
    await expect.element(page.getByRole('dialog', { name: 'Call to +1 202 555 0100' })).toBeVisible()
  })
})

describe('pagination of the history', () => {
  /** Makes the server answer the page of 50 that starts here, of 120 calls. */
  function answerFrom(api: FakeApi, from: number): void {
    const calls = Array.from({ length: Math.min(50, 120 - from) }, (_, at) =>
      aCall({ id: `call-${from + at}`, purpose: `Call number ${from + at + 1}` }),
    )
    api.answer(reportsRoutes.calls, calls.map(listed), {
      total: 120,
      ...(from < 100 && { nextCursor: String(from + 50) }),
    })
  }
  const previous = () => page.getByRole('button', { name: 'Previous' })
  const next = () => page.getByRole('button', { name: 'Next' })
  const purposes = () =>
    page
      .getByRole('table')
      .getByText(/^Call number \d+$/)
      .elements()
      .map((each) => each.textContent)

  test('goes forward and back, and keeps the previous page, marked busy, while the next one loads', async () => {
    const api = serve()
    answerFrom(api, 0)
    await openScreen('/call-history')
    await expectTexts(['Showing 1 to 50 of 120 calls'])
    await expect.element(previous()).toBeDisabled()
    expect(purposes()).toHaveLength(50)
    answerFrom(api, 50)
    const letGo = api.hold(reportsRoutes.calls)
    await next().click()
    await expect.poll(() => document.querySelector('main [aria-busy=true]')).not.toBeNull()
    await expectTexts(['Showing 1 to 50 of 120 calls'])
    expect(purposes()[0]).toBe('Call number 1')
    letGo()
    await expectTexts(['Showing 51 to 100 of 120 calls'])
    expect(purposes()[0]).toBe('Call number 51')
    answerFrom(api, 100)
    await next().click()
    await expectTexts(['Showing 101 to 120 of 120 calls'])
    expect(purposes()).toHaveLength(20)
    await expect.element(next()).toBeDisabled()
    await previous().click()
    await previous().click()
    await expectTexts(['Showing 1 to 50 of 120 calls'])
    expect(purposes()).toHaveLength(50)
    expect(api.requests(reportsRoutes.calls).map(({ query }) => query['cursor'])).toEqual([undefined, '50', '100'])
  })
})

describe('call history', () => {
  test('shows a relative time with the exact time as its title', async () => {
    const api = serve()
    const createdAt = new Date(Date.now() - 5 * 60_000 - 1000).toISOString()
    api.answer(reportsRoutes.calls, [listed(aCall({ createdAt }))])
    await openScreen('/call-history')
    const time = page.getByRole('table').getByText('5 minutes ago')
    await expect.element(time).toHaveAttribute('title', expect.stringMatching(/\d{4}.*\d{1,2}:\d{2}/))
  })

  test('shows a placeholder while loading; without calls links to Make Call', async () => {
    const api = serve()
    const letGo = api.hold(reportsRoutes.calls)
    const { address } = await openScreen('/call-history')
    await expectTexts(['Every call, what it was for, and what was said.'])
    await expect.poll(() => document.querySelector('main [aria-busy=true]')).not.toBeNull()
    expect(await axeFindings()).toEqual([])
    letGo()
    await expectTexts(['No calls yet'])
    await expectTexts(['Your first call shows up here the moment it starts, with every word of it once it is over.'])
    await page.getByRole('link', { name: 'Make a call' }).click()
    await expect.poll(address).toBe('/make-call')
  })

  test('is requested three times before it shows an error, and offers a retry', async () => {
    const api = serve()
    api.send(reportsRoutes.calls, '', { status: 503 })
    await openScreen('/call-history')
    await expectTexts(['Your calls could not be loaded', 'Check your connection, then try again.'])
    expect(api.requests(reportsRoutes.calls)).toHaveLength(3)
    expect(await axeFindings()).toEqual([])
    api.answer(reportsRoutes.calls, [])
    await press('Try again')
    await expectTexts(['No calls yet'])
    expect(api.requests(reportsRoutes.calls)).toHaveLength(4)
  })

  // screens.md: read-again-while-fresh
  test('is not refetched while fresh; a 401 is not retried', async () => {
    const api = serve()
    api.answer(reportsRoutes.calls, [listed(aCall())], { total: 2, nextCursor: '1' })
    await openScreen('/call-history')
    await expect.element(view()).toBeVisible()
    await page.getByRole('link', { name: 'Contacts' }).click()
    await expectTexts(['No contacts yet'])
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    await page.getByRole('link', { name: 'Call History' }).click()
    await expect.element(view()).toBeVisible()
    expect(api.requests(reportsRoutes.calls)).toHaveLength(1)
    expect(api.requests(contactsRoutes.list)).toHaveLength(1)
    api.refuse(reportsRoutes.calls, 'unauthenticated')
    await press('Next')
    await expect.poll(() => api.requests(reportsRoutes.calls).length).toBe(2)
    await expect.poll(() => document.querySelector('main [aria-busy=true]')).toBeNull()
    expect(api.requests(reportsRoutes.calls)).toHaveLength(2)
  })

  // screens.md: cards-phone-each-leads
  test('shows cards on a phone, each opening its call', async () => {
    const api = serve()
    answerCalls(api, () => [aCall()])
    await openScreen('/call-history', { size: NARROW })
    await view().click()
    await expectTexts(['The objective is met'], page.getByRole('dialog', { name: 'Call details' }))
    await expect.element(page.getByRole('table')).not.toBeInTheDocument()
    expect(api.requests(callsRoutes.get)).toHaveLength(1)
  })

  test('refreshes behind open details, which stay when their call leaves the page', async () => {
    const api = serve()
    answerCalls(api, () => [aCall()])
    const { say } = await openScreen('/call-history')
    await view().click()
    const dialog = page.getByRole('dialog', { name: 'Call details' })
    await expectTexts(['The objective is met'], dialog)
    const newer = aCall({ id: 'call-2', callee: '+12025550101' })
    api.answer(reportsRoutes.calls, [listed(newer)])
    say({ type: 'call_completed', callId: 'call-1' })
    await expect
      .poll(() => page.getByRole('table', { includeHidden: true }).getByText('+1 202 555 0101').elements().length)
      .toBe(1)
    await expectTexts(['The objective is met'], dialog)
    await expectTexts(['Call to +1 202 555 0100 has ended'])
  })
})
