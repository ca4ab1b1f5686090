import type { SecurityEvent } from '@parley/contract'
import { and, desc, eq, lt, sql } from 'drizzle-orm'
import type { Reader } from '../platform/db.ts'
import { Page } from '../platform/http.ts'
import type { Asking } from './sign-in/auth.ts'
import { deviceOf } from './sign-in/devices.ts'
import { securityEvent } from './schema.ts'

const KEPT_DAYS = 365

interface Happening {
  readonly userId: string
  readonly kind: SecurityEvent['kind']
  readonly detail?: string
}

/** Writes down what happened to an account, and from where. */
export async function recordEvent(reader: Reader, happening: Happening, from?: Asking): Promise<void> {
  const userAgent = from?.headers['user-agent']?.slice(0, 500) ?? null
  await reader.insert(securityEvent).values({ ...happening, ipAddress: from?.ip ?? null, userAgent })
}

/** Recent security activity, newest first. */
export async function listEvents(
  reader: Reader,
  userId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<SecurityEvent>> {
  const own = eq(securityEvent.userId, userId)
  const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : Number.parseInt(cursor, 36)
  const [rows, total] = await Promise.all([
    reader
      .select()
      .from(securityEvent)
      .where(and(own, lt(securityEvent.id, Number.isSafeInteger(before) ? before : 0)))
      .orderBy(desc(securityEvent.id))
      .limit(limit + 1),
    reader.$count(securityEvent, own),
  ])
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const items = shown.map(({ id, kind, detail, ipAddress, userAgent, at }) => {
    return { id: String(id), kind, detail, ipAddress, device: deviceOf(userAgent), at: at.toISOString() }
  })
  return new Page(items, total, rows.length > limit && last ? last.id.toString(36) : null)
}

export async function forgetOldEvents(reader: Reader): Promise<void> {
  await reader.delete(securityEvent).where(sql`${securityEvent.at} < now() - make_interval(days => ${KEPT_DAYS})`)
}
