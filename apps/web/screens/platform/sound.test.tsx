import { callsRoutes, shellsRoutes } from '@parley/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { answerCalls, aRunningCall, fakeSockets, openedSocket } from '../calls/testing.tsx'
import { Device } from '../device.ts'
import { enterShell, leaveShell } from '../shell.ts'
import { expectTexts, openScreen, press, serve } from '../testing.tsx'

// Sound and files of calls in a shell: the microphone of the phone, and what comes by token or ticket.

const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
const notices = () => page.getByRole('region', { name: /^Notifications/ })
const DENIED = 'This app may not use the microphone. Allow it in the settings of your phone and try again.'
let asked: (MediaStreamConstraints | undefined)[] = []

fakeSockets()
beforeEach(() => {
  asked = []
  navigator.mediaDevices.getUserMedia = (wanted) => {
    asked.push(wanted)
    return Promise.reject(new DOMException('The user refused.', 'NotAllowedError'))
  }
})
afterEach(() => {
  navigator.mediaDevices.getUserMedia = ask
  leaveShell()
})

async function aPhone() {
  const api = serve()
  api.answer(shellsRoutes.createTicket, () => ({ ticket: 't1', expiresAt: new Date().toISOString() }))
  const device = new Device('ios')
  device.secure.set('parley_session', 'pst_1')
  await enterShell(device)
  return { api, device }
}

describe('a microphone that the user denied', () => {
  test('is asked for by Take over alone, and leaves the call to the agent', async () => {
    const { api } = await aPhone()
    answerCalls(api, () => [aRunningCall()])
    await openScreen('/contacts')
    await page.getByRole('complementary', { name: 'Calls running' }).getByRole('button').click()
    const takeOver = page.getByRole('button', { name: 'Take over' })
    await expect.element(takeOver).toBeVisible()
    expect(asked).toEqual([])
    await takeOver.click()
    const socket = await openedSocket()
    expect(socket.url).toBe('wss://api.parley.example/ws/calls/call-1/audio?ticket=t1')
    socket.ready()
    await expectTexts([DENIED], notices())
    expect([asked.length, api.requests(callsRoutes.change).length]).toEqual([1, 0])
  })

  test('lets an incoming call be answered by typing', async () => {
    const { api } = await aPhone()
    const call = aRunningCall({ callee: '+12025550199', status: 'ringing', connectedAt: null, turns: [] })
    answerCalls(api, () => [call])
    const { say } = await openScreen('/contacts')
    await expect.element(page.getByRole('complementary', { name: 'Calls running' })).toBeVisible()
    say({ type: 'incoming_call', callId: 'call-1', callee: '+12025550199', onBehalfOf: 'Ada Lovelace' })
    await press('Answer with the microphone')
    const socket = await openedSocket()
    expect(socket.url).toContain('ticket=t1')
    socket.ready()
    await expectTexts([DENIED], notices())
    await expect.element(page.getByLabelText('What you say to the agent…')).toBeVisible()
  })
})
