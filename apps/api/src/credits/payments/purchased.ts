import { and, inArray, eq, sql } from 'drizzle-orm'
import type { Reader } from '../../platform/db.ts'
import { ledgerTransfer, payment } from '../schema.ts'

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
    .select({ userId: ledgerTransfer.userId, credits: sql`sum(${ledgerTransfer.amount})`.mapWith(Number) })
    .from(ledgerTransfer)
    .where(
      and(
        inArray(ledgerTransfer.userId, [...userIds]),
        // Literal: matches the partial index "ledger_transfer_purchase".
        sql`${ledgerTransfer.kind} = 'purchase'`,
        eq(ledgerTransfer.credit, 'wallet'),
      ),
    )
    .groupBy(ledgerTransfer.userId)
  return new Map(rows.map(({ userId, credits }) => [userId, credits]))
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
