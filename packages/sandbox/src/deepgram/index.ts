import { randomUUID } from 'node:crypto'
import type { Clock } from '@parley/voice-ports'
import { SpeechScript } from '../recognition/script.ts'
import { type Answer, type Asked, type SocketServer, startSocketServer } from '../recognition/server.ts'
import { monotonicClock } from '../twilio/clock.ts'
import { FluxConnection } from './flux.ts'
import { NovaConnection, type NovaManners } from './nova.ts'

export interface DeepgramFarEndOptions {
  /** By default any free one. */
  readonly port?: number
  readonly apiKey?: string
  /** What is said, over all connections. */
  readonly script?: SpeechScript
  readonly manners?: Partial<NovaManners>
  readonly clock?: Clock
}

/** Deepgram's live transcription on this machine, in Deepgram's wire format. */
export interface DeepgramFarEnd extends SocketServer {
  readonly apiKey: string
  readonly script: SpeechScript
}

const NOVA_LANGUAGES = ['en', 'zh', 'fr', 'de', 'el', 'hi', 'it', 'ja', 'pt', 'pt-BR', 'es', 'ko', 'nl', 'ru', 'multi']
const ENCODINGS = ['linear16', 'linear32', 'mulaw', 'alaw', 'opus', 'ogg-opus']

export async function startDeepgramFarEnd(options: DeepgramFarEndOptions = {}): Promise<DeepgramFarEnd> {
  const { apiKey = `dg-${randomUUID()}`, script = new SpeechScript(), clock = monotonicClock } = options
  const manners = { finalEveryWords: Infinity, answersEmptyFinalize: false, ...options.manners }
  const after = (delayMs: number, task: () => void) => clock.after(delayMs, task)
  const isKnown = ({ headers }: Asked) => headers.authorization?.toLowerCase() === `token ${apiKey}`.toLowerCase()
  const server = await startSocketServer({
    ...(options.port !== undefined && { port: options.port }),
    clock,
    refuse: ({ status, message, retryAfter }) => ({
      ...refusal(status, 'ERROR', message ?? 'The request is refused.'),
      headers: { ...(retryAfter !== undefined && { 'retry-after': retryAfter }), 'dg-error': message ?? '' },
    }),
    answer(asked) {
      if (!isKnown(asked)) return refusal(401, 'INVALID_AUTH', 'Invalid credentials.')
      if (asked.path === '/v1/auth/token')
        return { status: 200, body: { api_key_id: randomUUID(), scopes: ['member'] } }
      if (asked.path === '/v1/projects')
        return { status: 200, body: { projects: [{ project_id: randomUUID(), name: 'calls' }] } }
      return refusal(404, 'NOT_FOUND', 'There is no such path.')
    },
    open(asked) {
      if (!isKnown(asked)) return refusal(401, 'INVALID_AUTH', 'Invalid credentials.')
      const wrong = mistakeIn(asked)
      if (wrong !== null) return refusal(400, 'INVALID_QUERY_PARAMETER', wrong)
      const { query } = asked
      return (peer) => {
        const given = { peer, query, script, manners, after }
        return asked.path === '/v2/listen' ? new FluxConnection(given) : new NovaConnection(given)
      }
    },
  })
  return { ...server, apiKey, script }
}

function refusal(status: number, code: string, message: string): Answer {
  const body = { err_code: code, err_msg: message, request_id: randomUUID() }
  return { status, body, headers: { 'dg-error': message } }
}

/** Why the vendor does not take this request. */
function mistakeIn({ path, query }: Asked): string | null {
  const model = query.get('model') ?? ''
  const isFlux = model.startsWith('flux-')
  if (path === '/v2/listen' ? !isFlux : path !== '/v1/listen' || isFlux) return `No such model/path: ${model} ${path}`
  if (!ENCODINGS.includes(query.get('encoding') ?? '')) return 'The encoding is missing or unknown.'
  if (!/^\d+$/.test(query.get('sample_rate') ?? '')) return 'The sample_rate is missing.'
  if (isFlux) return mistakeInFlux(query, model)
  const language = query.get('language') ?? 'en'
  if (!NOVA_LANGUAGES.includes(language) && !NOVA_LANGUAGES.includes(language.split('-')[0] ?? ''))
    return `No such model/language/tier combination found: ${model} ${language}`
  if (query.has('keywords') && model.startsWith('nova-3')) return 'Keywords are not supported for Nova-3. Use keyterm.'
  if (query.has('keyterm') && !model.startsWith('nova-3')) return 'Keyterm is only supported for Nova-3.'
  if (Number(query.get('utterance_end_ms') ?? 1000) < 1000) return 'utterance_end_ms is at least 1000.'
  return null
}

function mistakeInFlux(query: URLSearchParams, model: string): string | null {
  const known = [
    'model',
    'encoding',
    'sample_rate',
    'keyterm',
    'eot_threshold',
    'eager_eot_threshold',
    'eot_timeout_ms',
  ]
  const unknown = [...query.keys()].find((name) => ![...known, 'language_hint', 'mip_opt_out', 'tag'].includes(name))
  if (unknown !== undefined) return `Unknown parameter ${unknown}.`
  if (query.has('language_hint') && model !== 'flux-general-multi') return 'language_hint needs flux-general-multi.'
  const eager = Number(query.get('eager_eot_threshold') ?? 0.3)
  if (eager < 0.3 || eager > 0.9) return 'eager_eot_threshold is 0.3 to 0.9.'
  return null
}
