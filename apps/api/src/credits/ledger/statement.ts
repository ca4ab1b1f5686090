import type { Movement, PageQuery } from '@parley/contract'
import { and, desc, eq, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Reader } from '../../platform/db.ts'
import type { Page } from '../../platform/http.ts'
import { newestFirstById } from '../../platform/pages.ts'
import { ledgerEntry, ledgerTx } from '../schema.ts'

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

/**
 * An event has at most one leg in the wallet and one in the debt, so the newest of both contain all legs of the newest
 * events. Ids ascend in the order of a user's events, since each is written under the wallet's lock.
 */
async function pageOf(reader: Reader, userId: string, query: PageQuery, total: number): Promise<Page<Movement>> {
  const { after, limit, page } = newestFirstById(query, ledgerEntry.txId)
  const [wallet, debt] = [`wallet:${userId}`, `debt:${userId}`]
  const newest = (account: string) =>
    reader
      .select({
        txId: ledgerEntry.txId,
        accountId: ledgerEntry.accountId,
        credits: ledgerEntry.credits,
        balanceAfter: ledgerEntry.balanceAfter,
      })
      .from(ledgerEntry)
      .where(and(eq(ledgerEntry.accountId, account), after))
      .orderBy(desc(ledgerEntry.txId))
      .limit(limit)
  const legs = unionAll(newest(wallet), newest(debt)).as('legs')
  const inWallet = sql`coalesce(sum(${legs.credits}) filter (where ${legs.accountId} = ${wallet}), 0)`
  const events = reader
    .select({
      id: legs.txId,
      credits: inWallet.mapWith(Number).as('moved'),
      balance: sql`max(${legs.balanceAfter})`.mapWith(Number).as('balance'),
    })
    .from(legs)
    .groupBy(legs.txId)
    .orderBy(desc(legs.txId))
    .limit(limit)
    .as('events')
  const rows = await reader
    .select({
      id: events.id,
      credits: events.credits,
      balance: events.balance,
      kind: ledgerTx.kind,
      cause: ledgerTx.cause,
      callId: ledgerTx.callId,
      at: ledgerTx.at,
    })
    .from(events)
    .innerJoin(ledgerTx, eq(ledgerTx.id, events.id))
    .orderBy(desc(events.id))
  return page(rows, total).map(({ id, kind, cause, callId, at, credits, balance }) => {
    return { id: String(id), kind, cause, callId, at: at.toISOString(), credits, balance }
  })
}

/** The wallet's legs, and the debt's of events without one in the wallet. */
async function countEvents(reader: Reader, userId: string): Promise<number> {
  const [wallet, debt] = [`wallet:${userId}`, `debt:${userId}`]
  const both = sql`exists (select from ledger_entry w where w.account_id = ${wallet} and w.tx_id = ${ledgerEntry.txId})`
  const inDebt = await reader.$count(ledgerEntry, and(eq(ledgerEntry.accountId, debt), sql`not ${both}`))
  return inDebt + (await reader.$count(ledgerEntry, eq(ledgerEntry.accountId, wallet)))
}
