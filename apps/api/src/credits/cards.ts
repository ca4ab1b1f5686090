import type { SavedCard } from '@parley/contract'
import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { findPerson } from '../accounts/index.ts'
import { type Reader, type Tx, withTx } from '../platform/db.ts'
import { AppError, notFound } from '../platform/errors.ts'
import { hashOf } from '../platform/idempotency.ts'
import { type CreditsRoom, stripeOf } from './room.ts'
import { autoTopUp, paymentCustomer } from './schema.ts'
import { answerOf, idOf } from './stripe.ts'

// The one card that a person may leave with the payment provider. We know how to name it, never its number.

export interface KnownCard extends SavedCard {
  readonly paymentMethodId: string
}

/** The person at the payment provider, made when first needed. */
export async function ensureCustomer(room: CreditsRoom, userId: string): Promise<string> {
  const [known] = await room.db.select().from(paymentCustomer).where(eq(paymentCustomer.userId, userId))
  if (known) return known.customerId
  const { email } = await findPerson(room.db, userId)
  const options = { idempotencyKey: `customer:${userId}:${hashOf(email)}` }
  const customer = await answerOf(stripeOf(room).customers.create({ email, metadata: { user: userId } }, options))
  if (!customer) throw new Error('The provider made no customer')
  await room.db.insert(paymentCustomer).values({ userId, customerId: customer.id }).onConflictDoNothing()
  const [kept] = await room.db.select().from(paymentCustomer).where(eq(paymentCustomer.userId, userId))
  return kept?.customerId ?? customer.id
}

export function cardOf(method: string | Stripe.PaymentMethod | null): KnownCard | undefined {
  if (method === null || typeof method === 'string' || !method.card) return undefined
  const { brand, last4, exp_month: expMonth, exp_year: expYear } = method.card
  return { paymentMethodId: method.id, brand, last4, expMonth, expYear }
}

/** Whatever stopped auto top-up may be over with a new card. Returns the card that it replaces. */
export async function keepCard(tx: Tx, userId: string, customerId: string, card: KnownCard): Promise<string | undefined> {
  const [before] = await tx.select().from(paymentCustomer).where(eq(paymentCustomer.userId, userId)).for('update')
  await tx
    .insert(paymentCustomer)
    .values({ userId, customerId, ...card })
    .onConflictDoUpdate({ target: paymentCustomer.userId, set: card })
  await tx.update(autoTopUp).set({ problem: null }).where(eq(autoTopUp.userId, userId))
  const replaced = before?.paymentMethodId ?? undefined
  return replaced === card.paymentMethodId ? undefined : replaced
}

/** The provider forgets the card. One that is forgotten there already, or cannot be now, does no harm: nothing names it any more. */
export async function detachReplaced(room: CreditsRoom, paymentMethodId: string): Promise<void> {
  await stripeOf(room)
    .paymentMethods.detach(paymentMethodId)
    .catch((error: unknown) => room.log.warn({ err: error }, 'a replaced card was not detached'))
}

export async function savedCard(reader: Reader, userId: string): Promise<(KnownCard & { readonly customerId: string }) | undefined> {
  const [row] = await reader.select().from(paymentCustomer).where(eq(paymentCustomer.userId, userId))
  if (!row) return undefined
  const { customerId, paymentMethodId, brand, last4, expMonth, expYear } = row
  if (paymentMethodId === null || brand === null || last4 === null || expMonth === null || expYear === null) return undefined
  return { customerId, paymentMethodId, brand, last4, expMonth, expYear }
}

/** Begins to save a card without a purchase. */
export async function beginSetup(room: CreditsRoom, userId: string): Promise<{ clientSecret: string }> {
  const stripe = stripeOf(room)
  const customer = await ensureCustomer(room, userId)
  const params = { customer, allowed_payment_method_types: ['card'], usage: 'off_session' as const, metadata: { user: userId } }
  const setup = await answerOf(stripe.setupIntents.create(params))
  if (!setup || setup.client_secret === null) throw new Error('The provider made no setup intent')
  return { clientSecret: setup.client_secret }
}

/** Keeps the card of a setup intent that came through; `userId` is whose it must be. The webhook knows no better than the intent itself. */
export async function recordSetup(room: CreditsRoom, setupIntentId: string, userId?: string): Promise<void> {
  const setup = await answerOf(stripeOf(room).setupIntents.retrieve(setupIntentId, { expand: ['payment_method'] }))
  const owner = setup?.metadata?.['user']
  const customerId = idOf(setup?.customer)
  if (!setup || owner === undefined || customerId === undefined || (userId !== undefined && userId !== owner)) {
    if (userId === undefined) return
    throw notFound('The card')
  }
  const card = cardOf(setup.payment_method)
  if (setup.status !== 'succeeded' || !card) {
    if (userId === undefined) return
    throw new AppError('conflict', 'The card was not confirmed. Please try again.')
  }
  const replaced = await withTx(room.db, async (tx) => {
    const [known] = await tx.select().from(paymentCustomer).where(eq(paymentCustomer.customerId, customerId))
    return known?.userId === owner ? keepCard(tx, owner, customerId, card) : undefined
  })
  if (replaced !== undefined) await detachReplaced(room, replaced)
}

/** Forgets the saved card, here and at the provider, and with it auto top-up. */
export async function forgetCard(room: CreditsRoom, userId: string): Promise<void> {
  const card = await savedCard(room.db, userId)
  if (!card) return
  await answerOf(stripeOf(room).paymentMethods.detach(card.paymentMethodId))
  const nothing = { paymentMethodId: null, brand: null, last4: null, expMonth: null, expYear: null }
  await withTx(room.db, async (tx) => {
    await tx.update(paymentCustomer).set(nothing).where(eq(paymentCustomer.userId, userId))
    await tx.delete(autoTopUp).where(eq(autoTopUp.userId, userId))
  })
}
