import { Readable } from 'node:stream'
import {
  type Access,
  BODY_MAX_BYTES,
  type KeyScope,
  type Parsed,
  RECORDING_TYPE,
  type Route,
  scopeOf,
  STEP_UP_MINUTES,
  TICKET_QUERY,
} from '@parley/contract'
import type { Keys } from '@parley/contract/keys'
import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { z } from 'zod'
import { tooLarge } from './requests/bounds.ts'
import { answerFor, AppError, notFound } from './errors.ts'
import { isSame } from './keys.ts'
import { readAs } from './requests/sentences.ts'
import { inTraceOf } from './requests/traced.ts'

/** The requester: a user's session or an API key. */
export interface Actor {
  readonly userId: string
  readonly via: 'session' | 'key'
  /** null for API keys. */
  readonly sessionId: string | null
  /** Time of the session's last step-up. */
  readonly steppedUpAt?: Date | null
  /** Scopes of an API key; a session may do everything. */
  readonly scopes?: readonly KeyScope[]
}

export interface Guards {
  /** null for a visitor. Throws AppError for an invalid credential. */
  authenticate(request: FastifyRequest): Promise<Actor | null>
  /** The user of the one-use ticket in a request's address. Throws AppError for any other. */
  takeTicket?(request: FastifyRequest): Promise<Actor>
  /** Origins that may send writes. */
  readonly allowedOrigins: ReadonlySet<string>
  /** Shared with the voice service: any of them its routes. */
  readonly serviceKeys: Keys
  /** Whether a request shows a narrower credential, good for this very address, in place of the secret. */
  readonly showsToken?: (request: FastifyRequest) => boolean
}

/** A page of a list; total and cursor are sent in the X-Total-Count and X-Next-Cursor headers. */
export class Page<T> {
  readonly items: readonly T[]
  readonly total: number
  readonly nextCursor: string | null

  constructor(items: readonly T[], total: number, nextCursor: string | null) {
    this.items = items
    this.total = total
    this.nextCursor = nextCursor
  }

  map<U>(show: (item: T) => U): Page<U> {
    return new Page(this.items.map(show), this.total, this.nextCursor)
  }
}

/** The Idempotency-Key header. */
export function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  return Array.isArray(key) ? key[0] : key
}

type ActorOf<A extends Access> = A extends 'session' | 'account' ? Actor : Actor | null
type Shape = z.ZodType | undefined
type Sends<R extends Shape> = R extends z.ZodType
  ? z.input<R> | (z.input<R> extends readonly (infer T)[] ? Page<T> : never)
  : unknown

interface Asked<P extends Shape, Q extends Shape, B extends Shape, A extends Access> {
  readonly params: Parsed<P>
  readonly query: Parsed<Q>
  readonly body: Parsed<B>
  readonly actor: ActorOf<A>
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

export interface Router {
  readonly fastify: FastifyInstance
  /**
   * Serves a route of the contract: checks access, and parses request and response. A handler that answers by itself (a
   * redirect, a file) returns the reply.
   */
  readonly route: <P extends Shape, Q extends Shape, B extends Shape, R extends Shape, A extends Access>(
    route: Route<P, Q, B, R, A>,
    handler: (asked: Asked<P, Q, B, A>) => Promise<Sends<R>> | Sends<R> | FastifyReply,
  ) => void
}

export function createRouter(fastify: FastifyInstance, guards: Guards): Router {
  fastify.setErrorHandler((error, request, reply) => inTraceOf(request, () => sendError(error, request, reply)))
  fastify.addHook('onRequest', async (request) => refuseCompressed(request))
  return {
    fastify,
    route(route, handler) {
      const serve = async (request: FastifyRequest, reply: FastifyReply) => {
        const actor = await admit(route, request, guards)
        const asked = parseAsked(route, request, actor)
        // Cast: the schemas have parsed every part, and admit() has checked the actor.
        const answer = await handler({ ...asked, actor, request, reply } as Parameters<typeof handler>[0])
        return send(route, answer, reply)
      }
      const methods = route.method === 'PATCH' ? ['PATCH', 'PUT'] : [route.method]
      const bodyLimit = route.bodyBytes ?? BODY_MAX_BYTES
      const options = {
        method: methods,
        url: route.path,
        handler: (request: FastifyRequest, reply: FastifyReply) => inTraceOf(request, () => serve(request, reply)),
        bodyLimit,
        exposeHeadRoute: route.changes !== true,
      }
      if (route.changes === true) fastify.head(route.path, refuseHead)
      if (route.form) addForm(fastify, options)
      else if (route.file) addFile(fastify, options)
      else fastify.route(options)
    },
  }
}

function refuseHead(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.code(405).header('allow', 'GET').send()
}

/** Forms are parsed on their own routes only: other sites can post them without a CORS preflight. */
function addForm(fastify: FastifyInstance, route: RouteOptions): void {
  void fastify.register(async (scope) => {
    await scope.register(formbody)
    scope.route(route)
  })
}

/** The body is streamed to the handler. */
function addFile(fastify: FastifyInstance, route: RouteOptions): void {
  void fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(FILE_TYPES, (request, payload, done) => {
      const { bodyLimit } = request.routeOptions
      // Without a content-length, the reader counts the bytes.
      if (Number(request.headers['content-length']) > bodyLimit) done(tooLarge(bodyLimit, 'file'))
      else done(null, payload)
    })
    // Drains a refused body: browsers read the response only after sending all of it.
    scope.addHook('onSend', async ({ body }) => void (body instanceof Readable && body.resume()))
    scope.route(route)
  })
}

const FILE_TYPES = [RECORDING_TYPE, 'text/csv', 'application/json', 'application/octet-stream']

/** Refuses compressed bodies, against decompression bombs. */
function refuseCompressed({ headers }: FastifyRequest): void {
  const { 'content-encoding': encoding = 'identity' } = headers
  if (encoding.toLowerCase() !== 'identity')
    throw new AppError('not_json', 'Send the body as it is, without compression.')
}

/** The body stream of a route that takes a file. */
export function fileOf({ body }: FastifyRequest): Readable {
  if (!(body instanceof Readable)) throw new AppError('invalid_input', 'The body must be a file.', { field: 'file' })
  return body
}

async function admit(route: Route, request: FastifyRequest, guards: Guards): Promise<Actor | null> {
  if (route.access === 'service') {
    if (guards.showsToken?.(request) !== true) checkServiceSecret(request, guards.serviceKeys)
    return null
  }
  if (route.method !== 'GET' && !route.form) checkOrigin(request, guards.allowedOrigins)
  if (route.access === 'public') return null
  const byTicket = route.ticket === true && request.method === 'GET' && hasTicket(request)
  const actor = byTicket ? await guards.takeTicket?.(request) : await guards.authenticate(request)
  if (!actor) throw new AppError('unauthenticated', 'Please log in.')
  if (actor.via === 'key') checkScope(route, actor)
  if (route.stepUp === 'always') requireStepUp(actor)
  return actor
}

/** Whether the address carries a native app's one-use ticket. */
export function hasTicket({ query }: FastifyRequest): boolean {
  return typeof query === 'object' && query !== null && TICKET_QUERY in query
}

/** For actions for which a session, which can be stolen, is not enough: requires a recent step-up. */
export function requireStepUp({ steppedUpAt }: Actor): void {
  if (Date.now() - (steppedUpAt?.getTime() ?? 0) < STEP_UP_MINUTES * 60_000) return
  throw new AppError('step_up_needed', 'Please confirm that it is you.')
}

function checkScope(route: Route, { scopes = [] }: Actor): void {
  const needed = scopeOf(route)
  if (needed === null) throw new AppError('not_permitted', 'An API key may not do this; log in instead.')
  if (!scopes.includes(needed))
    throw new AppError('not_permitted', `This API key may not do this: it lacks the scope "${needed}".`)
}

/** Refuses writes from foreign origins (CSRF). Clients other than browsers send no Origin. */
export function checkOrigin(request: FastifyRequest, allowed: ReadonlySet<string>): void {
  const { origin } = request.headers
  if (origin !== undefined && !allowed.has(origin))
    throw new AppError('foreign_origin', 'This request came from another site.')
}

/**
 * Whether the user intended a request with cookies: a document or data for our own page or a typed address, not a load
 * or link of another site. Without Sec-Fetch headers, judges by Origin and Referer.
 */
export function isOwnVisit({ headers }: FastifyRequest, allowed: ReadonlySet<string>): boolean {
  const { origin, referer, 'sec-fetch-site': site, 'sec-fetch-dest': destination } = headers
  if (origin !== undefined) return allowed.has(origin)
  if (site !== undefined) return OWN_SITES.has(String(site)) && VISITS.has(String(destination ?? 'document'))
  return referer === undefined || (URL.canParse(referer) && allowed.has(new URL(referer).origin))
}

const OWN_SITES: ReadonlySet<string> = new Set(['same-origin', 'none'])
const VISITS: ReadonlySet<string> = new Set(['document', 'empty'])

function checkServiceSecret({ headers: { authorization = '' } }: FastifyRequest, keys: Keys): void {
  if (!keys.some(({ secret }) => isSame(authorization, `Bearer ${secret}`)))
    throw new AppError('unauthenticated', 'The service secret is wrong.')
}

function parseAsked(route: Route, request: FastifyRequest, actor: Actor | null) {
  const params = readPart(route.params, request.params)
  const query = readPart(route.query, request.query)
  const body = route.body && request.body === undefined ? readPart(route.body, {}) : readPart(route.body, request.body)
  if (actor) {
    if (route.path.startsWith('/api/user/:id') && valueOf(params, 'id') !== actor.userId) throw notFound('The user')
    const named = valueOf(body, 'userId')
    if (named !== undefined && named !== actor.userId) throw notFound('The user')
  }
  return { params, query, body }
}

function valueOf(part: unknown, key: string): unknown {
  return typeof part === 'object' && part !== null ? Reflect.get(part, key) : undefined
}

/** Parses a part of a request with its schema. */
function readPart(schema: Shape, value: unknown): unknown {
  return schema && readAs(schema, value)
}

function send(route: Route, answer: unknown, reply: FastifyReply): unknown {
  // A returned reply has been sent already.
  if (reply.sent || !route.reply) return answer ?? reply
  const data = answer instanceof Page ? answer.items : answer
  if (answer instanceof Page) {
    reply.header('x-total-count', String(answer.total))
    if (answer.nextCursor !== null) reply.header('x-next-cursor', answer.nextCursor)
  }
  reply.code(reply.statusCode === 200 ? (route.status ?? 200) : reply.statusCode)
  return route.reply.parse(data)
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, body, retryAfterSeconds } = answerFor(
    isTooLarge(error) ? tooLarge(request.routeOptions.bodyLimit) : error,
  )
  // Keeps the connection open, so that a client that is still sending can read the response; senders.ts ends endless
  // ones.
  if (!request.raw.complete) reply.removeHeader('connection')
  if (status >= 500) request.log.error({ err: error }, 'request failed')
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  else if (status === 503) reply.header('retry-after', '5')
  return reply.code(status).send(body)
}

function isTooLarge(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
}
