import type { Session } from '@parley/contract'
import { and, desc, eq, gt, ne } from 'drizzle-orm'
import type { Reader } from '../platform/db.ts'
import { notFound } from '../platform/errors.ts'
import type { Actor } from '../platform/http.ts'
import type { Asking } from './auth.ts'
import { deviceOf } from './devices.ts'
import { recordEvent } from './events.ts'
import { type AccountsRoom, sessionsTopic } from './room.ts'
import { session } from './schema.ts'

/** Where the person is signed in, the latest first. */
export async function listSessions(reader: Reader, { userId, sessionId }: Actor): Promise<Session[]> {
  const rows = await reader
    .select()
    .from(session)
    .where(and(eq(session.userId, userId), gt(session.expiresAt, new Date())))
    .orderBy(desc(session.createdAt))
  return rows.map(({ id, ipAddress, userAgent, createdAt, updatedAt, expiresAt }) => ({
    id,
    current: id === sessionId,
    device: deviceOf(userAgent),
    ipAddress,
    createdAt: createdAt.toISOString(),
    lastUsedAt: updatedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }))
}

export async function endSession(room: AccountsRoom, { userId }: Actor, sessionId: string, request: Asking): Promise<void> {
  const own = and(eq(session.id, sessionId), eq(session.userId, userId))
  const [ended] = await room.floor.db.delete(session).where(own).returning({ userAgent: session.userAgent })
  if (!ended) throw notFound('The session')
  await announceEnd(room, userId, deviceOf(ended.userAgent), request)
}

/** Every one but the one that asks. */
export async function endOtherSessions(room: AccountsRoom, { userId, sessionId }: Actor, request: Asking): Promise<number> {
  const others = and(eq(session.userId, userId), ne(session.id, sessionId ?? ''))
  const ended = await room.floor.db.delete(session).where(others).returning({ id: session.id })
  if (ended.length > 0) await announceEnd(room, userId, 'All others', request)
  return ended.length
}

async function announceEnd({ floor }: AccountsRoom, userId: string, detail: string, request: Asking): Promise<void> {
  await recordEvent(floor.db, { userId, kind: 'session_ended', detail }, request)
  floor.bus.publish(sessionsTopic(userId), {})
}
