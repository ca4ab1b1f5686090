import type { AutoTopUp, AutoTopUpState } from '@parley/contract'
import { and, eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { z } from 'zod'
import type { Db, Reader, Tx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { savedCard } from './cards.ts'
import { type CreditsRoom, type PaymentRow, stripeOf } from '../room.ts'
import { autoTopUp } from '../schema.ts'

// Settings of auto top-up; top-up.ts makes the purchases.

export async function readAutoTopUp(reader: Reader, userId: string): Promise<AutoTopUpState> {
  const [row] = await reader.select().from(autoTopUp).where(eq(autoTopUp.userId, userId))
  const known = await savedCard(reader, userId)
  const card = known
    ? { brand: known.brand, last4: known.last4, expMonth: known.expMonth, expYear: known.expYear }
    : null
  const settings = row ? { packageId: row.packageId, thresholdCredits: row.thresholdCredits } : null
  return { settings, card, problem: row?.problem ?? null }
}

export async function switchOn(
  room: Pick<CreditsRoom, 'db' | 'stripe'>,
  userId: string,
  settings: z.output<typeof AutoTopUp>,
): Promise<z.output<typeof AutoTopUp>> {
  stripeOf(room)
  if (!(await savedCard(room.db, userId))) throw new AppError('conflict', 'Please save a card first.')
  await room.db
    .insert(autoTopUp)
    .values({ userId, ...settings })
    .onConflictDoUpdate({ target: autoTopUp.userId, set: { ...settings, problem: null } })
  return settings
}

export async function switchOff(db: Db, userId: string): Promise<void> {
  await db.delete(autoTopUp).where(eq(autoTopUp.userId, userId))
}

/**
 * Concludes an automatic purchase, in the transaction that records its result. The next round handles a declined one.
 */
export async function concludeTopUp(tx: Tx, order: PaymentRow, { status }: Stripe.PaymentIntent): Promise<void> {
  if (status !== 'succeeded' && status !== 'canceled') return
  const own = and(eq(autoTopUp.userId, order.userId), eq(autoTopUp.orderId, order.id))
  await tx.update(autoTopUp).set({ orderId: null }).where(own)
}
