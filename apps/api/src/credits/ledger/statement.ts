import type { Movement, PageQuery } from '@parley/contract'
import { and, eq, sql } from 'drizzle-orm'
import type { Reader } from '../../platform/db.ts'
import type { Page } from '../../platform/http.ts'
import { newestFirstById } from '../../platform/pages.ts'
import { ledgerTransfer } from '../schema.ts'

const ROWS_AT_ONCE = 1000

/** Events that moved the user's credits, newest first, with the balance after each. */
export async function statement(reader: Reader, userId: string, query: PageQuery): Promise<Page<Movement>> {
  return pageOf(reader, userId, query, await countEvents(reader, userId))
}

/** A page of the statement that does not count the whole, so that reading all pages is linear. */
export async function movements(
  reader: Reader,
  userId: string,
  query: PageQuery,
): Promise<Pick<Page<Movement>, 'items' | 'nextCursor'>> {
  return pageOf(reader, userId, query, 0)
}

/** The whole statement, a page at a time. */
export async function* allMovements(reader: Reader, userId: string): AsyncGenerator<readonly Movement[]> {
  for (let cursor: string | undefined; ;) {
    const { items, nextCursor } = await movements(reader, userId, { limit: ROWS_AT_ONCE, cursor })
    yield items
    if (nextCursor === null) return
    cursor = nextCursor
  }
}

/** An event's first transfer leads to all of them. Ids ascend in the order of a user's events. */
async function pageOf(reader: Reader, userId: string, query: PageQuery, total: number): Promise<Page<Movement>> {
  const { after, order, limit, page } = newestFirstById(query, ledgerTransfer.id)
  const { id, kind, cause, callId, at, balanceAfter } = ledgerTransfer
  const rows = await reader
    .select({
      id,
      kind,
      cause,
      callId,
      at,
      balance: balanceAfter,
      credits: sql`(
        select sum(case 'wallet' when p.credit then p.amount when p.debit then -p.amount else 0 end)
        from ledger_transfer p where p.id = ledger_transfer.id
      )`.mapWith(Number),
    })
    .from(ledgerTransfer)
    .where(and(isEventOf(userId), after))
    .orderBy(...order)
    .limit(limit)
  return page(rows, total).map((row) => ({ ...row, id: String(row.id), at: row.at.toISOString() }))
}

function countEvents(reader: Reader, userId: string): Promise<number> {
  return reader.$count(ledgerTransfer, isEventOf(userId))
}

/** The first transfer of each event of the user. */
function isEventOf(userId: string) {
  return and(eq(ledgerTransfer.userId, userId), eq(ledgerTransfer.part, 1))
}
