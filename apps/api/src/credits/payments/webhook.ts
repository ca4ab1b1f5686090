import { STRIPE_WEBHOOK_PATH } from '@parley/contract'
import type { FastifyInstance } from 'fastify'
import Stripe from 'stripe'
import { AppError } from '../../platform/errors.ts'
import { recordEvent, subjectOf } from './events.ts'
import { type CreditsRoom, stripeOf } from '../room.ts'

const BODY_MAX_BYTES = 1024 * 1024
const TOLERANCE_SECONDS = 300

/** Receives the provider's signed events. Without a 2xx the provider sends an event again. */
export function addWebhook(fastify: FastifyInstance, room: CreditsRoom): void {
  void fastify.register(async (scope) => {
    // The signature covers the raw bytes.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_MAX_BYTES }, (_request, body, done) =>
      done(null, body),
    )
    scope.post(STRIPE_WEBHOOK_PATH, async ({ body, headers }) => {
      await recordEvent(room, subjectOf(verified(room, body, headers['stripe-signature'])))
      return { received: true }
    })
  })
}

function verified(
  room: Pick<CreditsRoom, 'config' | 'stripe'>,
  body: unknown,
  signature: string | string[] | undefined,
): Stripe.Event {
  const { payments } = room.config
  if (payments.kind === 'off') throw new AppError('switched_off', 'Payments are not available here.')
  try {
    if (!Buffer.isBuffer(body)) throw new AppError('invalid_signature', 'The body is empty.')
    return stripeOf(room).webhooks.constructEvent(body, signature ?? '', payments.webhookSecret, TOLERANCE_SECONDS)
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error
    throw new AppError('invalid_signature', 'The signature is missing, wrong or too old.', { cause: error })
  }
}
