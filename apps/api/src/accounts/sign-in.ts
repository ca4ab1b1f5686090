import type { FastifyReply } from 'fastify'
import { verifyPassword } from 'better-auth/crypto'
import { and, desc, eq, gt } from 'drizzle-orm'
import { AppError } from '../platform/errors.ts'
import type { Actor } from '../platform/http.ts'
import { beginAttempt } from './attempts.ts'
import { type Asking, copyCookies, headersOf } from './auth.ts'
import { recordEvent } from './events.ts'
import type { SignInMethod } from './providers.ts'
import { type AccountsRoom, sessionsTopic } from './room.ts'
import { account, mailLink, session, user } from './schema.ts'
import { checkSecondFactor } from './second-factor.ts'

/** Who a request's cookie signs in; null without a live session. */
export async function authenticate({ auth, floor }: AccountsRoom, request: Asking): Promise<Actor | null> {
  if (request.headers.cookie === undefined) return null
  const token = await auth.api.sessionToken({ headers: headersOf(request) })
  if (token === null) return null
  const [found] = await floor.db
    .select({ sessionId: session.id, userId: session.userId })
    .from(session)
    .where(and(eq(session.token, token), gt(session.expiresAt, new Date())))
  return found ? { ...found, via: 'session' } : null
}

/** Lengthens a session that is in use; the cookies to send on, if any, are in the headers. */
export async function refreshSession({ auth }: AccountsRoom, request: Asking): Promise<Headers> {
  const { headers } = await auth.api.getSession({ headers: headersOf(request), returnHeaders: true })
  return headers
}

const WRONG = 'The email address or the password is wrong.'
const UNVERIFIED = 'Please verify your email address first. We have sent you a link.'

interface Credentials {
  readonly email: string
  readonly password: string
  readonly code?: string | undefined
}

/** Who has this password and, where one is asked for, this code. */
export async function checkCredentials(room: AccountsRoom, request: Asking, credentials: Credentials): Promise<string> {
  const { password, code } = credentials
  const email = credentials.email.trim().toLowerCase()
  if (email === '' || password === '') throw new AppError('invalid_input', 'Please enter your email address and your password.')
  const attempt = await beginAttempt(room, email, request.ip)
  const [known] = await room.floor.db
    .select({ id: user.id, hash: account.password })
    .from(user)
    .leftJoin(account, and(eq(account.userId, user.id), eq(account.providerId, 'credential')))
    .where(eq(user.email, email))
  if (!known) return refuseStranger(room, email, password)
  if (attempt.blocked) await recordEvent(room.floor.db, { userId: known.id, kind: 'sign_in_blocked' }, request)
  // Unknown addresses and accounts without a password take as long to refuse.
  const hash = known.hash ?? (await room.unmatchableHash)
  if (!(await verifyPassword({ hash, password }))) throw new AppError('wrong_credentials', WRONG)
  await checkSecondFactor(room, known.id, code, request)
  await attempt.right()
  return known.id
}

/** That an address waits for verification is told only to those who know the password it was registered with. */
async function refuseStranger(room: AccountsRoom, email: string, password: string): Promise<never> {
  const [waiting] = await room.floor.db
    .select({ passwordHash: mailLink.passwordHash })
    .from(mailLink)
    .where(and(eq(mailLink.email, email), eq(mailLink.kind, 'registration'), gt(mailLink.expiresAt, new Date())))
    .orderBy(desc(mailLink.createdAt))
    .limit(1)
  const hash = waiting?.passwordHash ?? (await room.unmatchableHash)
  if (await verifyPassword({ hash, password })) throw new AppError('email_not_verified', UNVERIFIED)
  throw new AppError('wrong_credentials', WRONG)
}

/** A new session, always: one that this browser had before ends, so that nobody can plant theirs. */
export async function startSession(
  room: AccountsRoom,
  request: Asking,
  reply: FastifyReply,
  { userId, method }: { userId: string; method: SignInMethod },
): Promise<void> {
  if (request.headers.cookie !== undefined) await logout(room, request)
  const { headers } = await room.auth.api.startSession({ body: { userId }, headers: headersOf(request), returnHeaders: true })
  copyCookies(headers, reply)
  await recordEvent(room.floor.db, { userId, kind: 'signed_in', detail: method }, request)
}

export async function logout({ auth, floor }: AccountsRoom, request: Asking): Promise<Headers> {
  const requestHeaders = headersOf(request)
  const found = await auth.api.getSession({ headers: requestHeaders, query: { disableRefresh: true } })
  const { headers } = await auth.api.signOut({ headers: requestHeaders, returnHeaders: true })
  if (found) floor.bus.publish(sessionsTopic(found.user.id), {})
  return headers
}
