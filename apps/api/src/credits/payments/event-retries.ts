import { asc, eq, lte, sql } from 'drizzle-orm'
import type { Reader } from '../../platform/db.ts'
import { type EventSubject, recordEvent } from './events.ts'
import type { Crediting, CreditsRoom } from '../room.ts'
import { stripeEventRetry } from '../schema.ts'

// A failed event does not block others: it is stored here with its own retry time.

/** Shorter than a reconciler round, so that the next round retries. The wait doubles each time. */
const FIRST_WAIT_MINUTES = 1
const LONGEST_WAIT_MINUTES = 24 * 60
/** Ten days in total. Other events of the payment, and its page, also bring the ledger up to date. */
const FAILURES_MAX = 20
const EVENTS_PER_ROUND = 20

/** Records a failure of the event and its next retry time. */
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

/** Events due for a retry, longest waiting first. */
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
