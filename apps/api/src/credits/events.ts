import type Stripe from 'stripe'
import { eq } from 'drizzle-orm'
import { recordSetup } from './cards.ts'
import { recordIntent } from './record.ts'
import type { CreditsRoom } from './room.ts'
import { stripeEvent } from './schema.ts'
import { idOf } from './stripe.ts'

/** What an event makes us look at. */
function subjectOf(event: Stripe.Event): { readonly intentId?: string | undefined; readonly setupIntentId?: string } {
  switch (event.type) {
    case 'payment_intent.succeeded':
    case 'payment_intent.processing':
    case 'payment_intent.payment_failed':
    case 'payment_intent.canceled':
      return { intentId: event.data.object.id }
    case 'charge.refunded':
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
      return { intentId: idOf(event.data.object.payment_intent) }
    case 'setup_intent.succeeded':
      return { setupIntentId: event.data.object.id }
    default:
      return {}
  }
}

/** Once for each event, however often it is sent; an event that says nothing to us is only remembered. */
export async function recordEvent(room: CreditsRoom, event: Stripe.Event): Promise<void> {
  const [seen] = await room.db.select().from(stripeEvent).where(eq(stripeEvent.id, event.id))
  if (seen) return
  const { intentId, setupIntentId } = subjectOf(event)
  if (intentId !== undefined) return void (await recordIntent(room, intentId, event))
  if (setupIntentId !== undefined) await recordSetup(room, setupIntentId)
  await room.db.insert(stripeEvent).values({ id: event.id, type: event.type }).onConflictDoNothing()
}
