import { createHmac } from 'node:crypto'
import { BRAND } from '@parley/contract'
import type { Key, Keys } from '@parley/contract/keys'
import { drizzleAdapter } from '@better-auth/drizzle-adapter/relations-v2'
import type { BetterAuthPlugin } from 'better-auth'
import { betterAuth } from 'better-auth/minimal'
import { createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import type { Db } from '../../platform/db.ts'
import { isSame } from '../../platform/keys.ts'
import { SESSION_COOKIE } from '../../platform/pages/protection.ts'
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
/** Sends the cookie of a live session again, signed with the first key. */
const signAnew = createAuthEndpoint('/sign-anew', { method: 'POST', metadata: { SERVER_ONLY: true } }, async (ctx) => {
  const { authCookies, internalAdapter, secret } = ctx.context
  const token = await ctx.getSignedCookie(authCookies.sessionToken.name, secret)
  const found = token ? await internalAdapter.findSession(token) : null
  if (found) await setSessionCookie(ctx, found)
  return ctx.json({})
})
const ourSessions = {
  id: 'parley-sessions',
  endpoints: { startSession, sessionToken, signAnew },
} satisfies BetterAuthPlugin

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
    secrets: config.authKeys.map(({ id, secret }) => ({ version: id ?? 0, value: secret })),
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

/** The headers that the library may see. It knows the first key alone. */
export function headersOf(request: Asking, { authKeys }: Pick<Config, 'authKeys'>): Headers {
  const headers = new Headers({ [ADDRESS_HEADER]: request.ip })
  const { cookie, 'user-agent': userAgent } = request.headers
  if (cookie !== undefined) headers.set('cookie', signedWithFirst(authKeys, cookie) ?? cookie)
  if (userAgent !== undefined) headers.set('user-agent', userAgent.slice(0, 500))
  return headers
}

/** Whether an older key signed the session's cookie of a request. */
export function isSignedWithOlder({ headers }: Asking, { authKeys }: Pick<Config, 'authKeys'>): boolean {
  return headers.cookie !== undefined && signedWithFirst(authKeys, headers.cookie) !== undefined
}

const SIGNED_TOKEN = new RegExp(`(?<=(?:^|; ?)${SESSION_COOKIE.replace('.', String.raw`\.`)}=)[^;]+`)

/** The cookies with that of the session signed anew; undefined where no older key has signed it. */
function signedWithFirst([first, ...older]: Keys, cookies: string): string | undefined {
  if (older.length === 0) return undefined
  const [value] = SIGNED_TOKEN.exec(cookies) ?? []
  if (value === undefined) return undefined
  const [, token = '', signature = ''] = /^(.+)\.([^.]+)$/.exec(decoded(value)) ?? []
  if (!older.some((key) => isSame(signature, signatureOf(key, token)))) return undefined
  return cookies.replace(SIGNED_TOKEN, () => encodeURIComponent(`${token}.${signatureOf(first, token)}`))
}

/** As the library signs cookies. */
function signatureOf({ secret }: Key, token: string): string {
  return createHmac('sha256', secret).update(token).digest('base64')
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return ''
  }
}

export function copyCookies(from: Headers, reply: FastifyReply): void {
  for (const line of from.getSetCookie()) reply.header('set-cookie', line)
}
