import { type CallDetails, shellsRoutes } from '@parley/contract'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { Device } from '../device.ts'
import { enterShell, leaveShell } from '../shell.ts'
import { aCall, expectTexts, findingsInLooks, listed, openScreen, press, serve } from '../testing.tsx'
import { answerCalls, aRunningCall, aTurn, openDetails, watchCall } from './testing.tsx'

// A callee's question that only the owner can answer.

const asked = (question: string, at = '2026-11-21T09:00:00.000Z') =>
  ({ status: 'in_progress', phase: 'greeting', question, at }) as const
const TITLE = 'They ask something that only you can answer'
const notices = () => page.getByRole('region', { name: /^Notifications/ })

afterEach(leaveShell)

test('the watched call shows each question and that the agent brings it home', async () => {
  const turns = [aTurn(0, 'Hello, this is Parley.'), aTurn(1, 'Would half past eight be fine?')]
  const { view, say } = await watchCall(aRunningCall({ turns }))
  await expectTexts(['Would half past eight be fine?'], view)
  await expect.element(view.getByText(TITLE)).not.toBeInTheDocument()
  say({ type: 'call_question', callId: 'call-1', event: asked('Is half past eight fine?') })
  await expectTexts(
    [
      TITLE,
      '“Is half past eight fine?”',
      'The agent goes on with the call and brings this home to you with the result.',
    ],
    view,
  )
  say({ type: 'call_question', callId: 'call-1', event: asked('Inside or outside?', '2026-11-21T09:00:05.000Z') })
  await expectTexts(['“Is half past eight fine?”', '“Inside or outside?”'], view)
  // Who watches the call needs no toast.
  await expect.element(notices().getByText('Call to +1 202 555 0100 has a question')).not.toBeInTheDocument()
  expect(await findingsInLooks()).toEqual([])
})

test('the course of an ended call names the question', async () => {
  const { dialog } = await openDetails(aCall({ events: [asked('Is nine fine?')] }))
  await dialog.getByRole('tab', { name: 'Details' }).click()
  await expectTexts([/They asked: “Is nine fine\?”/], dialog)
})

describe('a question while the user looks elsewhere', () => {
  const call = (change: Partial<CallDetails> = {}) => aRunningCall({ events: [asked('Is nine fine?')], ...change })
  const question = { type: 'call_question', callId: 'call-1', event: asked('Is nine fine?') } as const

  test('on another page is a toast that opens the call', async () => {
    const api = serve()
    answerCalls(api, () => [call()])
    const { say } = await openScreen('/contacts')
    await expectTexts(['No contacts yet'])
    say(question)
    await expectTexts(['Call to +1 202 555 0100 has a question', 'Open the call to read it.'], notices())
    await press('Show')
    await expectTexts([TITLE, '“Is nine fine?”'], page.getByRole('dialog', { name: 'Call to +1 202 555 0100' }))
  })

  test('in another app is a notification of the phone without the question', async () => {
    const api = serve()
    api.answer(shellsRoutes.createTicket, () => ({ ticket: 't', expiresAt: new Date().toISOString() }))
    const device = new Device('ios')
    device.notifications = 'granted'
    await enterShell(device)
    let shown = call({ batchId: 'batch-1' })
    answerCalls(api, () => [shown])
    const { say } = await openScreen('/contacts')
    await expectTexts(['No contacts yet'])
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    // One of a batch is not announced.
    say(question)
    shown = call({ id: 'call-2' })
    say({ type: 'call_status', call: listed(shown) })
    say({ ...question, callId: 'call-2' })
    await expect.poll(() => device.asked('LocalNotifications', 'schedule')).toHaveLength(1)
    vi.restoreAllMocks()
    const [notification] = device.asked('LocalNotifications', 'schedule')
    expect(notification).toMatchObject({
      notifications: [
        {
          title: 'Call to +1 202 555 0100 has a question',
          body: 'Open the call to read it.',
          extra: { callId: 'call-2' },
        },
      ],
    })
    expect(JSON.stringify(notification)).not.toContain('nine')
  })
})
