import type { Buffer } from 'node:buffer'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { Framer } from '../framing.ts'
import type { Received, SendFailure, Target } from '../wire.ts'

const CONNECT_MAX_MS = 8000
/** RFC 5626 section 4.4.1 has 95 to 120 s for TCP; gateways of clouds forget a silent connection earlier. */
const PING_EVERY_MS = 30_000
/** Nothing came for longer, though health is asked for more often. */
const SILENT_MAX_MS = 600_000
const WAITING_MAX = 256
/** A far end that reads nothing must not fill the memory. */
const UNSENT_MAX_BYTES = 1024 * 1024

export interface StreamOptions {
  readonly target: Target
  /** More certificates to trust, PEM; null: those of the system. */
  readonly ca: string | null
  readonly onReceived: (received: Received) => void
  readonly onMalformed: () => void
  readonly onClosed: () => void
}

interface Waiting {
  readonly bytes: Buffer
  readonly onFailed: (failure: SendFailure) => void
}

/** One TCP or TLS connection, which both sides use for requests and responses. */
export class Stream {
  readonly #options: StreamOptions
  readonly #socket: Socket
  readonly #framer = new Framer()
  readonly #ping: NodeJS.Timeout
  #waiting: Waiting[] | null = []
  #failure: SendFailure = { kind: 'closed', message: 'The connection was closed.' }
  #closed = false

  /** Takes a connection that a far end opened. */
  static accepted(socket: Socket, options: StreamOptions): Stream {
    const stream = new Stream(socket, options)
    stream.#connected()
    return stream
  }

  static connect(options: StreamOptions): Stream {
    const { target, ca } = options
    const { address: host, port, serverName } = target
    if (target.transport === 'tcp') {
      const socket = connectTcp({ host, port })
      const stream = new Stream(socket, options)
      socket.once('connect', () => stream.#connected())
      return stream
    }
    const named = serverName !== null && isIP(serverName) === 0 ? { servername: serverName } : {}
    // Without a name the certificate is checked against the address.
    const socket = connectTls({ host, port, ...named, ...(ca !== null && { ca }), minVersion: 'TLSv1.2' })
    const stream = new Stream(socket, options)
    socket.once('secureConnect', () => stream.#connected())
    return stream
  }

  private constructor(socket: Socket, options: StreamOptions) {
    this.#options = options
    this.#socket = socket
    const patience = setTimeout(() => {
      if (this.#waiting) this.#fail({ kind: 'unreachable', message: `${this.#place} did not take a connection.` })
    }, CONNECT_MAX_MS)
    this.#ping = setInterval(() => {
      if (!this.#waiting) socket.write('\r\n\r\n')
    }, PING_EVERY_MS).unref()
    socket.setNoDelay(true)
    socket.setTimeout(SILENT_MAX_MS, () => socket.destroy())
    socket.on('data', (chunk) => this.#take(chunk))
    socket.on('error', (error) => this.#fail(failureOf(error, this.#place)))
    socket.on('close', () => {
      clearTimeout(patience)
      clearInterval(this.#ping)
      this.#fail(this.#failure)
    })
    socket.once('connect', () => clearTimeout(patience))
    socket.once('secureConnect', () => clearTimeout(patience))
  }

  get #place(): string {
    return `${this.#options.target.address}:${this.#options.target.port}`
  }

  send(bytes: Buffer, onFailed: (failure: SendFailure) => void): void {
    if (this.#closed) return queueMicrotask(() => onFailed(this.#failure))
    if (this.#waiting) {
      if (this.#waiting.length < WAITING_MAX) this.#waiting.push({ bytes, onFailed })
      else queueMicrotask(() => onFailed({ kind: 'busy', message: `${this.#place} does not take connections.` }))
      return
    }
    if (this.#socket.writableLength > UNSENT_MAX_BYTES)
      return this.#fail({ kind: 'busy', message: `${this.#place} reads nothing.` })
    this.#socket.write(bytes)
  }

  close(): void {
    this.#fail({ kind: 'closed', message: 'The SIP socket of this process is closed.' })
  }

  #connected(): void {
    const waiting = this.#waiting ?? []
    this.#waiting = null
    for (const { bytes } of waiting) this.#socket.write(bytes)
  }

  #take(chunk: Buffer): void {
    for (const framed of this.#framer.push(chunk)) {
      if (this.#closed) return
      if (framed.type === 'message') this.#options.onReceived({ ...framed.parsed, source: this.#options.target })
      else if (framed.type === 'ping') this.#socket.write('\r\n')
      else {
        this.#options.onMalformed()
        this.#fail({ kind: 'closed', message: `${this.#place} sent what is not SIP (${framed.problem}).` })
      }
    }
  }

  #fail(failure: SendFailure): void {
    if (this.#closed) return
    this.#closed = true
    this.#failure = failure
    this.#socket.destroy()
    const waiting = this.#waiting ?? []
    this.#waiting = null
    this.#options.onClosed()
    queueMicrotask(() => {
      for (const { onFailed } of waiting) onFailed(failure)
    })
  }
}

function failureOf(error: Error, place: string): SendFailure {
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'ECONNREFUSED') return { kind: 'refused', message: `Nothing listens on ${place}.` }
  if (/^(?:ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)|CERT/.test(code))
    return { kind: 'certificate', message: `The TLS certificate of ${place} is not valid: ${error.message}.` }
  return { kind: 'unreachable', message: `${place} cannot be reached: ${error.message}.` }
}
