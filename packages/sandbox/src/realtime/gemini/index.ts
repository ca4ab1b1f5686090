import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Callee } from '../callee.ts'
import type { Answers, Pace } from '../script.ts'
import { startFarServer } from '../server.ts'
import { GeminiSession } from './session.ts'

export interface GeminiLiveOptions {
  readonly port?: number
  readonly apiKey?: string
  readonly models?: readonly string[]
  /** Without a clock nothing waits. */
  readonly pace?: Partial<Pace>
  readonly answers: Answers
  readonly callee?: Callee
  readonly transcriptionMs?: number
  /** Whether it says when the words of a sound are complete. */
  readonly tellsFinished?: boolean
}

/** The Gemini Live API on this machine, in the vendor's wire format. */
export interface GeminiLive {
  /** With its version, without a slash at its end. */
  readonly url: string
  readonly apiKey: string
  /** Every session, oldest first. */
  readonly sessions: readonly GeminiSession[]
  /** The newest session. */
  readonly session: GeminiSession
  /** Refuses the next sockets with these statuses, in order. */
  readonly refusals: number[]
  quiet(): Promise<void>
  close(): Promise<void>
}

const MODELS = ['gemini-live']
const PATH = /^\/+ws\/google\.ai\.generativelanguage\.v1(?:beta|alpha)?\.GenerativeService\.BidiGenerateContent$/

export async function startGeminiLive(options: GeminiLiveOptions): Promise<GeminiLive> {
  const { port = 0, apiKey = 'far-end', models = MODELS } = options
  const { answers, callee = () => '', transcriptionMs = 0, tellsFinished = true } = options
  const pace: Pace = { clock: null, wordMs: 0, ...options.pace }
  const sessions: GeminiSession[] = []
  const refusals: number[] = []
  const urlOf = ({ url }: IncomingMessage) => new URL(`http://far-end${url ?? '/'}`)
  const isOurs = (asked: IncomingMessage) =>
    (asked.headers['x-goog-api-key'] ?? urlOf(asked).searchParams.get('key')) === apiKey

  function list(asked: IncomingMessage, response: ServerResponse): void {
    const answer = (status: number, body: object) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (!isOurs(asked))
      return answer(400, { error: { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT' } })
    if (urlOf(asked).pathname !== '/v1beta/models') return answer(404, { error: { code: 404, status: 'NOT_FOUND' } })
    const methods = { supportedGenerationMethods: ['bidiGenerateContent'] }
    return answer(200, { models: models.map((name) => ({ name: `models/${name}`, ...methods })) })
  }

  const server = await startFarServer({
    port,
    http: list,
    refusal(asked) {
      const status = refusals.shift()
      if (status !== undefined) return status
      if (!isOurs(asked)) return 403
      return PATH.test(urlOf(asked).pathname) ? null : 404
    },
    opened(socket) {
      sessions.push(new GeminiSession(socket, { pace, answers, callee, transcriptionMs, tellsFinished }))
    },
  })
  return {
    url: `${server.url}/v1beta`,
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
