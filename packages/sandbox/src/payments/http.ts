import type { IncomingMessage, ServerResponse } from 'node:http'
import { Failure, invalid } from './errors.ts'

const BODY_MAX_BYTES = 256 * 1024

/** A request with its whole body. */
export interface Question {
  readonly method: string
  readonly pathname: string
  readonly search: string
  readonly text: string
  header(name: string): string | undefined
}

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
    body: JSON.stringify(body),
  }
}

export function html(text: string, policy: string): Answer {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy }
  return {
    status: 200,
    headers: { ...headers, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
    body: text,
  }
}

/** Reads a request, answers it, and turns every error into Stripe's shape. */
export async function serve(
  asked: IncomingMessage,
  response: ServerResponse,
  answer: (question: Question) => Answer,
): Promise<void> {
  const { status, headers, body } = await answerTo(asked, answer)
  try {
    response.writeHead(status, headers).end(body)
  } catch {
    // A header with an invalid value, such as one with a line break.
    response.destroy()
  }
}

async function answerTo(asked: IncomingMessage, answer: (question: Question) => Answer): Promise<Answer> {
  try {
    const text = await bodyOf(asked)
    const { pathname, search } = new URL(asked.url ?? '/', 'http://sandbox')
    const header = (name: string) => {
      const value = asked.headers[name]
      return Array.isArray(value) ? value[0] : value
    }
    return answer({ method: asked.method ?? 'GET', pathname, search, text, header })
  } catch (error) {
    const failure =
      error instanceof Failure ? error : new Failure(500, 'api_error', 'Something went wrong in the payments sandbox.')
    return json(failure.status, failure.body)
  }
}

async function bodyOf(asked: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of asked) {
    // Without an encoding the chunks are buffers.
    const buffer = chunk as Buffer
    bytes += buffer.length
    if (bytes > BODY_MAX_BYTES) throw invalid('The request is too large.')
    chunks.push(buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}
