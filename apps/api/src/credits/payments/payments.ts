import {
  amountCents,
  creditsRoutes,
  type CreditPackage,
  type NewPaymentIntent,
  packageById,
  type PaymentResult,
  totalCredits,
} from '@parley/contract'
import { and, count, desc, eq, gt, inArray, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { z } from 'zod'
import { type Reader, type Tx, withTx } from '../../platform/db.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import { once } from '../../platform/requests/idempotency.ts'
import { asCustomer } from '../cards/cards.ts'
import { attach, intentFor, writeOrder } from './purchase.ts'
import { dropIntent, recordIntent } from './outcomes.ts'
import { type CardWork, type Crediting, type PaymentRow, stripeOf } from '../room.ts'
import { payment } from '../schema.ts'
import { answerOf } from './stripe.ts'

// From a purchase to its card form; outcomes.ts records the result.

/** Shorter than the provider keeps an idempotency key (24 h), so that a purchase never gets a second intent. */
const ORDER_REUSED_HOURS = 20
/** Bounds card testing: an attacker begins many payments and pays none. */
const UNPAID_PER_HOUR_MAX = 20

/** Creates a purchase and its payment intent. Prices and credits come from the catalogue only. */
export async function beginPayment(
  room: Crediting,
  userId: string,
  body: z.output<typeof NewPaymentIntent>,
  key: string | undefined,
): Promise<{ clientSecret: string }> {
  const stripe = stripeOf(room)
  const item = catalogueItem(body)
  const routeId = creditsRoutes.createPaymentIntent.id
  const wanted = { userId, item, saveCard: body.saveCard ?? false, reuse: key === undefined }
  for (;;) {
    const { orderId, reused } = await withTx(room.db, (tx) =>
      once(tx, { userId, routeId, key, body }, () => openOrder(tx, wanted)),
    )
    const order = await findOrder(room.db, orderId)
    const intent = await intentOf(room, stripe, order)
    // A reopened page shows the same payment if it is still unpaid.
    if (!reused || intent.status === 'requires_payment_method') return { clientSecret: secretOf(intent) }
    // Otherwise it could be paid in addition to its replacement.
    if (intent.status === 'requires_action' || intent.status === 'requires_confirmation')
      await dropIntent(room, intent.id, 'duplicate')
    else await recordIntent(room, intent.id)
    await room.db.update(payment).set({ superseded: true }).where(eq(payment.id, orderId))
  }
}

function secretOf({ client_secret: secret, id }: Stripe.PaymentIntent): string {
  if (secret === null) throw new Error(`The payment intent ${id} has no client secret`)
  return secret
}

function catalogueItem({ packageId, productId, amount, credits }: z.output<typeof NewPaymentIntent>): CreditPackage {
  const item = packageById(packageId)
  if (!item || (productId !== undefined && productId !== item.productId)) {
    throw new AppError('invalid_package', 'Invalid package selected.', { field: 'packageId' })
  }
  if (amount !== amountCents(item)) throw new AppError('invalid_amount', 'Invalid amount.', { field: 'amount' })
  if (credits !== totalCredits(item))
    throw new AppError('invalid_amount', 'Invalid number of credits.', { field: 'credits' })
  return item
}

interface Wanted {
  readonly userId: string
  readonly item: CreditPackage
  readonly saveCard: boolean
  readonly reuse: boolean
}

/** The purchase open in another tab, or a new one, so that two tabs or a double click pay once. */
async function openOrder(
  tx: Tx,
  { userId, item, saveCard, reuse }: Wanted,
): Promise<{ orderId: string; reused: boolean }> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`order:${userId}`}, 0))`)
  if (!reuse) return { orderId: await newOrder(tx, userId, item, saveCard), reused: false }
  const recently = gt(payment.createdAt, sql`now() - make_interval(hours => ${ORDER_REUSED_HOURS})`)
  const own = and(eq(payment.userId, userId), eq(payment.automatic, false), eq(payment.superseded, false))
  const same = and(
    eq(payment.packageId, item.id),
    eq(payment.amountCents, amountCents(item)),
    eq(payment.saveCard, saveCard),
  )
  const [open] = await tx
    .select({ orderId: payment.id })
    .from(payment)
    .where(and(own, same, recently, inArray(payment.status, ['open', 'failed'])))
    .orderBy(desc(payment.createdAt))
    .limit(1)
  return open ? { ...open, reused: true } : { orderId: await newOrder(tx, userId, item, saveCard), reused: false }
}

async function newOrder(tx: Tx, userId: string, item: CreditPackage, saveCard: boolean): Promise<string> {
  const lately = gt(payment.createdAt, sql`now() - interval '1 hour'`)
  const unpaid = and(eq(payment.userId, userId), inArray(payment.status, ['open', 'failed']), lately)
  const [begun] = await tx.select({ orders: count() }).from(payment).where(unpaid)
  if ((begun?.orders ?? 0) >= UNPAID_PER_HOUR_MAX) {
    const message = 'Too many payments were begun and not paid. Please try again in an hour.'
    throw new AppError('rate_limited', message, { retryAfterSeconds: 3600 })
  }
  return writeOrder(tx, userId, item, { saveCard })
}

async function findOrder(reader: Reader, orderId: string): Promise<PaymentRow> {
  const [order] = await reader.select().from(payment).where(eq(payment.id, orderId))
  if (!order) throw notFound('The order')
  return order
}

/** The intent of a purchase; the idempotency key makes a retry return the first one. */
async function intentOf(room: CardWork, stripe: Stripe, order: PaymentRow): Promise<Stripe.PaymentIntent> {
  if (order.intentId !== null) {
    const known = await answerOf(stripe.paymentIntents.retrieve(order.intentId))
    if (known) return known
  }
  const create = async (
    keeping: Pick<Stripe.PaymentIntentCreateParams, 'customer' | 'setup_future_usage'>,
    idempotencyKey: string,
  ) => stripe.paymentIntents.create({ ...intentFor(order), ...keeping }, { idempotencyKey })
  // Keyed by customer too: the provider refuses another customer under the same key.
  const created = order.saveCard
    ? asCustomer(room, order.userId, async (customer) =>
        create({ customer, setup_future_usage: 'off_session' }, `${order.id}:${customer}`),
      )
    : create({}, order.id)
  const intent = await answerOf(created)
  if (!intent) throw new Error('The provider made no payment intent')
  await attach(room.db, order.id, intent.id)
  return intent
}

/** Records a payment that a page has seen succeed or has lost track of. Repeated calls report that it was added. */
export async function processPayment(
  room: Crediting,
  userId: string,
  intentId: string,
): Promise<z.input<typeof PaymentResult>> {
  const [order] = await room.db
    .select()
    .from(payment)
    .where(and(eq(payment.intentId, intentId), eq(payment.userId, userId)))
  if (!order) throw notFound('The payment')
  const credits = order.credits + order.bonusCredits
  if (order.status === 'succeeded')
    return {
      success: true,
      credits,
      status: 'already_added',
      message: `${credits} credits have already been added to your account.`,
    }
  stripeOf(room)
  const { standing, intentStatus } = await recordIntent(room, intentId)
  switch (standing) {
    case 'granted':
      return { success: true, credits, status: 'added', message: `${credits} credits have been added to your account.` }
    case 'repeated':
      return {
        success: true,
        credits,
        status: 'already_added',
        message: `${credits} credits have already been added to your account.`,
      }
    case 'mismatch':
    case 'foreign':
      throw new AppError('invalid_amount', 'This payment is not what was ordered. Please contact support.')
    case 'unpaid':
      if (intentStatus === 'processing')
        return {
          success: false,
          credits: 0,
          status: 'processing',
          message: 'Payment Received - credits will be added shortly',
        }
      return {
        success: false,
        credits: 0,
        status: 'unpaid',
        message: `Payment status: ${intentStatus}. Please try again.`,
      }
  }
}
