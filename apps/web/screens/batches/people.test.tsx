import { batchesRoutes, callsRoutes } from '@parley/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { aCall, axeFindings, expectTexts, findingsInLooks, openScreen, press, serve } from '../testing.tsx'
import { aBatch, answerBatch, aPerson } from './testing.tsx'

const PATH = '/make-call?tab=batch&batch=list-1'
const people = page.getByRole('region', { name: 'Contacts' })
const rows = people.getByRole('listitem')
const running = () => aBatch({ status: 'running', totalCalls: 6 })
const OUTCOME = { objective: 'A table at 7 pm', quote: 'Yes.', turn: 1, offer: null } as const

test('shows each contact with its status and the result of its call', async () => {
  const api = serve()
  answerBatch(api, running(), {
    people: [
      aPerson(1, { attempts: 2, status: 'waiting', nextAttemptAt: '2039-01-01T10:00:00.000Z', endReason: 'busy' }),
      aPerson(2, { status: 'calling', phase: 'waiting for a free line', attempts: 1, callId: 'call-2' }),
      aPerson(3, {
        status: 'completed',
        attempts: 1,
        callId: 'call-3',
        durationSeconds: 65,
        endReason: 'agent_closed',
        summary: 'The table is booked.',
        outcomes: [
          { ...OUTCOME, status: 'met' },
          { ...OUTCOME, objective: 'A window seat', status: 'open' },
        ],
      }),
      aPerson(4, {
        status: 'completed',
        attempts: 1,
        callId: 'call-4',
        endReason: 'agent_closed',
        outcomes: [
          { ...OUTCOME, status: 'offered', offer: 'half past eight' },
          { ...OUTCOME, objective: 'A dog', status: 'offered' },
        ],
      }),
      aPerson(5, { status: 'failed', attempts: 1, callId: 'call-5', name: null, endReason: 'voicemail' }),
      aPerson(6, { status: 'cancelled', code: 'do_not_call' }),
      aPerson(7, { status: 'dropped', code: 'number_invalid', callee: null, phone: '12', name: null }),
    ],
  })
  await openScreen(PATH)
  await expectTexts(['Guest 1', 'Waiting', /^\+1 202 555 0001 · 2 calls · Busy · Next try at .*2039/], rows.nth(0))
  await expectTexts(['Guest 2', 'Calling', '+1 202 555 0002 · Waiting for a free line'], rows.nth(1))
  await expectTexts(
    ['Guest 3', 'Completed', '+1 202 555 0003 · 1m 5s · 1 of 2 met', 'The table is booked.'],
    rows.nth(2),
  )
  await expectTexts(['+1 202 555 0004 · 0 of 2 met, 2 offers to decide'], rows.nth(3))
  await expectTexts(['A table at 7 pm: They offer: half past eight', 'A dog: Offered, not agreed'], rows.nth(3))
  await expect.element(rows.nth(4).getByRole('button', { name: 'View the call to +1 202 555 0005' })).toBeVisible()
  await expectTexts(['Failed', 'Voicemail'], rows.nth(4))
  await expectTexts(['Cancelled', '+1 202 555 0006 · On the do-not-call list'], rows.nth(5))
  await expectTexts(['12', 'Left out', 'Not a phone number'], rows.nth(6))
  expect(await findingsInLooks()).toEqual([])
})

test('a contact’s call opens in a dialog over the list; closing returns to the list', async () => {
  const api = serve()
  answerBatch(api, running(), { people: [aPerson(100, { status: 'completed', attempts: 1, callId: 'call-1' })] })
  api.answer(callsRoutes.get, aCall())
  await openScreen(PATH)
  await press('View the call to Guest 100')
  const call = page.getByRole('dialog', { name: 'Call to +1 202 555 0100' })
  await expect.element(call).toBeVisible()
  await call.getByRole('button', { name: 'Close' }).last().click()
  await expect.element(call).not.toBeInTheDocument()
  await expectTexts(['Guest 100'], people)
})

test('filters by status and tells when no contact matches', async () => {
  const api = serve()
  answerBatch(api, running())
  api.answer(batchesRoutes.contacts, ({ query }) => (query['status'] === 'failed' ? [] : [aPerson(1), aPerson(2)]))
  await openScreen(PATH)
  await expectTexts(['Guest 2'], people)
  const filter = people.getByRole('combobox', { name: 'Status' })
  await expect.element(filter).toHaveTextContent('All')
  await filter.click()
  const options = page.getByRole('option')
  await expect.element(options.first()).toBeVisible()
  expect(options.elements().map((option) => option.textContent)).toEqual([
    'All',
    'Left out',
    'Waiting',
    'Calling',
    'Completed',
    'Failed',
    'Cancelled',
  ])
  await page.getByRole('option', { name: 'Failed' }).click()
  await expectTexts(['No contacts with this status.'], people)
  expect(api.requests(batchesRoutes.contacts).at(-1)?.query).toMatchObject({ status: 'failed' })
})

test('pages through a long list and keeps the previous page, marked busy, while the next one loads', async () => {
  const api = serve()
  answerBatch(api, running())
  const answerFrom = (from: number) => {
    const items = Array.from({ length: Math.min(50, 120 - from) }, (_, at) => aPerson(from + at + 1))
    api.answer(batchesRoutes.contacts, items, { total: 120, ...(from < 100 && { nextCursor: String(from + 50) }) })
  }
  answerFrom(0)
  await openScreen(PATH)
  await expectTexts(['Showing 1 to 50 of 120 contacts'], people)
  await expect.element(people.getByRole('button', { name: 'Previous' })).toBeDisabled()
  expect(rows.elements()).toHaveLength(50)
  answerFrom(50)
  const goOn = api.hold(batchesRoutes.contacts)
  await people.getByRole('button', { name: 'Next' }).click()
  await expect.poll(() => document.querySelector('ul[aria-busy=true]')).not.toBeNull()
  await expectTexts(['Showing 1 to 50 of 120 contacts'], people)
  goOn()
  await expectTexts(['Showing 51 to 100 of 120 contacts', 'Guest 51'], people)
  answerFrom(100)
  await people.getByRole('button', { name: 'Next' }).click()
  await expectTexts(['Showing 101 to 120 of 120 contacts', 'Guest 120'], people)
  await expect.element(people.getByRole('button', { name: 'Next' })).toBeDisabled()
  await people.getByRole('button', { name: 'Previous' }).click()
  await expectTexts(['Showing 51 to 100 of 120 contacts'], people)
  // A filter starts at the first page.
  api.answer(batchesRoutes.contacts, [aPerson(7)])
  await people.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Waiting' }).click()
  await expect.poll(() => rows.elements().length).toBe(1)
  await expectTexts(['Guest 7'], people)
  expect(api.requests(batchesRoutes.contacts).map(({ query }) => query['cursor'])).toEqual([
    undefined,
    '50',
    '100',
    undefined,
  ])
})

test('shows no rows while loading; a failed load offers a retry', async () => {
  const api = serve()
  answerBatch(api, running())
  api.refuse(batchesRoutes.contacts, 'internal')
  const goOn = api.hold(batchesRoutes.contacts)
  await openScreen(PATH)
  await expect.element(people.getByRole('combobox', { name: 'Status' })).toBeVisible()
  expect(rows.elements()).toHaveLength(0)
  goOn()
  await expectTexts(['The contacts could not be loaded'], people)
  expect(await axeFindings()).toEqual([])
  api.answer(batchesRoutes.contacts, [aPerson(1)])
  await press('Try again')
  await expectTexts(['Guest 1'], people)
})
