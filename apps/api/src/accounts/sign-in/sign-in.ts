import { EMAIL_CODE_DIGITS } from '@parley/contract'
import type { FastifyReply } from 'fastify'
import { verifyPassword } from 'better-auth/crypto'
import { and, desc, eq, gt } from 'drizzle-orm'
import type { Db } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import type { Actor } from '../../platform/http.ts'
import { beginAttempt } from './attempts.ts'
import { type Asking, copyCookies, headersOf, isSignedWithOlder } from './auth.ts'
import { mailCode, takeEmailCode } from './email-codes.ts'
import { recordEvent } from '../events.ts'
import type { SignInMethod } from '../identities/providers.ts'
import { type AccountsRoom, type Mailing, sessionsTopic } from '../room.ts'
import { account, mailLink, session, user } from '../schema.ts'
import { authenticateToken, hasShellOrigin, shellOf, startShellSession, tokenIn } from '../shells/tokens.ts'
import { checkSecondFactor, wrongCode } from '../second-factor/second-factor.ts'

/**
 * The user of the request's cookie or of its app's token; null without a live session. A page of an app's origin, which
 * any program on a person's machine may have, never acts by a cookie.
 */
export async function authenticate(room: Entering, request: Asking): Promise<Actor | null> {
  const { auth, config, db } = room
  const bearer = tokenIn(request)
  if (bearer !== undefined) return authenticateToken(room, request, bearer)
  if (request.headers.cookie === undefined || hasShellOrigin(request, config)) return null
  const token = await auth.api.sessionToken({ headers: headersOf(request, config) })
  if (token === null) return null
  const [found] = await db
    .select({ sessionId: session.id, userId: session.userId, steppedUpAt: session.steppedUpAt })
    .from(session)
    .where(and(eq(session.token, token), gt(session.expiresAt, new Date())))
  return found ? { ...found, via: 'session' } : null
}

/** Whether a session has neither ended nor expired. */
export async function isLive(db: Db, sessionId: string): Promise<boolean> {
  return (await db.$count(session, and(eq(session.id, sessionId), gt(session.expiresAt, new Date())))) > 0
}

/**
 * Extends a session in use and returns headers with the cookies to send. Failures are ignored: a later request retries.
 */
export async function refreshSession(
  { auth, config, log }: Pick<AccountsRoom, 'auth' | 'config' | 'log'>,
  request: Asking,
): Promise<Headers> {
  try {
    const asked = { headers: headersOf(request, config), returnHeaders: true } as const
    const { headers } = await auth.api.getSession(asked)
    if (headers.getSetCookie().length > 0 || !isSignedWithOlder(request, config)) return headers
    return (await auth.api.signAnew(asked)).headers
  } catch (error) {
    log.warn({ err: error }, 'a session was not lengthened')
    return new Headers()
  }
}

type Entering = Pick<AccountsRoom, 'auth' | 'config' | 'db'>

const WRONG = 'The email address or the password is wrong.'
const UNVERIFIED = 'Please verify your email address first. We have sent you a link.'

const CODE_MAILED = `We mailed you a code of ${EMAIL_CODE_DIGITS} digits, to be sure that this address is yours. Please enter it.`
const CODE_MAILED_AGAIN = 'This code no longer works. We mailed you another one. Please enter it.'

interface Credentials {
  readonly email: string
  readonly password: string
  readonly code?: string | undefined
  /** The account whose address was verified in this browser. */
  readonly provenHere?: unknown
}

/** Checks the password and, where required, the code. */
export async function checkCredentials(
  room: Pick<AccountsRoom, 'config' | 'db' | 'jobs' | 'unmatchableHash'>,
  request: Asking,
  credentials: Credentials,
): Promise<string> {
  const { password, code, provenHere } = credentials
  const email = credentials.email.trim().toLowerCase()
  if (email === '' || password === '')
    throw new AppError('invalid_input', 'Please enter your email address and your password.')
  const attempt = await beginAttempt(room, email, request.ip)
  const [known] = await room.db
    .select({ id: user.id, hash: account.password, confirmedAt: account.confirmedAt })
    .from(user)
    .leftJoin(account, and(eq(account.userId, user.id), eq(account.providerId, 'credential')))
    .where(eq(user.email, email))
  if (!known) return refuseStranger(room, email, password)
  if (attempt.blocked) await recordEvent(room.db, { userId: known.id, kind: 'sign_in_blocked' }, request)
  // Hashes for unknown addresses too, so that timing does not reveal accounts.
  const hash = known.hash ?? (await room.unmatchableHash)
  if (!(await verifyPassword({ hash, password }))) throw new AppError('wrong_credentials', WRONG)
  if (known.confirmedAt) await checkSecondFactor(room, known.id, code, request)
  else await confirmPassword(room, { userId: known.id, hash, code, isProvenHere: provenHere === known.id })
  await attempt.right()
  return known.id
}

interface FirstUse {
  readonly userId: string
  readonly hash: string
  readonly code: string | undefined
  readonly isProvenHere: boolean
}

/**
 * The person who registered may not be the one who opened the mailed link. So the first use of a password needs the
 * browser that opened the link, or a mailed code. No second factor can exist yet.
 */
async function confirmPassword(room: Mailing, { userId, hash, code, isProvenHere }: FirstUse): Promise<void> {
  if (!isProvenHere) await checkMailedCode(room, userId, code)
  const own = and(eq(account.userId, userId), eq(account.providerId, 'credential'), eq(account.password, hash))
  const confirmed = await room.db
    .update(account)
    .set({ confirmedAt: new Date() })
    .where(own)
    .returning({ id: account.id })
  // The password was voided meanwhile by another sign-in of the mailbox's owner.
  if (confirmed.length === 0) throw new AppError('wrong_credentials', WRONG)
}

async function checkMailedCode(room: Mailing, userId: string, code: string | undefined): Promise<void> {
  const found = code === undefined ? 'none' : await takeEmailCode(room, { userId, use: 'login', code })
  if (found === 'right') return
  if (found === 'wrong') throw wrongCode()
  await mailCode(room, userId, 'login')
  throw new AppError('email_code_needed', code === undefined ? CODE_MAILED : CODE_MAILED_AGAIN)
}

/** Only a user with the right password learns that the address still waits for verification. */
async function refuseStranger(
  room: Pick<AccountsRoom, 'db' | 'unmatchableHash'>,
  email: string,
  password: string,
): Promise<never> {
  const [waiting] = await room.db
    .select({ passwordHash: mailLink.passwordHash })
    .from(mailLink)
    .where(and(eq(mailLink.email, email), eq(mailLink.kind, 'registration'), gt(mailLink.expiresAt, new Date())))
    .orderBy(desc(mailLink.createdAt))
    .limit(1)
  const hash = waiting?.passwordHash ?? (await room.unmatchableHash)
  if (await verifyPassword({ hash, password })) throw new AppError('email_not_verified', UNVERIFIED)
  throw new AppError('wrong_credentials', WRONG)
}

/** Starts a new session and ends the browser's previous one (against session fixation). */
export async function startSession(
  room: Entering & Pick<AccountsRoom, 'bus'>,
  request: Asking,
  reply: FastifyReply,
  { userId, method }: { userId: string; method: SignInMethod },
): Promise<void> {
  const shell = shellOf(request, room.config)
  if (request.headers.cookie !== undefined || tokenIn(request) !== undefined) await logout(room, request)
  if (shell) await startShellSession(room, request, reply, { userId, shell })
  else await startCookieSession(room, request, reply, userId)
  await recordEvent(room.db, { userId, kind: 'signed_in', detail: method }, request)
}

async function startCookieSession(room: Entering, request: Asking, reply: FastifyReply, userId: string): Promise<void> {
  const { headers } = await room.auth.api.startSession({
    body: { userId },
    headers: headersOf(request, room.config),
    returnHeaders: true,
  })
  copyCookies(headers, reply)
}

/** Ends the session of a request; returns headers with the cookies to send. */
export async function logout(room: Entering & Pick<AccountsRoom, 'bus'>, request: Asking): Promise<Headers> {
  // Checked here, since signOut ignores a database error and would keep the session.
  const found = await authenticate(room, request)
  if (tokenIn(request) !== undefined || hasShellOrigin(request, room.config)) {
    if (!found) return new Headers()
    await room.db.delete(session).where(eq(session.id, found.sessionId ?? ''))
    room.bus.publish(sessionsTopic(found.userId), {})
    return new Headers()
  }
  const { headers } = await room.auth.api.signOut({ headers: headersOf(request, room.config), returnHeaders: true })
  if (found) room.bus.publish(sessionsTopic(found.userId), {})
  return headers
}
