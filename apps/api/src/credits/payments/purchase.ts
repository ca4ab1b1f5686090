import { randomUUID } from 'node:crypto'
import { amountCents, type CreditPackage, CURRENCY } from '@parley/contract'
import { and, eq, ne } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Db, Tx } from '../../platform/db.ts'
import { nameOf, type PaymentRow } from '../room.ts'
import { payment } from '../schema.ts'

/** Stores a purchase at the catalogue's current price before the provider is called. */
export async function writeOrder(
  tx: Tx,
  userId: string,
  item: CreditPackage,
  kind: { readonly saveCard?: boolean; readonly automatic?: boolean },
): Promise<string> {
  const id = randomUUID()
  const { id: packageId, credits, bonus: bonusCredits = 0 } = item
  await tx
    .insert(payment)
    .values({ id, userId, packageId, credits, bonusCredits, amountCents: amountCents(item), ...kind })
  return id
}

export function intentFor({ id, userId, packageId, credits, bonusCredits, amountCents: amount }: PaymentRow) {
  return {
    amount,
    currency: CURRENCY,
    allowed_payment_method_types: ['card'],
    description: `${nameOf(packageId)}: ${credits + bonusCredits} credits`,
    metadata: { order: id, user: userId, package: packageId },
  } satisfies Stripe.PaymentIntentCreateParams
}

/** Links a purchase to its intent. A new intent may replace one that the provider has lost. */
export async function attach(db: Db, orderId: string, intentId: string): Promise<void> {
  await db
    .update(payment)
    .set({ intentId })
    .where(and(eq(payment.id, orderId), ne(payment.status, 'succeeded')))
}
