import { and, asc, eq, inArray, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { dueEvents, isKept, keepEvent, retryEvent } from './event-retries.ts'
import { recordEvent, subjectOf } from './events.ts'
import { dropIntent, recordIntent } from './outcomes.ts'
import { refundDecided } from './tasks.ts'
import { type Crediting, type CreditsRoom, stripeOf } from '../room.ts'
import { payment, stripeEvent, stripeReading, UNFINISHED } from '../schema.ts'

// Finds payments whose webhook or page request was lost.

export const RECONCILE_EVERY_MS = 120_000
/** Overlap of readings: events are not listed in the order in which they become visible. */
const OVERLAP_SECONDS = 600
/** The provider's limit. */
const EVENTS_KEPT_DAYS = 30
const DAY_MS = 86_400_000
const ORDERS_PER_ROUND = 100
const ABANDONED_HOURS = 24

/** After so many failures in a row the provider or the database is probably away; the rest waits for the next round. */
const FAILURES_IN_A_ROW_MAX = 5

export async function reconcilePayments(room: Crediting): Promise<void> {
  if (!room.stripe) return
  const problems: unknown[] = []
  for (const step of [readEvents, retryEvents, askAboutOrders, dropAbandoned, refundDecided]) {
    await step(room).catch((error: unknown) => problems.push(error))
  }
  if (problems.length > 0) throw new AggregateError(problems, 'Payments were not reconciled to the end')
}

/** Processes each item on its own: an error goes to `failed` and does not stop the others. */
async function eachAlone<T>(
  items: AsyncIterable<T> | Iterable<T>,
  work: (item: T) => Promise<unknown>,
  failed: (item: T, error: unknown) => Promise<unknown>,
): Promise<void> {
  let inARow = 0
  for await (const item of items) {
    try {
      await work(item)
      inARow = 0
    } catch (error) {
      await failed(item, error)
      if (++inARow >= FAILURES_IN_A_ROW_MAX) throw error
    }
  }
}

/** Reads new events. An interrupted round is read again from its start; recorded and failed events are skipped. */
async function readEvents(room: Crediting): Promise<void> {
  const [reading] = await room.db.select().from(stripeReading)
  const readUntil = new Date()
  const from = reading?.readUntil ?? new Date(readUntil.getTime() - EVENTS_KEPT_DAYS * DAY_MS)
  const created = { gte: Math.floor(from.getTime() / 1000) - OVERLAP_SECONDS }
  await eachAlone(
    stripeOf(room).events.list({ created, limit: 100 }),
    async (event) => ((await isKept(room.db, event.id)) ? undefined : recordEvent(room, subjectOf(event))),
    (event, error) => keepEvent(room, subjectOf(event), error),
  )
  await room.db
    .insert(stripeReading)
    .values({ readUntil })
    .onConflictDoUpdate({ target: stripeReading.id, set: { readUntil } })
  await room.db
    .delete(stripeEvent)
    .where(lt(stripeEvent.at, new Date(readUntil.getTime() - 2 * EVENTS_KEPT_DAYS * DAY_MS)))
}

async function retryEvents(room: Crediting): Promise<void> {
  await eachAlone(
    await dueEvents(room.db),
    (event) => retryEvent(room, event),
    (event, error) => keepEvent(room, event, error),
  )
}

/** Unfinished purchases, least recently checked first. */
async function askAboutOrders(room: Crediting): Promise<void> {
  const unfinished = and(inArray(payment.status, UNFINISHED), olderThan('1 minute'))
  await askEach(room, unfinished, (intentId) => recordIntent(room, intentId))
}

/**
 * Asks about the least recently asked purchases; marks them first, so that an error does not block the others next
 * time.
 */
async function askEach(
  room: Pick<CreditsRoom, 'db' | 'log'>,
  wanted: SQL | undefined,
  ask: (intentId: string) => Promise<unknown>,
): Promise<void> {
  const longestAgo = room.db
    .select({ id: payment.id })
    .from(payment)
    .where(and(wanted, isNotNull(payment.intentId)))
    .orderBy(asc(payment.askedAt))
    .limit(ORDERS_PER_ROUND)
  const askedAt = sql`clock_timestamp()`
  const orders = await room.db
    .update(payment)
    .set({ askedAt })
    .where(inArray(payment.id, longestAgo))
    .returning({ intentId: payment.intentId })
  await eachAlone(
    orders.flatMap(({ intentId }) => intentId ?? []),
    ask,
    async (intentId, error) => room.log.warn({ err: error, intentId }, 'what became of an order was not found out'),
  )
}

/** Cancels unpaid purchases older than a day; a returning user gets a new one. */
async function dropAbandoned(room: Crediting): Promise<void> {
  const old = lt(payment.createdAt, sql`now() - make_interval(hours => ${ABANDONED_HOURS})`)
  const unpaid = or(eq(payment.status, 'open'), eq(payment.status, 'failed'))
  await room.db
    .update(payment)
    .set({ status: 'canceled' })
    .where(and(eq(payment.status, 'open'), isNull(payment.intentId), old))
  await askEach(room, and(unpaid, old), (intentId) => dropIntent(room, intentId, 'abandoned'))
}

function olderThan(interval: string) {
  return lt(payment.checkedAt, sql`now() - ${interval}::interval`)
}
