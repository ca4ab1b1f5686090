import type { Movement, PageQuery } from '@parley/contract'
import { eq, sql } from 'drizzle-orm'
import type { Reader } from '../../platform/db.ts'
import type { Page } from '../../platform/http.ts'
import { newestFirstById } from '../../platform/pages.ts'
import { ledgerAccount, ledgerEntry, ledgerTx } from '../schema.ts'

/** Events that moved the user's credits, newest first, with the balance after each. */
export async function statement(reader: Reader, userId: string, query: PageQuery): Promise<Page<Movement>> {
  const events = eventsOf(reader, userId)
  const { after, order, limit, page } = newestFirstById(query, events.id)
  const rows = await reader
    .select()
    .from(events)
    .where(after)
    .orderBy(...order)
    .limit(limit)
  return page(rows, rows[0]?.totalCount ?? 0).map(({ id, kind, cause, callId, at, credits, balance }) => {
    return { id: String(id), kind, cause, callId, at: at.toISOString(), credits, balance }
  })
}

/** Ids ascend in the order of a user's events, since each is written under the wallet's lock. */
function eventsOf(reader: Reader, userId: string) {
  const inWallet = eq(ledgerAccount.kind, 'wallet')
  const moved = sql`coalesce(sum(${ledgerEntry.credits}) filter (where ${inWallet}), 0)`
  return reader
    .select({
      id: ledgerTx.id,
      kind: ledgerTx.kind,
      cause: ledgerTx.cause,
      callId: ledgerTx.callId,
      at: ledgerTx.at,
      credits: sql`${moved}`.mapWith(Number).as('credits'),
      balance: sql`sum(${moved}) over (order by ${ledgerTx.id})`.mapWith(Number).as('balance'),
      totalCount: sql`count(*) over ()`.mapWith(Number).as('total_count'),
    })
    .from(ledgerEntry)
    .innerJoin(ledgerTx, eq(ledgerTx.id, ledgerEntry.txId))
    .innerJoin(ledgerAccount, eq(ledgerAccount.id, ledgerEntry.accountId))
    .where(eq(ledgerAccount.userId, userId))
    .groupBy(ledgerTx.id)
    .as('events')
}
