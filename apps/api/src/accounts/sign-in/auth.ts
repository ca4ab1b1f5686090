import { BRAND } from '@parley/contract'
import { drizzleAdapter } from '@better-auth/drizzle-adapter/relations-v2'
import { type BetterAuthPlugin, betterAuth } from 'better-auth'
import { createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import type { Db } from '../../platform/db.ts'
import { account, session, user, verification } from '../schema.ts'

export const SESSION_DAYS = 30
export const DAY_SECONDS = 24 * 3600
/** Set by this process only, from the address that the trusted proxies report. */
const ADDRESS_HEADER = 'x-parley-client-address'

export type Auth = ReturnType<typeof createAuth>

/** Starts a session for an authenticated user. Callable by our own code only, never over HTTP. */
const startSession = createAuthEndpoint(
  '/start-session',
  { method: 'POST', body: z.object({ userId: z.string() }), metadata: { SERVER_ONLY: true } },
  async (ctx) => {
    const { internalAdapter } = ctx.context
    const found = await internalAdapter.findUserById(ctx.body.userId)
    if (!found) throw ctx.error('NOT_FOUND')
    const made = await internalAdapter.createSession(found.id)
    await setSessionCookie(ctx, { session: made, user: found })
    return ctx.json({ sessionId: made.id })
  },
)
/**
 * The token of a session cookie with a valid signature. We then read the session in one query; the library needs
 * several.
 */
const sessionToken = createAuthEndpoint(
  '/session-token',
  { method: 'GET', metadata: { SERVER_ONLY: true } },
  async (ctx) => {
    const { authCookies, secret } = ctx.context
    return (await ctx.getSignedCookie(authCookies.sessionToken.name, secret)) || null
  },
)
const ourSessions = { id: 'parley-sessions', endpoints: { startSession, sessionToken } } satisfies BetterAuthPlugin

interface AuthParts {
  readonly config: Config
  readonly db: Db
  readonly log: Logger
}

/** The authentication library for sessions and cookies, without its HTTP routes. */
export function createAuth({ config, db, log }: AuthParts) {
  return betterAuth({
    appName: BRAND.product,
    baseURL: config.publicUrl,
    secret: config.authSecret,
    trustedOrigins: [...config.allowedOrigins],
    database: drizzleAdapter(db, {
      provider: 'pg',
      schema: { user, session, account, verification },
      transaction: true,
    }),
    emailAndPassword: { enabled: false },
    plugins: [ourSessions],
    // No cookie cache, so that an ended session is invalid at once.
    session: { expiresIn: SESSION_DAYS * DAY_SECONDS, updateAge: DAY_SECONDS, cookieCache: { enabled: false } },
    account: { accountLinking: { disableImplicitLinking: true } },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    advanced: {
      cookiePrefix: 'parley',
      // The cookie has one name everywhere; on https it is Secure by its attribute.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: config.publicUrl.startsWith('https:') },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    },
    logger: {
      log(level, message) {
        if (level === 'error') log.error({ library: 'auth' }, message)
        else log.debug({ library: 'auth' }, message)
      },
    },
  })
}

/** The parts of a request that identify its sender. */
export type Asking = Pick<FastifyRequest, 'headers' | 'ip'>

/** The headers that the library may see. */
export function headersOf(request: Asking): Headers {
  const headers = new Headers({ [ADDRESS_HEADER]: request.ip })
  const { cookie, 'user-agent': userAgent } = request.headers
  if (cookie !== undefined) headers.set('cookie', cookie)
  if (userAgent !== undefined) headers.set('user-agent', userAgent.slice(0, 500))
  return headers
}

export function copyCookies(from: Headers, reply: FastifyReply): void {
  for (const line of from.getSetCookie()) reply.header('set-cookie', line)
}
