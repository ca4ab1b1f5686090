import { asc, eq, lte, sql } from 'drizzle-orm'
import type { Reader } from '../../platform/db.ts'
import { type EventSubject, recordEvent } from './events.ts'
import type { Crediting, CreditsRoom } from '../room.ts'
import { stripeEventRetry } from '../schema.ts'

// An event whose effect fails holds up no other: it is kept here and tried again by itself.

/** Shorter than the reconciler's rounds are apart: the next round takes it. Then twice as long each time. */
const FIRST_WAIT_MINUTES = 1
const LONGEST_WAIT_MINUTES = 24 * 60
/** Ten days in all. Any other event of the same payment, and its page, bring the books in line meanwhile. */
const FAILURES_MAX = 20
const EVENTS_PER_ROUND = 20

/** Whether the event failed before: then it has times of its own. */
export async function isKept(reader: Reader, eventId: string): Promise<boolean> {
  return (await reader.$count(stripeEventRetry, eq(stripeEventRetry.id, eventId))) > 0
}

/** Notes that the event failed (once more), and when it is its turn again. */
export async function keepEvent(
  room: Pick<CreditsRoom, 'db' | 'log'>,
  { id, type, intentId, setupIntentId }: EventSubject,
  error: unknown,
): Promise<void> {
  const [kept] = await room.db.select().from(stripeEventRetry).where(eq(stripeEventRetry.id, id))
  const failures = (kept?.failures ?? 0) + 1
  const waitMinutes = failures === 1 ? FIRST_WAIT_MINUTES : Math.min(2 ** failures, LONGEST_WAIT_MINUTES)
  const nextAttemptAt = failures < FAILURES_MAX ? new Date(Date.now() + waitMinutes * 60_000) : null
  await room.db
    .insert(stripeEventRetry)
    .values({ id, type, intentId, setupIntentId, failures, nextAttemptAt })
    .onConflictDoUpdate({ target: stripeEventRetry.id, set: { failures, nextAttemptAt } })
  const about = { err: error, eventId: id, type, intentId, failures }
  if (nextAttemptAt) room.log.warn(about, 'an event of the payment provider is tried again later')
  else room.log.error(about, 'an event of the payment provider was given up')
}

/** The events whose turn it is, those that have waited longest first. */
export async function dueEvents(reader: Reader): Promise<EventSubject[]> {
  const due = lte(stripeEventRetry.nextAttemptAt, sql`now()`)
  return reader
    .select()
    .from(stripeEventRetry)
    .where(due)
    .orderBy(asc(stripeEventRetry.nextAttemptAt))
    .limit(EVENTS_PER_ROUND)
}

export async function retryEvent(room: Crediting, event: EventSubject): Promise<void> {
  await recordEvent(room, event)
  await room.db.delete(stripeEventRetry).where(eq(stripeEventRetry.id, event.id))
}
