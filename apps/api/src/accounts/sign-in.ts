import { isAPIError } from 'better-auth/api'
import { verifyPassword } from 'better-auth/crypto'
import { and, desc, eq, gt } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../platform/errors.ts'
import type { Actor } from '../platform/http.ts'
import { headersOf } from './auth.ts'
import { type AccountsRoom, sessionsTopic } from './room.ts'
import { mailLink, user } from './schema.ts'

type Asking = Pick<FastifyRequest, 'headers' | 'ip'>

export interface SignedIn {
  readonly userId: string
  /** Carries the session's cookies. */
  readonly headers: Headers
}

/** Who a request's cookie signs in; null without a live session. */
export async function authenticate({ auth }: AccountsRoom, request: Asking): Promise<Actor | null> {
  if (request.headers.cookie === undefined) return null
  const found = await auth.api.getSession({ headers: headersOf(request), query: { disableRefresh: true } })
  return found && { userId: found.user.id, via: 'session', sessionId: found.session.id }
}

/** Lengthens a session that is in use; the cookies to send on, if any, are in the headers. */
export async function refreshSession({ auth }: AccountsRoom, request: Asking): Promise<Headers> {
  const { headers } = await auth.api.getSession({ headers: headersOf(request), returnHeaders: true })
  return headers
}

const WRONG = 'The email address or the password is wrong.'
const UNVERIFIED = 'Please verify your email address first. We have sent you a link.'

/** A new session for the right password; one that this browser had before ends. */
export async function login(room: AccountsRoom, request: Asking, emailText: string, password: string): Promise<SignedIn> {
  const email = emailText.trim().toLowerCase()
  if (email === '' || password === '') throw new AppError('invalid_input', 'Please enter your email address and your password.')
  const [known] = await room.floor.db.select({ id: user.id }).from(user).where(eq(user.email, email))
  if (!known) return refuseStranger(room, email, password)
  const headers = headersOf(request)
  const signedIn = await signIn(room, headers, email, password)
  if (headers.has('cookie')) await logout(room, request)
  return signedIn
}

async function signIn({ auth }: AccountsRoom, headers: Headers, email: string, password: string): Promise<SignedIn> {
  try {
    const signedIn = await auth.api.signInEmail({ body: { email, password }, headers, returnHeaders: true })
    return { userId: signedIn.response.user.id, headers: signedIn.headers }
  } catch (error) {
    if (isAPIError(error) && error.statusCode < 500) throw new AppError('wrong_credentials', WRONG, { cause: error })
    throw error
  }
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

export async function logout({ auth, floor }: AccountsRoom, request: Asking): Promise<Headers> {
  const requestHeaders = headersOf(request)
  const found = await auth.api.getSession({ headers: requestHeaders, query: { disableRefresh: true } })
  const { headers } = await auth.api.signOut({ headers: requestHeaders, returnHeaders: true })
  if (found) floor.bus.publish(sessionsTopic(found.user.id), {})
  return headers
}
