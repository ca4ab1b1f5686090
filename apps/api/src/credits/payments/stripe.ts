import Stripe from 'stripe'
import type { PaymentsKeys } from '../../config-payments.ts'
import { AppError } from '../../platform/errors.ts'

/** Users wait for most responses; the reconciler retries the rest. */
const DEADLINE_MS = 10_000
const RETRIES = 2

/** The client of the payment provider; undefined without keys. */
export function createStripe(keys: PaymentsKeys): Stripe | undefined {
  if (keys.kind === 'off') return undefined
  const options = { timeout: DEADLINE_MS, maxNetworkRetries: RETRIES, telemetry: false }
  if (keys.apiBase === undefined) return new Stripe(keys.secretKey, options)
  const { protocol, hostname, port } = new URL(keys.apiBase)
  const https = protocol === 'https:'
  return new Stripe(keys.secretKey, {
    ...options,
    protocol: https ? 'https' : 'http',
    host: hostname,
    port: port === '' ? (https ? 443 : 80) : Number(port),
  })
}

/** Reads the newest payment, which the key must be able to do. Throws what the provider says against it. */
export async function checkPayments(keys: PaymentsKeys): Promise<void> {
  await createStripe(keys)?.paymentIntents.list({ limit: 1 }, { maxNetworkRetries: 0 })
}

/** The provider's response; undefined for resource_missing. Throws when the provider is away. */
export async function answerOf<T>(question: Promise<T>): Promise<T | undefined> {
  try {
    return await question
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError && error.code === 'resource_missing') return undefined
    if (isAway(error))
      throw new AppError('unavailable', 'Payments cannot be reached at the moment. Please try again.', { cause: error })
    throw error
  }
}

/** Whether the provider gave no decision, so that a retry under the same key may succeed. */
export function isAway(error: unknown): boolean {
  const { StripeConnectionError, StripeAPIError, StripeRateLimitError } = Stripe.errors
  return (
    error instanceof StripeConnectionError || error instanceof StripeAPIError || error instanceof StripeRateLimitError
  )
}

/** The id of an expandable field. */
export function idOf(reference: string | { readonly id: string } | null | undefined): string | undefined {
  return typeof reference === 'string' ? reference : reference?.id
}
