import { randomBytes, randomUUID } from 'node:crypto'
import {
  SESSION_TOKEN_HEADER,
  SESSION_TOKEN_PREFIX,
  SHELL_HEADER,
  SHELL_PLATFORMS,
  type ShellPlatform,
} from '@parley/contract'
import { and, eq, gt, lt, or } from 'drizzle-orm'
import type { FastifyReply } from 'fastify'
import { type Db, withTx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import type { Actor } from '../../platform/http.ts'
import type { AccountsRoom, DbAndConfig } from '../room.ts'
import { session, shellSession } from '../schema.ts'
import { type Asking, DAY_SECONDS, SESSION_DAYS } from '../sign-in/auth.ts'
import { sha256 } from '../sign-in/hashes.ts'

const TOKEN_BYTES = 32
const USER_AGENT_MAX = 500

/** The native app whose page sent a request. */
export interface Shell {
  readonly platform: ShellPlatform
  readonly origin: string
}

/** Whether a request comes from a page with the origin of the native apps, where cookies count for nothing. */
export function hasShellOrigin({ headers }: Asking, { nativeOrigins }: Pick<AccountsRoom['config'], 'nativeOrigins'>) {
  return headers.origin !== undefined && nativeOrigins.includes(headers.origin)
}

/**
 * The native app that asks; undefined for a browser or a program. Throws for a request that says it is an app and comes
 * from elsewhere, and for one that comes from an app's origin without saying which it is.
 */
export function shellOf(request: Asking, config: Pick<AccountsRoom['config'], 'nativeOrigins'>): Shell | undefined {
  const { origin = '', [SHELL_HEADER]: named } = request.headers
  const isShell = hasShellOrigin(request, config)
  if (named === undefined && !isShell) return undefined
  const platform = SHELL_PLATFORMS.find((each) => each === named)
  if (!isShell || platform === undefined)
    throw new AppError('foreign_origin', 'Only the app itself can sign in as the app.')
  return { platform, origin }
}

/** The bearer token of a native app's session in a request. */
export function tokenIn({ headers }: Asking): string | undefined {
  const token = /^bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1]
  return token?.startsWith(SESSION_TOKEN_PREFIX) === true ? token : undefined
}

/** Starts a session and sends its token, which is stored nowhere here. */
export async function startShellSession(
  { db }: Pick<AccountsRoom, 'db'>,
  request: Asking,
  reply: FastifyReply,
  { userId, shell }: { readonly userId: string; readonly shell: Shell },
): Promise<void> {
  const token = newToken()
  const id = randomUUID()
  await withTx(db, async (tx) => {
    await tx.insert(session).values({
      id,
      userId,
      // No cookie can carry it: cookies are signed.
      token: `shell:${randomUUID()}`,
      expiresAt: expiry(),
      ipAddress: request.ip,
      userAgent: request.headers['user-agent']?.slice(0, USER_AGENT_MAX) ?? null,
    })
    await tx.insert(shellSession).values({ sessionId: id, ...shell, tokenHash: sha256(token, 'base64url') })
  })
  reply.header(SESSION_TOKEN_HEADER, token)
}

/** The user of a native app's token; null without a live session. Throws when it comes from another origin. */
export async function authenticateToken({ db }: DbAndConfig, request: Asking, token: string): Promise<Actor | null> {
  const hash = sha256(token, 'base64url')
  const [found] = await db
    .select({
      sessionId: session.id,
      userId: session.userId,
      steppedUpAt: session.steppedUpAt,
      origin: shellSession.origin,
      nextHash: shellSession.nextHash,
    })
    .from(shellSession)
    .innerJoin(session, eq(session.id, shellSession.sessionId))
    .where(
      and(or(eq(shellSession.tokenHash, hash), eq(shellSession.nextHash, hash)), gt(session.expiresAt, new Date())),
    )
  if (!found) return null
  const { origin, nextHash, ...actor } = found
  if (request.headers.origin !== origin)
    throw new AppError('foreign_origin', 'This request came from another place than the app.')
  // The app has the new token now: the one before it dies.
  if (nextHash === hash)
    await db
      .update(shellSession)
      .set({ tokenHash: hash, nextHash: null })
      .where(and(eq(shellSession.sessionId, actor.sessionId), eq(shellSession.nextHash, hash)))
  return { ...actor, via: 'session' }
}

/**
 * Extends a session in use, once a day as cookies are, and sends its next token. The present one works until the next is
 * used, so that a lost answer signs nobody out.
 */
export async function renewToken(db: Db, { sessionId }: Pick<Actor, 'sessionId'>, reply: FastifyReply): Promise<void> {
  const now = Date.now()
  const token = newToken()
  const renewed = await withTx(db, async (tx) => {
    const due = and(eq(session.id, sessionId ?? ''), lt(session.updatedAt, new Date(now - DAY_SECONDS * 1000)))
    const [kept] = await tx
      .update(session)
      .set({ expiresAt: expiry(), updatedAt: new Date(now) })
      .where(due)
      .returning({ id: session.id })
    if (!kept) return false
    await tx
      .update(shellSession)
      .set({ nextHash: sha256(token, 'base64url') })
      .where(eq(shellSession.sessionId, kept.id))
    return true
  })
  if (renewed) reply.header(SESSION_TOKEN_HEADER, token)
}

function newToken(): string {
  return SESSION_TOKEN_PREFIX + randomBytes(TOKEN_BYTES).toString('base64url')
}

function expiry(): Date {
  return new Date(Date.now() + SESSION_DAYS * DAY_SECONDS * 1000)
}
