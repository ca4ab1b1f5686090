import { sql } from 'drizzle-orm'
import type { Reader } from '../../platform/db.ts'

/** Whether a role of their own writes the books, so that the database user has no rights to; undefined without books. */
export async function booksHaveTheirRole(reader: Reader): Promise<boolean | undefined> {
  const { rows } = await reader.execute<{ apart: boolean }>(sql`
    select r.rolname = 'parley_books' as apart from pg_proc p join pg_roles r on r.oid = p.proowner
    where p.pronamespace = 'public'::regnamespace and p.proname = 'books_settle'`)
  return rows[0]?.apart
}
