import type { PageQuery, SecurityEvent } from '@parley/contract'
import { and, eq } from 'drizzle-orm'
import type { Retention } from '../platform/database/partitions/retention.ts'
import type { Reader } from '../platform/db.ts'
import type { Page } from '../platform/http.ts'
import { newestFirstById } from '../platform/pages.ts'
import type { Asking } from './sign-in/auth.ts'
import { deviceOf } from './sign-in/devices.ts'
import { securityEvent } from './schema.ts'

export const EVENTS_KEPT: Retention = { table: 'security_event', days: 365 }

interface Happening {
  readonly userId: string
  readonly kind: SecurityEvent['kind']
  readonly detail?: string
}

/** Records a security event of an account, with address and device of the request. */
export async function recordEvent(reader: Reader, happening: Happening, from?: Asking): Promise<void> {
  const userAgent = from?.headers['user-agent']?.slice(0, 500) ?? null
  await reader.insert(securityEvent).values({ ...happening, ipAddress: from?.ip ?? null, userAgent })
}

/** Recent security activity, newest first. */
export async function listEvents(reader: Reader, userId: string, query: PageQuery): Promise<Page<SecurityEvent>> {
  const own = eq(securityEvent.userId, userId)
  const { after, order, limit, page } = newestFirstById(query, securityEvent.id)
  const [rows, total] = await Promise.all([
    reader
      .select()
      .from(securityEvent)
      .where(and(own, after))
      .orderBy(...order)
      .limit(limit),
    reader.$count(securityEvent, own),
  ])
  return page(rows, total).map(({ id, kind, detail, ipAddress, userAgent, at }) => {
    return { id: String(id), kind, detail, ipAddress, device: deviceOf(userAgent), at: at.toISOString() }
  })
}
