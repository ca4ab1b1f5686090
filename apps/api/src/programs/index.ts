import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { createClient, type Parley } from '@parley/client'
import { AppError } from '../platform/errors.ts'
import { createTools } from './tools.ts'

const MCP_PATH = '/mcp'

interface Parts {
  readonly publicUrl: string
  /** null without a good key. */
  authenticate(request: FastifyRequest): Promise<{ readonly userId: string; readonly via: 'session' | 'key' } | null>
}

/**
 * Parley for assistants: Model Context Protocol over streamable HTTP, without sessions. A tool places its order through the
 * same routes as everybody, with the key that came with the request, so that whatever a key may not do a tool may not either.
 */
export function registerPrograms(fastify: FastifyInstance, parts: Parts): void {
  fastify.route({
    method: ['GET', 'POST', 'DELETE'],
    url: MCP_PATH,
    async handler(request, reply) {
      const key = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
      const actor = key === undefined ? null : await parts.authenticate(request)
      if (key === undefined || actor?.via !== 'key') {
        reply.header('www-authenticate', 'Bearer')
        throw new AppError('unauthenticated', 'Send an API key from Settings as Authorization: Bearer …')
      }
      const parley = createClient({ url: parts.publicUrl, key, fetch: (url, init) => fetchHere(fastify, request, url, init) })
      return serve(parley, actor.userId, request, reply, parts.publicUrl)
    },
  })
}

async function serve(parley: Parley, userId: string, request: FastifyRequest, reply: FastifyReply, publicUrl: string) {
  const handler = createMcpHandler(() => createTools(parley, userId), {
    responseMode: 'json',
    onerror: (error) => request.log.warn({ err: error }, 'mcp'),
  })
  const body = request.body === undefined ? {} : { body: JSON.stringify(request.body) }
  const asked = new Request(new URL(MCP_PATH, publicUrl), { method: request.method, headers: headersOf(request), ...body })
  const answer = await handler.fetch(asked, request.body === undefined ? {} : { parsedBody: request.body })
  reply.code(answer.status)
  for (const [name, value] of answer.headers) reply.header(name, value)
  return reply.send(await answer.text())
}

/** Those that the protocol reads; the length is that of another text by now. */
function headersOf({ headers }: FastifyRequest): Headers {
  const kept = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && !['content-length', 'connection', 'transfer-encoding', 'expect'].includes(name)) kept.set(name, value)
  }
  return kept
}

/** A request to this very process, without going out of it. It counts for the same address. */
async function fetchHere(fastify: FastifyInstance, { ip }: FastifyRequest, url: string, init: RequestInit): Promise<Response> {
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
