import type Stripe from 'stripe'
import { z } from 'zod'
import { book } from './charges.ts'
import { invalid, missing } from '../errors.ts'
import { flag, listOf, metadata, type Params, read, text } from '../form.ts'
import { newId, seconds, type World } from '../world.ts'

const DAYS_TO_ANSWER = 7
const NO_EVIDENCE: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
}

/** Opens a dispute: the bank withdraws the money until it has decided. */
export function openDispute(world: World, charge: Stripe.Charge, amount: number): Stripe.Dispute {
  if (charge.disputed) throw invalid(`Charge ${charge.id} has already been disputed.`)
  const id = newId('du')
  const withdrawal = book(world, 'adjustment', -amount, charge.currency, id)
  const created = seconds()
  const dispute = world.store.put('dispute', {
    id,
    object: 'dispute',
    amount,
    balance_transactions: [withdrawal],
    charge: charge.id,
    created,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: NO_EVIDENCE,
    evidence_details: {
      due_by: created + DAYS_TO_ANSWER * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    network_reason_code: '10.4',
    payment_intent: charge.payment_intent,
    reason: 'fraudulent',
    status: 'needs_response',
  })
  world.store.put('charge', { ...charge, disputed: true })
  world.emit('charge.dispute.created', dispute)
  world.emit('charge.dispute.funds_withdrawn', dispute)
  return dispute
}

export function findDispute({ store }: World, id: string): Stripe.Dispute {
  const dispute = store.find('dispute', id)
  if (!dispute) throw missing('dispute', id, 'dispute')
  return dispute
}

const Update = z.strictObject({
  evidence: z.strictObject({ uncategorized_text: text.optional() }).optional(),
  metadata: metadata.optional(),
  submit: flag.optional(),
  expand: listOf(text).optional(),
})

/** Evidence decides at once by its text, as in Stripe's test mode: winning_evidence or losing_evidence. */
export function updateDispute(world: World, id: string, params: Params): Stripe.Dispute {
  const { evidence = {}, metadata: extra = {}, submit } = read(Update, params)
  const dispute = findDispute(world, id)
  const details = {
    ...dispute.evidence_details,
    has_evidence: true,
    submission_count: dispute.evidence_details.submission_count + (submit ? 1 : 0),
  }
  const updated = world.store.put('dispute', {
    ...dispute,
    evidence: {
      ...dispute.evidence,
      uncategorized_text: evidence.uncategorized_text ?? dispute.evidence.uncategorized_text,
    },
    evidence_details: details,
    metadata: { ...dispute.metadata, ...extra },
    status: submit ? 'under_review' : dispute.status,
  })
  world.emit('charge.dispute.updated', updated)
  if (submit && evidence.uncategorized_text === 'winning_evidence') return closeDispute(world, id, 'won')
  if (submit && evidence.uncategorized_text === 'losing_evidence') return closeDispute(world, id, 'lost')
  return updated
}

/** Closes a dispute with the bank's decision. */
export function closeDispute(world: World, id: string, status: 'won' | 'lost'): Stripe.Dispute {
  const dispute = findDispute(world, id)
  if (dispute.status === 'won' || dispute.status === 'lost') throw invalid('This dispute is already closed.')
  const back = status === 'won' ? [book(world, 'adjustment', dispute.amount, dispute.currency, id)] : []
  const closed = world.store.put('dispute', {
    ...dispute,
    status,
    balance_transactions: [...dispute.balance_transactions, ...back],
  })
  world.emit('charge.dispute.closed', closed)
  if (status === 'won') world.emit('charge.dispute.funds_reinstated', closed)
  return closed
}

/** Takes a dispute up again that was won: the bank withdraws the money once more. */
export function reopenDispute(world: World, id: string): Stripe.Dispute {
  const dispute = findDispute(world, id)
  if (dispute.status !== 'won') throw invalid('Only a dispute that was won is taken up again.')
  const withdrawn = book(world, 'adjustment', -dispute.amount, dispute.currency, id)
  const reopened = world.store.put('dispute', {
    ...dispute,
    status: 'under_review',
    balance_transactions: [...dispute.balance_transactions, withdrawn],
  })
  world.emit('charge.dispute.updated', reopened)
  world.emit('charge.dispute.funds_withdrawn', reopened)
  return reopened
}
