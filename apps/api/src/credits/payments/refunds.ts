import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Tx } from '../../platform/db.ts'
import { clawBack, grant } from '../ledger/ledger.ts'
import { money, nameOf, type PaymentRow } from '../room.ts'
import { payment, paymentDispute, paymentRefund } from '../schema.ts'

// A refund takes back credits and bonus in the same proportion as the price.

interface Claim {
  readonly id: string
  readonly key: `re:${string}` | `dp:${string}`
  readonly cents: number
  readonly createdAt: number
  /** The money is refunded, or on its way. */
  readonly counts: boolean
  readonly counted: boolean
  readonly cause: string
  keep(): Promise<void>
}

/** Applies refunds and disputes to a paid purchase. Returns the credits available now, if changed. */
export async function takeBack(
  tx: Tx,
  order: PaymentRow,
  refunds: readonly Stripe.Refund[],
  disputes: readonly Stripe.Dispute[],
): Promise<number | undefined> {
  const claims = [...(await refundClaims(tx, order, refunds)), ...(await disputeClaims(tx, order, disputes))]
  claims.sort((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1))
  let claimedCents = claims.reduce((sum, { counted, cents }) => sum + (counted ? cents : 0), 0)
  let taken = { credits: order.takenCredits, bonusCredits: order.takenBonusCredits }
  let available: number | undefined
  for (const claim of claims) {
    await claim.keep()
    if (claim.counts === claim.counted) continue
    claimedCents += claim.counts ? claim.cents : -claim.cents
    const due = share(order, claimedCents)
    available =
      (await move(tx, order, claim, due.credits - taken.credits, due.bonusCredits - taken.bonusCredits)) ?? available
    taken = due
  }
  const returnedCents = Math.min(claimedCents, order.capturedCents)
  await tx
    .update(payment)
    .set({ returnedCents, takenCredits: taken.credits, takenBonusCredits: taken.bonusCredits })
    .where(eq(payment.id, order.id))
  return available
}

/**
 * Credits of the refunded share. Computed cumulatively, so that partial refunds sum to the whole; rounds in the user's
 * favour.
 */
export function share(
  { credits, bonusCredits, amountCents }: Pick<PaymentRow, 'credits' | 'bonusCredits' | 'amountCents'>,
  returnedCents: number,
): { credits: number; bonusCredits: number } {
  const cents = Math.min(returnedCents, amountCents)
  return {
    credits: Math.floor((credits * cents) / amountCents),
    bonusCredits: Math.floor((bonusCredits * cents) / amountCents),
  }
}

async function move(
  tx: Tx,
  { userId }: PaymentRow,
  { key, cause }: Claim,
  credits: number,
  bonusCredits: number,
): Promise<number | undefined> {
  if (credits === 0 && bonusCredits === 0) return undefined
  if (credits >= 0 && bonusCredits >= 0)
    return (await clawBack(tx, { userId, key, credits, bonusCredits, cause })).available
  const back = { credits: -credits, bonusCredits: -bonusCredits }
  return (
    await grant(tx, { userId, kind: 'purchase', key: `${key}:returned`, ...back, cause: `${cause} came to nothing` })
  ).available
}

async function refundClaims(
  tx: Tx,
  { id: orderId, packageId }: PaymentRow,
  refunds: readonly Stripe.Refund[],
): Promise<Claim[]> {
  const known = await tx.select().from(paymentRefund).where(eq(paymentRefund.orderId, orderId))
  return refunds.map(({ id, amount: cents, status: reported, created: createdAt }): Claim => {
    const status = reported === 'failed' || reported === 'canceled' ? ('failed' as const) : ('standing' as const)
    return {
      id,
      cents,
      createdAt,
      key: `re:${id}`,
      counts: status === 'standing',
      counted: known.some((row) => row.id === id && row.status === 'standing'),
      cause: `Refund of ${money(cents)} for the ${nameOf(packageId)}`,
      async keep() {
        const row = { id, orderId, cents, status }
        await tx.insert(paymentRefund).values(row).onConflictDoUpdate({ target: paymentRefund.id, set: { status } })
      },
    }
  })
}

/** Inquiries (warning_…) and prevented disputes take no money. */
const NO_DISPUTE = /^(warning_|prevented)/

type DisputeStatus = (typeof paymentDispute.$inferSelect)['status']

async function disputeClaims(
  tx: Tx,
  { id: orderId, packageId }: PaymentRow,
  disputes: readonly Stripe.Dispute[],
): Promise<Claim[]> {
  const known = await tx.select().from(paymentDispute).where(eq(paymentDispute.orderId, orderId))
  return disputes
    .filter(({ status }) => !NO_DISPUTE.test(status))
    .map(({ id, amount: cents, status: reported, created: createdAt }): Claim => {
      const status: DisputeStatus = reported === 'won' ? 'won' : reported === 'lost' ? 'lost' : 'open'
      const before = known.find((row) => row.id === id)
      const counts = status !== 'won'
      const counted = before !== undefined && before.status !== 'won'
      const rounds = before === undefined ? 1 : before.rounds + (counts && !counted ? 1 : 0)
      return {
        id,
        cents,
        createdAt,
        key: rounds === 1 ? `dp:${id}` : `dp:${id}:${rounds}`,
        counts,
        counted,
        cause: `Dispute about ${money(cents)} for the ${nameOf(packageId)}`,
        async keep() {
          const row = { id, orderId, cents, status, rounds }
          await tx
            .insert(paymentDispute)
            .values(row)
            .onConflictDoUpdate({ target: paymentDispute.id, set: { status, rounds } })
        },
      }
    })
}
