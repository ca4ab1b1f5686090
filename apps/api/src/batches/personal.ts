import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { type ExportFile, listFile, pagedFile } from '../accounts/index.ts'
import type { Reader } from '../platform/db.ts'
import { batch, batchContact } from './schema.ts'

type BatchContact = typeof batchContact.$inferSelect

/** The batches room's files of a data export. */
export function batchFiles(reader: Reader, userId: string): readonly ExportFile[] {
  const ofMine = inArray(
    batchContact.batchId,
    reader.select({ id: batch.id }).from(batch).where(eq(batch.userId, userId)),
  )
  const place = sql`(${batchContact.batchId}, ${batchContact.row})`
  return [
    listFile('batches.json', () =>
      reader.select().from(batch).where(eq(batch.userId, userId)).orderBy(asc(batch.createdAt)),
    ),
    pagedFile<BatchContact>('batch-contacts.json', (last, limit) =>
      reader
        .select()
        .from(batchContact)
        .where(and(ofMine, last && sql`${place} > (${last.batchId}, ${last.row})`))
        .orderBy(asc(batchContact.batchId), asc(batchContact.row))
        .limit(limit),
    ),
  ]
}
