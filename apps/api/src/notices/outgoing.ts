import http from 'node:http'
import https from 'node:https'
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent'
import { isLoopback } from '../platform/requests/hosts.ts'

const DEADLINE_MS = 5000
const ANSWER_MAX_BYTES = 64 * 1024
/** Kept of a response, for the delivery log. */
const ANSWER_KEPT_CHARS = 2000
const LOOPBACK = ['127.0.0.0/8', '::1']

export type Answer =
  | { readonly status: number; readonly text: string }
  /** No response in time, or no request was made; a sentence for the user. */
  | { readonly problem: string }

export interface Outgoing {
  post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<Answer>
}

/**
 * Sends requests to users' webhook addresses. Checks the IP address at connection time (against DNS rebinding), follows
 * no redirect and has a deadline. `loopback` allows this machine and plain http, for local installations.
 */
export function createOutgoing({ loopback }: { readonly loopback: boolean }): Outgoing {
  const options = { keepAlive: false, ...(loopback ? { allowIPAddressList: LOOPBACK } : {}) }
  const agents = { http: new RequestFilteringHttpAgent(options), https: new RequestFilteringHttpsAgent(options) }
  return {
    async post(address, headers, body) {
      const url = URL.canParse(address) ? new URL(address) : undefined
      if (!url || !mayBeAsked(url, loopback))
        return { problem: 'Webhooks go to https:// addresses on the public internet.' }
      try {
        return await ask(url, agents, headers, body)
      } catch (error) {
        return { problem: problemOf(error) }
      }
    },
  }
}

function mayBeAsked(url: URL, loopback: boolean): boolean {
  if (url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (loopback && url.protocol === 'http:' && isLoopback(url.hostname))
}

async function ask(
  url: URL,
  agents: { readonly http: http.Agent; readonly https: https.Agent },
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<Answer> {
  // One deadline for lookup, connection, sending and reading.
  const signal = AbortSignal.timeout(DEADLINE_MS)
  const secure = url.protocol === 'https:'
  const options = { method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body) }, signal }
  return new Promise((resolve, reject) => {
    const take = (response: http.IncomingMessage) => {
      textOf(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject)
    }
    const request = secure
      ? https.request(url, { ...options, agent: agents.https }, take)
      : http.request(url, { ...options, agent: agents.http }, take)
    // A permanent listener: an unhandled 'error' would end the process.
    request.on('error', reject)
    request.end(body)
  })
}

/** Reads a response up to ANSWER_MAX_BYTES, then disconnects. */
async function textOf(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > ANSWER_MAX_BYTES) break
  }
  return Buffer.concat(chunks).toString('utf8', 0, ANSWER_KEPT_CHARS).replaceAll('\0', '')
}

const PROBLEMS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nobody listens at this address.',
  ENOTFOUND: 'There is no such host.',
  EAI_AGAIN: 'The host could not be looked up.',
  ABORT_ERR: 'It did not answer within 5 seconds.',
  ETIMEDOUT: 'It did not answer within 5 seconds.',
  ECONNRESET: 'It closed the connection.',
}

function problemOf(error: unknown): string {
  const { code = '', message = '', name = '' } = Object(error) as { code?: string; message?: string; name?: string }
  if (message.includes('is not allowed'))
    return 'The address leads inside a private network, where webhooks are not sent.'
  return (
    PROBLEMS[code] ??
    (name === 'TimeoutError' ? PROBLEMS['ABORT_ERR'] : undefined) ??
    `It could not be reached (${code || name || 'unknown'}).`
  )
}
