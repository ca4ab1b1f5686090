import type Stripe from 'stripe'
import { z } from 'zod'
import { invalid, missing, refused } from '../errors.ts'
import { flag, listOf, metadata, type Params, read, text } from '../form.ts'
import { nextAction } from './intents.ts'
import { attachTo, cardBehind, Confirming, confirmedMethod, markSetUp } from './payment-methods.ts'
import { newId, seconds, type World } from '../world.ts'

// Setup intents save a card without a charge.

const Create = z.strictObject({
  ...Confirming,
  allowed_payment_method_types: listOf(z.literal('card')).optional(),
  automatic_payment_methods: z.record(z.string(), z.unknown()).optional(),
  confirm: flag.optional(),
  customer: text.optional(),
  description: text.optional(),
  metadata: metadata.optional(),
  usage: z.enum(['off_session', 'on_session']).optional(),
})

export function createSetup(world: World, params: Params): Stripe.SetupIntent {
  const asked = read(Create, params)
  const { customer = null } = asked
  if (customer !== null && !world.store.find('customer', customer)) throw missing('customer', customer, 'customer')
  const id = newId('seti')
  const setup = world.store.put('setup_intent', {
    id,
    object: 'setup_intent',
    allowed_payment_method_types: asked.allowed_payment_method_types ?? null,
    application: null,
    automatic_payment_methods: null,
    cancellation_reason: null,
    client_secret: newId(`${id}_secret`, 25),
    created: seconds(),
    customer,
    customer_account: null,
    description: asked.description ?? null,
    excluded_payment_method_types: null,
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    mandate: null,
    metadata: asked.metadata ?? {},
    next_action: null,
    on_behalf_of: null,
    payment_method: asked.payment_method ?? null,
    payment_method_configuration_details: null,
    payment_method_options: { card: { mandate_options: null, network: null, request_three_d_secure: 'automatic' } },
    payment_method_types: ['card'],
    single_use_mandate: null,
    status: asked.payment_method === undefined ? 'requires_payment_method' : 'requires_confirmation',
    usage: asked.usage ?? 'off_session',
  })
  world.emit('setup_intent.created', setup)
  return asked.confirm ? confirmSetup(world, id, params) : setup
}

export function findSetup({ store }: World, id: string): Stripe.SetupIntent {
  const setup = store.find('setup_intent', id)
  if (!setup) throw missing('setupintent', id, 'intent')
  return setup
}

export function confirmSetup(world: World, id: string, params: Params): Stripe.SetupIntent {
  const setup = findSetup(world, id)
  if (setup.status === 'succeeded' || setup.status === 'canceled') {
    const message = `You cannot confirm this SetupIntent because it has a status of ${setup.status}.`
    throw invalid(message, { code: 'setup_intent_unexpected_state', setupIntent: setup })
  }
  const known = typeof setup.payment_method === 'string' ? setup.payment_method : null
  const method = confirmedMethod(world, params, known)
  if (!method)
    throw invalid("You cannot confirm this SetupIntent because it's missing a payment method.", {
      code: 'setup_intent_unexpected_state',
    })
  const card = cardBehind(world, method)
  const chosen = { ...setup, payment_method: method.id, last_setup_error: null }
  if (card.declinesSetup && typeof card.charge === 'object') {
    const { code, declineCode, message } = card.charge
    const error = { type: 'card_error', code, decline_code: declineCode, message, payment_method: method }
    const failed = world.store.put('setup_intent', {
      ...chosen,
      status: 'requires_payment_method',
      payment_method: null,
      last_setup_error: error,
    })
    world.emit('setup_intent.setup_failed', failed)
    throw refused(message, { code, declineCode, setupIntent: failed, paymentMethod: method })
  }
  if (!card.authenticates) return succeed(world, chosen, method)
  const returnUrl =
    typeof params['return_url'] === 'string' && params['return_url'] !== '' ? params['return_url'] : null
  const challenge = world.store.put('challenge', { id: newId('challenge'), intent: id, returnUrl })
  const next_action = nextAction(`${world.url}/3ds/${challenge.id}`, returnUrl)
  const waiting = world.store.put('setup_intent', { ...chosen, status: 'requires_action', next_action })
  world.emit('setup_intent.requires_action', waiting)
  return waiting
}

function succeed(world: World, setup: Stripe.SetupIntent, method: Stripe.PaymentMethod): Stripe.SetupIntent {
  if (typeof setup.customer === 'string') attachTo(world, method, setup.customer)
  markSetUp(world, method)
  const done = world.store.put('setup_intent', { ...setup, status: 'succeeded', next_action: null })
  world.emit('setup_intent.succeeded', done)
  return done
}

/** Applies the answer given on the bank's page. */
export function setupAuthenticated(world: World, id: string, accepted: boolean): Stripe.SetupIntent {
  const setup = findSetup(world, id)
  const method =
    typeof setup.payment_method === 'string' ? world.store.find('payment_method', setup.payment_method) : undefined
  if (setup.status !== 'requires_action' || !method) return setup
  if (accepted) return succeed(world, setup, method)
  const message =
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.'
  const failed = world.store.put('setup_intent', {
    ...setup,
    status: 'requires_payment_method',
    payment_method: null,
    next_action: null,
    last_setup_error: { type: 'invalid_request_error', code: 'setup_intent_authentication_failure', message },
  })
  world.emit('setup_intent.setup_failed', failed)
  return failed
}

export function cancelSetup(world: World, id: string): Stripe.SetupIntent {
  const setup = findSetup(world, id)
  if (setup.status === 'succeeded' || setup.status === 'canceled') {
    const message = `You cannot cancel this SetupIntent because it has a status of ${setup.status}.`
    throw invalid(message, { code: 'setup_intent_unexpected_state', setupIntent: setup })
  }
  const canceled = world.store.put('setup_intent', { ...setup, status: 'canceled', next_action: null })
  world.emit('setup_intent.canceled', canceled)
  return canceled
}
