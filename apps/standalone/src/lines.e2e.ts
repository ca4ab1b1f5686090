import { LINE_PATHS, LINE_SIDES, pathOf, type CallDetails } from '@parley/contract'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeFindings, NARROW, picture, SEEN, visitAs, WIDE, WITH_MICROPHONE } from './browser.ts'
import { openParley } from './screens/testing.ts'
import { type Person, signUp, until } from './world.ts'

const { parley, browser } = await openParley({}, WITH_MICROPHONE)

interface Frames {
  received: number
  sent: number
  /** Since the page began to be watched. */
  firstMs: number | null
}

/** What crosses the sockets of a page whose address ends so. */
function framesOf(page: Page, ending: string): Frames {
  const frames: Frames = { received: 0, sent: 0, firstMs: null }
  page.on('websocket', (socket) => {
    if (!socket.url().endsWith(ending)) return
    socket.on('framereceived', ({ payload }) => {
      if (typeof payload === 'string') return
      frames.received++
      frames.firstMs ??= performance.now()
    })
    socket.on('framesent', ({ payload }) => void (typeof payload === 'string' ? 0 : frames.sent++))
  })
  return frames
}

function isInside({ x, y, width, height }: { x: number; y: number; width: number; height: number }, screen: typeof NARROW): boolean {
  return x >= 0 && y >= 0 && x + width <= screen.width && y + height <= screen.height
}

/** Somebody else's ear on the line: how many frames of our side are not silent. */
function listenBeside(person: Person, callId: string): { loud: number; close(): void } {
  const address = parley.url.replace('http', 'ws') + pathOf({ path: LINE_PATHS.audio }, { id: callId })
  const ear = { loud: 0, close: () => socket.close() }
  // Node's own client takes headers; the type of the browser's does not know them.
  const options = { headers: { cookie: person.cookie, origin: parley.url } } as unknown as string[]
  const socket = new WebSocket(address, options)
  socket.binaryType = 'arraybuffer'
  socket.addEventListener('message', ({ data }) => {
    if (!(data instanceof ArrayBuffer)) return
    const [side, ...audio] = new Uint8Array(data)
    if (side === LINE_SIDES.agent && audio.some((code) => (code & 0x7f) < 0x50)) ear.loud++
  })
  return ear
}

async function begin(email: string, number: string): Promise<{ person: Person; page: Page; call: CallDetails; complaints: string[] }> {
  const person = await signUp(parley.url, email)
  await person.send('PATCH', `/api/user/${person.user.id}/settings`, { recordCalls: true })
  const { page, complaints } = await visitAs(browser, parley.url, person)
  await page.goto('/dashboard')
  await page.getByLabel('Phone number').fill(number)
  await page.getByLabel('Purpose').fill('Ask about the opening hours')
  const placed = page.waitForResponse((response) => response.url().endsWith('/api/calls') && response.request().method() === 'POST')
  await page.getByRole('button', { name: 'Start Call' }).click()
  return { person, page, complaints, call: (await (await placed).json()) as CallDetails }
}

test('listen in, take over, hand back, press keys; then hear the recording', async () => {
  const { person, page, call, complaints } = await begin('listener@parley.example', '+1 202 555 0111')
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
  expect(await axeFindings(page)).toEqual([])
  await picture(page, 'live-sound-wide', false)
  await page.getByRole('button', { name: 'Keypad' }).click()

  await page.getByRole('button', { name: 'Take over' }).click()
  await page.getByText('You are speaking').first().waitFor()
  const ear = listenBeside(person, call.id)
  await until('the microphone to be sent', async () => frames.sent > 50)
  await until("the microphone to reach the callee's line", async () => ear.loud > 5)
  await page.getByRole('button', { name: 'Hand back' }).click()
  await page.getByRole('log').getByText('AI assistant again').waitFor({ timeout: 20_000 })
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
  await picture(page, 'recording-wide', false)
  const saved = await page.request.get(`${parley.url}/api/calls/${call.id}/recording?download=1`)
  expect(saved.headers()['content-type']).toBe('audio/wav')
  const stranger = await signUp(parley.url, 'stranger@parley.example')
  expect((await fetch(`${parley.url}/api/calls/${call.id}/recording`, { headers: { cookie: stranger.cookie } })).status).toBe(404)
  expect(complaints).toEqual([])
}, 180_000)

test('on a phone every key of the keypad can be seen and pressed; Escape closes the keys before the call', async () => {
  const { person, page, call, complaints } = await begin('thumb@parley.example', '+1 202 555 0111')
  const view = page.getByRole('dialog', { name: 'Call to +1 202 555 0111' })
  const keys = view.getByRole('button', { name: /^Press / })
  await view.getByRole('log').getByText('AI assistant').waitFor()
  for (const viewport of [NARROW, WIDE]) {
    await page.setViewportSize(viewport)
    await view.getByRole('button', { name: 'Keypad' }).click()
    await expect.poll(() => keys.count(), SEEN).toBe(12)
    const boxes = await Promise.all((await keys.all()).map((key) => key.boundingBox()))
    expect(boxes.filter((box) => box === null || !isInside(box, viewport))).toEqual([])
    // A click arrives only at what nothing else covers.
    for (const key of await keys.all()) await key.click()
    expect(await page.locator('#call-keypad').evaluate((panel) => panel.scrollWidth - panel.clientWidth)).toBe(0)
    expect(await axeFindings(page)).toEqual([])
    await picture(page, `live-keypad-${viewport.width}`, false)
    await page.keyboard.press('Escape')
    await keys.first().waitFor({ state: 'detached' })
    const opener = view.getByRole('button', { name: 'Keypad' })
    await expect.poll(() => opener.evaluate((button) => button === document.activeElement), SEEN).toBe(true)
  }
  // Laid on its side there is less room than the keys take: they scroll.
  await page.setViewportSize({ width: NARROW.height, height: NARROW.width })
  await view.getByRole('button', { name: 'Keypad' }).click()
  await view.getByRole('button', { name: 'Press 1', exact: true }).click()
  await picture(page, 'live-keypad-740', false)
  await view.getByLabel('Pressed so far').getByText('0#123456789*0#1').waitFor()
  // While something is typed beside them the keys close too, and the typing goes on.
  await view.getByLabel('Tell the agent…').fill('Ask about')
  await page.keyboard.press('Escape')
  await keys.first().waitFor({ state: 'detached' })
  await page.keyboard.type(' Sundays')
  expect(await view.getByLabel('Tell the agent…').inputValue()).toBe('Ask about Sundays')
  await page.keyboard.press('Escape')
  await view.waitFor({ state: 'detached' })
  await person.send('PATCH', `/api/calls/${call.id}`, { action: 'stop' })
  await person.ended(call.id, 20_000)
  expect(complaints).toEqual([])
}, 120_000)

test('0199 rings in the browser: answered by typing it becomes a conversation', async () => {
  const { person, page, call, complaints } = await begin('callee@parley.example', '+1 202 555 0199')
  const frames = framesOf(page, `/${call.id}/answer`)
  await page.getByRole('dialog', { name: 'Incoming call' }).waitFor()
  expect(await axeFindings(page)).toEqual([])
  await picture(page, 'incoming-call-wide', false)
  await page.getByRole('button', { name: 'Answer and type' }).click()
  await page.getByRole('log').getByText('AI assistant').waitFor()
  await until('sound of the call', async () => frames.received > 0)
  await page.getByLabel('What you say to the agent…').fill('Hello, who is calling please?')
  await page.getByRole('button', { name: 'Say it' }).click()
  await page.getByRole('log').getByText('who is calling please?').waitFor({ timeout: 20_000 })
  await until('the agent to answer', async () => {
    const { turns } = await person.get<CallDetails>(`/api/calls/${call.id}`)
    const saidAt = turns.findIndex(({ text }) => text.includes('who is calling please?'))
    return saidAt !== -1 && turns.slice(saidAt + 1).some(({ speaker }) => speaker === 'agent')
  })
  await picture(page, 'handset-wide', false)
  await page.setViewportSize(NARROW)
  expect(await axeFindings(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
  await picture(page, 'handset-narrow', false)
  await page.getByRole('button', { name: 'Hang up' }).click()
  expect((await person.ended(call.id)).endReason).toBe('callee_hung_up')
  expect(complaints).toEqual([])
}, 120_000)

test('0199 rings over the call that it is part of, however late that is shown', async () => {
  const person = await signUp(parley.url, 'late@parley.example')
  const { page, complaints } = await visitAs(browser, parley.url, person)
  await page.route(/\/LiveCall-.*\.js$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 3000))
    await route.continue()
  })
  await page.goto('/dashboard')
  await page.getByLabel('Phone number').fill('+1 202 555 0199')
  await page.getByLabel('Purpose').fill('Ask about the opening hours')
  await page.getByRole('button', { name: 'Start Call' }).click()
  // Both lie there, and the one that rings can be reached.
  await expect.poll(() => page.locator('[role=dialog]').count(), { timeout: 20_000 }).toBe(2)
  await page.getByRole('dialog', { name: 'Incoming call' }).waitFor()
  await page.getByRole('button', { name: 'Answer and type' }).click()
  await page.getByRole('log').getByText('AI assistant').waitFor()
  expect(complaints).toEqual([])
}, 60_000)

test('0199 answered by microphone: the agent hears a voice', async () => {
  const { person, page, call } = await begin('speaker@parley.example', '+1 202 555 0199')
  const frames = framesOf(page, `/${call.id}/answer`)
  await page.getByRole('button', { name: 'Answer with the microphone' }).click()
  await page.getByRole('button', { name: 'Mute' }).waitFor()
  await until('the microphone to be sent', async () => frames.sent > 50)
  await page.getByRole('button', { name: 'Hang up' }).click()
  expect((await person.ended(call.id)).status).toBe('completed')
}, 90_000)
