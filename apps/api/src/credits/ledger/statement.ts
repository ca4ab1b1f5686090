import type { Movement } from '@parley/contract'
import { desc, eq, lt, sql } from 'drizzle-orm'
import type { Reader } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { Page } from '../../platform/http.ts'
import { decodeCursor, encodeCursor } from '../../platform/pages.ts'
import { ledgerAccount, ledgerEntry, ledgerTx } from '../schema.ts'

/** Every event that moved the person's credits, newest first, with the balance after it. */
export async function statement(
  reader: Reader,
  userId: string,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<Movement>> {
  const events = eventsOf(reader, userId)
  const before = eventBefore(cursor)
  const rows = await reader
    .select()
    .from(events)
    .where(before === undefined ? undefined : lt(events.id, before))
    .orderBy(desc(events.id))
    .limit(limit + 1)
  const shown = rows.slice(0, limit)
  const movements = shown.map(({ id, kind, cause, callId, at, credits, balance }) => {
    return { id: String(id), kind, cause, callId, at: at.toISOString(), credits, balance }
  })
  const last = shown.at(-1)
  const more = rows.length > shown.length && last ? encodeCursor({ at: last.at, id: String(last.id) }) : null
  return new Page(movements, rows[0]?.totalCount ?? 0, more)
}

function eventBefore(cursor: string | undefined): number | undefined {
  const position = decodeCursor(cursor)
  if (position === undefined) return undefined
  const id = Number(position.id)
  if (!Number.isSafeInteger(id))
    throw new AppError('invalid_input', 'The cursor belongs to another list.', { field: 'cursor' })
  return id
}

/** Ids ascend as the events of one person happened, since each is written under the lock of the wallet. */
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
