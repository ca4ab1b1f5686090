import { and, eq, gt, sql } from 'drizzle-orm'
import type { Reader } from '../../platform/db.ts'
import { ledgerEntry, ledgerTx } from '../schema.ts'

/** Credits that a person has ever bought, gifts on top included: what limits grow with. */
export async function purchasedCredits(reader: Reader, userId: string): Promise<number> {
  const [bought] = await reader
    .select({ credits: sql`coalesce(sum(${ledgerEntry.credits}), 0)`.mapWith(Number) })
    .from(ledgerEntry)
    .innerJoin(ledgerTx, eq(ledgerTx.id, ledgerEntry.txId))
    .where(
      and(
        eq(ledgerEntry.accountId, `wallet:${userId}`),
        // What the index "ledger_entry_in" is made of.
        sql`starts_with(${ledgerEntry.accountId}, 'wallet:')`,
        gt(ledgerEntry.credits, 0),
        eq(ledgerTx.kind, 'purchase'),
      ),
    )
  return bought?.credits ?? 0
}
