import { creditsIn } from '../recording.ts'

export interface PaymentReturn {
  readonly kind: 'paid' | 'refused'
  readonly intentId: string | undefined
  readonly credits: number | undefined
}

/**
 * The payment in the address: payment_success=true from our own pages, success=true from the card processor, which
 * adds redirect_status after a bank redirect.
 */
export function returnIn(search: Readonly<Record<string, string | undefined>>): PaymentReturn | undefined {
  if (search['payment_success'] !== 'true' && search['success'] !== 'true') return undefined
  return {
    kind: search['redirect_status'] === 'failed' ? 'refused' : 'paid',
    intentId: search['payment_intent'] || undefined,
    credits: creditsIn(search['credits']),
  }
}
