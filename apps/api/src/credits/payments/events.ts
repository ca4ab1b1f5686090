import type Stripe from 'stripe'
import { eq } from 'drizzle-orm'
import { recordSetup } from '../cards/cards.ts'
import { recordIntent } from './outcomes.ts'
import type { Crediting } from '../room.ts'
import { stripeEvent } from '../schema.ts'
import { idOf } from './stripe.ts'

/** The payment or setup that an event concerns; empty for irrelevant events. */
export interface EventSubject {
  readonly id: string
  readonly type: string
  readonly intentId: string | null
  readonly setupIntentId: string | null
}

export function subjectOf(event: Stripe.Event): EventSubject {
  const { id, type } = event
  const nothing = { id, type, intentId: null, setupIntentId: null }
  switch (event.type) {
    case 'payment_intent.succeeded':
    case 'payment_intent.processing':
    case 'payment_intent.payment_failed':
    case 'payment_intent.canceled':
      return { ...nothing, intentId: event.data.object.id }
    case 'charge.refunded':
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
      return { ...nothing, intentId: idOf(event.data.object.payment_intent) ?? null }
    case 'setup_intent.succeeded':
      return { ...nothing, setupIntentId: event.data.object.id }
    default:
      return nothing
  }
}

/** Applies an event once, however often it arrives; an irrelevant event is only recorded. */
export async function recordEvent(room: Crediting, event: EventSubject): Promise<void> {
  const { id, type, intentId, setupIntentId } = event
  const [seen] = await room.db.select().from(stripeEvent).where(eq(stripeEvent.id, id))
  if (seen) return
  if (intentId !== null) return void (await recordIntent(room, intentId, event))
  if (setupIntentId !== null) await recordSetup(room, setupIntentId)
  await room.db.insert(stripeEvent).values({ id, type }).onConflictDoNothing()
}
