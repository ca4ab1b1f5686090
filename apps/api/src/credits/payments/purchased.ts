import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import type { Reader } from '../../platform/db.ts'
import { ledgerEntry, ledgerTx, payment } from '../schema.ts'

const WALLET = 'wallet:'

/** All credits ever bought, bonus included; account limits grow with them. */
export async function purchasedCredits(reader: Reader, userId: string): Promise<number> {
  return (await purchasedCreditsOf(reader, [userId])).get(userId) ?? 0
}

/** The same of each account, in one statement; those without a purchase may be absent. */
export async function purchasedCreditsOf(
  reader: Reader,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await reader
    .select({
      accountId: ledgerEntry.accountId,
      credits: sql`sum(${ledgerEntry.credits})`.mapWith(Number),
    })
    .from(ledgerEntry)
    .innerJoin(ledgerTx, eq(ledgerTx.id, ledgerEntry.txId))
    .where(
      and(
        inArray(
          ledgerEntry.accountId,
          userIds.map((userId) => WALLET + userId),
        ),
        // Matches the partial index "ledger_entry_in".
        sql`starts_with(${ledgerEntry.accountId}, 'wallet:')`,
        gt(ledgerEntry.credits, 0),
        eq(ledgerTx.kind, 'purchase'),
      ),
    )
    .groupBy(ledgerEntry.accountId)
  return new Map(rows.map(({ accountId, credits }) => [accountId.slice(WALLET.length), credits]))
}

/** What was paid for a credit on average, bonus and returned ones counted, in cents; null: none was bought. */
export async function creditPriceCents(reader: Reader): Promise<number | null> {
  const [paid] = await reader
    .select({
      cents: sql`coalesce(sum(${payment.capturedCents} - ${payment.returnedCents}), 0)`.mapWith(Number),
      credits: sql`coalesce(sum(${payment.credits} + ${payment.bonusCredits} - ${payment.takenCredits}
        - ${payment.takenBonusCredits}), 0)`.mapWith(Number),
    })
    .from(payment)
    .where(eq(payment.status, 'succeeded'))
  return paid && paid.credits > 0 ? paid.cents / paid.credits : null
}
