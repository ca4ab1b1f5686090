import {
  type CallDetails,
  callsRoutes,
  SOUND_FRAME_BYTES,
  SOUND_SIDES,
  LIVE_PATH,
  LIVE_STATUSES,
  type LiveMessage,
  reportsRoutes,
  systemRoutes,
  type Turn,
  type User,
} from '@parley/contract'
import { beforeEach, expect } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import { aCall, ADA, type FakeApi, listed, openScreen, serve } from '../testing.tsx'

/** Ada with this balance. */
export const withCredits = (creditBalance: string, more: Partial<User> = {}): User => ({
  ...ADA,
  creditBalance,
  ...more,
})

const isLive = ({ status }: CallDetails) => LIVE_STATUSES.some((each) => each === status)

/** A server with these calls, newest first. */
export function answerCalls(api: FakeApi, calls: () => readonly CallDetails[]): void {
  api.answer(reportsRoutes.calls, () => calls().map(listed))
  api.answer(callsRoutes.active, () => calls().filter(isLive).map(listed))
  api.answer(callsRoutes.get, ({ params }) => {
    const call = calls().find(({ id }) => id === params['id'])
    if (!call) throw new Error(`Nothing was said of the call ${params['id']}.`)
    return call
  })
}

export function aTurn(index: number, text: string, change: Partial<Turn> = {}): Turn {
  const startMs = index * 2500
  return {
    index,
    speaker: index % 2 === 0 ? 'agent' : 'user',
    text,
    startMs,
    endMs: startMs + 2000,
    heard: true,
    ...change,
  }
}

/** A call answered just now. */
export function aRunningCall(change: Partial<CallDetails> = {}): CallDetails {
  return aCall({
    status: 'in_progress',
    phase: 'greeting',
    transcript: null,
    summary: null,
    durationSeconds: null,
    creditsCharged: null,
    endReason: null,
    connectedAt: new Date().toISOString(),
    completedAt: null,
    turns: [aTurn(0, 'Hello, this is Parley.')],
    outcomes: [],
    ...change,
  })
}

/** Opens the details of a call from the history. */
export async function openDetails(
  call: CallDetails,
  size?: readonly [number, number],
): Promise<{ api: FakeApi; dialog: Locator }> {
  const api = serve(withCredits('40'))
  answerCalls(api, () => [call])
  await openScreen('/call-history', size && { size })
  await page.getByRole('button', { name: /^View the call to/ }).click()
  return { api, dialog: page.getByRole('dialog', { name: 'Call details' }) }
}

interface Watched {
  readonly api: FakeApi
  readonly view: Locator
  readonly say: (message: LiveMessage) => void
  /** Changes the call and announces it on the live socket. */
  readonly change: (change: Partial<CallDetails>) => void
  /** Sends a turn on the live socket. */
  readonly speak: (turn: Turn) => void
}

/** Opens a running call from the bar below the screen. */
export async function watchCall(call: CallDetails, size?: readonly [number, number]): Promise<Watched> {
  const api = serve()
  let now = call
  answerCalls(api, () => [now])
  const { say } = await openScreen('/contacts', size && { size })
  await page.getByRole('complementary', { name: 'Calls running' }).getByRole('button').click()
  const view = page.getByRole('dialog', { name: 'Call to +1 202 555 0100' })
  return {
    api,
    view,
    say,
    change(change) {
      now = { ...now, ...change }
      say({ type: 'call_status', call: listed(now) })
    },
    speak(turn) {
      now = { ...now, turns: [...now.turns.filter(({ index }) => index !== turn.index), turn] }
      say({ type: 'transcript', callId: now.id, turn })
    },
  }
}

/** Lets the health check succeed after a request was lost. */
export function answerHealth(api: FakeApi): void {
  api.send(systemRoutes.health, '{}')
}

/** The page's end of a sound socket; the test plays the server. */
export class FakeSoundSocket extends EventTarget {
  readonly url: string
  readonly sent: unknown[] = []
  readyState: number = WebSocket.CONNECTING
  binaryType = 'blob'
  constructor(url: string) {
    super()
    this.url = url
    soundSockets.push(this)
  }
  send(data: unknown): void {
    this.sent.push(data)
  }
  close(): void {
    this.readyState = WebSocket.CLOSED
  }
  /** The server reports the socket as ready. */
  ready(): void {
    this.readyState = WebSocket.OPEN
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify({ type: 'ready' }) }))
  }
  /** One frame of silence from the callee. */
  sendFrame(): void {
    const frame = new Uint8Array(1 + SOUND_FRAME_BYTES).fill(0xff)
    frame[0] = SOUND_SIDES.callee
    this.dispatchEvent(new MessageEvent('message', { data: frame.buffer }))
  }
  /** The server closes the socket. */
  break(code: number): void {
    this.close()
    this.dispatchEvent(new CloseEvent('close', { code }))
  }
}

/** A live socket that fails to connect. */
class BrokenSocket extends EventTarget {
  constructor() {
    super()
    queueMicrotask(() => this.dispatchEvent(new CloseEvent('close', { code: 4000 })))
  }
  close(): void {
    // It is closed already.
  }
}

const soundSockets: FakeSoundSocket[] = []
let liveSockets: WebSocket[] = []
let isCut = false

/** Call once per file: the test plays the server of every sound socket and can cut the live sockets. */
export function fakeSockets(): void {
  beforeEach(() => {
    soundSockets.length = 0
    liveSockets = []
    isCut = false
    const Before = globalThis.WebSocket
    const construct = (_: unknown, [url, protocols]: [string, string?]): object => {
      if (url.includes('/ws/calls/')) return new FakeSoundSocket(url)
      if (!url.includes(LIVE_PATH)) return new Before(url, protocols)
      if (isCut) return new BrokenSocket()
      const socket = new Before(url)
      liveSockets.push(socket)
      return socket
    }
    Object.assign(globalThis, { WebSocket: new Proxy(Before, { construct }) })
  })
}

/** Cuts the live sockets and prevents new ones until the returned function is called. */
export function cutLiveSocket(): () => void {
  isCut = true
  for (const socket of liveSockets.splice(0)) {
    socket.close()
    socket.dispatchEvent(new CloseEvent('close', { code: 4000 }))
  }
  return () => {
    isCut = false
    dispatchEvent(new Event('online'))
  }
}

/** The last sound socket that the page opened. */
export async function openedSocket(): Promise<FakeSoundSocket> {
  await expect.poll(() => soundSockets.length).toBeGreaterThan(0)
  const socket = soundSockets.at(-1)
  if (!socket) throw new Error('The page opened no sound socket.')
  return socket
}
