import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server'
import { createClient } from '@parley/client'
import { newestDuplicate } from '../calls/index.ts'
import { e164Of } from '../contacts/index.ts'
import type { Reader } from '../platform/db.ts'
import type { Actor } from '../platform/http.ts'
import { AppError } from '../platform/errors.ts'
import { addResourceMetadata, challengeOf, MCP_PATH } from './resource.ts'
import { type Account, createTools } from './tools.ts'

/** Longer than any tool takes; no tool waits for events. */
const ANSWER_MAX_MS = 30_000

interface Parts {
  readonly publicUrl: string
  readonly db: Reader
  /** null without a valid key. */
  authenticate(request: FastifyRequest): Promise<Actor | null>
}

/**
 * The MCP server: streamable HTTP, stateless. Tools call the public routes with the request's API key, so that they
 * have exactly the key's permissions.
 */
export function registerPrograms(fastify: FastifyInstance, parts: Parts): void {
  const closing = new AbortController()
  fastify.addHook('preClose', async () => closing.abort())
  addResourceMetadata(fastify, parts.publicUrl)
  fastify.route({
    method: ['GET', 'POST', 'DELETE'],
    url: MCP_PATH,
    async handler(request, reply) {
      const key = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
      const actor = key === undefined ? null : await actorOf(parts, request)
      if (key === undefined || actor?.via !== 'key') {
        reply.header('www-authenticate', challengeOf(parts.publicUrl, { isShown: key !== undefined }))
        throw new AppError('unauthenticated', 'Send an API key from Settings as Authorization: Bearer …')
      }
      const parley = createClient({
        url: parts.publicUrl,
        key,
        fetch: (url, init) => fetchHere(fastify, request, url, init),
      })
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(ANSWER_MAX_MS)])
      return serve(() => createTools(parley, accountOf(parts.db, actor)), {
        request,
        reply,
        publicUrl: parts.publicUrl,
        signal,
      })
    },
  })
}

/** null: the key is wrong or was revoked. */
async function actorOf(parts: Pick<Parts, 'authenticate'>, request: FastifyRequest): Promise<Actor | null> {
  try {
    return await parts.authenticate(request)
  } catch (error) {
    if (error instanceof AppError && error.code === 'unauthenticated') return null
    throw error
  }
}

function accountOf(db: Reader, { userId, scopes = [] }: Actor): Account {
  return {
    userId,
    async newestDuplicate({ callee, from, ...order }) {
      const phone = scopes.includes('calls') ? e164Of(callee) : undefined
      // A number that cannot be read is the caller's error, which the route names.
      const caller = typeof from === 'string' ? (e164Of(from) ?? from) : from
      return phone === undefined ? undefined : newestDuplicate(db, userId, { ...order, callee: phone, from: caller })
    },
  }
}

interface Serving {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly publicUrl: string
  readonly signal: AbortSignal
}

async function serve(tools: () => McpServer, { request, reply, publicUrl, signal }: Serving) {
  const handler = createMcpHandler(tools, {
    // The tools never change, and a subscription would stay open for good.
    maxSubscriptions: 0,
    onerror: (error) => request.log.warn({ err: error }, 'mcp'),
  })
  const body = request.body === undefined ? {} : { body: JSON.stringify(request.body) }
  const asked = new Request(new URL(MCP_PATH, publicUrl), {
    method: request.method,
    headers: headersOf(request),
    signal,
    ...body,
  })
  const work = async () => {
    const answer = await handler.fetch(asked, request.body === undefined ? {} : { parsedBody: request.body })
    return { answer, text: await answer.text() }
  }
  const { answer, text } = await withinSignal(work(), signal)
  reply.code(answer.status)
  for (const [name, value] of answer.headers) reply.header(name, value)
  return reply.send(text)
}

async function withinSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const tooLate = Promise.withResolvers<never>()
  const giveUp = () => tooLate.reject(new AppError('unavailable', 'The answer took too long. Please try again.'))
  if (signal.aborted) giveUp()
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    return await Promise.race([work, tooLate.promise])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

/** The request's headers, except those of its connection and of its original body. */
function headersOf({ headers }: FastifyRequest): Headers {
  const kept = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && !['content-length', 'connection', 'transfer-encoding', 'expect'].includes(name))
      kept.set(name, value)
  }
  return kept
}

/** Runs a request in this process, without the network; it counts for the same address in rate limits. */
async function fetchHere(
  fastify: FastifyInstance,
  { ip }: FastifyRequest,
  url: string,
  init: RequestInit,
): Promise<Response> {
  const { pathname, search } = new URL(url)
  const headers = Object.fromEntries(new Headers(init.headers))
  const method = methodOf(init.method)
  const payload = typeof init.body === 'string' ? { payload: init.body } : {}
  const answer = await fastify.inject({ method, url: pathname + search, headers, remoteAddress: ip, ...payload })
  const plain = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return new Response(answer.statusCode === 204 ? null : answer.body, { status: answer.statusCode, headers: plain })
}

function methodOf(method = 'GET') {
  return (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).find((each) => each === method) ?? 'GET'
}
