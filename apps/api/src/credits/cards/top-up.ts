import { packageById } from '@parley/contract'
import { and, asc, count, eq, gt, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import Stripe from 'stripe'
import { type Db, type Reader, type Tx, withTx } from '../../platform/db.ts'
import { eachAlone, isNotPassedOver } from '../../platform/rounds/each-alone.ts'
import type { Run } from '../../platform/rounds/rounds.ts'
import { savedCard } from './cards.ts'
import { balance } from '../ledger/ledger.ts'
import { mailJob } from '../mails.ts'
import { attach, intentFor, writeOrder } from '../payments/purchase.ts'
import { dropIntent, recordIntent } from '../payments/outcomes.ts'
import { type Crediting, type PaymentRow, stripeOf } from '../room.ts'
import { autoTopUp, ledgerAccount, payment } from '../schema.ts'
import { isAway } from '../payments/stripe.ts'

// Buys a package with the saved card when credits are low. Held credits still count as present: only spent ones matter.

export const TOP_UP_EVERY_MS = 10_000
/** Automatic purchases in 24 hours, at any threshold; a user who spends faster buys by hand. */
const PER_DAY_MAX = 3
const PEOPLE_PER_ROUND = 50
const BOUGHT_AT_ONCE = 5
const TASK = 'credits.top-up'

/** One round: users below their threshold, and purchases whose response was lost. */
export async function topUp(room: Crediting, run?: Run): Promise<void> {
  if (!room.stripe) return
  const due = await takeTurns(room.db)
  const work = ({ userId }: { readonly userId: string }) => buy(room, userId)
  await eachAlone({
    room,
    task: TASK,
    items: due,
    subjectOf: ({ userId }) => userId,
    work,
    atOnce: BOUGHT_AT_ONCE,
    run,
  })
}

/** Users below their threshold with a purchase in progress or left for today, least recently tried first. */
async function takeTurns(db: Db): Promise<{ userId: string }[]> {
  const bought = db
    .select({ times: count() })
    .from(payment)
    .where(and(eq(payment.userId, autoTopUp.userId), automaticToday))
  const mayBuy = or(isNotNull(autoTopUp.orderId), sql`(${bought}) < ${PER_DAY_MAX}`)
  const due = db
    .select({ userId: autoTopUp.userId })
    .from(autoTopUp)
    .innerJoin(ledgerAccount, eq(ledgerAccount.id, sql`'wallet:' || ${autoTopUp.userId}`))
    .where(
      and(
        isNull(autoTopUp.problem),
        lt(ledgerAccount.posted, autoTopUp.thresholdCredits),
        mayBuy,
        isNotPassedOver(TASK, autoTopUp.userId),
      ),
    )
    .orderBy(asc(autoTopUp.triedAt))
    .limit(PEOPLE_PER_ROUND)
  return db
    .update(autoTopUp)
    .set({ triedAt: sql`clock_timestamp()` })
    .where(inArray(autoTopUp.userId, due))
    .returning({ userId: autoTopUp.userId })
}

async function buy(room: Crediting, userId: string): Promise<void> {
  const order = await withTx(room.db, (tx) => orderOf(tx, userId))
  const card = await savedCard(room.db, userId)
  if (!order || !card) return
  if (order.intentId !== null) {
    const { intentStatus } = await recordIntent(room, order.intentId)
    const needsPerson = intentStatus === 'requires_payment_method' || intentStatus === 'requires_action'
    return needsPerson ? stop(room, order, order.intentId, 'The card was declined.') : undefined
  }
  const { customerId: customer, paymentMethodId } = card
  const params = { ...intentFor(order), customer, payment_method: paymentMethodId, off_session: true, confirm: true }
  try {
    // The order's id is the idempotency key, so a retry after a lost response returns the same payment.
    const intent = await stripeOf(room).paymentIntents.create(params, { idempotencyKey: order.id })
    await attach(room.db, order.id, intent.id)
    await recordIntent(room, intent.id)
  } catch (error) {
    if (isAway(error) || !(error instanceof Stripe.errors.StripeError)) throw error
    await giveUp(room, order, error)
  }
}

/** The purchase in progress, or a new one within the daily limit. */
async function orderOf(tx: Tx, userId: string): Promise<PaymentRow | undefined> {
  const [row] = await tx.select().from(autoTopUp).where(eq(autoTopUp.userId, userId)).for('update')
  const item = row && packageById(row.packageId)
  if (!row || !item || row.problem !== null) return undefined
  if (row.orderId !== null) {
    const [begun] = await tx.select().from(payment).where(eq(payment.id, row.orderId))
    if (begun && begun.status !== 'canceled') return begun
  }
  // A concurrent round may have bought already.
  if ((await balance(tx, userId)).posted >= row.thresholdCredits) return undefined
  if (!(await mayBuyToday(tx, userId))) return undefined
  const orderId = await writeOrder(tx, userId, item, { automatic: true })
  await tx.update(autoTopUp).set({ orderId }).where(eq(autoTopUp.userId, userId))
  const [order] = await tx.select().from(payment).where(eq(payment.id, orderId))
  return order
}

const automaticToday = and(eq(payment.automatic, true), gt(payment.createdAt, sql`now() - interval '1 day'`))

/** Whether another automatic purchase is allowed within 24 hours. */
export async function mayBuyToday(reader: Reader, userId: string): Promise<boolean> {
  const [bought] = await reader
    .select({ times: count() })
    .from(payment)
    .where(and(eq(payment.userId, userId), automaticToday))
  return (bought?.times ?? 0) < PER_DAY_MAX
}

/** Stops after a declined card or required authentication: a retry would not help. */
async function giveUp(room: Crediting, order: PaymentRow, error: Stripe.errors.StripeError): Promise<void> {
  const needsPerson = error.code === 'authentication_required'
  const problem = needsPerson
    ? 'The bank asks you to confirm payments with this card. Please save it again.'
    : error.message
  await stop(room, order, error.payment_intent?.id, problem)
}

/**
 * Stops auto top-up and mails the user in one transaction, before the payment is canceled at the provider: recording
 * that cancellation would allow another attempt.
 */
async function stop(room: Crediting, order: PaymentRow, intentId: string | undefined, problem: string): Promise<void> {
  if (intentId !== undefined) await attach(room.db, order.id, intentId)
  await withTx(room.db, async (tx) => {
    if (intentId === undefined) await tx.update(payment).set({ status: 'canceled' }).where(eq(payment.id, order.id))
    const stopped = await tx
      .update(autoTopUp)
      .set({ problem, orderId: null })
      .where(and(eq(autoTopUp.userId, order.userId), eq(autoTopUp.orderId, order.id)))
      .returning({ userId: autoTopUp.userId })
    if (stopped.length === 0) return
    await room.jobs.enqueue(
      tx,
      mailJob,
      { mail: 'top_up_failed', userId: order.userId, problem },
      { key: `top-up:${order.id}` },
    )
  })
  if (intentId !== undefined) await dropIntent(room, intentId, 'abandoned')
}
