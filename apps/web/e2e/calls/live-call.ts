import { type CallDetails, pathOf, SOUND_PATHS, SOUND_SIDES } from '@parley/contract'
import type { Browser, Page } from 'playwright-core'
import { press, visitAs } from '../../../standalone/src/browser.ts'
import { type Person, signUp, type World } from '../../../standalone/src/world.ts'

// What journeys of live calls share.

export interface Frames {
  received: number
  sent: number
  /** Milliseconds since the page's start. */
  firstMs: number | null
}

/** Counts binary frames of the page's sockets whose URL has this ending. */
export function framesOf(page: Page, ending: string): Frames {
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

/** A second listener: counts the non-silent frames of the agent's side. */
export function listenBeside(parley: World, person: Person, callId: string): { loud: number; close(): void } {
  const address = parley.url.replace('http', 'ws') + pathOf({ path: SOUND_PATHS.audio }, { id: callId })
  const ear = { loud: 0, close: () => socket.close() }
  // Node's WebSocket accepts headers; the DOM type does not know them.
  const options = { headers: { cookie: person.cookie, origin: parley.url } } as unknown as string[]
  const socket = new WebSocket(address, options)
  socket.binaryType = 'arraybuffer'
  socket.addEventListener('message', ({ data }) => {
    if (!(data instanceof ArrayBuffer)) return
    const [side, ...audio] = new Uint8Array(data)
    if (side === SOUND_SIDES.agent && audio.some((code) => (code & 0x7f) < 0x50)) ear.loud++
  })
  return ear
}

/** A call placed by a page with a live socket of its own. */
export async function beginCall(
  { parley, browser }: { readonly parley: World; readonly browser: Browser },
  email: string,
  number: string,
  prepare: (page: Page) => Promise<unknown> = async () => undefined,
): Promise<{ person: Person; page: Page; call: CallDetails; complaints: string[] }> {
  const person = await signUp(parley.url, email)
  await person.send('PATCH', `/api/user/${person.user.id}/settings`, { recordCalls: true })
  const { page, complaints } = await visitAs(browser, parley.url, person)
  await prepare(page)
  await page.goto('/dashboard')
  await page.getByLabel('Phone number').fill(number)
  await page.getByLabel('Purpose').fill('Ask about the opening hours')
  await page.getByLabel('Max duration').fill('10')
  const placed = page.waitForResponse(
    (response) => response.url().endsWith('/api/calls') && response.request().method() === 'POST',
  )
  await press(page, 'Start Call')
  return { person, page, complaints, call: (await (await placed).json()) as CallDetails }
}
