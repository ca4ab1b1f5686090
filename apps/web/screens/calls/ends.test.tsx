import {
  ANSWERED_END_REASONS,
  type CallDetails,
  callsRoutes,
  type EndReason,
  endedPhase,
  FAILED_END_REASONS,
  QUERY_DEFAULTS,
} from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { aCall, expectTexts, findingsInLooks, NARROW, openScreen, press, serve } from '../testing.tsx'
import { answerCalls, aRunningCall, aTurn, openDetails, watchCall } from './testing.tsx'

/** The label of each end reason in lists; none for a normal goodbye. */
const LABELS: Readonly<Record<EndReason, string>> = {
  agent_closed: '',
  callee_hung_up: 'They hung up',
  stopped: 'Stopped by you',
  time_limit: 'Time limit reached',
  silence: 'Nobody spoke',
  refused_to_talk: 'Refused to talk',
  opted_out: 'Asked for no more calls',
  voicemail: 'Voicemail',
  screened: 'Blocked by call screening',
  canceled: 'Stopped before the answer',
  busy: 'Busy',
  no_answer: 'No answer',
  not_in_service: 'Not in service',
  carrier_failure: 'Network failure',
  carrier_dropped: 'Cut off by the network',
  fax: 'Fax machine',
  not_allowed: 'Not allowed',
  interrupted: 'Interrupted',
}

/** The label of the last phase. */
const COURSE: Partial<Record<EndReason, string>> = {
  agent_closed: 'Ended: answered',
  busy: 'Ended: busy',
  no_answer: 'Ended: no answer',
  refused_to_talk: 'Ended: refused to talk',
  voicemail: 'Ended: voicemail',
  canceled: 'Ended: stopped',
  carrier_failure: 'Ended: carrier failure',
  fax: 'Ended: fax machine',
  not_allowed: 'Ended: not allowed',
  interrupted: 'Ended: interrupted',
}

const isFailed = (endReason: EndReason) => FAILED_END_REASONS.some((each) => each === endReason)

function ended(endReason: EndReason, change: Partial<CallDetails> = {}): CallDetails {
  const status = isFailed(endReason) ? 'failed' : 'completed'
  const events = [{ status, phase: endedPhase(endReason), at: '2026-11-20T10:01:10.000Z' } as const]
  const none = isFailed(endReason) && {
    transcript: null,
    turns: [],
    outcomes: [],
    summary: null,
    durationSeconds: null,
  }
  return aCall({
    id: endReason,
    purpose: `Ended as ${endReason}`,
    status,
    phase: endedPhase(endReason),
    endReason,
    endMessage: 'So it ended.',
    events,
    ...none,
    ...change,
  })
}

const EVERY_END = [...ANSWERED_END_REASONS, ...FAILED_END_REASONS].map((reason) => ended(reason))

describe('a list labels every end reason', () => {
  test('in the table', async () => {
    answerCalls(serve(), () => EVERY_END)
    await openScreen('/call-history')
    for (const [reason, label] of Object.entries(LABELS)) {
      const row = page.getByRole('row').filter({ hasText: `Ended as ${reason}` })
      const isBad = FAILED_END_REASONS.some((each) => each === reason)
      await expect.element(row).toMatchTextContent(new RegExp(`${isBad ? 'Failed' : 'Completed'}${label}`))
      // A failed call shows its end message.
      await expect.poll(() => row.getByText('So it ended.').elements().length).toBe(isBad ? 1 : 0)
      await expect.poll(() => row.getByRole('button', { name: 'Retry call' }).elements().length).toBe(isBad ? 1 : 0)
    }
    expect(await findingsInLooks()).toEqual([])
  })

  test('on cards', async () => {
    answerCalls(serve(), () => EVERY_END)
    await openScreen('/call-history', { size: NARROW })
    for (const [reason, label] of Object.entries(LABELS)) {
      const card = page.getByRole('listitem').filter({ hasText: `Ended as ${reason}` })
      await expect.element(card).toMatchTextContent(new RegExp(label && `${label} · `))
    }
  })

  // screens.md: calls-analytics-each-opens
  test('in the calls of analytics, which open their details', async () => {
    answerCalls(serve(), () => EVERY_END)
    await openScreen('/analytics')
    const list = page.getByRole('region', { name: 'Calls' }).last()
    for (const [reason, label] of Object.entries(LABELS)) {
      const item = list.getByRole('listitem').filter({ hasText: `Ended as ${reason}` })
      await expect.element(item).toMatchTextContent(new RegExp(`${label && `${label} · `}Ended as ${reason}`))
    }
    await list
      .getByRole('listitem')
      .filter({ hasText: 'Ended as carrier_dropped' })
      .getByRole('button', { name: 'View the call to +1 202 555 0100' })
      .click()
    const dialog = page.getByRole('dialog', { name: 'Call details' })
    await expect.element(dialog).toBeVisible()
    await dialog.getByRole('tab', { name: 'Details' }).click()
    await expectTexts(['Ended as carrier_dropped'], dialog)
  })
})

test.each(Object.entries(COURSE))('the phases of a call that ended as %s end with: %s', async (reason, text) => {
  const call = EVERY_END.find(({ id }) => id === reason)
  const { dialog } = await openDetails({
    ...aCall(),
    ...call,
    transcript: 'Agent: Hello.',
    turns: [aTurn(0, 'Hello.')],
  })
  await dialog.getByRole('tab', { name: 'Details' }).click()
  await expectTexts(['Timeline', 'How it ended'], dialog)
  await expect
    .element(dialog.getByRole('definition').getByRole('listitem').last())
    .toMatchTextContent(new RegExp(`${text}$`))
})

describe('a call that ends while its view is open', () => {
  const justNow = () => new Date().toISOString()

  test('shows that the result is being written, then the outcomes and the summary', async () => {
    const { view, change } = await watchCall(aRunningCall())
    change(ended('agent_closed', { id: 'call-1', summary: null, outcomes: [], completedAt: justNow() }))
    await expectTexts(['Writing up the outcome...', 'Ended: answered'], view)
    change({
      summary: 'The table for two at 7 pm is booked.',
      outcomes: aCall().outcomes,
      nextSteps: ['Be there at 7 pm'],
    })
    await expectTexts(['The objective is met', 'Summary', 'The table for two at 7 pm is booked.'], view)
    await expectTexts(['What to do next', 'Be there at 7 pm', '2 credits', '1m 5s'], view)
    expect(await findingsInLooks()).toEqual([])
    await view.getByRole('contentinfo').getByRole('button', { name: 'Close' }).click()
    await expect.element(view).not.toBeInTheDocument()
  })

  test.each([
    ['stopped', 'Stopped by you'],
    ['callee_hung_up', 'They hung up'],
    ['carrier_dropped', 'Cut off by the network'],
  ] as const)('with the reason %s shows it in its head', async (reason, label) => {
    const { view, change } = await watchCall(aRunningCall())
    change({ ...ended(reason), id: 'call-1' })
    await expectTexts([label], view.getByRole('banner'))
  })

  test('without an answer shows why, without transcript and summary', async () => {
    const { view, change } = await watchCall(
      aRunningCall({ status: 'ringing', phase: 'ringing', connectedAt: null, turns: [] }),
    )
    change({ ...ended('busy', { endMessage: 'The line was busy.' }), id: 'call-1', connectedAt: null })
    await expectTexts(['The line was busy.'], view.getByRole('heading', { level: 3 }))
    await expect.element(view.getByRole('heading', { name: 'Summary' })).not.toBeInTheDocument()
    await expect.element(view.getByRole('heading', { name: 'Transcript' })).not.toBeInTheDocument()
  })

  test('with no summary after its time says that there is none', async () => {
    const { view, change } = await watchCall(aRunningCall())
    change(ended('silence', { id: 'call-1', summary: null }))
    await expectTexts(['There is no summary of this call.', 'Nobody spoke'], view)
  })
})

describe('a call that ends while its view is closed', () => {
  test('shows a toast with its outcome and a link', async () => {
    const api = serve()
    const call = ended('agent_closed', { id: 'call-1' })
    const { say } = await openScreen('/contacts')
    await expectTexts(['No contacts yet'])
    answerCalls(api, () => [call])
    say({ type: 'call_completed', callId: 'call-1' })
    const notices = page.getByRole('region', { name: /^Notifications/ })
    await expectTexts(['Call to +1 202 555 0100 has ended', 'The objective is met'], notices)
    await press('Show')
    await expect.element(page.getByRole('dialog', { name: 'Call to +1 202 555 0100' })).toBeVisible()
  })

  test('shows no toast when the call belongs to a batch', async () => {
    const api = serve()
    const { say } = await openScreen('/contacts')
    await expectTexts(['No contacts yet'])
    answerCalls(api, () => [
      ended('agent_closed', { id: 'call-1', batchId: 'batch-1' }),
      ended('busy', { id: 'call-2' }),
    ])
    say({ type: 'call_completed', callId: 'call-1' })
    say({ type: 'call_completed', callId: 'call-2' })
    // Only the second one is announced.
    await expectTexts(['So it ended.'])
    await expect.element(page.getByText('The objective is met')).not.toBeInTheDocument()
  })

  test('shows no toast when the call cannot be loaded', async () => {
    const api = serve()
    const { say } = await openScreen('/contacts')
    await expectTexts(['No contacts yet'])
    api.refuse(callsRoutes.get, 'unavailable')
    say({ type: 'call_completed', callId: 'call-1' })
    await expect.poll(() => api.requests(callsRoutes.get)).toHaveLength(1 + QUERY_DEFAULTS.readRetries)
    await expect
      .element(page.getByRole('region', { name: /^Notifications/ }).getByText(/has ended/))
      .not.toBeInTheDocument()
  })
})
