import { and, eq, gt, sql } from 'drizzle-orm'
import type { Reader } from '../../platform/db.ts'
import { ledgerEntry, ledgerTx } from '../schema.ts'

/** All credits ever bought, bonus included; account limits grow with them. */
export async function purchasedCredits(reader: Reader, userId: string): Promise<number> {
  const [bought] = await reader
    .select({ credits: sql`coalesce(sum(${ledgerEntry.credits}), 0)`.mapWith(Number) })
    .from(ledgerEntry)
    .innerJoin(ledgerTx, eq(ledgerTx.id, ledgerEntry.txId))
    .where(
      and(
        eq(ledgerEntry.accountId, `wallet:${userId}`),
        // Matches the partial index "ledger_entry_in".
        sql`starts_with(${ledgerEntry.accountId}, 'wallet:')`,
        gt(ledgerEntry.credits, 0),
        eq(ledgerTx.kind, 'purchase'),
      ),
    )
  return bought?.credits ?? 0
}
