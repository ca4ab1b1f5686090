import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebhookEvent } from '@parley/contract'

/** A webhook as it was received. */
export interface Receipt {
  /** The webhook-id. */
  readonly id: string
  readonly type: WebhookEvent['type']
  /** The call or batch that it is about, where it is about one. */
  readonly about: string | undefined
  /** Whether it was answered with 200. */
  readonly isTaken: boolean
}

/** One delivery in so many is refused at first, so that it comes again. */
const REFUSED_ONE_IN = 8

/** Receives the webhooks of all accounts. */
export class Receiver {
  readonly receipts: Receipt[] = []
  readonly #server: Server
  readonly #seen = new Set<string>()

  private constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response))
  }

  static async listen(): Promise<Receiver> {
    const receiver = new Receiver()
    await once(receiver.#server.listen(0, '127.0.0.1'), 'listening')
    return receiver
  }

  get port(): number {
    // It listens on a TCP port.
    return (this.#server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const parts: Buffer[] = []
      for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
      const event = WebhookEvent.parse(JSON.parse(Buffer.concat(parts).toString()))
      const id = String(request.headers['webhook-id'])
      const isTaken = this.#seen.has(id) || !isUnlucky(id)
      this.#seen.add(id)
      this.receipts.push({ id, type: event.type, about: aboutOf(event), isTaken })
      response.writeHead(isTaken ? 200 : 503).end()
    } catch {
      response.writeHead(400).end()
    }
  }
}

function isUnlucky(id: string): boolean {
  return createHash('sha256').update(id).digest().readUInt32BE(0) % REFUSED_ONE_IN === 0
}

function aboutOf(event: WebhookEvent): string | undefined {
  switch (event.type) {
    case 'call.started':
    case 'call.completed':
    case 'call.failed':
    case 'batch.completed':
      return event.data.id
    case 'contact.opted_out':
      return event.data.callId
    case 'credits.low':
    case 'test':
      return undefined
  }
}
