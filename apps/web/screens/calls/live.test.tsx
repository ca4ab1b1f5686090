import { callsRoutes, PHASES, reportsRoutes } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import {
  axeFindings,
  bodiesOf,
  expectTexts,
  findingsInLooks,
  listed,
  NARROW,
  openScreen,
  press,
  serve,
} from '../testing.tsx'
import { answerCalls, answerHealth, aRunningCall, aTurn, cutLiveSocket, fakeSockets, watchCall } from './testing.tsx'

fakeSockets()

const notices = () => page.getByRole('region', { name: /^Notifications/ })
const bar = () => page.getByRole('complementary', { name: 'Calls running' })
const TALK = Array.from({ length: 30 }, (_, index) => aTurn(index, `This is line ${index} of the talk.`))

describe('bar of running calls', () => {
  test('links to each call with its phase, and disappears when the last one ends', async () => {
    const api = serve()
    let calls = [aRunningCall(), aRunningCall({ id: 'call-2', callee: '+12025550101', phase: PHASES.onHold })]
    answerCalls(api, () => calls)
    const { say } = await openScreen('/contacts')
    await expectTexts(['+1 202 555 0100', 'Greeting', '+1 202 555 0101', 'On hold', 'Open'], bar())
    expect(await axeFindings()).toEqual([])
    await bar().getByText('+1 202 555 0101').click()
    await expect.element(page.getByRole('dialog', { name: 'Call to +1 202 555 0101' })).toBeVisible()
    await press('Leave the call running and close this view')
    const over = calls.map((call) => ({ ...call, status: 'completed' as const, endReason: 'agent_closed' as const }))
    calls = over
    for (const call of over) say({ type: 'call_status', call: listed(call) })
    await expect.element(bar()).not.toBeInTheDocument()
  })

  test('appears when a live message announces a call placed elsewhere', async () => {
    const api = serve()
    const { say } = await openScreen('/contacts')
    await expectTexts(['No contacts yet'])
    const placed = aRunningCall({ status: 'initiated', phase: PHASES.queued, connectedAt: null, turns: [] })
    answerCalls(api, () => [placed])
    say({ type: 'call_status', call: listed(placed) })
    await expectTexts(['+1 202 555 0100', 'Queued', '00:00'], bar())
  })
})

test('the head of a call shows a label for each phase, and an unknown phase raw', async () => {
  const objectives = ['A table at 7 pm', 'A seat by the window']
  const { view, change } = await watchCall(
    aRunningCall({ status: 'initiated', phase: PHASES.queued, connectedAt: null, objectives }),
  )
  const stages = [
    [PHASES.queued, 'Queued'],
    [PHASES.waitingForHours, 'Waiting for calling hours'],
    [PHASES.waitingForLine, 'Waiting for a free line'],
    [PHASES.dialing, 'Dialing'],
    [PHASES.ringing, 'Ringing'],
    [PHASES.greeting, 'Greeting'],
    [PHASES.menu, 'Finding the way through a menu'],
    [PHASES.screening, 'Speaking to a screening assistant'],
    [PHASES.askingToRecord, 'Asking whether the call may be recorded'],
    [PHASES.notRecorded, 'Not recorded: they did not agree'],
    [PHASES.onHold, 'On hold'],
    ['objective 2 of 2', 'On “A seat by the window”'],
    [PHASES.takingOver, 'Saying who is calling before you speak'],
    [PHASES.takenOver, 'You are speaking'],
    [PHASES.voicemail, 'Voicemail'],
    [PHASES.wrappingUp, 'Wrapping up'],
    // A phase of a newer server is shown raw.
    ['singing a song', 'singing a song'],
  ] as const
  for (const [phase, text] of stages) {
    change({ phase })
    await expect.element(view.getByRole('status').first()).toHaveTextContent(text)
  }
})

describe('live transcript', () => {
  test('shows a hint until the first turn, then each turn with its speaker', async () => {
    const { view, speak } = await watchCall(aRunningCall({ turns: [] }))
    await expectTexts(['The conversation appears here live.'], view)
    speak(aTurn(0, 'Hello, this', { endMs: null, heard: false }))
    const log = view.getByRole('log', { name: 'Transcript' })
    const growing = log.getByRole('listitem', { includeHidden: true })
    await expect.element(growing).toMatchTextContent(/Agent: Hello, this/)
    // A growing turn is hidden from screen readers and announced once complete.
    await expect.element(growing).toHaveAttribute('aria-hidden', 'true')
    speak(aTurn(0, 'Hello, this is Parley.'))
    await expect.element(log.getByRole('listitem')).toHaveTextContent('Agent: Hello, this is Parley.')
    speak(aTurn(1, 'A table at seven is fine.'))
    await expect.element(log.getByRole('listitem').nth(1)).toHaveTextContent('Callee: A table at seven is fine.')
    await expect.element(view.getByText('The conversation appears here live.')).not.toBeInTheDocument()
  })

  test('follows the latest turn unless scrolled back; a button returns to the latest', async () => {
    const { view, speak } = await watchCall(aRunningCall({ turns: TALK }))
    const last = view.getByText('This is line 29 of the talk.')
    await expect.element(last).toBeInViewport()
    const first = view.getByText('This is line 0 of the talk.')
    first.element().scrollIntoView()
    const back = view.getByRole('button', { name: 'Jump to latest' })
    await expect.element(back).toBeVisible()
    speak(aTurn(30, 'One more word.'))
    await expect.element(view.getByText('One more word.')).toBeInTheDocument()
    await expect.element(view.getByText('One more word.')).not.toBeInViewport()
    await back.click()
    await expect.element(view.getByText('One more word.')).toBeInViewport()
    await expect.element(back).not.toBeInTheDocument()
  })

  test('shows that the connection is lost, and loads the missed turns after reconnecting', async () => {
    const { api, view } = await watchCall(aRunningCall())
    answerHealth(api)
    const mend = cutLiveSocket()
    await expectTexts(['Connection lost. The call goes on; the transcript catches up when you reconnect.'], view)
    expect(await axeFindings()).toEqual([])
    answerCalls(api, () => [aRunningCall({ turns: [aTurn(0, 'Hello, this is Parley.'), aTurn(1, 'Said meanwhile.')] })])
    mend()
    await expectTexts(['Said meanwhile.'], view)
    await expect.element(view.getByText(/^Connection lost/)).not.toBeInTheDocument()
  })
})

describe('head and objectives of a running call', () => {
  test('show the callee, the elapsed time of the limit and the credits', async () => {
    const { view } = await watchCall(aRunningCall({ clockSpeed: 900, callee: '+12025550100' }))
    await expectTexts(['+1 202 555 0100', /United States/], view)
    // Call time runs 900 times as fast, so the clock soon reaches the limit.
    await expectTexts(['05:00 of 05:00 used', '5 credits'], view)
    expect(await findingsInLooks()).toEqual([])
  })

  test('show one credit in the first minute', async () => {
    const { view } = await watchCall(aRunningCall())
    await expectTexts(['1 credit'], view)
  })

  test('show each objective as met, being talked about or open', async () => {
    const objectives = ['A table at 7 pm', 'A seat by the window', 'A vegetarian menu']
    const met = {
      objective: objectives[0] ?? '',
      status: 'met',
      quote: 'Seven is fine.',
      turn: 1,
      offer: null,
    } as const
    const { view } = await watchCall(aRunningCall({ objectives, outcomes: [met], phase: 'objective 2 of 3' }))
    const item = (at: number) => view.getByRole('listitem').nth(at)
    await expect.element(item(0)).toHaveTextContent('Met: A table at 7 pmSeven is fine.')
    await expect.element(item(1)).toHaveTextContent('Being talked about: A seat by the window')
    await expect.element(item(2)).toHaveTextContent('Not yet settled: A vegetarian menu')
    await expectTexts(['Objectives', 'Purpose', 'Book a table for two at 7 pm'], view)
  })

  test('say that no objectives were set', async () => {
    const { view } = await watchCall(aRunningCall({ objectives: [] }), NARROW)
    await view.getByRole('button', { name: 'Objectives', exact: true }).click()
    await expectTexts(['No objectives were set. The agent follows the purpose.'], view)
  })

  test('on a phone the objectives are collapsed behind a button with their count', async () => {
    const met = { objective: 'A table for two at 7 pm', status: 'met', quote: null, turn: null, offer: null } as const
    const { view } = await watchCall(aRunningCall({ outcomes: [met] }), NARROW)
    const pull = view.getByRole('button', { name: 'Objectives 1/1' })
    await expect.element(pull).toHaveAttribute('aria-expanded', 'false')
    await pull.click()
    await expect.element(view.getByText('A table for two at 7 pm', { exact: true })).toBeVisible()
    expect(await axeFindings()).toEqual([])
    await pull.click()
    await expect.element(view.getByText('A table for two at 7 pm', { exact: true })).not.toBeInTheDocument()
  })
})

describe('instruction to the agent', () => {
  test('appears in the transcript at its time, also after the view was closed', async () => {
    const { api, view, speak } = await watchCall(aRunningCall())
    api.answer(callsRoutes.change, listed(aRunningCall()))
    const field = view.getByLabelText('Tell the agent…')
    await field.fill('  Ask about Sundays too ')
    await userEvent.keyboard('{Enter}')
    await expect.element(view.getByText('You told the agent: Ask about Sundays too')).toBeVisible()
    await expect.element(field).toHaveValue('')
    speak(aTurn(1, 'A table at seven is fine.'))
    await expect
      .element(view.getByRole('log').getByRole('listitem').last())
      .toHaveTextContent('Callee: A table at seven is fine.')
    await field.fill('And Mondays')
    await view.getByRole('button', { name: 'Send to the agent' }).click()
    await expect.element(view.getByText('You told the agent: And Mondays')).toBeVisible()
    await press('Leave the call running and close this view')
    await bar().getByRole('button').click()
    await expect.element(view.getByText('You told the agent: Ask about Sundays too')).toBeVisible()
    expect(bodiesOf(api.requests(callsRoutes.change))).toEqual([
      { action: 'say', text: 'Ask about Sundays too' },
      { action: 'say', text: 'And Mondays' },
    ])
    expect(await axeFindings()).toEqual([])
  })

  test('is disabled until the call is answered', async () => {
    const { view } = await watchCall(
      aRunningCall({ status: 'ringing', phase: PHASES.ringing, connectedAt: null, turns: [] }),
    )
    await expect.element(view.getByLabelText('Tell the agent…')).toBeDisabled()
    await expect.element(view.getByTitle('You can steer the agent once the call is answered.')).toBeVisible()
    for (const name of ['Listen', 'Keypad', 'Take over', 'Send to the agent'])
      await expect.element(view.getByRole('button', { name, exact: true })).toBeDisabled()
  })

  test('a failed instruction shows the reason and returns to the field', async () => {
    const { api, view } = await watchCall(aRunningCall())
    api.send(callsRoutes.change, '', { status: 500 })
    await view.getByLabelText('Tell the agent…').fill('Ask about Sundays too')
    await userEvent.keyboard('{Enter}')
    await expectTexts(['Your message did not reach the agent. Please try again.'], notices())
    await expect.element(view.getByLabelText('Tell the agent…')).toHaveValue('Ask about Sundays too')
    api.refuse(callsRoutes.change, 'secret_in_order', { message: 'This looks like a password.' })
    await view.getByRole('button', { name: 'Send to the agent' }).click()
    await expectTexts(['This looks like a password.'], notices())
  })
})

describe('Stop', () => {
  test('is pressed once and stays disabled until the call ends', async () => {
    const { api, view } = await watchCall(aRunningCall())
    api.answer(callsRoutes.change, listed(aRunningCall()))
    await view.getByRole('button', { name: 'Stop', exact: true }).click()
    await expect.element(view.getByRole('button', { name: 'Stopping…' })).toHaveAttribute('aria-disabled', 'true')
    expect(bodiesOf(api.requests(callsRoutes.change))).toEqual([{ action: 'stop' }])
  })

  test('a failed stop shows the error and can be retried; after the call’s end it shows nothing', async () => {
    const { api, view } = await watchCall(aRunningCall())
    api.send(callsRoutes.change, '', { status: 500 })
    const stop = view.getByRole('button', { name: 'Stop', exact: true })
    await stop.click()
    await expectTexts(['The call could not be stopped.'], notices())
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    api.refuse(callsRoutes.change, 'call_ended')
    await stop.click()
    await expect.poll(() => api.requests(callsRoutes.change).length).toBe(2)
    await expect.element(stop).not.toHaveAttribute('aria-disabled')
    await expect.element(page.getByText('The call could not be stopped.')).not.toBeInTheDocument()
  })
})

describe('opening a call', () => {
  test('shows a placeholder while the call loads', async () => {
    const api = serve()
    answerCalls(api, () => [aRunningCall()])
    const letGo = api.hold(callsRoutes.get)
    await openScreen('/contacts')
    await bar().getByRole('button').click()
    const waiting = page.getByRole('dialog', { name: 'Call details' })
    await expect.element(waiting).toBeVisible()
    expect(await axeFindings()).toEqual([])
    letGo()
    await expect.element(page.getByRole('dialog', { name: 'Call to +1 202 555 0100' })).toBeVisible()
  })

  test('offers a retry when the call cannot be loaded', async () => {
    const api = serve()
    answerCalls(api, () => [aRunningCall()])
    api.refuse(callsRoutes.get, 'internal')
    await openScreen('/contacts')
    await bar().getByRole('button').click()
    await expectTexts(['This call could not be loaded'], page.getByRole('dialog', { name: 'Call details' }))
    answerCalls(api, () => [aRunningCall()])
    await press('Try again')
    await expect.element(page.getByRole('dialog', { name: 'Call to +1 202 555 0100' })).toBeVisible()
  })

  test('closes when the call does not exist', async () => {
    const api = serve()
    answerCalls(api, () => [aRunningCall()])
    api.refuse(callsRoutes.get, 'not_found')
    await openScreen('/contacts')
    await bar().getByRole('button').click()
    await expect.poll(() => api.requests(callsRoutes.get).length).toBeGreaterThan(0)
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
    expect(api.requests(reportsRoutes.calls)).toEqual([])
  })
})
