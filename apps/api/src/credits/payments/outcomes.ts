import { and, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Jobs } from '../../platform/jobs.ts'
import { type Reader, type Tx, withTx } from '../../platform/db.ts'
import { concludeTopUp } from '../cards/auto-top-up.ts'
import { type CardBefore, cardOf, detachReplaced, keepCard, readCardBefore, wholeOf } from '../cards/cards.ts'
import { grant } from '../ledger/ledger.ts'
import { mailJob } from '../mails.ts'
import { OldNews, readAnew } from '../reading.ts'
import { takeBack } from './refunds.ts'
import { isDecided, openTask } from './tasks.ts'
import { type Crediting, type CreditsRoom, money, nameOf, type PaymentRow, stripeOf, tell } from '../room.ts'
import { autoTopUp, payment, stripeEvent, UNFINISHED } from '../schema.ts'
import { answerOf, idOf } from './stripe.ts'

/**
 * granted: credits were added now; repeated: added before; unpaid: nothing to add yet; mismatch: paid, but not as
 * ordered; foreign: not our purchase, since others may use the same provider account.
 */
type Standing = 'granted' | 'repeated' | 'unpaid' | 'mismatch' | 'foreign'

interface Recorded {
  readonly standing: Standing
  readonly intentStatus: string
}

/** A payment's complete state at the provider. */
interface Snapshot {
  /** Start of the reading, by the database's clock. */
  readonly readAt: string
  readonly intent: Stripe.PaymentIntent
  readonly refunds: readonly Stripe.Refund[]
  readonly disputes: readonly Stripe.Dispute[]
  /** The stored card, if this payment's card is to be saved. */
  readonly cardBefore: CardBefore | undefined
}

interface Event {
  readonly id: string
  readonly type: string
}

interface Effect extends Recorded {
  readonly userId?: string
  /** Credits available now, if changed. */
  readonly available?: number | undefined
  readonly replacedCard?: string | undefined
  readonly canceledOrder?: string | undefined
}

/** A payment still unknown to the provider after this time does not exist. */
const UNKNOWN_MINUTES = 60

/**
 * Brings the ledger in line with a payment's state at the provider. Events, pages and the reconciler only trigger this
 * reading and are not trusted, so lost, late, repeated or reordered events do no harm. The event is recorded in the
 * transaction of its effect.
 */
export async function recordIntent(room: Crediting, intentId: string, event?: Event): Promise<Recorded> {
  const effect = await readAnew(async (than) => {
    const readAt = await clockOf(room.db, than)
    const snapshot = await readPayment(room, intentId, readAt)
    return withTx(room.db, async (tx) => bringInLine(room.jobs, tx, intentId, readAt, snapshot, event))
  })
  const { standing, intentStatus, userId, available, replacedCard, canceledOrder } = effect
  if (canceledOrder !== undefined)
    room.log.error({ intentId, orderId: canceledOrder }, 'an order that the provider does not know was canceled')
  if (standing === 'mismatch') room.log.error({ intentId, intentStatus }, 'a payment is not what was ordered')
  if (userId !== undefined && available !== undefined) tell(room.bus, userId, available)
  if (replacedCard !== undefined) await detachReplaced(room, replacedCard)
  return { standing, intentStatus }
}

/** Cancels an unpaid payment. The provider refuses if it was paid at this moment; then it is recorded as paid. */
export async function dropIntent(room: Crediting, intentId: string, reason: 'abandoned' | 'duplicate'): Promise<void> {
  await answerOf(stripeOf(room).paymentIntents.cancel(intentId, { cancellation_reason: reason })).catch(
    (error: unknown) => room.log.info({ err: error, intentId }, 'an unpaid order was not canceled'),
  )
  await recordIntent(room, intentId)
}

async function bringInLine(
  jobs: Jobs,
  tx: Tx,
  intentId: string,
  readAt: string,
  snapshot: Snapshot | undefined,
  event: Event | undefined,
): Promise<Effect> {
  const taken =
    event && (await tx.insert(stripeEvent).values({ id: event.id, type: event.type }).onConflictDoNothing().returning())
  if (!snapshot)
    return { standing: 'foreign', intentStatus: 'missing', canceledOrder: await keepUnknown(tx, intentId, readAt) }
  const intentStatus = snapshot.intent.status
  const order = await lockOrder(tx, snapshot.intent)
  if (!order) {
    // Paid for an order of ours that has another payment.
    const [named] = await tx
      .select()
      .from(payment)
      .where(eq(payment.id, snapshot.intent.metadata['order'] ?? ''))
    if (!named || intentStatus !== 'succeeded') return { standing: 'foreign', intentStatus }
    await openTask(jobs, tx, named, snapshot.intent)
    return { standing: 'mismatch', intentStatus }
  }
  // A concurrent delivery of the same event had the effect.
  if (taken?.length === 0) return { standing: order.status === 'succeeded' ? 'repeated' : 'unpaid', intentStatus }
  return apply(jobs, tx, order, snapshot)
}

/** The database's clock in microseconds, but later than `than` even if the clock was set back. */
async function clockOf(reader: Reader, than: string | undefined): Promise<string> {
  const { rows } = await reader.execute<{ now: string }>(
    sql`select greatest(clock_timestamp(), ${than ?? null}::timestamptz + interval '1 microsecond')::text as now`,
  )
  return rows[0]?.now ?? ''
}

async function readPayment(
  room: Pick<CreditsRoom, 'db' | 'stripe'>,
  intentId: string,
  readAt: string,
): Promise<Snapshot | undefined> {
  const stripe = stripeOf(room)
  const intent = await answerOf(stripe.paymentIntents.retrieve(intentId, { expand: ['payment_method'] }))
  if (!intent) return undefined
  const of = { payment_intent: intentId, limit: 100 }
  const paid = intent.status === 'succeeded'
  const user = intent.metadata['user']
  const method = paid && intent.setup_future_usage !== null ? wholeOf(intent.payment_method) : undefined
  const [refunds, disputes, cardBefore] = await Promise.all([
    paid ? answerOf(stripe.refunds.list(of)) : undefined,
    paid ? answerOf(stripe.disputes.list(of)) : undefined,
    method && user !== undefined ? readCardBefore(room, user, method) : undefined,
  ])
  return { readAt, intent, refunds: refunds?.data ?? [], disputes: disputes?.data ?? [], cardBefore }
}

/**
 * Handles a payment unknown to the provider: after UNKNOWN_MINUTES its purchase is canceled, so that auto top-up can
 * retry; if it turns up paid later, it is still credited. Returns the id of a canceled purchase.
 */
async function keepUnknown(tx: Tx, intentId: string, readAt: string): Promise<string | undefined> {
  const ours = and(eq(payment.intentId, intentId), inArray(payment.status, UNFINISHED), lt(payment.checkedAt, readAt))
  const certain = sql<boolean>`${payment.createdAt} < now() - make_interval(mins => ${UNKNOWN_MINUTES})`
  const [order] = await tx.update(payment).set({ checkedAt: readAt }).where(ours).returning({ id: payment.id, certain })
  if (!order?.certain) return undefined
  await tx.update(payment).set({ status: 'canceled' }).where(eq(payment.id, order.id))
  await tx.update(autoTopUp).set({ orderId: null }).where(eq(autoTopUp.orderId, order.id))
  return order.id
}

/** The purchase of an intent; found by metadata if a crash lost the intent's id. */
async function lockOrder(tx: Tx, { id, metadata }: Stripe.PaymentIntent): Promise<PaymentRow | undefined> {
  const ordered = and(eq(payment.id, metadata['order'] ?? ''), isNull(payment.intentId))
  const [order] = await tx
    .select()
    .from(payment)
    .where(or(eq(payment.intentId, id), ordered))
    .for('update')
  return order
}

async function apply(
  jobs: Jobs,
  tx: Tx,
  order: PaymentRow,
  { readAt, intent, refunds, disputes, cardBefore }: Snapshot,
): Promise<Effect> {
  const intentStatus = intent.status
  const { userId, checkedAt } = order
  const { rows } = await tx.execute<{ late: boolean }>(
    sql`select ${readAt}::timestamptz <= ${checkedAt}::timestamptz as late`,
  )
  if (rows[0]?.late) throw new OldNews(checkedAt)
  await tx.update(payment).set({ intentId: intent.id, checkedAt: readAt }).where(eq(payment.id, order.id))
  if ((await isDecided(tx, intent.id)) && order.status !== 'succeeded')
    return { standing: 'mismatch', intentStatus, userId }
  if (intentStatus !== 'succeeded') {
    if (order.status !== 'succeeded')
      await tx
        .update(payment)
        .set({ status: statusOf(intent) })
        .where(eq(payment.id, order.id))
    if (order.automatic) await concludeTopUp(tx, order, intent)
    return { standing: 'unpaid', intentStatus, userId }
  }
  if (!isAsOrdered(order, intent)) {
    await openTask(jobs, tx, order, intent)
    return { standing: 'mismatch', intentStatus, userId }
  }
  const first = order.status !== 'succeeded'
  const credited = first ? await credit(jobs, tx, order, { intent, cardBefore }) : undefined
  const takenBack = await takeBack(tx, { ...order, capturedCents: order.amountCents }, refunds, disputes)
  return {
    standing: first ? 'granted' : 'repeated',
    intentStatus,
    userId,
    available: takenBack ?? credited?.available,
    replacedCard: credited?.replacedCard,
  }
}

function isAsOrdered(
  order: PaymentRow,
  { amount_received: received, currency, metadata }: Stripe.PaymentIntent,
): boolean {
  const { id, userId, amountCents } = order
  return (
    received === amountCents && currency === order.currency && metadata['order'] === id && metadata['user'] === userId
  )
}

async function credit(
  jobs: Jobs,
  tx: Tx,
  order: PaymentRow,
  { intent, cardBefore }: Pick<Snapshot, 'intent' | 'cardBefore'>,
) {
  const { id, userId, packageId, credits, bonusCredits, amountCents } = order
  const bonus = bonusCredits > 0 ? ` and ${bonusCredits} bonus credits` : ''
  const cause = `${nameOf(packageId)} bought for ${money(amountCents)}: ${credits} credits${bonus}`
  const { available } = await grant(tx, {
    userId,
    kind: 'purchase',
    key: `pi:${intent.id}`,
    credits,
    bonusCredits,
    cause,
  })
  const method = wholeOf(intent.payment_method)
  const card = cardOf(method)
  const paid = {
    status: 'succeeded' as const,
    capturedCents: amountCents,
    paidAt: new Date(),
    card: card && `${card.brand} ending in ${card.last4}`,
  }
  await tx.update(payment).set(paid).where(eq(payment.id, id))
  await jobs.enqueue(tx, mailJob, { mail: 'receipt', userId, orderId: id }, { key: `receipt:${id}` })
  if (order.automatic) await concludeTopUp(tx, order, intent)
  const customerId = idOf(intent.customer)
  const isToBeKept = order.saveCard && method && customerId !== undefined && cardBefore
  const replacedCard = isToBeKept ? await keepCard(tx, { userId, customerId }, method, cardBefore) : undefined
  return { available, replacedCard }
}

function statusOf({ status, last_payment_error: declined }: Stripe.PaymentIntent): PaymentRow['status'] {
  if (status === 'processing') return 'processing'
  if (status === 'canceled') return 'canceled'
  return declined ? 'failed' : 'open'
}
