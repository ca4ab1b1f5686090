import { createHash } from 'node:crypto'
import {
  type BatchChange,
  batchesRoutes,
  callerNumbersRoutes,
  callsRoutes,
  PROBE_PATHS,
  SESSION_TOKEN_HEADER,
  SHELL_HEADER,
} from '@parley/contract'
import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Redis } from 'ioredis'
import { AppError } from '../errors.ts'
import { isMachinePath, placeOf } from './paths.ts'

/** Hosts of the card provider for scripts, frames and connections. */
export interface CardHosts {
  readonly script: string
  readonly frame: string
  readonly connect: string
}

const STRIPE: CardHosts = {
  script: 'https://js.stripe.com',
  frame: 'https://js.stripe.com https://hooks.stripe.com',
  connect: 'https://api.stripe.com',
}

/**
 * The card provider's hosts, or those of the payments sandbox, which has its form in the page and confirms in a frame.
 */
export function cardHosts(sandboxUrl: string | undefined): CardHosts {
  return sandboxUrl === undefined ? STRIPE : { script: '', frame: sandboxUrl, connect: sandboxUrl }
}

/** The Content-Security-Policy: this host only, and the card provider on pages with cards. */
export function contentSecurityPolicy(publicUrl: string, options: { cards?: CardHosts; style?: string } = {}): string {
  const { protocol, host } = new URL(publicUrl)
  const card = (use: keyof CardHosts) => (options.cards && options.cards[use] !== '' ? ` ${options.cards[use]}` : '')
  // Menus and dialogs lock scrolling with a style element.
  const style =
    options.style === undefined
      ? `'unsafe-inline'`
      : `'sha256-${createHash('sha256').update(options.style).digest('base64')}'`
  const directives = [
    `default-src 'self'`,
    `script-src 'self'${card('script')}`,
    `style-src 'self' ${style}`,
    `connect-src 'self' ${protocol === 'https:' ? 'wss' : 'ws'}://${host}${card('connect')}`,
    `img-src 'self' data:`,
    `media-src 'self' blob:`,
    `worker-src 'self' blob:`,
    `frame-src ${options.cards?.frame ?? `'none'`}`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    ...(protocol === 'https:' ? ['upgrade-insecure-requests'] : []),
  ]
  return directives.join('; ')
}

const HSTS_SECONDS = 365 * 24 * 3600

/** Security headers of every response. HSTS only over https: on plain http it would make this host unreachable. */
export async function addSecurityHeaders(fastify: FastifyInstance, publicUrl: string): Promise<void> {
  const policy = contentSecurityPolicy(publicUrl)
  await fastify.register(helmet, {
    contentSecurityPolicy: false,
    strictTransportSecurity: publicUrl.startsWith('https:')
      ? { maxAge: HSTS_SECONDS, includeSubDomains: false }
      : false,
  })
  fastify.addHook('onRequest', async (request, reply) => {
    reply.header('content-security-policy', policy)
    if (isMachinePath(placeOf(request))) reply.header('cache-control', 'no-store')
  })
}

/** The session cookie. Its presence does not prove a live session. */
export const SESSION_COOKIE = 'parley.session_token'

/** Prefix of every API key. */
export const API_KEY_PREFIX = 'parley_'

/** The rate-limit key of an address; for IPv6 its network, since a household has a whole one. */
export function networkOf(ip: string): string {
  return rateLimit.normalizeIP(ip)
}

export interface RequestLimits {
  readonly signInPerMinute: number
  readonly requestsPerMinute: number
  readonly keyRequestsPerMinute: number
}

/** Rate limits per address, in this process or shared through Redis. Sign-in has a stricter one. */
export async function addRateLimits(
  fastify: FastifyInstance,
  limits: RequestLimits,
  redisUrl: string | undefined,
): Promise<void> {
  const redis =
    redisUrl === undefined
      ? undefined
      : new Redis(redisUrl, { connectTimeout: 500, commandTimeout: 500, maxRetriesPerRequest: 1 })
  redis?.on('error', (error: Error) => fastify.log.warn({ err: error }, 'redis'))
  if (redis) fastify.addHook('onClose', async () => redis.disconnect())
  const options = { global: false, nameSpace: 'parley:limit:' }
  await fastify.register(rateLimit, redis ? { ...options, redis } : options)
  const limiter = (group: string, max: number, of = ({ ip }: FastifyRequest) => networkOf(ip)) =>
    fastify.createRateLimit({ max, timeWindow: '1 minute', keyGenerator: (request) => `${group}:${of(request)}` })
  const signIn = limiter('sign-in', limits.signInPerMinute)
  const other = limiter('other', limits.requestsPerMinute)
  const key = limiter('key', limits.keyRequestsPerMinute, keyIn)
  fastify.addHook('onRequest', async (request) => {
    if (isProbe(request)) return
    const limiters = [isSignIn(request) ? signIn : other, ...(keyIn(request) === '' ? [] : [key])]
    for (const limit of limiters)
      await refuseBeyond(limit, request).catch((error: unknown) => {
        if (error instanceof AppError) throw error
        // Without Redis nobody counts: passwords are not tried and no money is spent then, and the rest goes on.
        if (isSignIn(request) || placesCalls(request)) throw uncounted(error)
        uncountedFor.set(request, error)
      })
  })
  fastify.addHook('preHandler', async (request) => {
    const cause = uncountedFor.get(request)
    if (cause !== undefined && setsBatchGoing(request)) throw uncounted(cause)
  })
}

/** Why a request that goes on was not counted. */
const uncountedFor = new WeakMap<FastifyRequest, unknown>()

const UNCOUNTED_RETRY_SECONDS = 5

function uncounted(cause: unknown): AppError {
  const message = 'This cannot be done right now. Please try again in a moment.'
  return new AppError('unavailable', message, { retryAfterSeconds: UNCOUNTED_RETRY_SECONDS, cause })
}

/**
 * Limit of the internal listener. A healthy voice service stays below it: it batches facts, and retries when refused.
 */
export async function addInternalLimit(fastify: FastifyInstance, requestsPerMinute: number): Promise<void> {
  await fastify.register(rateLimit, { global: false })
  const limit = fastify.createRateLimit({
    max: requestsPerMinute,
    timeWindow: '1 minute',
    keyGenerator: ({ ip }) => networkOf(ip),
  })
  fastify.addHook('onRequest', (request) => refuseBeyond(limit, request))
}

async function refuseBeyond(
  limit: ReturnType<FastifyInstance['createRateLimit']>,
  request: FastifyRequest,
): Promise<void> {
  const result = await limit(request)
  if (result.isAllowed || !result.isExceeded) return
  const message = 'Too many requests. Please wait a moment and try again.'
  throw new AppError('rate_limited', message, { retryAfterSeconds: Math.max(1, result.ttlInSeconds) })
}

/** Hash of the request's API key, so that the key itself is not stored. */
function keyIn({ headers }: FastifyRequest): string {
  const { authorization = '' } = headers
  return authorization.includes(API_KEY_PREFIX) ? createHash('sha256').update(authorization).digest('base64url') : ''
}

/**
 * Only the native shells' pages have another origin; no other origin may read a response. They have tokens: no request
 * of theirs is answered with a cookie, and none may be sent with one.
 */
export async function addCors(fastify: FastifyInstance, origins: readonly string[]): Promise<void> {
  await fastify.register(cors, {
    origin: [...origins],
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['authorization', 'content-type', 'idempotency-key', 'range', SHELL_HEADER],
    exposedHeaders: [
      'content-disposition',
      'content-range',
      'retry-after',
      'x-next-cursor',
      'x-total-count',
      SESSION_TOKEN_HEADER,
    ],
    maxAge: 600,
  })
  fastify.addHook('onSend', async (request, reply) => {
    if (origins.includes(request.headers.origin ?? '')) reply.removeHeader('set-cookie')
  })
}

/** Health checks are frequent and cheap, so they are exempt. */
function isProbe({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.url === PROBE_PATHS.livez || routeOptions.url === PROBE_PATHS.readyz
}

const ORDERS = [callsRoutes.place, batchesRoutes.create, callerNumbersRoutes.verify]

function placesCalls(request: FastifyRequest): boolean {
  return ORDERS.some(({ method, path }) => method === request.method && path === placeOf(request))
}

const GOING: readonly unknown[] = ['start', 'resume', 'retry-failed'] satisfies BatchChange['action'][]

/** Known once the body was read. */
function setsBatchGoing(request: FastifyRequest): boolean {
  const { method, path } = batchesRoutes.change
  if (method !== request.method || path !== placeOf(request)) return false
  const { body } = request
  return typeof body === 'object' && body !== null && 'action' in body && GOING.includes(body.action)
}

/** Routes that check a credential or send a mail to a named address. Reading the current user is no sign-in. */
function isSignIn(request: FastifyRequest): boolean {
  const place = placeOf(request).toLowerCase()
  if (place.startsWith('/api/enterprise-contact')) return true
  return place.startsWith('/api/auth/') && !(request.method === 'GET' && place === '/api/auth/user')
}
