import { eq } from 'drizzle-orm'
import type { Tx } from '../platform/db.ts'
import { defineJob } from '../platform/jobs.ts'
import type { CreditsRoom } from './room.ts'
import { autoTopUp, lowBalance, paymentCustomer } from './schema.ts'
import { answerOf } from './payments/stripe.ts'

export const forgetJob = defineJob<{ customerId: string }>('credits.forget-customer', {
  retryLimit: 20,
  retryDelaySeconds: 30,
})

/**
 * Stops auto top-up of a closed account and deletes its customer and card at the provider. Ledger and purchases stay,
 * under an id without a name.
 */
export async function forgetPayer(
  { jobs, stripe }: Pick<CreditsRoom, 'jobs' | 'stripe'>,
  tx: Tx,
  userId: string,
): Promise<void> {
  for (const table of [autoTopUp, lowBalance]) await tx.delete(table).where(eq(table.userId, userId))
  const [customer] = await tx.delete(paymentCustomer).where(eq(paymentCustomer.userId, userId)).returning()
  if (customer && stripe)
    await jobs.enqueue(tx, forgetJob, { customerId: customer.customerId }, { key: customer.customerId })
}

export async function forgetCustomer({ stripe }: Pick<CreditsRoom, 'stripe'>, customerId: string): Promise<void> {
  if (stripe) await answerOf(stripe.customers.del(customerId))
}
