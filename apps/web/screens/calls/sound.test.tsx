import { callsRoutes, SOUND_FRAME_BYTES, PHASES } from '@parley/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import {
  aCall,
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
import {
  answerCalls,
  aRunningCall,
  fakeSockets,
  openDetails,
  openedSocket,
  type FakeSoundSocket,
  watchCall,
} from './testing.tsx'

const notices = () => page.getByRole('region', { name: /^Notifications/ })

const askForMicrophone = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
const voices: AudioContext[] = []

/** A microphone with a tone, or none. */
function connectMicrophone(isThere: boolean): void {
  navigator.mediaDevices.getUserMedia = () => {
    if (!isThere) return Promise.reject(new DOMException('There is none.', 'NotFoundError'))
    const context = new AudioContext()
    voices.push(context)
    const tone = context.createOscillator()
    const stream = context.createMediaStreamDestination()
    tone.connect(stream)
    tone.start()
    return Promise.resolve(stream.stream)
  }
}

const framesOf = ({ sent }: FakeSoundSocket) =>
  sent.filter((each) => each instanceof Uint8Array && each.byteLength === SOUND_FRAME_BYTES)
const wordsOf = ({ sent }: FakeSoundSocket) =>
  sent.flatMap((each) => (typeof each === 'string' ? [JSON.parse(each) as unknown] : []))

fakeSockets()
beforeEach(() => connectMicrophone(true))
afterEach(async () => {
  navigator.mediaDevices.getUserMedia = askForMicrophone
  await Promise.all(voices.splice(0).map((context) => context.close()))
})

describe('listening in', () => {
  test('starts when the socket is ready and stops by the same button', async () => {
    const { view } = await watchCall(aRunningCall())
    await view.getByRole('button', { name: 'Listen', exact: true }).click()
    const socket = await openedSocket()
    expect(socket.url).toMatch(/\/ws\/calls\/call-1\/audio$/)
    const button = view.getByRole('button', { name: 'Stop listening' })
    await expect.element(button).toHaveAttribute('aria-disabled', 'true')
    socket.ready()
    await expect.element(button).not.toHaveAttribute('aria-disabled')
    await expect.element(button).toHaveAttribute('aria-pressed', 'true')
    socket.sendFrame()
    await button.click()
    await expect
      .element(view.getByRole('button', { name: 'Listen', exact: true }))
      .toHaveAttribute('aria-pressed', 'false')
    expect(socket.readyState).toBe(WebSocket.CLOSED)
  })

  test('shows an error when the socket cannot connect', async () => {
    const { view } = await watchCall(aRunningCall())
    await view.getByRole('button', { name: 'Listen', exact: true }).click()
    ;(await openedSocket()).break(1006)
    await expectTexts(['The call audio could not be loaded. Please try again.'], notices())
    await expect.element(view.getByRole('button', { name: 'Listen', exact: true })).toBeEnabled()
  })

  test('shows an error when the socket breaks, but not when the call ends', async () => {
    const { view } = await watchCall(aRunningCall())
    const listen = view.getByRole('button', { name: 'Listen', exact: true })
    const stop = view.getByRole('button', { name: 'Stop listening' })
    await listen.click()
    const first = await openedSocket()
    first.ready()
    await expect.element(stop).not.toHaveAttribute('aria-disabled')
    first.break(1000)
    await expect.element(listen).toBeVisible()
    await expect
      .element(page.getByText('The call audio could not be loaded. Please try again.'))
      .not.toBeInTheDocument()
    await listen.click()
    const second = await openedSocket()
    expect(second).not.toBe(first)
    second.ready()
    await expect.element(stop).not.toHaveAttribute('aria-disabled')
    second.break(1006)
    await expectTexts(['The call audio could not be loaded. Please try again.'], notices())
  })
})

describe('ringing in', () => {
  const ringIn = () => page.getByRole('button', { name: 'Ring me in' })

  test('rings the own phone, and stops ringing it', async () => {
    const { api, view, change } = await watchCall(aRunningCall())
    api.answer(callsRoutes.change, listed(aRunningCall()))
    await ringIn().click()
    await expect.poll(() => bodiesOf(api.requests(callsRoutes.change))).toEqual([{ action: 'ring_in' }])
    change({ phase: PHASES.ringingOwner })
    await expectTexts(['Ringing your phone'], view)
    expect(await axeFindings()).toEqual([])
    await press('Stop ringing')
    await expect
      .poll(() => bodiesOf(api.requests(callsRoutes.change)))
      .toEqual([{ action: 'ring_in' }, { action: 'hand_back' }])
    change({ phase: PHASES.takenOver })
    await expect.element(ringIn()).not.toBeInTheDocument()
  })

  test('says why the phone cannot be rung', async () => {
    const { api } = await watchCall(aRunningCall())
    const message = 'Only a phone that is verified as your own can be rung.'
    api.refuse(callsRoutes.change, 'own_phone_needed', { message })
    await ringIn().click()
    await expectTexts([message], notices())
    await expect.element(ringIn()).toBeEnabled()
  })

  test('says that it failed when the server cannot be reached', async () => {
    const { api } = await watchCall(aRunningCall())
    api.lose(callsRoutes.change)
    await ringIn().click()
    await expectTexts(['Your phone could not be rung. The agent goes on.'], notices())
  })
})

describe('taking over', () => {
  const takeOver = () => page.getByRole('button', { name: 'Take over' })

  test('sends the microphone until the call is handed back', async () => {
    const { api, view, change } = await watchCall(aRunningCall())
    api.answer(callsRoutes.change, listed(aRunningCall()))
    await takeOver().click()
    const socket = await openedSocket()
    socket.ready()
    await expect.poll(() => bodiesOf(api.requests(callsRoutes.change))).toEqual([{ action: 'take_over' }])
    change({ phase: PHASES.takingOver })
    await expectTexts(['Saying who is calling before you speak'], view)
    change({ phase: PHASES.takenOver })
    await expectTexts(['You are speaking'], view)
    await expect.poll(() => framesOf(socket).length).toBeGreaterThan(5)
    expect(await axeFindings()).toEqual([])
    await press('Hand back')
    change({ phase: PHASES.greeting })
    await expect.element(takeOver()).toBeVisible()
    expect(bodiesOf(api.requests(callsRoutes.change))).toEqual([{ action: 'take_over' }, { action: 'hand_back' }])
  })

  test('without a microphone tells how to allow it and leaves the agent speaking', async () => {
    const { api } = await watchCall(aRunningCall())
    connectMicrophone(false)
    await takeOver().click()
    ;(await openedSocket()).ready()
    await expectTexts(
      ['There is no microphone, or this page may not use it. Allow it in your browser and try again.'],
      notices(),
    )
    expect(api.requests(callsRoutes.change)).toEqual([])
  })

  test('without a socket says that the agent continues', async () => {
    await watchCall(aRunningCall())
    await takeOver().click()
    ;(await openedSocket()).break(1006)
    await expectTexts(['You could not take over. The agent goes on.'], notices())
  })

  test('shows the reason when the server refuses', async () => {
    const { api } = await watchCall(aRunningCall())
    api.refuse(callsRoutes.change, 'call_ended', { message: 'The call has ended.' })
    await takeOver().click()
    ;(await openedSocket()).ready()
    await expectTexts(['The call has ended.'], notices())
    await expect.element(takeOver()).not.toHaveAttribute('aria-disabled')
  })
})

describe('keypad', () => {
  const keys = () => page.getByRole('button', { name: /^Press / })
  const NAMES = ['1', '2', '3', '4', '5', '6', '7', '8', '9', 'star', '0', 'hash']

  test('sends each key and shows the keys pressed; Escape closes the keypad before the call view', async () => {
    const { api, view } = await watchCall(aRunningCall())
    api.answer(callsRoutes.change, listed(aRunningCall()))
    const opener = view.getByRole('button', { name: 'Keypad' })
    await opener.click()
    for (const name of NAMES) await view.getByRole('button', { name: `Press ${name}`, exact: true }).click()
    await expect.element(view.getByRole('status', { name: 'Pressed so far' })).toHaveTextContent('123456789*0#')
    expect(bodiesOf(api.requests(callsRoutes.change))).toEqual(
      '123456789*0#'.split('').map((digits) => ({ action: 'press', digits })),
    )
    expect(await axeFindings()).toEqual([])
    await userEvent.keyboard('{Escape}')
    await expect.element(keys().first()).not.toBeInTheDocument()
    await expect.element(opener).toHaveFocus()
    await expect.element(view).toBeVisible()
    await opener.click()
    // Escape also closes the keypad while a field beside it has the focus, which it keeps.
    await view.getByLabelText('Tell the agent…').fill('Ask about')
    await userEvent.keyboard('{Escape}')
    await expect.element(keys().first()).not.toBeInTheDocument()
    await expect.element(view.getByLabelText('Tell the agent…')).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await expect.element(view).not.toBeInTheDocument()
  })

  test.each([
    ['wide', [1280, 800]],
    ['narrow', NARROW],
  ] as const)('shows all its keys: %s', async (_, size) => {
    const { view } = await watchCall(aRunningCall(), size)
    await view.getByRole('button', { name: 'Keypad' }).click()
    await expect.poll(() => keys().elements().length).toBe(12)
    for (const key of keys().elements()) {
      const { left, top, right, bottom } = key.getBoundingClientRect()
      expect(left >= 0 && top >= 0 && right <= size[0] && bottom <= size[1]).toBe(true)
      // Nothing covers the key.
      expect(key.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2))).toBe(true)
    }
    const panel = document.querySelector('#call-keypad')
    expect(panel && panel.scrollWidth - panel.clientWidth).toBe(0)
    expect(await axeFindings()).toEqual([])
  })

  test('scrolls when the keys do not fit', async () => {
    const { api, view } = await watchCall(aRunningCall(), [NARROW[1], NARROW[0]])
    api.answer(callsRoutes.change, listed(aRunningCall()))
    await view.getByRole('button', { name: 'Keypad' }).click()
    for (const name of ['1', 'hash']) await view.getByRole('button', { name: `Press ${name}`, exact: true }).click()
    await expect.element(view.getByRole('status', { name: 'Pressed so far' })).toHaveTextContent('1#')
  })

  test('shows an error when a key could not be sent', async () => {
    const { api, view } = await watchCall(aRunningCall())
    api.send(callsRoutes.change, '', { status: 500 })
    await view.getByRole('button', { name: 'Keypad' }).click()
    await view.getByRole('button', { name: 'Press 5' }).click()
    await expectTexts(['The key could not be pressed.'], notices())
  })
})

describe('a call to the user’s own phone', () => {
  const call = aRunningCall({
    callee: '+12025550199',
    status: 'ringing',
    phase: PHASES.ringing,
    connectedAt: null,
    turns: [],
  })
  const ringing = () => page.getByRole('dialog', { name: 'Incoming call' })
  const view = () => page.getByRole('dialog', { name: 'Call to +1 202 555 0199' })
  const handset = () => page.getByRole('region', { name: 'Your side of the call' })

  async function ring() {
    const api = serve()
    answerCalls(api, () => [call])
    const { say } = await openScreen('/contacts')
    await expect.element(page.getByRole('complementary', { name: 'Calls running' })).toBeVisible()
    say({ type: 'incoming_call', callId: call.id, callee: call.callee, onBehalfOf: 'Ada' })
    await expectTexts(['The agent is calling +1 202 555 0199, which is you, on behalf of Ada.'], ringing())
    return { say }
  }

  test('rings until dismissed', async () => {
    await ring()
    expect(await findingsInLooks()).toEqual([])
    await press('Let it ring')
    await expect.element(ringing()).not.toBeInTheDocument()
    await expect.element(view()).not.toBeInTheDocument()
  })

  test('stops ringing when the call is answered elsewhere', async () => {
    const { say } = await ring()
    say({ type: 'call_status', call: listed({ ...call, status: 'connected' }) })
    await expect.element(ringing()).not.toBeInTheDocument()
  })

  test('is answered by typing: sends each typed sentence until hang-up', async () => {
    await ring()
    await press('Answer and type')
    const socket = await openedSocket()
    expect(socket.url).toMatch(/\/ws\/calls\/call-1\/answer$/)
    await expect.element(handset().getByRole('button', { name: 'Say it' })).toHaveAttribute('aria-disabled', 'true')
    socket.ready()
    const words = handset().getByLabelText('What you say to the agent…')
    await expect.element(words).toHaveFocus()
    await words.fill(' Hello, who is calling please? ')
    await press('Say it')
    expect(wordsOf(socket)).toEqual([{ type: 'say', text: 'Hello, who is calling please?' }])
    await expect.element(words).toHaveValue('')
    await expectTexts([/^You are the callee\. What you type is spoken to the agent/], handset())
    expect(await findingsInLooks()).toEqual([])
    await press('Hang up')
    expect(socket.readyState).toBe(WebSocket.CLOSED)
    await expect.element(handset()).not.toBeInTheDocument()
  })

  test('is answered by microphone, which can be muted and unmuted', async () => {
    await ring()
    await press('Answer with the microphone')
    const socket = await openedSocket()
    socket.ready()
    const mute = page.getByRole('button', { name: 'Mute' })
    await expect.element(mute).toHaveAttribute('aria-pressed', 'true')
    await expect.poll(() => framesOf(socket).length).toBeGreaterThan(5)
    await mute.click()
    const microphone = page.getByRole('button', { name: 'Microphone' })
    await expect.element(microphone).toHaveAttribute('aria-pressed', 'false')
    connectMicrophone(false)
    await microphone.click()
    await expectTexts(
      ['There is no microphone, or this page may not use it. Allow it in your browser and try again.'],
      notices(),
    )
    connectMicrophone(true)
    await microphone.click()
    await expect.element(mute).toBeVisible()
  })

  test('answered without a microphone continues by typing and shows why', async () => {
    await ring()
    connectMicrophone(false)
    await press('Answer with the microphone')
    ;(await openedSocket()).ready()
    await expectTexts(
      ['There is no microphone, or this page may not use it. Allow it in your browser and try again.'],
      notices(),
    )
    await expect.element(handset()).toBeVisible()
  })

  test('cannot be answered after it stopped ringing', async () => {
    await ring()
    await press('Answer and type')
    ;(await openedSocket()).break(4409)
    await expectTexts(['The call could not be answered. It may have stopped ringing.'], notices())
    await expect.element(handset()).not.toBeInTheDocument()
  })
})

test('a recording has a player, and each turn of the transcript plays from its start', async () => {
  const { dialog } = await openDetails(aCall({ hasRecording: true }))
  const player = dialog.getByLabelText('Recording of the call')
  await expect.element(player).toBeVisible()
  expect(player.element().getAttribute('src')).toBe('/api/calls/call-1/recording')
  await expect
    .element(dialog.getByRole('link', { name: 'Download recording' }))
    .toHaveAttribute('href', '/api/calls/call-1/recording?download=1')
  await expect.element(dialog.getByTitle('Play from 00:00')).toBeVisible()
  await expect.element(dialog.getByTitle('Play from 00:02')).toHaveTextContent('A table at seven is fine. 00:02')
})
