import type Stripe from 'stripe'
import { type Decline, describeCard, testCard } from '../cards.ts'
import { newId, seconds, type World } from '../world.ts'

const FEE_PERCENT = 2.9
const FEE_FIXED_CENTS = 30

/** An attempt to take money from a card. */
export function createCharge(
  { store }: World,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  outcome: { readonly status: 'succeeded' | 'pending' } | { readonly status: 'failed'; readonly decline: Decline },
): Stripe.Charge {
  const failed = outcome.status === 'failed' ? outcome.decline : undefined
  return store.put('charge', {
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: outcome.status === 'succeeded' ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'PARLEY SANDBOX',
    captured: outcome.status === 'succeeded',
    created: seconds(),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: failed?.code ?? null,
    failure_message: failed?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: {
      advice_code: failed ? 'try_again_later' : null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: failed ? 'declined_by_network' : 'approved_by_network',
      reason: failed?.declineCode ?? null,
      risk_level: 'normal',
      seller_message: failed ? 'The bank did not return any further details with this decline.' : 'Payment complete.',
      type: failed ? 'issuer_declined' : 'authorized',
    },
    paid: outcome.status === 'succeeded',
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: cardDetails(intent.amount, method),
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: outcome.status,
    transfer_data: null,
    transfer_group: null,
  })
}

function cardDetails(amount: number, { card }: Stripe.PaymentMethod): Stripe.Charge.PaymentMethodDetails {
  const { brand, checks, country, exp_month, exp_year, fingerprint, funding, last4, regulated_status } =
    card ?? describeCard(testCard(''), { exp_month: 1, exp_year: 1 })
  return {
    type: 'card',
    card: {
      amount_authorized: amount,
      authorization_code: '123456',
      brand,
      checks,
      country,
      electronic_commerce_indicator: null,
      exp_month,
      exp_year,
      fingerprint: fingerprint ?? null,
      funding,
      installments: null,
      last4,
      mandate: null,
      network: brand,
      network_token: { used: false },
      network_transaction_id: null,
      regulated_status,
      three_d_secure: null,
      transaction_link_id: null,
      wallet: null,
    },
  }
}

/** Books a movement on the account's balance, with Stripe's fee for what comes in. */
export function book(
  { store }: World,
  type: 'charge' | 'refund' | 'adjustment',
  amount: number,
  currency: string,
  source: string,
): Stripe.BalanceTransaction {
  const fee = type === 'charge' ? Math.round((amount * FEE_PERCENT) / 100) + FEE_FIXED_CENTS : 0
  const created = seconds()
  return store.put('balance_transaction', {
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: created,
    balance_type: 'payments',
    created,
    currency,
    description: null,
    exchange_rate: null,
    fee,
    fee_details:
      fee === 0
        ? []
        : [{ amount: fee, application: null, currency, description: 'Stripe processing fees', type: 'stripe_fee' }],
    net: amount - fee,
    reporting_category: type === 'adjustment' ? 'dispute' : type,
    source,
    status: 'available',
    type,
  })
}

/** Completes a charge: its money has arrived. */
export function complete(world: World, charge: Stripe.Charge): Stripe.Charge {
  const { id } = book(world, 'charge', charge.amount, charge.currency, charge.id)
  return world.store.put('charge', {
    ...charge,
    status: 'succeeded',
    paid: true,
    captured: true,
    amount_captured: charge.amount,
    balance_transaction: id,
  })
}
