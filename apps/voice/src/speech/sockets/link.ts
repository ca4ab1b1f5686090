import type { Clock } from '@parley/voice-ports'
import WebSocket from 'ws'
import { failureOf, failureOfStatus, SpeechFailure } from '../failure.ts'
import type { SocketAddress, SocketProtocol, SpeechEvent } from './protocol.ts'
import type { TextUnderWay } from './text.ts'

const CONNECT_MS = 3000
/** A vendor's message is some seconds of sound at most. */
const MESSAGE_MAX_BYTES = 4 * 1024 * 1024
/** Keeps proxies between us and the vendor from closing a quiet connection. */
const PING_MS = 15_000
/** A vendor that does not confirm a cancelled text by now gets a new connection. */
const CANCELLED_MS = 1000
/** Texts that wait for their turn. */
const WAITING_MAX = 20

export interface LinkOptions {
  readonly protocol: SocketProtocol
  readonly address: SocketAddress
  readonly clock: Clock
  /** Once; texts under way have got the same failure. */
  readonly onClosed: (failure: SpeechFailure) => void
}

/** One connection to a vendor, with the texts that are being spoken on it. */
export class Link {
  readonly #options: LinkOptions
  readonly #socket: WebSocket
  readonly #under = new Map<string, TextUnderWay>()
  readonly #cancelled = new Map<string, () => void>()
  readonly openedMs: number
  #waiting: TextUnderWay[] = []
  #ping: (() => void) | null = null
  #connecting: (() => void) | null
  #isOpen = false
  #isClosed = false

  constructor(options: LinkOptions) {
    this.#options = options
    const { address, clock } = options
    this.openedMs = clock.nowMs()
    this.#socket = new WebSocket(address.url, {
      headers: address.headers,
      maxPayload: MESSAGE_MAX_BYTES,
      perMessageDeflate: false,
      followRedirects: false,
    })
    this.#connecting = clock.after(CONNECT_MS, () =>
      this.#fail(new SpeechFailure('late', `It did not answer within ${CONNECT_MS / 1000} s.`)),
    )
    this.#listen()
  }

  get isUsable(): boolean {
    return !this.#isClosed
  }

  get isIdle(): boolean {
    return this.#under.size === 0 && this.#waiting.length === 0
  }

  speak(text: TextUnderWay): void {
    if (this.#isClosed) return text.end(new SpeechFailure('broken', 'The connection is closed.'))
    if (this.#waiting.length >= WAITING_MAX) return text.end(new SpeechFailure('busy', 'Too many texts are waiting.'))
    this.#waiting.push(text)
    this.#next()
  }

  /** Nobody listens to it any more. */
  cancel(text: TextUnderWay): void {
    this.#waiting = this.#waiting.filter((each) => each !== text)
    const { id } = text.given
    if (!this.#under.delete(id)) return
    text.end(null)
    if (this.#isClosed) return
    this.#send(this.#options.protocol.cancel(id))
    this.#cancelled.set(
      id,
      this.#options.clock.after(CANCELLED_MS, () => this.#neverStopped(id)),
    )
  }

  /** What still comes of it is told apart by its id, or else by a new connection. */
  #neverStopped(id: string): void {
    if (this.#options.protocol.textsAtOnce === 1)
      return this.#fail(new SpeechFailure('late', 'It did not stop when it was told to.'))
    this.#cancelled.delete(id)
    this.#next()
  }

  close(): void {
    if (this.#isClosed) return
    const { farewell } = this.#options.protocol
    if (this.#isOpen && farewell) this.#send([farewell])
    this.#shut(null)
    // A vendor that does not answer the close is left after a while: ws waits 30 s.
    if (this.#isOpen) this.#socket.close(1000)
    else this.#socket.terminate()
  }

  #listen(): void {
    const socket = this.#socket
    socket.on('open', () => this.#opened())
    socket.on('message', (data, isBinary) => this.#take(bufferOf(data), isBinary))
    socket.on('unexpected-response', (request, response) => {
      request.destroy()
      this.#fail(failureOfStatus(response.statusCode ?? 0, response.statusMessage ?? ''))
    })
    socket.on('error', (error) => this.#fail(failureOf(error)))
    socket.on('close', (code, reason) => this.#fail(this.#options.protocol.closed(code, reason.toString('utf8'))))
  }

  #opened(): void {
    this.#connecting?.()
    this.#connecting = null
    if (this.#isClosed) return
    this.#isOpen = true
    this.#keepAlive()
    this.#next()
  }

  #keepAlive(): void {
    this.#ping = this.#options.clock.after(PING_MS, () => {
      if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping()
      this.#keepAlive()
    })
  }

  #next(): void {
    const { protocol } = this.#options
    if (!this.#isOpen) return
    while (this.#under.size + this.#cancelled.size < protocol.textsAtOnce) {
      const text = this.#waiting.shift()
      if (!text) return
      this.#under.set(text.given.id, text)
      this.#send(protocol.begin(text.given))
      text.started()
    }
  }

  #send(messages: readonly object[]): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return
    for (const message of messages) this.#socket.send(JSON.stringify(message))
  }

  #take(data: Buffer, isBinary: boolean): void {
    if (this.#isClosed) return
    try {
      for (const event of this.#options.protocol.read(data, isBinary)) this.#dispatch(event)
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error)
      this.#fail(new SpeechFailure('broken', `It said something unintelligible: ${said}`))
    }
  }

  #dispatch(event: SpeechEvent): void {
    if (event.type === 'failed' && event.id === null) return this.#fail(event.failure)
    const isOver = event.type === 'done' || event.type === 'failed'
    const id = event.id ?? [...this.#cancelled.keys(), ...this.#under.keys()][0]
    if (id === undefined) return
    const confirmed = this.#cancelled.get(id)
    if (confirmed) {
      if (!isOver) return
      confirmed()
      this.#cancelled.delete(id)
    } else {
      const text = this.#under.get(id)
      text?.take(event)
      if (text?.isOver) this.#under.delete(id)
    }
    if (isOver) this.#next()
  }

  #fail(failure: SpeechFailure): void {
    if (this.#isClosed) return
    this.#shut(failure)
    this.#socket.terminate()
    this.#options.onClosed(failure)
  }

  #shut(failure: SpeechFailure | null): void {
    this.#isClosed = true
    this.#connecting?.()
    this.#ping?.()
    for (const confirmed of this.#cancelled.values()) confirmed()
    this.#cancelled.clear()
    const texts = [...this.#under.values(), ...this.#waiting]
    this.#under.clear()
    this.#waiting = []
    for (const text of texts) text.end(failure)
  }
}

function bufferOf(data: WebSocket.RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data)
  return Buffer.isBuffer(data) ? data : Buffer.from(data)
}
