import type { IncomingMessage } from 'node:http'
import type { Clock } from '@parley/voice-ports'
import { type RawData, WebSocket } from 'ws'
import { z } from 'zod'
import { type Failure, failureOfClose, failureOfStatus } from './failures.ts'
import { parsed } from './json.ts'

const MESSAGE_MAX_BYTES = 1024 * 1024
const OPENS_WITHIN_MS = 4500
/** A ping is sent this often, and answered before the next. */
const PING_EVERY_MS = 5000
/** Some 30 s of sound that the vendor did not take. */
const UNSENT_MAX_BYTES = 256 * 1024
/** From our last message to the vendor's end of the connection. */
const CLOSES_WITHIN_MS = 1000
const REFUSAL_MAX_BYTES = 4096

export interface VendorSocketOptions {
  /** "Deepgram": begins the sentences of failures. */
  readonly vendor: string
  /** http or https. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly clock: Clock
  readonly onOpen: () => void
  /** JSON of the vendor; what is none is dropped. */
  readonly onMessage: (message: unknown) => void
  /** Comes once, unless it was closed by us. */
  readonly onFailed: (failure: Failure) => void
  /** After finish(): the vendor has said everything. */
  readonly onFinished?: () => void
}

/** A WebSocket to a vendor, with deadlines, whose every end is one failure that says whether to retry. */
export class VendorSocket {
  readonly #options: VendorSocketOptions
  readonly #socket: WebSocket
  #cancelTimer: () => void
  #state: 'open' | 'finishing' | 'over' = 'open'

  constructor(options: VendorSocketOptions) {
    const { url, headers, clock, vendor } = options
    this.#options = options
    const socket = new WebSocket(url, {
      headers,
      maxPayload: MESSAGE_MAX_BYTES,
      perMessageDeflate: false,
      // What is asked for carries a key: it goes to this address alone.
      followRedirects: false,
    })
    this.#socket = socket
    socket.on('open', () => this.#opened())
    socket.on('message', (data, isBinary) => this.#take(data, isBinary))
    socket.on('unexpected-response', (_, response) => void this.#refused(response))
    socket.on('error', (error) => this.#fail({ ...RETRY, message: `${vendor}: ${reasonOf(error)}` }))
    socket.on('close', (code, reason) => this.#fail(failureOfClose(vendor, code, reason.toString('utf8'))))
    this.#cancelTimer = clock.after(OPENS_WITHIN_MS, () =>
      this.#fail({ ...RETRY, message: `${vendor} did not open the connection in time.` }),
    )
  }

  send(message: object): void {
    this.#write(JSON.stringify(message))
  }

  sendAudio(audio: Uint8Array): void {
    this.#write(audio)
  }

  /** Says the last message and takes what the vendor still has to say, within a bound. */
  finish(last: object | null): void {
    if (this.#state !== 'open' || this.#socket.readyState !== WebSocket.OPEN) return this.#finished()
    if (last) this.send(last)
    this.#state = 'finishing'
    this.#cancelTimer()
    this.#cancelTimer = this.#options.clock.after(CLOSES_WITHIN_MS, () => this.#finished())
    return undefined
  }

  /** Nothing is reported from here on. */
  close(last: object | null = null): void {
    if (this.#state === 'over') return
    const isOpen = this.#socket.readyState === WebSocket.OPEN
    if (isOpen && last && this.#state === 'open') this.send(last)
    this.#end()
    if (!isOpen) return this.#socket.terminate()
    this.#socket.close(1000)
    // A vendor that does not close must not keep the socket.
    this.#cancelTimer = this.#options.clock.after(CLOSES_WITHIN_MS, () => this.#socket.terminate())
    this.#socket.once('close', this.#cancelTimer)
  }

  #write(data: string | Uint8Array): void {
    if (this.#state !== 'open' || this.#socket.readyState !== WebSocket.OPEN) return
    if (this.#socket.bufferedAmount > UNSENT_MAX_BYTES)
      return this.#fail({ ...RETRY, message: `${this.#options.vendor} does not take the sound any more.` })
    this.#socket.send(data, () => undefined)
  }

  #opened(): void {
    if (this.#state === 'over') return
    this.#cancelTimer()
    let isAnswered = true
    this.#socket.on('pong', () => (isAnswered = true))
    const ping = () => {
      if (!isAnswered) return this.#fail({ ...RETRY, message: `${this.#options.vendor} does not answer any more.` })
      isAnswered = false
      this.#socket.ping()
      this.#cancelTimer = this.#options.clock.after(PING_EVERY_MS, ping)
    }
    this.#cancelTimer = this.#options.clock.after(PING_EVERY_MS, ping)
    this.#options.onOpen()
  }

  #take(data: RawData, isBinary: boolean): void {
    if (this.#state === 'over' || isBinary) return
    const message = parsed(textOf(data))
    if (message !== undefined) this.#options.onMessage(message)
  }

  async #refused(response: IncomingMessage): Promise<void> {
    const { statusCode = 0, headers } = response
    const body = await bodyOf(response)
    this.#fail(failureOfStatus(this.#options.vendor, { status: statusCode, body, headers }))
  }

  #fail(failure: Failure): void {
    if (this.#state === 'over') return
    if (this.#state === 'finishing') return this.#finished()
    this.#end()
    this.#socket.terminate()
    this.#options.onFailed(failure)
  }

  #finished(): void {
    if (this.#state === 'over') return
    this.#end()
    this.#socket.terminate()
    this.#options.onFinished?.()
  }

  #end(): void {
    this.#state = 'over'
    this.#cancelTimer()
  }
}

const RETRY = { retryable: true, retryAfterMs: null }

function reasonOf(error: Error): string {
  if (error.message !== '') return error.message
  // Errors of connections to several addresses have a code alone.
  const code: unknown = Reflect.get(error, 'code')
  return typeof code === 'string' ? code : error.name
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8')
  return Buffer.from(data instanceof ArrayBuffer ? new Uint8Array(data) : data).toString('utf8')
}

/** Its beginning; what is longer, or breaks off, tells no more. */
async function bodyOf(response: IncomingMessage): Promise<string> {
  let text = ''
  try {
    for await (const chunk of response) {
      text += z.instanceof(Buffer).parse(chunk).toString('utf8')
      if (text.length >= REFUSAL_MAX_BYTES) break
    }
  } catch {
    return text
  }
  return text
}
