import type { Session } from '@parley/contract'
import { and, desc, eq, getColumns, gt, ne } from 'drizzle-orm'
import { type Reader, withTx } from '../../platform/db.ts'
import { notFound } from '../../platform/errors.ts'
import type { Actor } from '../../platform/http.ts'
import type { Asking } from './auth.ts'
import { deviceOf, phoneOf } from './devices.ts'
import { recordEvent } from '../events.ts'
import { holdAccount, voidPending } from './pending.ts'
import { type Announcing, sessionsTopic } from '../room.ts'
import { session, shellSession } from '../schema.ts'

/** The user's sessions, latest first. */
export async function listSessions(reader: Reader, { userId, sessionId }: Actor): Promise<Session[]> {
  const rows = await reader
    .select({ ...getColumns(session), platform: shellSession.platform })
    .from(session)
    .leftJoin(shellSession, eq(shellSession.sessionId, session.id))
    .where(and(eq(session.userId, userId), gt(session.expiresAt, new Date())))
    .orderBy(desc(session.createdAt))
  return rows.map(({ id, platform, ipAddress, userAgent, createdAt, updatedAt, expiresAt }) => ({
    id,
    current: id === sessionId,
    device: platform === null ? deviceOf(userAgent) : phoneOf(platform, userAgent),
    ...(platform !== null && { platform }),
    ipAddress,
    createdAt: createdAt.toISOString(),
    lastUsedAt: updatedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }))
}

/** Ends a session and voids unfinished changes, which an intruder may have begun. */
export async function endSession(room: Announcing, actor: Actor, sessionId: string, request: Asking): Promise<void> {
  const { db } = room
  const userAgent = await withTx(db, async (tx) => {
    const person = await holdAccount(tx, actor)
    const own = and(eq(session.id, sessionId), eq(session.userId, person.id))
    const [ended] = await tx.delete(session).where(own).returning({ userAgent: session.userAgent })
    if (!ended) throw notFound('The session')
    await voidPending(tx, person)
    return ended.userAgent
  })
  await announceEnd(room, actor.userId, deviceOf(userAgent), request)
}

/** Ends all sessions except the requesting one. */
export async function endOtherSessions(room: Announcing, actor: Actor, request: Asking): Promise<number> {
  const ended = await withTx(room.db, async (tx) => {
    const person = await holdAccount(tx, actor)
    await voidPending(tx, person)
    const others = and(eq(session.userId, person.id), ne(session.id, actor.sessionId ?? ''))
    return tx.delete(session).where(others).returning({ id: session.id })
  })
  if (ended.length > 0) await announceEnd(room, actor.userId, 'All others', request)
  return ended.length
}

async function announceEnd({ db, bus }: Announcing, userId: string, detail: string, request: Asking): Promise<void> {
  await recordEvent(db, { userId, kind: 'session_ended', detail }, request)
  bus.publish(sessionsTopic(userId), {})
}
