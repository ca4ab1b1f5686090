import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request as ask, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FactsTaken } from '@parley/contract'
import { z } from 'zod'

/** Facts that a voice node sent to an api, and what it was answered. */
export interface Report {
  readonly callId: string
  /** Of the token that it showed; undefined with the shared secret. */
  readonly fence: number | undefined
  readonly seqs: readonly number[]
  /** When it was passed on. */
  readonly atMs: number
  /** 0: the answer did not come. */
  status: number
  /** The number of the last fact that the api has, where it said so. */
  taken: number | undefined
}

const FACTS_PATH = /^\/internal\/calls\/([^/]+)\/facts$/
const TOKEN = /^Bearer 1\.(\d+)\./
const Body = z.object({ facts: z.array(z.object({ seq: z.int() })) })

/** Passes requests of voice nodes on to the internal listeners in turn, and keeps a record of every report of facts. */
export class Relay {
  readonly reports: Report[] = []
  readonly #ports: readonly number[]
  readonly #server: Server
  readonly #agent = new Agent({ keepAlive: true })
  #next = 0

  private constructor(ports: readonly number[]) {
    this.#ports = ports
    this.#server = createServer((request, response) => void this.#pass(request, response))
  }

  static async listen(ports: readonly number[]): Promise<Relay> {
    const relay = new Relay(ports)
    await once(relay.#server.listen(0, '127.0.0.1'), 'listening')
    return relay
  }

  get port(): number {
    // It listens on a TCP port.
    return (this.#server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    this.#agent.destroy()
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const body = await bytesOf(request)
      const report = reportIn(request, body)
      if (report) this.reports.push(report)
      const answer = await this.#askInTurn(request, body)
      const text = await bytesOf(answer)
      if (report) {
        report.status = answer.statusCode ?? 0
        report.taken = FactsTaken.safeParse(jsonIn(text)).data?.taken
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers).end(text)
    } catch {
      // As if the api itself were gone.
      response.destroy()
    }
  }

  /** The next one where nobody listens. */
  async #askInTurn(request: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    let failure: unknown
    for (let tried = 0; tried < this.#ports.length; tried++) {
      const port = this.#ports[this.#next++ % this.#ports.length] ?? 0
      try {
        return await this.#ask(port, request, body)
      } catch (error) {
        failure = error
        if (!(error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED')) throw error
      }
    }
    throw failure
  }

  #ask(port: number, { method, url, headers, socket }: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    return new Promise((answered, failed) => {
      const { 'transfer-encoding': _, ...kept } = headers
      const own = { ...kept, 'content-length': body.length }
      const asked = ask({ host: '127.0.0.1', port, method, path: url, headers: own, agent: this.#agent })
      const give = () => asked.destroy(new Error('Nobody waits for the answer.'))
      socket.once('close', give)
      asked.once('close', () => socket.off('close', give))
      asked.once('response', answered).once('error', failed).end(body)
    })
  }
}

function reportIn({ url = '', headers }: IncomingMessage, body: Buffer): Report | undefined {
  const [, callId] = FACTS_PATH.exec(url) ?? []
  const { data } = Body.safeParse(jsonIn(body))
  if (callId === undefined || !data) return undefined
  const [, fence] = TOKEN.exec(headers.authorization ?? '') ?? []
  return {
    callId: decodeURIComponent(callId),
    fence: fence === undefined ? undefined : Number(fence),
    seqs: data.facts.map(({ seq }) => seq),
    atMs: Date.now(),
    status: 0,
    taken: undefined,
  }
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of message as AsyncIterable<Buffer>) parts.push(part)
  return Buffer.concat(parts)
}

function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}
