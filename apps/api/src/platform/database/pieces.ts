import { type SQL, sql } from 'drizzle-orm'
import { type Db, withTx } from '../db.ts'

/**
 * Deletes at most so many rows of a table, in a transaction of its own, and returns how many. Of a table in partitions
 * it may be some more: a row's place says nothing of its partition, so that `where` is asked twice.
 */
export async function deletePiece(db: Db, table: string, where: SQL, rows: number): Promise<number> {
  const from = sql.identifier(table)
  const { rows: counted } = await withTx(db, (tx) =>
    tx.execute<{ gone: number }>(sql`
      with gone as (
        delete from ${from} where ctid = any (array(select ctid from ${from} where ${where} limit ${rows})) and ${where} returning 1)
      select count(*)::int as gone from gone`),
  )
  return counted[0]?.gone ?? 0
}
