import { BRAND, PASSWORD_MAX, PASSWORD_MIN_RESET } from '@parley/contract'
import { drizzleAdapter } from '@better-auth/drizzle-adapter/relations-v2'
import { betterAuth } from 'better-auth'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Floor } from '../floor.ts'
import { account, session, user, verification } from './schema.ts'

const SESSION_DAYS = 30
const DAY_SECONDS = 24 * 3600
/** Set by this process alone, from the address that the trusted proxies vouch for. */
const ADDRESS_HEADER = 'x-parley-client-address'

export type Auth = ReturnType<typeof createAuth>

/** Sessions, passwords and other ways in. It has no routes of its own: ours call it. */
export function createAuth({ config, db, log }: Floor) {
  return betterAuth({
    appName: BRAND.product,
    baseURL: config.publicUrl,
    secret: config.authSecret,
    trustedOrigins: [...config.allowedOrigins],
    database: drizzleAdapter(db, { provider: 'pg', schema: { user, session, account, verification }, transaction: true }),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      requireEmailVerification: true,
      minPasswordLength: PASSWORD_MIN_RESET,
      maxPasswordLength: PASSWORD_MAX,
    },
    // Without a cookie cache: an ended session is over at once.
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

/** What the library may see of a request. */
export function headersOf(request: Pick<FastifyRequest, 'headers' | 'ip'>): Headers {
  const headers = new Headers({ [ADDRESS_HEADER]: request.ip })
  const { cookie, 'user-agent': userAgent } = request.headers
  if (cookie !== undefined) headers.set('cookie', cookie)
  if (userAgent !== undefined) headers.set('user-agent', userAgent.slice(0, 500))
  return headers
}

export function copyCookies(from: Headers, reply: FastifyReply): void {
  for (const line of from.getSetCookie()) reply.header('set-cookie', line)
}
