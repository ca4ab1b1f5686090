import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '@parley/voice-ports'
import { readRequest, wireOf } from './reading.ts'
import type { ModelAnswer, ModelRefusal, ModelRequest, ModelStep, ModelStream, WireFormat } from './shapes.ts'
import { errorBody, type Writer, writerFor } from './writing.ts'

export interface ModelFarEndOptions {
  /** What each request is answered; undefined: no case fits, which fails the test. */
  readonly answer: (request: ModelRequest) => ModelAnswer | undefined
  /** Waits of the answers go by it; by default by the wall clock. */
  readonly clock?: Clock
  /** null: none is asked for, as a local server does. */
  readonly apiKey?: string | null
  /** Models that this server has; by default any. */
  readonly models?: readonly string[]
}

/** A request as it went. */
export interface ModelExchange {
  readonly request: ModelRequest
  /** By the far end's clock. */
  readonly askedAtMs: number
  /** Null while it goes on. */
  closedAtMs: number | null
  /** The client left before the answer was complete. */
  abandoned: boolean
}

/** Language models on this machine, in the wire formats of OpenAI, Anthropic and Google. */
export interface ModelFarEnd {
  /** Without a slash at its end; base addresses of the vendors are below. */
  readonly url: string
  readonly baseUrl: Readonly<Record<WireFormat, string>>
  readonly apiKey: string | null
  /** Oldest first. */
  readonly exchanges: readonly ModelExchange[]
  /** Paths asked for which are no request for a reply. */
  readonly lookups: readonly string[]
  /** @throws where a request fitted no case */
  close(): Promise<void>
}

const HOST = '127.0.0.1'
const BODY_MAX_BYTES = 1024 * 1024
const USAGE = { input: 100, output: 20 }
const wallClock: Pick<Clock, 'nowMs' | 'after'> = {
  nowMs: () => performance.now(),
  after: (ms: number, task: () => void) => later(ms, task),
}

function later(ms: number, task: () => void): () => void {
  const timer = setTimeout(task, ms)
  return () => clearTimeout(timer)
}

export async function startModelFarEnd(options: ModelFarEndOptions): Promise<ModelFarEnd> {
  const { apiKey = 'far-end-key', clock = wallClock } = options
  const desk = new Desk(options, apiKey, clock)
  const server = createServer((asked, response) => void desk.take(asked, response))
  await new Promise<void>((done, failed) => server.once('error', failed).listen(0, HOST, done))
  // A server that listens on a port has such an address.
  const url = `http://${HOST}:${(server.address() as AddressInfo).port}`
  return {
    url,
    baseUrl: { openai: `${url}/v1`, anthropic: `${url}/v1`, google: `${url}/v1beta` },
    apiKey,
    exchanges: desk.exchanges,
    lookups: desk.lookups,
    async close() {
      const closed = new Promise<void>((done) => server.close(() => done()))
      server.closeAllConnections()
      await closed
      if (desk.complaints.length > 0) throw new Error(desk.complaints.join('\n'))
    },
  }
}

/** Takes requests and answers them. */
class Desk {
  readonly exchanges: ModelExchange[] = []
  readonly lookups: string[] = []
  readonly complaints: string[] = []
  readonly #options: ModelFarEndOptions
  readonly #apiKey: string | null
  readonly #clock: Pick<Clock, 'nowMs' | 'after'>

  constructor(options: ModelFarEndOptions, apiKey: string | null, clock: Pick<Clock, 'nowMs' | 'after'>) {
    this.#options = options
    this.#apiKey = apiKey
    this.#clock = clock
  }

  async take(asked: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#serve(asked, response)
    } catch (error) {
      this.complaints.push(String(error))
      if (!response.headersSent) response.writeHead(500)
      response.end()
    }
  }

  async #serve(asked: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(asked.url ?? '/', 'http://far-end')
    const wire = wireOf(pathname)
    const text = await bodyOf(asked)
    if (!isKnown(asked, this.#apiKey))
      return refuse(response, wire ?? wireOfKey(asked), { status: 401, message: 'The API key is not valid.' })
    if (wire === null) {
      this.lookups.push(pathname)
      return lookUp(response, wireOfKey(asked), pathname, this.#options.models)
    }
    const request = readRequest(wire, pathname, JSON.parse(text) as Record<string, unknown>, this.exchanges.length)
    const left = this.#watch(request, response)
    const answer = this.#options.answer(request)
    if (!answer) {
      this.complaints.push(`No case fits request ${request.index}: ${request.messages.at(-1)?.text ?? ''}`)
      return refuse(response, wire, { status: 501, message: 'No case fits this request.' })
    }
    await this.#wait(answer.headMs ?? 0, left)
    if (left.aborted) return
    if ('status' in answer) refuse(response, wire, answer)
    else await this.#stream(response, request, answer, left)
  }

  /** Until the client leaves, or has everything. */
  #watch(request: ModelRequest, response: ServerResponse): AbortSignal {
    const exchange: ModelExchange = { request, askedAtMs: this.#clock.nowMs(), closedAtMs: null, abandoned: false }
    this.exchanges.push(exchange)
    const left = new AbortController()
    response.on('close', () => {
      exchange.closedAtMs = this.#clock.nowMs()
      exchange.abandoned = !response.writableFinished
      left.abort()
    })
    return left.signal
  }

  async #stream(
    response: ServerResponse,
    request: ModelRequest,
    { steps, finish, usage = USAGE }: ModelStream,
    left: AbortSignal,
  ): Promise<void> {
    const writer = writerFor(request)
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
    response.flushHeaders()
    response.write(writer.begin())
    for (const step of steps) {
      if (left.aborted || step.type === 'stall') return
      if (step.type === 'drop') return void response.socket?.resetAndDestroy()
      if (step.type === 'wait') await this.#wait(step.ms, left)
      else response.write(written(writer, step))
      // Each step is a packet of its own.
      await new Promise((resolve) => setImmediate(resolve))
    }
    const acted = steps.some(({ type }) => type === 'call' || type === 'raw_call')
    response.end(writer.end(finish ?? (acted ? 'tools' : 'stop'), usage))
  }

  #wait(ms: number, left: AbortSignal): Promise<void> {
    if (ms <= 0) return Promise.resolve()
    return new Promise((resolve) => {
      const cancel = this.#clock.after(ms, resolve)
      left.addEventListener('abort', () => (cancel(), resolve()), { once: true })
    })
  }
}

function written(writer: Writer, step: Exclude<ModelStep, { type: 'wait' | 'drop' | 'stall' }>): string {
  switch (step.type) {
    case 'say':
      return writer.text(step.text)
    case 'think':
      return writer.thought(step.text)
    case 'call':
      return writer.call(step.name, JSON.stringify(step.input))
    case 'raw_call':
      return writer.call(step.name, step.input)
    case 'bytes':
      return step.text
  }
}

function refuse(response: ServerResponse, wire: WireFormat, refusal: ModelRefusal): void {
  const { status, message = 'The server had an error.', retryAfterSeconds } = refusal
  const headers = {
    'content-type': 'application/json',
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
  }
  response.writeHead(status, headers).end(JSON.stringify(errorBody(wire, status, message)))
}

/** `GET /models` and `GET /models/{name}`. */
function lookUp(response: ServerResponse, wire: WireFormat, path: string, models?: readonly string[]): void {
  const name = /\/models\/(.+)$/.exec(path)?.[1]
  if (name !== undefined && models && !models.includes(decodeURIComponent(name)))
    return refuse(response, wire, { status: 404, message: `The model ${name} does not exist.` })
  if (name === undefined && !path.endsWith('/models')) return refuse(response, wire, { status: 404 })
  const one = (id: string) => ({ id, name: `models/${id}`, object: 'model', type: 'model', created: 1_780_000_000 })
  const body = name === undefined ? { object: 'list', data: (models ?? []).map(one) } : one(decodeURIComponent(name))
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function isKnown({ headers }: IncomingMessage, apiKey: string | null): boolean {
  if (apiKey === null) return true
  const given = [headers.authorization?.replace('Bearer ', ''), headers['x-api-key'], headers['x-goog-api-key']]
  return given.includes(apiKey)
}

function wireOfKey({ headers }: IncomingMessage): WireFormat {
  if (headers['x-api-key'] !== undefined) return 'anthropic'
  return headers['x-goog-api-key'] === undefined ? 'openai' : 'google'
}

async function bodyOf(asked: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of asked) {
    text += String(chunk)
    if (text.length > BODY_MAX_BYTES) throw new Error('The request is too long.')
  }
  return text
}
