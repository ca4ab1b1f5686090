import { and, eq, isNull, or, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import { type Tx, withTx } from '../platform/db.ts'
import { concludeTopUp } from './auto-top-up.ts'
import { cardOf, detachReplaced, keepCard } from './cards.ts'
import { grant } from './ledger.ts'
import { takeBack } from './refunds.ts'
import { type CreditsRoom, money, nameOf, type Order, stripeOf, tell } from './room.ts'
import { payment, stripeEvent } from './schema.ts'
import { answerOf, idOf } from './stripe.ts'

/**
 * - granted: the credits were added just now
 * - repeated: they had been added before
 * - unpaid: nothing to add yet
 * - mismatch: paid, but not what was ordered
 * - foreign: no order of ours; others may use the same account at the provider
 */
type Standing = 'granted' | 'repeated' | 'unpaid' | 'mismatch' | 'foreign'

interface Recorded {
  readonly standing: Standing
  readonly intentStatus: string
}

/** How a payment stands at the provider, read as a whole. */
interface Snapshot {
  /** When the reading began, by the database's clock. */
  readonly readAt: string
  readonly intent: Stripe.PaymentIntent
  readonly refunds: readonly Stripe.Refund[]
  readonly disputes: readonly Stripe.Dispute[]
}

interface Effect extends Recorded {
  readonly userId?: string
  /** Credits that can be spent now, if that changed. */
  readonly available?: number | undefined
  readonly replacedCard?: string | undefined
}

/**
 * Brings our books in line with how a payment stands at the provider. Events, pages and the reconciler all come here, and none of them is
 * believed: each only says that it is time to look. So lost, late, repeated and reordered events make no difference.
 * An event is kept in the transaction of its effect.
 */
export async function recordIntent(room: CreditsRoom, intentId: string, event?: Pick<Stripe.Event, 'id' | 'type'>): Promise<Recorded> {
  const snapshot = await readPayment(room, intentId)
  const effect = await withTx(room.db, async (tx): Promise<Effect> => {
    if (event) await tx.insert(stripeEvent).values({ id: event.id, type: event.type }).onConflictDoNothing()
    const order = snapshot && (await lockOrder(tx, snapshot.intent))
    return order ? apply(tx, order, snapshot) : { standing: 'foreign', intentStatus: snapshot?.intent.status ?? 'missing' }
  })
  const { standing, intentStatus, userId, available, replacedCard } = effect
  if (standing === 'mismatch') room.log.error({ intentId, intentStatus }, 'a payment is not what was ordered')
  if (userId !== undefined && available !== undefined) tell(room.bus, userId, available)
  if (replacedCard !== undefined) await detachReplaced(room, replacedCard)
  return { standing, intentStatus }
}

async function readPayment(room: CreditsRoom, intentId: string): Promise<Snapshot | undefined> {
  const stripe = stripeOf(room)
  const { rows } = await room.db.execute<{ now: string }>(sql`select clock_timestamp()::text as now`)
  const intent = await answerOf(stripe.paymentIntents.retrieve(intentId, { expand: ['payment_method'] }))
  if (!intent) return undefined
  const of = { payment_intent: intentId, limit: 100 }
  const paid = intent.status === 'succeeded'
  const [refunds, disputes] = await Promise.all([
    paid ? answerOf(stripe.refunds.list(of)) : undefined,
    paid ? answerOf(stripe.disputes.list(of)) : undefined,
  ])
  return { readAt: rows[0]?.now ?? '', intent, refunds: refunds?.data ?? [], disputes: disputes?.data ?? [] }
}

/** The order that an intent was made for; it may have been made by a process that died before it could say so. */
async function lockOrder(tx: Tx, { id, metadata }: Stripe.PaymentIntent): Promise<Order | undefined> {
  const ordered = and(eq(payment.id, metadata['order'] ?? ''), isNull(payment.intentId))
  const [order] = await tx
    .select()
    .from(payment)
    .where(or(eq(payment.intentId, id), ordered))
    .for('update')
  return order
}

async function apply(tx: Tx, order: Order, { readAt, intent, refunds, disputes }: Snapshot): Promise<Effect> {
  const intentStatus = intent.status
  const { userId } = order
  const { rows } = await tx.execute<{ late: boolean }>(sql`select ${readAt}::timestamptz < ${order.checkedAt}::timestamptz as late`)
  // Somebody who began to read later was here first: this is old news.
  if (rows[0]?.late) return { standing: order.status === 'succeeded' ? 'repeated' : 'unpaid', intentStatus, userId }
  await tx.update(payment).set({ intentId: intent.id, checkedAt: readAt }).where(eq(payment.id, order.id))
  if (intentStatus !== 'succeeded') {
    if (order.status !== 'succeeded')
      await tx
        .update(payment)
        .set({ status: statusOf(intent) })
        .where(eq(payment.id, order.id))
    if (order.automatic) await concludeTopUp(tx, order, intent)
    return { standing: 'unpaid', intentStatus, userId }
  }
  if (!isAsOrdered(order, intent)) return { standing: 'mismatch', intentStatus, userId }
  const first = order.status !== 'succeeded'
  const credited = first ? await credit(tx, order, intent) : undefined
  const takenBack = await takeBack(tx, { ...order, capturedCents: order.amountCents }, refunds, disputes)
  return {
    standing: first ? 'granted' : 'repeated',
    intentStatus,
    userId,
    available: takenBack ?? credited?.available,
    replacedCard: credited?.replacedCard,
  }
}

function isAsOrdered(order: Order, { amount_received: received, currency, metadata }: Stripe.PaymentIntent): boolean {
  const { id, userId, amountCents } = order
  return received === amountCents && currency === order.currency && metadata['order'] === id && metadata['user'] === userId
}

async function credit(tx: Tx, order: Order, intent: Stripe.PaymentIntent) {
  const { id, userId, packageId, credits, bonusCredits, amountCents } = order
  const bonus = bonusCredits > 0 ? ` and ${bonusCredits} bonus credits` : ''
  const cause = `${nameOf(packageId)} bought for ${money(amountCents)}: ${credits} credits${bonus}`
  const { available } = await grant(tx, { userId, kind: 'purchase', key: `pi:${intent.id}`, credits, bonusCredits, cause })
  const card = cardOf(intent.payment_method)
  const paid = {
    status: 'succeeded' as const,
    capturedCents: amountCents,
    paidAt: new Date(),
    card: card && `${card.brand} ending in ${card.last4}`,
  }
  await tx.update(payment).set(paid).where(eq(payment.id, id))
  if (order.automatic) await concludeTopUp(tx, order, intent)
  const customerId = idOf(intent.customer)
  const replacedCard = order.saveCard && card && customerId !== undefined ? await keepCard(tx, userId, customerId, card) : undefined
  return { available, replacedCard }
}

function statusOf({ status, last_payment_error: declined }: Stripe.PaymentIntent): Order['status'] {
  if (status === 'processing') return 'processing'
  if (status === 'canceled') return 'canceled'
  return declined ? 'failed' : 'open'
}
