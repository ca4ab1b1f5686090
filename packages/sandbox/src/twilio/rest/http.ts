import type { IncomingMessage, ServerResponse } from 'node:http'
import { Refusal } from './errors.ts'
import { newSid } from '../formats.ts'

const BODY_MAX_BYTES = 64 * 1024
const PARAMETERS_MAX = 200

/** A request with its whole body. */
export interface Question {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly form: URLSearchParams
  readonly authorization: string
}

export interface Answer {
  readonly status: number
  /** As JSON; undefined: none. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** `never`: the connection stays open without an answer. */
export type Outcome = Answer | 'reset' | 'never'

/** Reads a request, answers it, and turns every error into Twilio's shape. */
export async function serve(
  asked: IncomingMessage,
  response: ServerResponse,
  answer: (question: Question) => Promise<Outcome>,
): Promise<void> {
  const outcome = await outcomeOf(asked, answer)
  if (outcome === 'never') return
  if (outcome === 'reset') {
    asked.socket.resetAndDestroy()
    return
  }
  const { status, body, headers } = outcome
  const all = { 'content-type': 'application/json;charset=utf-8', 'twilio-request-id': newSid('RQ'), ...headers }
  response.writeHead(status, all).end(body === undefined ? undefined : JSON.stringify(body))
}

async function outcomeOf(asked: IncomingMessage, answer: (question: Question) => Promise<Outcome>): Promise<Outcome> {
  try {
    const text = await bodyOf(asked)
    const { pathname, searchParams } = new URL(asked.url ?? '/', 'http://far-end')
    const form = new URLSearchParams(text)
    if (form.size > PARAMETERS_MAX) throw new Refusal(20001, 'There are too many parameters.')
    const authorization = asked.headers.authorization ?? ''
    return await answer({ method: asked.method ?? 'GET', path: pathname, query: searchParams, form, authorization })
  } catch (error) {
    const refusal = error instanceof Refusal ? error : new Refusal(20500, 'An internal server error has occurred')
    return refused(refusal)
  }
}

export function refused(refusal: Refusal): Answer {
  const headers = refusal.status === 401 ? { 'www-authenticate': 'Basic realm="Twilio API"' } : undefined
  return { status: refusal.status, body: refusal.body, ...(headers && { headers }) }
}

async function bodyOf(asked: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of asked) {
    // Without an encoding the chunks are buffers.
    const buffer = chunk as Buffer
    bytes += buffer.length
    if (bytes > BODY_MAX_BYTES) throw new Refusal(20001, 'The request is too large.')
    chunks.push(buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}
