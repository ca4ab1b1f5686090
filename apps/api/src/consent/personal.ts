import { and, asc, eq, gt } from 'drizzle-orm'
import { type ExportFile, pagedFile } from '../accounts/index.ts'
import type { Reader } from '../platform/db.ts'
import { consentAudit, doNotCall, verifiedNumber } from './schema.ts'

type Listed = Pick<typeof doNotCall.$inferSelect, 'phone'>
type Audited = typeof consentAudit.$inferSelect

/** The consent room's files of a data export. */
export function ruleFiles(reader: Reader, userId: string): readonly ExportFile[] {
  return [
    pagedFile<Listed>('do-not-call.json', (last, limit) =>
      reader
        .select()
        .from(doNotCall)
        .where(and(eq(doNotCall.userId, userId), last && gt(doNotCall.phone, last.phone)))
        .orderBy(asc(doNotCall.phone))
        .limit(limit),
    ),
    pagedFile<Listed>('verified-numbers.json', (last, limit) =>
      reader
        .select()
        .from(verifiedNumber)
        .where(and(eq(verifiedNumber.userId, userId), last && gt(verifiedNumber.phone, last.phone)))
        .orderBy(asc(verifiedNumber.phone))
        .limit(limit),
    ),
    pagedFile<Audited>('calling-rules.json', (last, limit) =>
      reader
        .select()
        .from(consentAudit)
        .where(and(eq(consentAudit.userId, userId), last && gt(consentAudit.id, last.id)))
        .orderBy(asc(consentAudit.id))
        .limit(limit),
    ),
  ]
}
