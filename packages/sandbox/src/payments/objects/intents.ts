import type Stripe from 'stripe'
import { z } from 'zod'
import type { Decline } from '../cards.ts'
import { complete, createCharge } from './charges.ts'
import { openDispute } from './disputes.ts'
import { invalid, missing, refused } from '../errors.ts'
import { flag, listOf, metadata, type Params, read, text, whole } from '../form.ts'
import { attachTo, cardBehind, Confirming, confirmedMethod, markSetUp } from './payment-methods.ts'
import { newId, seconds, type World } from '../world.ts'

const LEAST_CENTS = 50
const Create = z.strictObject({
  ...Confirming,
  amount: whole,
  currency: text,
  allowed_payment_method_types: listOf(z.literal('card')).optional(),
  automatic_payment_methods: z.record(z.string(), z.unknown()).optional(),
  capture_method: z.enum(['automatic', 'automatic_async']).optional(),
  confirm: flag.optional(),
  customer: text.optional(),
  description: text.optional(),
  error_on_requires_action: flag.optional(),
  metadata: metadata.optional(),
  off_session: flag.optional(),
  payment_method_options: z.record(z.string(), z.unknown()).optional(),
  receipt_email: text.optional(),
  setup_future_usage: z.enum(['off_session', 'on_session']).optional(),
  statement_descriptor_suffix: text.optional(),
})

function checkOrder({ store }: World, { amount, currency, customer }: z.infer<typeof Create>): void {
  if (amount < 1)
    throw invalid('This value must be greater than or equal to 1.', {
      code: 'parameter_invalid_integer',
      param: 'amount',
    })
  if (amount < LEAST_CENTS)
    throw invalid('Amount must be at least $0.50 usd', { code: 'amount_too_small', param: 'amount' })
  if (currency.toLowerCase() !== 'usd') throw invalid(`Invalid currency: ${currency}.`, { param: 'currency' })
  if (customer !== undefined && !store.find('customer', customer)) throw missing('customer', customer, 'customer')
}

export function createIntent(world: World, params: Params): Stripe.PaymentIntent {
  const asked = read(Create, params)
  checkOrder(world, asked)
  const { amount, currency, customer = null, receipt_email = null } = asked
  const id = newId('pi')
  const intent = world.store.put('payment_intent', {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: asked.allowed_payment_method_types ?? null,
    amount,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: asked.capture_method ?? 'automatic',
    client_secret: newId(`${id}_secret`, 25),
    confirmation_method: 'automatic',
    created: seconds(),
    currency: currency.toLowerCase(),
    customer,
    customer_account: null,
    description: asked.description ?? null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: asked.metadata ?? {},
    next_action: null,
    on_behalf_of: null,
    payment_method: asked.payment_method ?? null,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email,
    review: null,
    setup_future_usage: asked.setup_future_usage ?? null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: asked.payment_method === undefined ? 'requires_payment_method' : 'requires_confirmation',
    transfer_group: null,
  })
  world.emit('payment_intent.created', intent)
  if (!asked.confirm) return intent
  return attempt(world, intent, params, {
    offSession: asked.off_session ?? false,
    stopsAtAction: asked.error_on_requires_action ?? false,
  })
}

export function findIntent({ store }: World, id: string): Stripe.PaymentIntent {
  const intent = store.find('payment_intent', id)
  if (!intent) throw missing('payment_intent', id, 'intent')
  return intent
}

const Confirm = z.strictObject({
  ...Confirming,
  off_session: flag.optional(),
  error_on_requires_action: flag.optional(),
  receipt_email: text.optional(),
  setup_future_usage: z.enum(['off_session', 'on_session', '']).optional(),
  payment_method_options: z.record(z.string(), z.unknown()).optional(),
})

export function confirmIntent(world: World, id: string, params: Params): Stripe.PaymentIntent {
  const asked = read(Confirm, params)
  const intent = findIntent(world, id)
  if (!['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(intent.status)) {
    const why =
      intent.status === 'succeeded'
        ? 'it has already succeeded after being previously confirmed'
        : `it has a status of ${intent.status}`
    throw unexpected('confirm', intent, why)
  }
  const usage = asked.setup_future_usage
  const updated = usage === undefined || usage === '' ? intent : { ...intent, setup_future_usage: usage }
  return attempt(world, updated, params, {
    offSession: asked.off_session ?? false,
    stopsAtAction: asked.error_on_requires_action ?? false,
  })
}

function unexpected(verb: string, intent: Stripe.PaymentIntent, why: string) {
  const message = `You cannot ${verb} this PaymentIntent because ${why}.`
  return invalid(message, { code: 'payment_intent_unexpected_state', paymentIntent: intent })
}

interface Manner {
  readonly offSession: boolean
  readonly stopsAtAction: boolean
}

/** Charges the card, or asks for authentication first. */
function attempt(
  world: World,
  intent: Stripe.PaymentIntent,
  params: Params,
  { offSession, stopsAtAction }: Manner,
): Stripe.PaymentIntent {
  const known = typeof intent.payment_method === 'string' ? intent.payment_method : null
  const method = confirmedMethod(world, params, known)
  if (!method) {
    const message = `You cannot confirm this PaymentIntent because it's missing a payment method. Update the PaymentIntent with a payment method and then confirm it again.`
    throw invalid(message, { code: 'payment_intent_unexpected_state', paymentIntent: intent })
  }
  if (method.customer !== null && method.customer !== intent.customer) {
    throw invalid('The provided PaymentMethod belongs to another customer.', {
      code: 'payment_method_unexpected_customer',
      param: 'payment_method',
    })
  }
  const card = cardBehind(world, method)
  const chosen = { ...intent, payment_method: method.id, last_payment_error: null, next_action: null }
  if (!card.authenticates || (offSession && card.setUp)) return charge(world, chosen, method)
  if (offSession || stopsAtAction) {
    const code = 'authentication_required'
    const message = 'Your card was declined. This transaction requires authentication.'
    return fail(world, chosen, method, { code, declineCode: code, message })
  }
  const returnUrl =
    typeof params['return_url'] === 'string' && params['return_url'] !== '' ? params['return_url'] : null
  const challenge = world.store.put('challenge', { id: newId('challenge'), intent: chosen.id, returnUrl })
  const next_action = nextAction(`${world.url}/3ds/${challenge.id}`, returnUrl)
  const waiting = world.store.put('payment_intent', { ...chosen, status: 'requires_action', next_action })
  world.emit('payment_intent.requires_action', waiting)
  return waiting
}

/** How the page authenticates: by redirect if it gave a return URL, otherwise in a frame. */
export function nextAction(
  url: string,
  returnUrl: string | null,
): Stripe.PaymentIntent.NextAction & Stripe.SetupIntent.NextAction {
  if (returnUrl !== null) return { type: 'redirect_to_url', redirect_to_url: { url, return_url: returnUrl } }
  return { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url } }
}

function charge(world: World, intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod): Stripe.PaymentIntent {
  const card = cardBehind(world, method)
  if (typeof card.charge === 'object') return fail(world, intent, method, card.charge)
  if (card.charge === 'approve')
    return succeed(world, intent, createCharge(world, intent, method, { status: 'succeeded' }))
  const pending = createCharge(world, intent, method, { status: 'pending' })
  const processing = world.store.put('payment_intent', {
    ...intent,
    status: 'processing',
    latest_charge: pending.id,
    processing: { type: 'card' },
  })
  world.emit('payment_intent.processing', processing)
  world.later(world.processingMs, () => finishProcessing(world, intent.id))
  return processing
}

/** Also called at the start for payments that were processing when the sandbox stopped. */
export function finishProcessing(world: World, id: string): void {
  const intent = findIntent(world, id)
  const pending =
    typeof intent.latest_charge === 'string' ? world.store.find('charge', intent.latest_charge) : undefined
  if (intent.status === 'processing' && pending) succeed(world, { ...intent, processing: null }, pending)
}

function succeed(world: World, intent: Stripe.PaymentIntent, charged: Stripe.Charge): Stripe.PaymentIntent {
  const done = complete(world, charged)
  const { customer, setup_future_usage: usage } = intent
  const method =
    typeof intent.payment_method === 'string' ? world.store.find('payment_method', intent.payment_method) : undefined
  if (method && usage !== null && typeof customer === 'string') {
    attachTo(world, method, customer)
    markSetUp(world, method)
  }
  const paid = world.store.put('payment_intent', {
    ...intent,
    status: 'succeeded',
    amount_received: intent.amount,
    latest_charge: done.id,
    next_action: null,
  })
  world.emit('charge.succeeded', done)
  world.emit('payment_intent.succeeded', paid)
  if (method && cardBehind(world, method).disputes) openDispute(world, done, done.amount)
  return paid
}

/** Fails the attempt, not the intent: another card may be tried. Always throws. */
function fail(world: World, intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod, decline: Decline): never {
  const { code, declineCode, message } = decline
  const failed = createCharge(world, intent, method, { status: 'failed', decline })
  const error = {
    type: 'card_error',
    charge: failed.id,
    code,
    decline_code: declineCode,
    message,
    payment_method: method,
  }
  const declined = world.store.put('payment_intent', {
    ...intent,
    status: 'requires_payment_method',
    payment_method: null,
    latest_charge: failed.id,
    last_payment_error: error,
    next_action: null,
  })
  world.emit('charge.failed', failed)
  world.emit('payment_intent.payment_failed', declined)
  throw refused(message, { code, declineCode, charge: failed.id, paymentIntent: declined, paymentMethod: method })
}

/** Applies the answer given on the bank's page. */
export function authenticated(world: World, id: string, accepted: boolean): Stripe.PaymentIntent {
  const intent = findIntent(world, id)
  const method =
    typeof intent.payment_method === 'string' ? world.store.find('payment_method', intent.payment_method) : undefined
  if (intent.status !== 'requires_action' || !method) return intent
  const going = { ...intent, next_action: null }
  if (accepted) return charge(world, going, method)
  const message =
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.'
  const code = 'payment_intent_authentication_failure'
  const declined = world.store.put('payment_intent', {
    ...going,
    status: 'requires_payment_method',
    payment_method: null,
    last_payment_error: { type: 'invalid_request_error', code, message, payment_method: method },
  })
  world.emit('payment_intent.payment_failed', declined)
  return declined
}

const Cancel = z.strictObject({
  cancellation_reason: z.enum(['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  expand: listOf(text).optional(),
})

export function cancelIntent(world: World, id: string, params: Params): Stripe.PaymentIntent {
  const { cancellation_reason = null } = read(Cancel, params)
  const intent = findIntent(world, id)
  if (['succeeded', 'canceled', 'processing'].includes(intent.status)) {
    throw unexpected('cancel', intent, `it has a status of ${intent.status}`)
  }
  const canceled = world.store.put('payment_intent', {
    ...intent,
    status: 'canceled',
    canceled_at: seconds(),
    cancellation_reason,
    next_action: null,
  })
  world.emit('payment_intent.canceled', canceled)
  return canceled
}
