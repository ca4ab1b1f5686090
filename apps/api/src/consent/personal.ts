import { and, asc, eq, gt } from 'drizzle-orm'
import { type ExportFile, listFile, pagedFile } from '../accounts/index.ts'
import type { Reader } from '../platform/db.ts'
import { consentAudit, doNotCall, verifiedNumber } from './schema.ts'

type Audited = typeof consentAudit.$inferSelect

/** The consent room's files of a data export. */
export function ruleFiles(reader: Reader, userId: string): readonly ExportFile[] {
  return [
    listFile('do-not-call.json', () =>
      reader.select().from(doNotCall).where(eq(doNotCall.userId, userId)).orderBy(asc(doNotCall.phone)),
    ),
    listFile('verified-numbers.json', () =>
      reader.select().from(verifiedNumber).where(eq(verifiedNumber.userId, userId)).orderBy(asc(verifiedNumber.phone)),
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
