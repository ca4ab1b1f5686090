import { LIVE_CLOSE, LIVE_PATH, type LiveMessage } from '@parley/contract'
import { createStore } from 'zustand/vanilla'
import { doubtConnection } from '../server/connection.ts'
import { platform } from '../platform/index.ts'

const FIRST_DELAY_MS = 500
const MAX_DELAY_MS = 15_000

const MESSAGE_TYPES = {
  connected: true,
  call_status: true,
  transcript: true,
  call_question: true,
  call_completed: true,
  credits: true,
  credits_low: true,
  batch_progress: true,
  incoming_call: true,
} satisfies Record<LiveMessage['type'], true>

export interface LiveListener {
  readonly onMessage?: (message: LiveMessage) => void
  /** The line was down and is back: what was said in between must be read again. */
  readonly onReconnected?: () => void
  /** The server knows no session here (any more), and the line stays closed. */
  readonly onRefused?: () => void
}

/** Bounded exponential back-off; the jitter keeps a thousand pages from returning in one instant. */
export function reconnectDelayMs(attempt: number, random: () => number = Math.random): number {
  const ceiling = Math.min(FIRST_DELAY_MS * 2 ** attempt, MAX_DELAY_MS)
  return ceiling / 2 + (ceiling / 2) * random()
}

/** Messages this page does not know belong to a newer server and are passed over. */
export function parseLiveMessage(data: unknown): LiveMessage | undefined {
  if (typeof data !== 'string') return undefined
  try {
    const message: unknown = JSON.parse(data)
    return isLiveMessage(message) ? message : undefined
  } catch {
    return undefined
  }
}

/** The type decides the shape: both ends are built on the same contract. */
function isLiveMessage(message: unknown): message is LiveMessage {
  return (
    typeof message === 'object' &&
    message !== null &&
    'type' in message &&
    Object.hasOwn(MESSAGE_TYPES, String(message.type))
  )
}

export function livePath(userId: string): string {
  return `${LIVE_PATH}?userId=${encodeURIComponent(userId)}`
}

/** One line to the server for as long as somebody is signed in. */
export class LiveChannel {
  /** Whether the line stands. */
  readonly connected = createStore<boolean>()(() => false)
  readonly #listeners = new Set<LiveListener>()
  readonly #onLost: () => void
  readonly #urlOf: (path: string) => string | Promise<string>
  #socket: WebSocket | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #path: string | undefined
  /** Counts attempts to connect: a URL that arrives after the next attempt is of no use. */
  #asked = 0
  #attempt = 0
  #wasConnected = false

  /**
   * `onLost` is told each time the line could not be opened or broke. `urlOf` gives the URL of a path for one
   * connection: a ticket in it works once.
   */
  constructor(
    onLost: () => void = () => undefined,
    urlOf: (path: string) => string | Promise<string> = (path) => path,
  ) {
    this.#onLost = onLost
    this.#urlOf = urlOf
  }

  open(path: string): void {
    this.close()
    this.#path = path
    this.#connect()
  }

  close(): void {
    this.#path = undefined
    this.#asked++
    this.#wasConnected = false
    this.#attempt = 0
    clearTimeout(this.#timer)
    this.#socket?.close()
    this.#socket = undefined
    this.connected.setState(false)
  }

  /** Tries at once instead of waiting: the browser says that the network is back. */
  hurry(): void {
    if (!this.#path || this.#socket) return
    clearTimeout(this.#timer)
    this.#connect()
  }

  subscribe(listener: LiveListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #connect(): void {
    if (!this.#path) return
    const url = this.#urlOf(this.#path)
    if (typeof url === 'string') return this.#dial(url)
    const asked = ++this.#asked
    url.then(
      (ready) => asked === this.#asked && this.#dial(ready),
      () => asked === this.#asked && this.#tryLater(),
    )
  }

  #dial(url: string): void {
    const socket = new WebSocket(url)
    this.#socket = socket
    socket.addEventListener('open', () => this.#opened(socket))
    socket.addEventListener('message', ({ data }) => this.#received(socket, data))
    socket.addEventListener('close', ({ code }) => this.#closed(socket, code))
  }

  #opened(socket: WebSocket): void {
    if (socket !== this.#socket) return
    const isReturn = this.#wasConnected
    this.#attempt = 0
    this.#wasConnected = true
    this.connected.setState(true)
    if (isReturn) for (const { onReconnected } of this.#listeners) onReconnected?.()
  }

  #received(socket: WebSocket, data: unknown): void {
    const message = socket === this.#socket ? parseLiveMessage(data) : undefined
    if (message) for (const { onMessage } of this.#listeners) onMessage?.(message)
  }

  #closed(socket: WebSocket, code: number): void {
    if (socket !== this.#socket) return
    this.#socket = undefined
    this.connected.setState(false)
    // The server will not have this session: asking again cannot help.
    if (code === LIVE_CLOSE.unauthenticated || code === LIVE_CLOSE.notYours)
      return this.#listeners.forEach(({ onRefused }) => onRefused?.())
    this.#tryLater()
  }

  #tryLater(): void {
    this.#onLost()
    this.#timer = setTimeout(() => this.#connect(), reconnectDelayMs(this.#attempt++))
  }
}

export const live = new LiveChannel(doubtConnection, (path) => platform().socketUrl(path))
