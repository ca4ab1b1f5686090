import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Clock } from '@parley/voice-ports'
import { type RawData, WebSocketServer } from 'ws'
import { type SocketFault, SocketFaults } from './faults.ts'
import { Peer } from './peer.ts'
import { Wire } from './wire.ts'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
}

export interface Answer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** The vendor's end of one connection. */
export interface Connection {
  onText(text: string): void
  onBinary(data: Buffer): void
  onClosed(): void
}

export interface SocketServerOptions {
  readonly port?: number
  readonly clock: Clock
  readonly answer: (asked: Asked) => Answer
  /** Why there is no connection, or what takes it. */
  readonly open: (asked: Asked) => Answer | ((peer: Peer) => Connection)
  /** How the vendor says that a connection is refused. */
  readonly refuse: (fault: Extract<SocketFault, { how: 'refused' }>) => Answer
}

export interface SocketServer {
  /** http, without a slash at its end. */
  readonly url: string
  readonly faults: SocketFaults
  /** Upgrades that were asked for, the oldest first. */
  readonly upgrades: readonly Asked[]
  /** Breaks the connections that are open, as a network does. */
  drop(): void
  /**
   * Resolves once everything that either side has sent was taken by the other, connections included that are being made.
   * For tests whose client is in this process.
   */
  settle(): Promise<void>
  close(): Promise<void>
}

const HOST = '127.0.0.1'
const PAYLOAD_MAX_BYTES = 1024 * 1024
const UPGRADES_MAX = 1000

/** A vendor's HTTP requests and sockets on loopback. */
export async function startSocketServer(options: SocketServerOptions): Promise<SocketServer> {
  const { port = 0, clock } = options
  const faults = new SocketFaults()
  const peers = new Set<Peer>()
  const upgrades: Asked[] = []
  const sockets = new WebSocketServer({ noServer: true, maxPayload: PAYLOAD_MAX_BYTES })
  const server = createServer((request, response) => write(response, options.answer(askedOf(request))))
  const held = new Set<Duplex>()
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    wire.arrived(request)
    stream.on('error', () => undefined)
    const asked = askedOf(request)
    upgrades.push(asked)
    if (upgrades.length > UPGRADES_MAX) upgrades.shift()
    const fault = faults.take()
    if (fault?.how === 'never_opens') return void held.add(stream)
    const opened = fault?.how === 'refused' ? options.refuse(fault) : options.open(asked)
    if (typeof opened !== 'function') {
      wire.refused(request)
      return void stream.end(rawAnswer(opened))
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      const peer = new Peer(socket, stream, clock, fault)
      peers.add(peer)
      const connection = opened(peer)
      socket.on('error', () => undefined)
      socket.on('message', (data: RawData, isBinary: boolean) => {
        const bytes = bufferOf(data)
        if (isBinary) connection.onBinary(bytes)
        else connection.onText(bytes.toString('utf8'))
      })
      socket.on('close', () => {
        peers.delete(peer)
        wire.ended(request)
        connection.onClosed()
      })
    })
  })
  await new Promise<void>((done, failed) => server.once('error', failed).listen(port, HOST, done))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The far end does not listen on a port.')
  const wire = new Wire(address.port)
  return {
    url: `http://${HOST}:${address.port}`,
    faults,
    upgrades,
    drop: () => peers.forEach((peer) => peer.drop()),
    settle: () => wire.settle(() => [...peers]),
    async close() {
      wire.close()
      const closed = new Promise<void>((done) => server.close(() => done()))
      for (const socket of sockets.clients) socket.terminate()
      for (const stream of held) stream.destroy()
      server.closeAllConnections()
      await closed
    },
  }
}

function askedOf({ method = 'GET', url = '/', headers }: IncomingMessage): Asked {
  const { pathname, searchParams } = new URL(url, 'http://far-end')
  return { method, path: pathname, query: searchParams, headers }
}

function write(response: ServerResponse, { status, body, headers }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(body === undefined ? undefined : JSON.stringify(body))
}

function rawAnswer({ status, body, headers }: Answer): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  const all = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers }
  const lines = Object.entries({ ...all, connection: 'close' }).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} Refused`, ...lines, '', text].join('\r\n')
}

function bufferOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data)
  return data instanceof ArrayBuffer ? Buffer.from(data) : data
}
