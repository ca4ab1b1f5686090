import type Stripe from 'stripe'
import { z } from 'zod'
import { book } from './charges.ts'
import { invalid, missing } from '../errors.ts'
import { listOf, metadata, type Params, read, text, whole } from '../form.ts'
import { cardBehind, findPaymentMethod } from './payment-methods.ts'
import { newId, seconds, type World } from '../world.ts'

const Create = z.strictObject({
  amount: whole.optional(),
  charge: text.optional(),
  payment_intent: text.optional(),
  metadata: metadata.optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  expand: listOf(text).optional(),
})

export function createRefund(world: World, params: Params): Stripe.Refund {
  const asked = read(Create, params)
  const charge = chargeOf(world, asked.charge, asked.payment_intent)
  const left = charge.amount_captured - charge.amount_refunded
  const amount = asked.amount ?? left
  if (charge.refunded)
    throw invalid(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
  if (charge.disputed)
    throw invalid(`Charge ${charge.id} has been charged back; cannot issue a refund.`, { code: 'charge_disputed' })
  if (amount < 1)
    throw invalid('This value must be greater than or equal to 1.', {
      code: 'parameter_invalid_integer',
      param: 'amount',
    })
  if (amount > left) {
    const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`
    throw invalid(`Refund amount (${dollars(amount)}) is greater than unrefunded amount on charge (${dollars(left)})`, {
      param: 'amount',
    })
  }
  const id = newId('re')
  const { id: transaction } = book(world, 'refund', -amount, charge.currency, id)
  const refund = world.store.put('refund', {
    id,
    object: 'refund',
    amount,
    balance_transaction: transaction,
    charge: charge.id,
    created: seconds(),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    metadata: asked.metadata ?? {},
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: asked.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  })
  const amount_refunded = charge.amount_refunded + amount
  const reduced = world.store.put('charge', {
    ...charge,
    amount_refunded,
    refunded: amount_refunded === charge.amount_captured,
  })
  world.emit('refund.created', refund)
  world.emit('charge.refunded', reduced)
  const method = charge.payment_method === null ? undefined : findPaymentMethod(world, charge.payment_method)
  if (method && cardBehind(world, method).refundFails) world.later(world.processingMs, () => failRefund(world, id))
  return refund
}

function chargeOf({ store }: World, chargeId: string | undefined, intentId: string | undefined): Stripe.Charge {
  if (chargeId !== undefined) {
    const charge = store.find('charge', chargeId)
    if (!charge) throw missing('charge', chargeId, 'charge')
    return charge
  }
  if (intentId === undefined)
    throw invalid('One of the following params should be provided for this request: payment_intent or charge.')
  const intent = store.find('payment_intent', intentId)
  if (!intent) throw missing('payment_intent', intentId, 'payment_intent')
  const charge = typeof intent.latest_charge === 'string' ? store.find('charge', intent.latest_charge) : undefined
  if (intent.status !== 'succeeded' || !charge)
    throw invalid('This PaymentIntent does not have a successful charge to refund.', { param: 'payment_intent' })
  return charge
}

/** Fails a refund that the bank returned, and restores the charge. */
export function failRefund(world: World, id: string): Stripe.Refund {
  const refund = world.store.find('refund', id)
  const charge = typeof refund?.charge === 'string' ? world.store.find('charge', refund.charge) : undefined
  if (!refund || !charge) throw missing('refund', id)
  if (refund.status === 'failed') return refund
  const { id: transaction } = book(world, 'adjustment', refund.amount, refund.currency, id)
  const failed = world.store.put('refund', {
    ...refund,
    status: 'failed',
    failure_reason: 'expired_or_canceled_card',
    failure_balance_transaction: transaction,
  })
  const amount_refunded = charge.amount_refunded - refund.amount
  world.store.put('charge', { ...charge, amount_refunded, refunded: false })
  world.emit('refund.failed', failed)
  world.emit('refund.updated', failed)
  return failed
}
