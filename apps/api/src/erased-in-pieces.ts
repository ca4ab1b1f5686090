import { sql } from 'drizzle-orm'
import type { Db } from './platform/db.ts'
import { deletePiece } from './platform/database/pieces.ts'

// An account of any size is erased a bounded number of rows at a time, each piece in a transaction of its own.

interface Pieces {
  readonly table: string
  /** So many rows, with all that goes with them, take a fraction of a second. */
  readonly rows: number
  /** The table that has the user, where this one has none. */
  readonly of?: { readonly table: string; readonly by: string }
}

/** Tables in which an account may have any number of rows, in the order of their deletion. */
export const IN_PIECES: readonly Pieces[] = [
  // Before the calls: a call that is deleted changes what is there of these.
  { table: 'call_total', rows: 1 },
  { table: 'call_figure', rows: 2000 },
  { table: 'call_search', rows: 500 },
  { table: 'call', rows: 50 },
  { table: 'batch_contact', rows: 1000, of: { table: 'batch', by: 'batch_id' } },
  // A row is 256 KB.
  { table: 'data_export_part', rows: 20, of: { table: 'data_export', by: 'export_id' } },
  { table: 'contact', rows: 1000 },
  { table: 'webhook_delivery', rows: 500 },
  { table: 'consent_audit', rows: 2000 },
  { table: 'do_not_call', rows: 2000 },
  { table: 'verified_number', rows: 2000 },
  { table: 'security_event', rows: 2000 },
  { table: 'idempotent_answer', rows: 500 },
]

/**
 * Deletes pieces until none is left or `until` says so between two of them. Returns whether any may be left; what is
 * deleted stays deleted, so that the next one continues.
 */
export async function eraseInPieces(db: Db, userId: string, isOver: () => boolean): Promise<boolean> {
  for (const pieces of IN_PIECES) {
    while ((await eraseOne(db, pieces, userId)) > 0) if (isOver()) return true
  }
  return false
}

function eraseOne(db: Db, { table, rows, of }: Pieces, userId: string): Promise<number> {
  const own = of
    ? sql`${sql.identifier(of.by)} in (select id from ${sql.identifier(of.table)} where user_id = ${userId})`
    : sql`user_id = ${userId}`
  return deletePiece(db, table, own, rows)
}
