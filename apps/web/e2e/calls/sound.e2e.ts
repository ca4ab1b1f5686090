import type { CallDetails, Turn } from '@parley/contract'
import type { Page, WebSocketRoute } from 'playwright-core'
import { expect, test } from 'vitest'
import { press, SEEN, WITH_MICROPHONE } from '../../../standalone/src/browser.ts'
import { openParley } from '../testing.ts'
import { beginCall, framesOf, listenBeside } from './live-call.ts'
import { signUp, until } from '../../../standalone/src/world.ts'

// Longer than 20 s: whole calls are heard, typed into and talked into, at four times the speed of speech.

const { parley, browser } = await openParley({ SANDBOX_SPEED: '4' }, WITH_MICROPHONE)

test('listen, take over, hand back and press keys; then play the recording', async () => {
  const { person, page, call, complaints } = await beginCall(
    { parley, browser },
    'listener@parley.example',
    '+1 202 555 0111',
  )
  const frames = framesOf(page, `/${call.id}/audio`)
  await page.getByRole('log').getByText('AI assistant').waitFor()

  const pressedAt = performance.now()
  await page.getByRole('button', { name: 'Listen', exact: true }).click()
  await page.getByRole('button', { name: 'Stop listening' }).waitFor()
  await until('sound of the call', async () => frames.received > 50)
  console.log(`from pressing Listen to the first sound: ${Math.round((frames.firstMs ?? 0) - pressedAt)} ms`)

  await page.getByRole('button', { name: 'Keypad' }).click()
  await page.getByRole('button', { name: 'Press 5' }).click()
  await page.getByLabel('Pressed so far').getByText('5').waitFor()
  await page.getByRole('button', { name: 'Keypad' }).click()

  await page.getByRole('button', { name: 'Take over' }).click()
  await page.getByText('You are speaking').first().waitFor()
  const ear = listenBeside(parley, person, call.id)
  await until('the microphone to be sent', async () => frames.sent > 50)
  await until('the microphone to reach the callee', async () => ear.loud > 5)
  await page.getByRole('button', { name: 'Hand back' }).click()
  await page.getByRole('log').getByText('AI assistant again').waitFor({ timeout: 40_000 })
  const sentBefore = frames.sent
  ear.close()
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await person.ended(call.id)
  expect(frames.sent - sentBefore).toBeLessThan(5)

  await until('the recording', async () => (await person.get<CallDetails>(`/api/calls/${call.id}`)).hasRecording)
  await page.getByLabel('Recording of the call').waitFor()
  const audio = page.locator('audio')
  await until('its length', async () => (await audio.evaluate((each: HTMLAudioElement) => each.duration)) > 5)
  await page
    .getByTitle(/^Play from/)
    .nth(1)
    .click()
  const turns = (await person.get<CallDetails>(`/api/calls/${call.id}`)).turns
  await until('the player to go on from there', async () => {
    const atMs = (await audio.evaluate((each: HTMLAudioElement) => each.currentTime)) * 1000
    return atMs > turns[1]!.startMs && atMs < turns[1]!.startMs + 20_000
  })
  const saved = await page.request.get(`${parley.url}/api/calls/${call.id}/recording?download=1`)
  expect(saved.headers()['content-type']).toBe('audio/wav')
  const stranger = await signUp(parley.url, 'stranger@parley.example')
  expect(
    (await fetch(`${parley.url}/api/calls/${call.id}/recording`, { headers: { cookie: stranger.cookie } })).status,
  ).toBe(404)
  expect(complaints).toEqual([])
}, 180_000)

test('0199 rings even while the call view loads; the call is answered by typing and by microphone', async () => {
  const rung = Promise.withResolvers<void>()
  const { person, page, call, complaints } = await beginCall(
    { parley, browser },
    'callee@parley.example',
    '+1 202 555 0199',
    async (each) => {
      each.on('websocket', (socket) => {
        socket.on('framereceived', ({ payload }) => void (String(payload).includes('incoming_call') && rung.resolve()))
      })
      await each.route(/\/LiveCall-.*\.js$/, async (route) => rung.promise.then(() => route.continue()))
    },
  )
  const frames = framesOf(page, `/${call.id}/answer`)
  // Both dialogs are open, and the ringing one is accessible.
  await expect.poll(() => page.locator('[role=dialog]').count(), SEEN).toBe(2)
  await page.getByRole('dialog', { name: 'Incoming call' }).waitFor()
  await press(page, 'Answer and type')
  await page.getByRole('log').getByText('AI assistant').waitFor()
  await until('sound of the call', async () => frames.received > 0)
  await page.getByLabel('What you say to the agent…').fill('Hello, who is calling please?')
  await press(page, 'Say it')
  await page.getByRole('log').getByText('who is calling please?').waitFor({ timeout: 40_000 })
  await until('the agent to answer', async () => {
    const { turns } = await person.get<CallDetails>(`/api/calls/${call.id}`)
    const saidAt = turns.findIndex(({ text }) => text.includes('who is calling please?'))
    return saidAt !== -1 && turns.slice(saidAt + 1).some(({ speaker }) => speaker === 'agent')
  })
  await press(page, 'Microphone')
  await page.getByRole('button', { name: 'Mute' }).waitFor()
  const typed = frames.sent
  await until('the microphone to be sent', async () => frames.sent > typed + 50)
  await press(page, 'Hang up')
  expect((await person.ended(call.id)).endReason).toBe('callee_hung_up')
  expect(complaints).toEqual([])
})

/** The page's live socket, which the test can cut. */
async function cuttable(page: Page): Promise<{ isCut: boolean; cut: () => Promise<unknown> }> {
  const sockets: WebSocketRoute[] = []
  const live = { isCut: false, cut: async (): Promise<unknown> => undefined }
  await page.routeWebSocket(/\/ws\?userId=/, (socket) => {
    if (live.isCut) return void socket.close({ code: 4000 })
    sockets.push(socket)
    socket.connectToServer()
  })
  live.cut = async () => {
    live.isCut = true
    await Promise.all(sockets.splice(0).map((socket) => socket.close({ code: 4000 })))
  }
  return live
}

const finished = ({ turns }: CallDetails): Turn[] => turns.filter(({ endMs }) => endMs !== null)

/**
 * The finished turns are on the page in their order. Each search starts after the previous turn, because a callee may
 * repeat a sentence.
 */
async function expectWords(page: Page, turns: readonly Turn[]): Promise<void> {
  await until('every word', async () => {
    const shown = await page.getByRole('log').innerText()
    let from = 0
    return turns.every(({ text }) => {
      from = shown.indexOf(text, from) + text.length
      return from >= text.length
    })
  })
}

test('a call continues while the live socket is cut, loses no turn and reopens after a reload', async () => {
  let live: Awaited<ReturnType<typeof cuttable>> | undefined
  const { person, page, complaints, call } = await beginCall(
    { parley, browser },
    'everywhere@parley.example',
    '+1 202 555 0111',
    async (each) => {
      live = await cuttable(each)
    },
  )
  const detailsOf = async () => person.get<CallDetails>(`/api/calls/${call.id}`)
  const view = page.getByRole('dialog', { name: 'Call to +1 202 555 0111' })
  await page.getByRole('log').getByText('AI assistant').waitFor()
  const clock = view.getByText(/^\d\d:\d\d \/ 10:00$/)
  const first = await clock.innerText()
  await until('the clock to run', async () => (await clock.innerText()) !== first)
  await view.getByText(/^\d+ credits?$/).waitFor()
  await view.getByLabel('Tell the agent…').fill('Ask about Sundays too')
  await page.keyboard.press('Enter')
  await view.getByText('Ask about Sundays too').first().waitFor()
  await press(page, 'Leave the call running and close this view')
  // Held credits are not shown as spent.
  await page.goto('/make-call')
  await page
    .getByText('All your 10 credits are reserved by calls in progress. Unused credits are returned when they end.')
    .waitFor()
  expect(await page.getByRole('region', { name: 'Low balance' }).count()).toBe(0)
  await page.getByRole('complementary', { name: 'Calls running' }).getByRole('button').click()
  await page.getByRole('log').getByText('AI assistant').waitFor()

  await live!.cut()
  await page.getByText('Connection lost. The call goes on; the transcript catches up when you reconnect.').waitFor()
  const before = finished(await detailsOf()).length
  const missed = await until(
    'words that the page does not hear',
    async () => {
      const now = finished(await detailsOf())
      return now.length >= before + 3 && now
    },
    60_000,
  )
  // At most one turn of each side was running when the socket was cut; a third one must be missing.
  expect(await page.getByRole('log').locator('li').count()).toBeLessThan(missed.length)
  live!.isCut = false
  await page.getByText('Connection lost.').waitFor({ state: 'detached', timeout: 40_000 })
  await expectWords(page, missed)

  await page.reload()
  await view.waitFor()
  await expectWords(page, finished(await detailsOf()))
  await press(page, 'Stop')
  expect(await person.ended(call.id)).toMatchObject({ endReason: 'stopped' })
  const all = (await detailsOf()).turns.filter(({ text }) => text !== '')
  await page.getByRole('heading', { name: 'Transcript' }).waitFor()
  await until('every word of the record', async () => {
    const words = await page.getByRole('dialog').innerText()
    return all.every(({ text }) => words.includes(text))
  })
  expect(complaints).toEqual([])
}, 180_000)
