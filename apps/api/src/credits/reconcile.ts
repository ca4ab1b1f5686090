import { and, asc, eq, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import { recordEvent } from './events.ts'
import { recordIntent } from './record.ts'
import { type CreditsRoom, stripeOf } from './room.ts'
import { payment, stripeEvent, stripeReading } from './schema.ts'
import { answerOf } from './stripe.ts'

// What the webhook and the page did not tell is found out by asking.

export const RECONCILE_EVERY_MS = 120_000
/** Events are read again for this long back: they are not listed in the order in which they become visible. */
const OVERLAP_SECONDS = 600
/** The provider lists no older events. */
const EVENTS_KEPT_DAYS = 30
const DAY_MS = 86_400_000
const ORDERS_PER_ROUND = 100
const ABANDONED_HOURS = 24

export async function reconcilePayments(room: CreditsRoom): Promise<void> {
  if (!room.stripe) return
  await readEvents(room)
  await askAboutOrders(room)
  await dropAbandoned(room)
}

/** A round that fails is read again from where it began; what had its effect is passed over. */
async function readEvents(room: CreditsRoom): Promise<void> {
  const [reading] = await room.db.select().from(stripeReading)
  const readUntil = new Date()
  const from = reading?.readUntil ?? new Date(readUntil.getTime() - EVENTS_KEPT_DAYS * DAY_MS)
  const created = { gte: Math.floor(from.getTime() / 1000) - OVERLAP_SECONDS }
  for await (const event of stripeOf(room).events.list({ created, limit: 100 })) await recordEvent(room, event)
  await room.db.insert(stripeReading).values({ readUntil }).onConflictDoUpdate({ target: stripeReading.id, set: { readUntil } })
  await room.db.delete(stripeEvent).where(lt(stripeEvent.at, new Date(readUntil.getTime() - 2 * EVENTS_KEPT_DAYS * DAY_MS)))
}

/** Orders that nothing has come of, those asked about longest ago first. */
async function askAboutOrders(room: CreditsRoom): Promise<void> {
  const unfinished = await room.db
    .select({ intentId: payment.intentId })
    .from(payment)
    .where(and(inArray(payment.status, ['open', 'processing', 'failed']), isNotNull(payment.intentId), olderThan('1 minute')))
    .orderBy(asc(payment.checkedAt))
    .limit(ORDERS_PER_ROUND)
  for (const { intentId } of unfinished) if (intentId !== null) await recordIntent(room, intentId)
}

/** Nobody comes back to a form of yesterday; whoever does gets another. */
async function dropAbandoned(room: CreditsRoom): Promise<void> {
  const old = lt(payment.createdAt, sql`now() - make_interval(hours => ${ABANDONED_HOURS})`)
  const unpaid = or(eq(payment.status, 'open'), eq(payment.status, 'failed'))
  await room.db
    .update(payment)
    .set({ status: 'canceled' })
    .where(and(eq(payment.status, 'open'), isNull(payment.intentId), old))
  const abandoned = await room.db
    .select({ intentId: payment.intentId })
    .from(payment)
    .where(and(unpaid, old, isNotNull(payment.intentId)))
    .limit(ORDERS_PER_ROUND)
  for (const { intentId } of abandoned) {
    if (intentId === null) continue
    // One that was paid in this very moment refuses; then it is recorded as that.
    await answerOf(stripeOf(room).paymentIntents.cancel(intentId, { cancellation_reason: 'abandoned' })).catch((error: unknown) =>
      room.log.info({ err: error, intentId }, 'an old order was not canceled'),
    )
    await recordIntent(room, intentId)
  }
}

function olderThan(interval: string) {
  return lt(payment.checkedAt, sql`now() - ${interval}::interval`)
}
