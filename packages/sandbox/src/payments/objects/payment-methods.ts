import type Stripe from 'stripe'
import { z } from 'zod'
import { checkEntry, type CardEntry, describeCard, namedCard, type TestCard, testCard } from '../cards.ts'
import { invalid, missing, refused } from '../errors.ts'
import { flag, listOf, metadata, type Params, read, text, whole } from '../form.ts'
import { newId, seconds, type World } from '../world.ts'

const Address = z.strictObject({
  city: text.optional(),
  country: text.optional(),
  line1: text.optional(),
  line2: text.optional(),
  postal_code: text.optional(),
  state: text.optional(),
})
const BillingDetails = z.strictObject({
  address: Address.optional(),
  email: text.optional(),
  name: text.optional(),
  phone: text.optional(),
  tax_id: text.optional(),
})
const Card = z.strictObject({ number: text, exp_month: whole, exp_year: whole, cvc: text.optional() })
/** Parameters that Stripe.js adds are accepted and ignored. */
const Method = z.strictObject({
  type: z.literal('card'),
  card: Card,
  billing_details: BillingDetails.optional(),
  metadata: metadata.optional(),
  allow_redisplay: z.enum(['always', 'limited', 'unspecified']).optional(),
  expand: listOf(text).optional(),
  key: text.optional(),
  guid: text.optional(),
  muid: text.optional(),
  sid: text.optional(),
  payment_user_agent: text.optional(),
  referrer: text.optional(),
  time_on_page: text.optional(),
  pasted_fields: text.optional(),
  client_attribution_metadata: z.record(z.string(), z.unknown()).optional(),
  radar_options: z.record(z.string(), z.unknown()).optional(),
})

export function createPaymentMethod(world: World, params: Params): Stripe.PaymentMethod {
  const { card, billing_details: billing, metadata: extra } = read(Method, params)
  const entry: CardEntry = { ...card, number: card.number.replaceAll(/[\s-]/g, '') }
  return keep(world, checkEntry(entry), entry, billing, extra)
}

function keep(
  { store }: World,
  card: TestCard,
  entry: Pick<CardEntry, 'exp_month' | 'exp_year'>,
  billing: z.output<typeof BillingDetails> = {},
  extra: Stripe.Metadata = {},
): Stripe.PaymentMethod {
  const { email = null, name = null, phone = null, tax_id = null, address } = billing
  const { city = null, country = null, line1 = null, line2 = null, postal_code = null, state = null } = address ?? {}
  const id = newId('pm')
  store.put('card', { id, number: card.number, setUp: false })
  return store.put('payment_method', {
    id,
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: { address: { city, country, line1, line2, postal_code, state }, email, name, phone, tax_id },
    card: describeCard(card, entry),
    created: seconds(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: extra,
    type: 'card',
  })
}

/** A payment method by its id, or a new one for a name such as pm_card_visa. */
export function findPaymentMethod(world: World, id: string, param = 'payment_method'): Stripe.PaymentMethod {
  const number = namedCard(id)
  if (number !== undefined)
    return keep(world, testCard(number), { exp_month: 12, exp_year: new Date().getUTCFullYear() + 3 })
  const method = world.store.find('payment_method', id)
  if (!method) throw missing('PaymentMethod', id, param)
  return method
}

export interface KnownCard extends TestCard {
  readonly setUp: boolean
}

export function cardBehind({ store }: World, { id }: Stripe.PaymentMethod): KnownCard {
  const card = store.find('card', id)
  if (!card) throw missing('PaymentMethod', id)
  return { ...testCard(card.number), setUp: card.setUp }
}

/** The card was authenticated: later charges need no authentication. */
export function markSetUp({ store }: World, { id }: Stripe.PaymentMethod): void {
  const card = store.find('card', id)
  if (card) store.put('card', { ...card, setUp: true })
}

export function attachTo(world: World, method: Stripe.PaymentMethod, customerId: string): Stripe.PaymentMethod {
  if (method.customer === customerId) return method
  if (method.customer !== null)
    throw invalid('The payment method you provided has already been attached to a customer.')
  const attached = world.store.put('payment_method', { ...method, customer: customerId })
  world.emit('payment_method.attached', attached)
  return attached
}

const Attach = z.strictObject({ customer: text, expand: listOf(text).optional() })

export function attach(world: World, id: string, params: Params): Stripe.PaymentMethod {
  const { customer } = read(Attach, params)
  if (!world.store.find('customer', customer)) throw missing('customer', customer, 'customer')
  const method = findPaymentMethod(world, id)
  const { charge, declinesSetup } = cardBehind(world, method)
  if (declinesSetup && typeof charge === 'object')
    throw refused(charge.message, { code: charge.code, declineCode: charge.declineCode })
  return attachTo(world, method, customer)
}

export function detach(world: World, id: string): Stripe.PaymentMethod {
  const method = findPaymentMethod(world, id)
  if (method.customer === null) {
    throw invalid('The payment method you provided is not attached to a customer so detachment is impossible.', {
      param: 'payment_method',
    })
  }
  const detached = world.store.put('payment_method', { ...method, customer: null })
  world.emit('payment_method.detached', detached)
  return detached
}

export const Confirming = {
  payment_method: text.optional(),
  payment_method_data: z.record(z.string(), z.unknown()).optional(),
  return_url: z.union([z.url(), z.literal('')]).optional(),
  expand: listOf(text).optional(),
  use_stripe_sdk: flag.optional(),
  mandate_data: z.record(z.string(), z.unknown()).optional(),
  // Sent by Stripe.js.
  client_secret: text.optional(),
  key: text.optional(),
  expected_payment_method_type: text.optional(),
  client_attribution_metadata: z.record(z.string(), z.unknown()).optional(),
}

/** The payment method that a confirmation names or contains, or the intent's own. */
export function confirmedMethod(world: World, params: Params, known: string | null): Stripe.PaymentMethod | undefined {
  const { payment_method: named, payment_method_data: data } = params
  if (typeof data === 'object') return createPaymentMethod(world, data)
  const id = typeof named === 'string' ? named : known
  return id === null ? undefined : findPaymentMethod(world, id)
}
