import type { Clock } from '@parley/voice-ports'
import { WebSocket } from 'ws'

export interface LinkFailure {
  readonly message: string
  readonly retryable: boolean
  readonly retryAfterMs: number | null
}

export interface LinkOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly clock: Clock
  /** The socket is open: say hello. */
  readonly onOpen: () => void
  readonly onMessage: (text: string) => void
  /** It broke, or could not be opened. What was sent last may be lost. */
  readonly onDown: (failure: LinkFailure) => void
}

const HANDSHAKE_MS = 5000
const MESSAGE_MAX_BYTES = 16 * 1024 * 1024
const AGAIN_MS = 500
const AGAIN_MAX_MS = 8000
/** Failures in a row before the vendor is given up. */
const FAILURES_MAX = 6
/** A session that lasted so long had recovered. */
const RECOVERED_MS = 60_000

/** Another attempt would fail as well: wrong key, no access, no such model. */
const FINAL_STATUSES: readonly number[] = [400, 401, 403, 404]

/** Keeps one socket to a vendor: connects when asked to, with growing waits and a budget. */
export class Link {
  readonly #options: LinkOptions
  #socket: WebSocket | null = null
  #isReady = false
  #isClosed = false
  #failures = 0
  #notBeforeMs = -Infinity
  #connectedMs = 0
  #isGivenUp = false
  #cancelWait: (() => void) | null = null
  #waiting: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = []

  constructor(options: LinkOptions) {
    this.#options = options
  }

  get isReady(): boolean {
    return this.#isReady
  }

  get isGivenUp(): boolean {
    return this.#isGivenUp
  }

  /** Connects unless it is connected, or about to be. */
  open(): void {
    if (this.#socket || this.#cancelWait || this.#isClosed || this.#isGivenUp) return
    const { clock } = this.#options
    const waitMs = this.#notBeforeMs - clock.nowMs()
    if (waitMs <= 0) return this.#connect()
    this.#cancelWait = clock.after(waitMs, () => {
      this.#cancelWait = null
      this.#connect()
    })
  }

  /** Resolves once the session is set up; rejects where that will not be. */
  ready(): Promise<void> {
    if (this.#isReady) return Promise.resolve()
    if (this.#isClosed || this.#isGivenUp) return Promise.reject(new Error('The vendor was given up for this call.'))
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.push({ resolve, reject })
    this.open()
    return promise
  }

  /** The vendor has taken the settings. */
  becameReady(): void {
    this.#isReady = true
    for (const { resolve } of this.#waiting.splice(0)) resolve()
  }

  /** The vendor has answered: what failed before is forgiven. */
  worked(): void {
    this.#failures = 0
  }

  send(message: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message))
  }

  /** Ends a session that is of no use any more. */
  fail(message: string, retryable = true): void {
    if (this.#socket) this.#down(this.#socket, { message, retryable, retryAfterMs: null })
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#isReady = false
    this.#cancelWait?.()
    this.#socket?.close(1000)
    this.#socket = null
    for (const { reject } of this.#waiting.splice(0)) reject(new Error('The call is over.'))
  }

  #connect(): void {
    if (this.#isClosed) return
    const { url, headers, clock, onOpen, onMessage } = this.#options
    this.#connectedMs = clock.nowMs()
    const limits = { handshakeTimeout: HANDSHAKE_MS, maxPayload: MESSAGE_MAX_BYTES, perMessageDeflate: false }
    const socket = new WebSocket(url, { headers, ...limits })
    this.#socket = socket
    const unlessOver = (task: () => void) => {
      if (this.#socket === socket) task()
    }
    socket.on('open', () => unlessOver(onOpen))
    socket.on('message', (data: Buffer) => unlessOver(() => onMessage(data.toString())))
    socket.on('unexpected-response', (request, { statusCode = 0, headers: { 'retry-after': after } }) => {
      request.destroy()
      const seconds = Number(after)
      const retryAfterMs = after !== undefined && Number.isFinite(seconds) ? seconds * 1000 : null
      const retryable = !FINAL_STATUSES.includes(statusCode)
      this.#down(socket, { message: `The vendor refused the session: HTTP ${statusCode}.`, retryable, retryAfterMs })
    })
    socket.on('error', (error) => {
      this.#down(socket, { message: `The connection failed: ${error.message}`, retryable: true, retryAfterMs: null })
    })
    socket.on('close', (code, reason) => {
      const why = `The vendor ended the session: ${code} ${String(reason)}`.trim()
      // Policy violations and invalid settings are refused again.
      this.#down(socket, { message: why, retryable: code !== 1007 && code !== 1008, retryAfterMs: null })
    })
  }

  #down(socket: WebSocket, failure: LinkFailure): void {
    if (this.#socket !== socket) return
    const { clock, onDown } = this.#options
    this.#socket = null
    this.#isReady = false
    socket.terminate()
    if (clock.nowMs() - this.#connectedMs >= RECOVERED_MS) this.#failures = 0
    this.#failures++
    this.#isGivenUp = !failure.retryable || this.#failures >= FAILURES_MAX
    const backOffMs = Math.min(AGAIN_MAX_MS, AGAIN_MS * 2 ** (this.#failures - 1))
    this.#notBeforeMs = clock.nowMs() + Math.max(backOffMs, failure.retryAfterMs ?? 0)
    onDown({ ...failure, retryable: !this.#isGivenUp })
    if (this.#isGivenUp) for (const { reject } of this.#waiting.splice(0)) reject(new Error(failure.message))
    else if (this.#waiting.length > 0) this.open()
  }
}
