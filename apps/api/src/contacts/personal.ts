import { and, asc, eq } from 'drizzle-orm'
import { type ExportFile, pagedFile } from '../accounts/index.ts'
import type { Reader } from '../platform/db.ts'
import { afterCursor } from '../platform/pages.ts'
import { contact } from './schema.ts'

type Contact = typeof contact.$inferSelect
const PLACE = { at: contact.createdAt, id: contact.id }

/** The contacts room's files of a data export. */
export function contactFiles(reader: Reader, userId: string): readonly ExportFile[] {
  return [
    pagedFile<Contact>('contacts.json', (last, limit) =>
      reader
        .select()
        .from(contact)
        .where(and(eq(contact.userId, userId), last && afterCursor({ at: last.createdAt, id: last.id }, PLACE)))
        .orderBy(asc(contact.createdAt), asc(contact.id))
        .limit(limit),
    ),
  ]
}
