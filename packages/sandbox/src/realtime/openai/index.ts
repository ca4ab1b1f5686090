import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Callee } from '../callee.ts'
import type { Answers, Pace } from '../script.ts'
import { startFarServer } from '../server.ts'
import { OpenaiSession } from './session.ts'

export type { OpenaiSession } from './session.ts'

export interface OpenaiRealtimeOptions {
  readonly port?: number
  readonly apiKey?: string
  readonly models?: readonly string[]
  /** Without a clock nothing waits. */
  readonly pace?: Partial<Pace>
  readonly answers: Answers
  readonly callee?: Callee
  readonly transcriptionMs?: number
  readonly lateDeltas?: number
}

/** OpenAI's Realtime API on this machine, in the vendor's wire format. */
export interface OpenaiRealtime {
  /** With its version, without a slash at its end. */
  readonly url: string
  readonly apiKey: string
  /** Every session, oldest first. */
  readonly sessions: readonly OpenaiSession[]
  /** The newest session. */
  readonly session: OpenaiSession
  /** Refuses the next sockets with these statuses, in order. */
  readonly refusals: number[]
  quiet(): Promise<void>
  close(): Promise<void>
}

const MODELS = ['gpt-realtime']

export async function startOpenaiRealtime(options: OpenaiRealtimeOptions): Promise<OpenaiRealtime> {
  const { port = 0, apiKey = 'sk-far-end', models = MODELS } = options
  const { answers, callee = () => '', transcriptionMs = 0, lateDeltas = 0 } = options
  const pace: Pace = { clock: null, wordMs: 0, ...options.pace }
  const sessions: OpenaiSession[] = []
  const refusals: number[] = []
  const isOurs = ({ headers }: IncomingMessage) => headers.authorization === `Bearer ${apiKey}`
  const urlOf = ({ url }: IncomingMessage) => new URL(url ?? '/', 'http://far-end')

  function list(asked: IncomingMessage, response: ServerResponse): void {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (!isOurs(asked)) return void answer(401, failure('invalid_api_key', 'Incorrect API key provided.'))
    if (urlOf(asked).pathname !== '/v1/models') return void answer(404, failure('unknown_url', 'Invalid URL.'))
    answer(200, { object: 'list', data: models.map((id) => ({ id, object: 'model', owned_by: 'openai' })) })
  }

  const server = await startFarServer({
    port,
    http: list,
    refusal(asked) {
      const status = refusals.shift()
      if (status !== undefined) return status
      if (!isOurs(asked)) return 401
      const { pathname, searchParams } = urlOf(asked)
      return pathname === '/v1/realtime' && models.includes(searchParams.get('model') ?? '') ? null : 404
    },
    opened(socket, asked) {
      const model = urlOf(asked).searchParams.get('model') ?? ''
      sessions.push(new OpenaiSession(socket, model, { pace, answers, callee, transcriptionMs, lateDeltas }))
    },
  })
  return {
    url: `${server.url}/v1`,
    apiKey,
    sessions,
    refusals,
    get session() {
      const newest = sessions.at(-1)
      if (!newest) throw new Error('Nobody has connected.')
      return newest
    },
    quiet: () => server.quiet(),
    close: () => server.close(),
  }
}

const failure = (code: string, message: string) => ({
  error: { message, type: 'invalid_request_error', code, param: null },
})
