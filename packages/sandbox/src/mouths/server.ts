import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import type { ConnectFault } from './faults.ts'
import { MouthFaults } from './faults.ts'

const HOST = '127.0.0.1'
const MESSAGE_MAX_BYTES = 64 * 1024
const BODY_MAX_BYTES = 256 * 1024

/** A text that a vendor was asked to speak. */
export interface AskedText {
  readonly text: string
  /** As the vendor names it. */
  readonly voice: string
  readonly language: string | null
  /** How many stretches of sound were sent. */
  sent: number
  state: 'speaking' | 'done' | 'cancelled' | 'lost'
}

/** A vendor's mouth on this machine, in its wire format. */
export interface MouthFarEnd {
  /** Without a slash at its end. */
  readonly url: string
  readonly apiKey: string
  readonly faults: MouthFaults
  /** Oldest first. */
  readonly texts: readonly AskedText[]
  /** Sockets that were opened, and those that are open. */
  readonly connections: { readonly opened: number; readonly open: number }
  /** Breaks every connection, as when the vendor restarts. */
  drop(): void
  close(): Promise<void>
}

export interface Far {
  readonly apiKey: string
  readonly faults: MouthFaults
  readonly texts: AskedText[]
}

interface FarServer {
  /** Whether the request shows the key. */
  readonly isAllowed: (asked: IncomingMessage, far: Far) => boolean
  readonly answer: (asked: IncomingMessage, response: ServerResponse, far: Far) => void | Promise<void>
  /** null: no sockets here. */
  readonly socket: ((socket: WebSocket, url: URL, far: Far) => void) | null
  readonly isSocketPath: (path: string) => boolean
}

export async function startMouthFarEnd(vendor: FarServer, apiKey: string): Promise<MouthFarEnd> {
  const far: Far = { apiKey, faults: new MouthFaults(), texts: [] }
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_MAX_BYTES })
  let opened = 0
  const server = createServer((asked, response) => {
    if (!vendor.isAllowed(asked, far)) return json(response, 401, { detail: { status: 'invalid_api_key' } })
    void vendor.answer(asked, response, far)
  })
  server.on('upgrade', (asked, raw, head) => {
    const url = urlOf(asked)
    const refuse = (status: number, body = '') =>
      raw.end(
        `HTTP/1.1 ${status} Refused\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
      )
    const fault = far.faults.take('connect')
    if (fault?.how === 'silent') return
    if (fault?.how === 'reset') return void raw.destroy()
    if (fault) return void refuse(fault.status, fault.body)
    const { socket } = vendor
    if (!socket || !vendor.isSocketPath(url.pathname)) return void refuse(404)
    if (!vendor.isAllowed(asked, far)) return void refuse(401)
    sockets.handleUpgrade(asked, raw, head, (accepted) => {
      opened++
      accepted.on('error', () => undefined)
      socket(accepted, url, far)
    })
  })
  const raw = new Set<Socket>()
  server.on('connection', (each: Socket) => {
    raw.add(each)
    each.once('close', () => raw.delete(each))
  })
  await new Promise<void>((done, failed) => server.once('error', failed).listen(0, HOST, done))
  const drop = () => {
    for (const socket of sockets.clients) socket.terminate()
  }
  return {
    url: `http://${HOST}:${portOf(server.address())}`,
    apiKey,
    faults: far.faults,
    texts: far.texts,
    get connections() {
      return { opened, open: sockets.clients.size }
    },
    drop,
    async close() {
      drop()
      const closed = new Promise<void>((done) => server.close(() => done()))
      for (const each of raw) each.destroy()
      await closed
    },
  }
}

/** Of a message that is JSON. */
export function messageOf(data: RawData): unknown {
  const whole = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer)
  return JSON.parse(whole.toString('utf8'))
}

export const urlOf = (asked: IncomingMessage) => new URL(asked.url ?? '/', 'http://far-end')

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** An HTTP request's fault, done; false: there was none. */
export function failed(fault: ConnectFault | null, asked: IncomingMessage, response: ServerResponse): boolean {
  if (!fault) return false
  if (fault.how === 'reset') asked.socket.resetAndDestroy()
  else if (fault.how === 'status') json(response, fault.status, { error: { message: fault.body ?? 'refused' } })
  return true
}

export async function bodyOf(asked: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of asked) {
    // Without an encoding the chunks are buffers.
    const buffer = chunk as Buffer
    bytes += buffer.length
    if (bytes > BODY_MAX_BYTES) throw new Error('The request is too large.')
    chunks.push(buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The far end does not listen on a port.')
  return address.port
}
