import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

const HOST = '127.0.0.1'
/** Larger than any message of a call. */
const MESSAGE_MAX_BYTES = 15 * 1024 * 1024
const QUIET_ROUNDS_MAX = 200

export interface FarServerOptions {
  readonly port: number
  readonly http: (asked: IncomingMessage, response: ServerResponse) => void
  /** The status that refuses a socket; null: it is opened. */
  readonly refusal: (asked: IncomingMessage) => number | null
  readonly opened: (socket: FarSocket, asked: IncomingMessage) => void
}

/** A client's socket at a far end; counts what goes over it. */
export class FarSocket {
  readonly #socket: WebSocket
  readonly #counted: () => void

  constructor(socket: WebSocket, counted: () => void) {
    this.#socket = socket
    this.#counted = counted
  }

  /** Text is sent as it is, everything else as JSON. */
  send(message: unknown): void {
    this.#counted()
    this.#socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  onMessage(take: (text: string) => void): void {
    this.#socket.on('message', (data: Buffer) => {
      this.#counted()
      take(data.toString())
    })
  }

  onClose(task: () => void): void {
    this.#socket.on('close', task)
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason)
  }

  /** As a network does. */
  break(): void {
    this.#socket.terminate()
  }
}

export interface FarServer {
  readonly url: string
  /** Resolves when everything that was sent, either way, has arrived and been answered. */
  quiet(): Promise<void>
  close(): Promise<void>
}

/** HTTP and sockets on a free port of this machine. */
export async function startFarServer({ port: wanted, http, refusal, opened }: FarServerOptions): Promise<FarServer> {
  let messages = 0
  const server = createServer(http)
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_MAX_BYTES })
  server.on('upgrade', (asked, socket, head) => {
    messages++
    const status = refusal(asked)
    if (status !== null) return void socket.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\n\r\n`)
    sockets.handleUpgrade(asked, socket, head, (websocket) => {
      websocket.on('error', () => undefined)
      opened(new FarSocket(websocket, () => void messages++), asked)
    })
  })
  await new Promise<void>((done, failed) => server.once('error', failed).listen(wanted, HOST, done))
  const port = portOf(server.address())
  const url = `http://${HOST}:${port}`

  async function quiet(): Promise<void> {
    for (let round = 0, still = 0; round < QUIET_ROUNDS_MAX && still < 2; round++) {
      const before = messages
      const open = [...sockets.clients].filter(({ readyState }) => readyState === 1)
      // A client may be connecting: what it began before this is accepted before it.
      if (open.length === 0) await knocked(port)
      await Promise.all(open.map(ponged))
      await new Promise<void>((done) => setImmediate(done))
      still = messages === before ? still + 1 : 0
    }
  }

  return {
    url,
    quiet,
    async close() {
      for (const client of sockets.clients) client.terminate()
      const closed = new Promise<void>((done) => server.close(() => done()))
      server.closeAllConnections()
      await closed
    },
  }
}

/** What either side had sent before has arrived when the pong comes. */
function ponged(socket: WebSocket): Promise<void> {
  return new Promise((done) => {
    const over = () => {
      socket.off('pong', over)
      socket.off('close', over)
      done()
    }
    socket.on('pong', over)
    socket.on('close', over)
    socket.ping()
  })
}

/** Connects, and is gone again. */
function knocked(port: number): Promise<void> {
  return new Promise((done) => {
    const socket = connect(port, HOST, () => socket.destroy())
    socket.on('error', () => undefined)
    socket.on('close', () => done())
  })
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The far end does not listen on a port.')
  return address.port
}
