import { and, asc, eq, gt } from 'drizzle-orm'
import { type ExportFile, pagedFile } from '../accounts/index.ts'
import type { Reader } from '../platform/db.ts'
import { contact } from './schema.ts'

type Contact = typeof contact.$inferSelect

/** The contacts room's files of a data export. */
export function contactFiles(reader: Reader, userId: string): readonly ExportFile[] {
  return [
    pagedFile<Contact>('contacts.json', (last, limit) =>
      reader
        .select()
        .from(contact)
        .where(and(eq(contact.userId, userId), last && gt(contact.id, last.id)))
        .orderBy(asc(contact.id))
        .limit(limit),
    ),
  ]
}
