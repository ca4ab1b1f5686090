import { randomUUID } from 'node:crypto'
import type { Clock } from '@parley/voice-ports'
import { SpeechScript } from '../recognition/script.ts'
import { type Answer, type Asked, type SocketServer, startSocketServer } from '../recognition/server.ts'
import { monotonicClock } from '../twilio/clock.ts'
import { MODELS } from './protocol.ts'
import { TranscriptionSession } from './session.ts'

export interface OpenaiTranscriptionOptions {
  /** By default any free one. */
  readonly port?: number
  readonly apiKey?: string
  /** What is said, over all connections. */
  readonly script?: SpeechScript
  readonly clock?: Clock
}

/** OpenAI's transcription sessions on this machine, in OpenAI's wire format. */
export interface OpenaiTranscriptionFarEnd extends SocketServer {
  readonly apiKey: string
  readonly script: SpeechScript
}

/** `url` ends with the version, as the vendor's own address. */
export async function startOpenaiTranscription(
  options: OpenaiTranscriptionOptions = {},
): Promise<OpenaiTranscriptionFarEnd> {
  const { apiKey = `sk-${randomUUID()}`, script = new SpeechScript(), clock = monotonicClock } = options
  const isKnown = ({ headers }: Asked) => headers.authorization === `Bearer ${apiKey}`
  const wrongKey = refusal(401, 'invalid_api_key', 'Incorrect API key provided.')
  const server = await startSocketServer({
    ...(options.port !== undefined && { port: options.port }),
    clock,
    refuse: ({ status, message, retryAfter }) => ({
      ...refusal(status, 'refused', message ?? 'The request is refused.'),
      ...(retryAfter !== undefined && { headers: { 'retry-after': retryAfter } }),
    }),
    answer(asked) {
      if (!isKnown(asked)) return wrongKey
      const data = MODELS.map((id) => ({ id, object: 'model', created: 1_750_000_000, owned_by: 'openai' }))
      if (asked.path === '/v1/models') return { status: 200, body: { object: 'list', data } }
      return refusal(404, 'not_found', `Invalid URL (${asked.method} ${asked.path})`)
    },
    open(asked) {
      if (!isKnown(asked)) return wrongKey
      if (asked.path !== '/v1/realtime') return refusal(404, 'not_found', `Invalid URL (GET ${asked.path})`)
      if (asked.query.get('intent') !== 'transcription')
        return refusal(400, 'missing_model', 'You must provide a model parameter.')
      return (peer) => new TranscriptionSession(peer, script)
    },
  })
  return { ...server, url: `${server.url}/v1`, apiKey, script }
}

function refusal(status: number, code: string, message: string): Answer {
  return { status, body: { error: { message, type: 'invalid_request_error', param: null, code } } }
}
