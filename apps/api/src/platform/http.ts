import { timingSafeEqual } from 'node:crypto'
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
} from '@parley/contract'
import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { z } from 'zod'
import { tooLarge } from './requests/bounds.ts'
import { answerFor, AppError, notFound } from './errors.ts'
import { readAs } from './requests/sentences.ts'

/** Who asks: a person's session, or an API key of the account. */
export interface Actor {
  readonly userId: string
  readonly via: 'session' | 'key'
  /** null for API keys. */
  readonly sessionId: string | null
  /** When the person of the session last proved who they are. */
  readonly steppedUpAt?: Date | null
  /** What an API key may do; a session may do everything. */
  readonly scopes?: readonly KeyScope[]
}

export interface Guards {
  /** null when nobody is signed in. Throws AppError for a credential that is present and bad. */
  authenticate(request: FastifyRequest): Promise<Actor | null>
  /** Origins whose pages may write. */
  readonly allowedOrigins: ReadonlySet<string>
  /** Shared with the voice service. */
  readonly serviceSecret: string
}

/** A page of a list; its total and cursor travel in the X- headers. */
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

/** The order's own key, under which it takes effect once. */
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
   * Serves a route of the contract: who asks is checked, what comes in and goes out is parsed.
   * A handler that answers by itself (a redirect, a file) returns the reply.
   */
  readonly route: <P extends Shape, Q extends Shape, B extends Shape, R extends Shape, A extends Access>(
    route: Route<P, Q, B, R, A>,
    handler: (asked: Asked<P, Q, B, A>) => Promise<Sends<R>> | Sends<R> | FastifyReply,
  ) => void
}

export function createRouter(fastify: FastifyInstance, guards: Guards): Router {
  fastify.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  fastify.addHook('onRequest', async (request) => refuseCompressed(request))
  return {
    fastify,
    route(route, handler) {
      const serve = async (request: FastifyRequest, reply: FastifyReply) => {
        const actor = await admit(route, request, guards)
        const asked = parseAsked(route, request, actor)
        // The schemas parsed every part just now, and admit() refused whoever may not ask.
        const answer = await handler({ ...asked, actor, request, reply } as Parameters<typeof handler>[0])
        return send(route, answer, reply)
      }
      const methods = route.method === 'PATCH' ? ['PATCH', 'PUT'] : [route.method]
      const bodyLimit = route.bodyBytes ?? BODY_MAX_BYTES
      const options = {
        method: methods,
        url: route.path,
        handler: serve,
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

/** Forms are read on their own routes alone: any other site's page can post one without asking. */
function addForm(fastify: FastifyInstance, route: RouteOptions): void {
  void fastify.register(async (scope) => {
    await scope.register(formbody)
    scope.route(route)
  })
}

/** The body comes as it is sent, and is read as it comes. */
function addFile(fastify: FastifyInstance, route: RouteOptions): void {
  void fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(FILE_TYPES, (request, payload, done) => {
      const { bodyLimit } = request.routeOptions
      // What does not say how long it is, is counted by whoever reads it.
      if (Number(request.headers['content-length']) > bodyLimit) done(tooLarge(bodyLimit, 'file'))
      else done(null, payload)
    })
    // What was refused before it was read to its end is let in all the same: only then does a browser read why.
    scope.addHook('onSend', async ({ body }) => void (body instanceof Readable && body.resume()))
    scope.route(route)
  })
}

const FILE_TYPES = [RECORDING_TYPE, 'text/csv', 'application/json', 'application/octet-stream']

/**
 * A body costs what it is long: nothing is unpacked here, since a few bytes can be packed that unfold to any number.
 */
function refuseCompressed({ headers }: FastifyRequest): void {
  const { 'content-encoding': encoding = 'identity' } = headers
  if (encoding.toLowerCase() !== 'identity')
    throw new AppError('not_json', 'Send the body as it is, without compression.')
}

/** The body of a route that takes a file. */
export function fileOf({ body }: FastifyRequest): Readable {
  if (!(body instanceof Readable)) throw new AppError('invalid_input', 'The body must be a file.', { field: 'file' })
  return body
}

async function admit(route: Route, request: FastifyRequest, guards: Guards): Promise<Actor | null> {
  if (route.access === 'service') {
    checkServiceSecret(request, guards.serviceSecret)
    return null
  }
  if (route.method !== 'GET' && !route.form) checkOrigin(request, guards.allowedOrigins)
  if (route.access === 'public') return null
  const actor = await guards.authenticate(request)
  if (!actor) throw new AppError('unauthenticated', 'Please log in.')
  if (actor.via === 'key') checkScope(route, actor)
  if (route.stepUp === 'always') requireStepUp(actor)
  return actor
}

/** For what a session alone may not do, because it can be stolen: whoever asks has just proved who they are. */
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

/** A foreign page must not write with its visitor's cookies. Programs that are not browsers send no Origin. */
export function checkOrigin(request: FastifyRequest, allowed: ReadonlySet<string>): void {
  const { origin } = request.headers
  if (origin !== undefined && !allowed.has(origin))
    throw new AppError('foreign_origin', 'This request came from another site.')
}

/**
 * Whether a request that the browser makes with its visitor's cookies was meant by them: our own page, or whoever typed
 * the address, asks for a document or for data. What another site loads (an image, a frame, a script) or leads to was
 * not. Browsers that do not say where a request comes from are judged by Origin and Referer, where they send one.
 */
export function isOwnVisit({ headers }: FastifyRequest, allowed: ReadonlySet<string>): boolean {
  const { origin, referer, 'sec-fetch-site': site, 'sec-fetch-dest': destination } = headers
  if (origin !== undefined) return allowed.has(origin)
  if (site !== undefined) return OWN_SITES.has(String(site)) && VISITS.has(String(destination ?? 'document'))
  return referer === undefined || (URL.canParse(referer) && allowed.has(new URL(referer).origin))
}

const OWN_SITES: ReadonlySet<string> = new Set(['same-origin', 'none'])
const VISITS: ReadonlySet<string> = new Set(['document', 'empty'])

function checkServiceSecret(request: FastifyRequest, secret: string): void {
  const sent = Buffer.from(request.headers.authorization ?? '')
  const wanted = Buffer.from(`Bearer ${secret}`)
  if (sent.length !== wanted.length || !timingSafeEqual(sent, wanted))
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

/** A part of a request as its schema makes it. */
function readPart(schema: Shape, value: unknown): unknown {
  return schema && readAs(schema, value)
}

function send(route: Route, answer: unknown, reply: FastifyReply): unknown {
  // A reply that was returned has been waited for: by now it is sent.
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
  // Closing at once would take the answer from whoever is still sending; who never ends is ended elsewhere.
  if (!request.raw.complete) reply.removeHeader('connection')
  if (status >= 500) request.log.error({ err: error }, 'request failed')
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  else if (status === 503) reply.header('retry-after', '5')
  return reply.code(status).send(body)
}

function isTooLarge(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
}
