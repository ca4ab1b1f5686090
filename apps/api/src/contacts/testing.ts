import { eq, sql } from 'drizzle-orm'
import type { Db } from '../platform/db.ts'
import { contact } from './schema.ts'

// For tests of the whole, which enter here.
export { contact } from './schema.ts'

/** Makes a user's contacts an hour older, so that later ones are newer in spite of clock changes. */
export async function makeOlder(db: Db, userId: string): Promise<void> {
  const createdAt = sql`${contact.createdAt} - interval '1 hour'`
  await db.update(contact).set({ createdAt }).where(eq(contact.userId, userId))
}
