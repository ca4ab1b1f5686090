import type { SavedCard } from '@parley/contract'
import { and, eq } from 'drizzle-orm'
import Stripe from 'stripe'
import { findPerson } from '../../accounts/index.ts'
import { type Reader, type Tx, withTx } from '../../platform/db.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import { hashOf } from '../../platform/requests/idempotency.ts'
import { defineJob } from '../../platform/jobs.ts'
import { OldNews, readAnew } from '../reading.ts'
import { type CardWork, type CreditsRoom, stripeOf } from '../room.ts'
import { autoTopUp, paymentCustomer } from '../schema.ts'
import { answerOf, idOf } from '../payments/stripe.ts'

// The one saved card per user, kept by the payment provider. We store brand and last digits, never the number.

export interface KnownCard extends SavedCard {
  readonly paymentMethodId: string
}

const NO_CARD = { paymentMethodId: null, brand: null, last4: null, expMonth: null, expYear: null }

/** The provider's customer of a user, created on first use. `lost`: a customer id that the provider no longer knows. */
async function ensureCustomer(
  room: Pick<CreditsRoom, 'db' | 'stripe'>,
  userId: string,
  lost?: string,
): Promise<string> {
  const known = await customerOf(room.db, userId)
  if (known !== undefined && known !== lost) return known
  const { email } = await findPerson(room.db, userId)
  // A new key, since the old one would return the lost customer.
  const options = { idempotencyKey: `customer:${userId}:${hashOf(lost === undefined ? email : [email, lost])}` }
  const customer = await answerOf(stripeOf(room).customers.create({ email, metadata: { user: userId } }, options))
  if (!customer) throw new Error('The provider made no customer')
  await withTx(room.db, async (tx) => {
    if (lost !== undefined) await replaceCustomer(tx, userId, lost, customer.id)
    await tx.insert(paymentCustomer).values({ userId, customerId: customer.id }).onConflictDoNothing()
  })
  return (await customerOf(room.db, userId)) ?? customer.id
}

async function customerOf(reader: Reader, userId: string): Promise<string | undefined> {
  const [row] = await reader.select().from(paymentCustomer).where(eq(paymentCustomer.userId, userId))
  return row?.customerId
}

/** The lost customer's card is gone too; auto top-up reports it. */
async function replaceCustomer(tx: Tx, userId: string, lost: string, customerId: string): Promise<void> {
  const [replaced] = await tx
    .update(paymentCustomer)
    .set({ customerId, ...NO_CARD })
    .where(and(eq(paymentCustomer.userId, userId), eq(paymentCustomer.customerId, lost)))
    .returning()
  if (replaced)
    await tx
      .update(autoTopUp)
      .set({ problem: 'The saved card is gone. Please save it again.' })
      .where(eq(autoTopUp.userId, userId))
}

/**
 * Runs a request as the user's customer. If the provider no longer knows the customer, creates a new one and retries
 * once.
 */
export async function asCustomer<T>(
  room: CardWork,
  userId: string,
  ask: (customerId: string) => Promise<T>,
): Promise<T> {
  const customerId = await ensureCustomer(room, userId)
  try {
    return await ask(customerId)
  } catch (error) {
    const isLost =
      error instanceof Stripe.errors.StripeError && error.code === 'resource_missing' && error.param === 'customer'
    if (!isLost) throw error
    room.log.warn({ userId, customerId }, 'the payment provider does not know a customer any more')
    return ask(await ensureCustomer(room, userId, customerId))
  }
}

/** The payment method of an expanded field. */
export function wholeOf(method: string | Stripe.PaymentMethod | null): Stripe.PaymentMethod | undefined {
  return typeof method === 'string' ? undefined : (method ?? undefined)
}

export function cardOf(method: Stripe.PaymentMethod | undefined): KnownCard | undefined {
  if (!method?.card) return undefined
  const { brand, last4, exp_month: expMonth, exp_year: expYear } = method.card
  return { paymentMethodId: method.id, brand, last4, expMonth, expYear }
}

/** The stored card at the time when the provider was asked about another. */
export interface CardBefore {
  readonly paymentMethodId: string | null
  /** The stored card was created after the other one. */
  readonly isNewer: boolean
}

/** Compares a card from the provider with the stored one: events may arrive late and in any order. */
export async function readCardBefore(
  room: Pick<CreditsRoom, 'db' | 'stripe'>,
  userId: string,
  method: Stripe.PaymentMethod,
): Promise<CardBefore> {
  const [row] = await room.db.select().from(paymentCustomer).where(eq(paymentCustomer.userId, userId))
  const paymentMethodId = row?.paymentMethodId ?? null
  if (paymentMethodId === null || paymentMethodId === method.id) return { paymentMethodId, isNewer: false }
  const known = await answerOf(stripeOf(room).paymentMethods.retrieve(paymentMethodId))
  const isNewer = known !== undefined && idOf(known.customer) === row?.customerId && known.created > method.created
  return { paymentMethodId, isNewer }
}

/**
 * Stores a card that is still attached to the customer and not older than the stored one, and clears auto top-up's
 * problem. Returns the replaced card's id. Throws OldNews if the stored card changed meanwhile.
 */
export async function keepCard(
  tx: Tx,
  { userId, customerId }: { readonly userId: string; readonly customerId: string },
  method: Stripe.PaymentMethod,
  known: CardBefore,
): Promise<string | undefined> {
  const card = cardOf(method)
  if (!card || idOf(method.customer) !== customerId) return undefined
  const own = and(eq(paymentCustomer.userId, userId), eq(paymentCustomer.customerId, customerId))
  const [before] = await tx.select().from(paymentCustomer).where(own).for('update')
  if (!before || before.paymentMethodId === card.paymentMethodId) return undefined
  if (before.paymentMethodId !== known.paymentMethodId) throw new OldNews()
  if (known.isNewer) return undefined
  await tx.update(paymentCustomer).set(card).where(own)
  await tx.update(autoTopUp).set({ problem: null }).where(eq(autoTopUp.userId, userId))
  return before.paymentMethodId ?? undefined
}

/** Detaches a replaced card at the provider. A failure does no harm: nothing refers to the card any more. */
export async function detachReplaced(
  room: Pick<CreditsRoom, 'log' | 'stripe'>,
  paymentMethodId: string,
): Promise<void> {
  await stripeOf(room)
    .paymentMethods.detach(paymentMethodId)
    .catch((error: unknown) => room.log.warn({ err: error }, 'a replaced card was not detached'))
}

export async function savedCard(
  reader: Reader,
  userId: string,
): Promise<(KnownCard & { readonly customerId: string }) | undefined> {
  const [row] = await reader.select().from(paymentCustomer).where(eq(paymentCustomer.userId, userId))
  if (!row) return undefined
  const { customerId, paymentMethodId, brand, last4, expMonth, expYear } = row
  if (paymentMethodId === null || brand === null || last4 === null || expMonth === null || expYear === null)
    return undefined
  return { customerId, paymentMethodId, brand, last4, expMonth, expYear }
}

/** Begins saving a card without a purchase. */
export async function beginSetup(room: CardWork, userId: string): Promise<{ clientSecret: string }> {
  const stripe = stripeOf(room)
  const params = { allowed_payment_method_types: ['card'], usage: 'off_session' as const, metadata: { user: userId } }
  const setup = await answerOf(
    asCustomer(room, userId, async (customer) => stripe.setupIntents.create({ ...params, customer })),
  )
  if (!setup || setup.client_secret === null) throw new Error('The provider made no setup intent')
  return { clientSecret: setup.client_secret }
}

/**
 * Stores the card of a succeeded setup intent; `userId`: its expected owner. The intent is read from the provider,
 * since events may be late.
 */
export async function recordSetup(room: CardWork, setupIntentId: string, userId?: string): Promise<void> {
  const replaced = await readAnew(async () => {
    const setup = await answerOf(stripeOf(room).setupIntents.retrieve(setupIntentId, { expand: ['payment_method'] }))
    const owner = setup?.metadata?.['user']
    const customerId = idOf(setup?.customer)
    if (!setup || owner === undefined || customerId === undefined || (userId !== undefined && userId !== owner)) {
      if (userId === undefined) return undefined
      throw notFound('The card')
    }
    const method = wholeOf(setup.payment_method)
    if (setup.status !== 'succeeded' || !method?.card) {
      if (userId === undefined) return undefined
      throw new AppError('conflict', 'The card was not confirmed. Please try again.')
    }
    if (userId !== undefined && idOf(method.customer) !== customerId)
      throw new AppError('conflict', 'The card is not saved any more. Please try again.')
    const known = await readCardBefore(room, owner, method)
    // A user who saves a card now wants this one, even if it was entered earlier.
    const isNewer = known.isNewer && userId === undefined
    return withTx(room.db, async (tx) => keepCard(tx, { userId: owner, customerId }, method, { ...known, isNewer }))
  })
  if (replaced !== undefined) await detachReplaced(room, replaced)
}

const detachJob = defineJob<{ paymentMethodId: string }>('credits.detach-card', {
  retryLimit: 20,
  retryDelaySeconds: 30,
})
const DETACHED_AGAIN_MS = 60_000

/**
 * Deletes the saved card here and at the provider, and auto top-up. A job detaches it again later, in case the provider
 * is away.
 */
export async function forgetCard(
  room: Pick<CreditsRoom, 'db' | 'jobs' | 'log' | 'stripe'>,
  userId: string,
): Promise<void> {
  const card = await savedCard(room.db, userId)
  if (!card) return
  const { paymentMethodId } = card
  stripeOf(room)
  await withTx(room.db, async (tx) => {
    await dropCard(tx, paymentMethodId)
    await tx.delete(autoTopUp).where(eq(autoTopUp.userId, userId))
    const startAfter = new Date(Date.now() + DETACHED_AGAIN_MS)
    await room.jobs.enqueue(tx, detachJob, { paymentMethodId }, { key: paymentMethodId, startAfter })
  })
  await detachReplaced(room, paymentMethodId)
}

/** Also clears a card that a late event has stored again. */
async function detachForgotten(room: Pick<CreditsRoom, 'db' | 'stripe'>, paymentMethodId: string): Promise<void> {
  try {
    await room.stripe?.paymentMethods.detach(paymentMethodId)
  } catch (error) {
    // Detached already, or unknown.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
  }
  await dropCard(room.db, paymentMethodId)
}

async function dropCard(db: Reader, paymentMethodId: string): Promise<void> {
  await db.update(paymentCustomer).set(NO_CARD).where(eq(paymentCustomer.paymentMethodId, paymentMethodId))
}

export function addCardJobs(room: CreditsRoom): void {
  room.jobs.work(detachJob, ({ paymentMethodId }) => detachForgotten(room, paymentMethodId))
}
