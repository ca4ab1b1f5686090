import { ATTEMPTS_PER_NUMBER_PER_DAY } from '@parley/contract'
import { and, desc, eq, gt, isNotNull } from 'drizzle-orm'
import type { Retention } from '../platform/database/partitions/retention.ts'
import type { Reader } from '../platform/db.ts'
import { consentAudit } from './schema.ts'

const DAY_MS = 24 * 3_600_000
/** Kept for three years, as evidence in complaints. */
export const AUDIT_KEPT: Retention = { table: 'consent_audit', days: 3 * 365 }

export type Audited = Omit<typeof consentAudit.$inferInsert, 'id'>

export async function audit(tx: Reader, ...entries: readonly Audited[]): Promise<void> {
  if (entries.length > 0) await tx.insert(consentAudit).values([...entries])
}

/**
 * When a batch may dial this number again: now, unless batches of the account have dialed it the maximum number of
 * times in the last 24 hours.
 */
export async function nextAttemptAt(reader: Reader, userId: string, phone: string, now: Date): Promise<Date> {
  const dialed = await reader
    .select({ at: consentAudit.at })
    .from(consentAudit)
    .where(
      and(
        eq(consentAudit.userId, userId),
        eq(consentAudit.phone, phone),
        gt(consentAudit.at, new Date(now.getTime() - DAY_MS)),
        eq(consentAudit.kind, 'dialed'),
        isNotNull(consentAudit.batchId),
      ),
    )
    .orderBy(desc(consentAudit.at))
    .limit(ATTEMPTS_PER_NUMBER_PER_DAY)
  const oldest = dialed[ATTEMPTS_PER_NUMBER_PER_DAY - 1]
  return oldest ? new Date(oldest.at.getTime() + DAY_MS) : now
}
