import { and, asc, eq, inArray, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { dueEvents, keepEvent, retryEvent } from './event-retries.ts'
import { recordEvent, subjectOf } from './events.ts'
import { dropIntent, recordIntent } from './outcomes.ts'
import { hasNoTask, openUnreadable, refundDecided } from './tasks.ts'
import { isAway } from './stripe.ts'
import type { Reader } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { eachAlone, isNotPassedOver } from '../../platform/rounds/each-alone.ts'
import type { Run } from '../../platform/rounds/rounds.ts'
import { type Crediting, stripeOf } from '../room.ts'
import { payment, stripeEvent, stripeEventRetry, stripeReading, UNFINISHED } from '../schema.ts'

// Finds payments whose webhook or page request was lost.

export const RECONCILE_EVERY_MS = 120_000
/** Overlap of readings: events are not listed in the order in which they become visible. */
const OVERLAP_SECONDS = 600
/** The provider's limit. */
const EVENTS_KEPT_DAYS = 30
const DAY_MS = 86_400_000
/** The most that the provider lists at once. */
const EVENTS_PER_PAGE = 100
const ORDERS_PER_ROUND = 100
const ABANDONED_HOURS = 24

/** After so many failures in a row the provider or the database is probably away; the rest waits for the next round. */
const FAILURES_IN_A_ROW_MAX = 5
/** A payment that has failed so often is a task for a person. */
const FAILURES_MAX = 5

export async function reconcilePayments(room: Crediting, run?: Run): Promise<void> {
  if (!room.stripe) return
  const problems: unknown[] = []
  for (const step of [readEvents, retryEvents, askAboutOrders, dropAbandoned, refundDecided]) {
    run?.check()
    try {
      await step(room, run)
    } catch (error) {
      problems.push(error)
      // While the provider is away nothing is asked: each question would fail, and count against its payment.
      if (step === readEvents && isProviderAway(error)) break
    }
  }
  if (problems.length > 0) throw new AggregateError(problems, 'Payments were not reconciled to the end')
}

function isProviderAway(error: unknown): boolean {
  return isAway(error) || (error instanceof AppError && error.code === 'unavailable')
}

/** Processes each event on its own: an error keeps it for later and does not stop the others. */
async function eachEvent<T>(
  events: AsyncIterable<T> | Iterable<T>,
  work: (event: T) => Promise<unknown>,
  failed: (event: T, error: unknown) => Promise<unknown>,
): Promise<void> {
  let inARow = 0
  for await (const event of events) {
    try {
      await work(event)
      inARow = 0
    } catch (error) {
      await failed(event, error)
      if (++inARow >= FAILURES_IN_A_ROW_MAX) throw error
    }
  }
}

/** Which events are recorded, or failed and have retry times of their own. */
async function knownOf(reader: Reader, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const recorded = reader
    .select({ id: stripeEvent.id })
    .from(stripeEvent)
    .where(inArray(stripeEvent.id, [...ids]))
  const kept = reader
    .select({ id: stripeEventRetry.id })
    .from(stripeEventRetry)
    .where(inArray(stripeEventRetry.id, [...ids]))
  return new Set((await recorded.unionAll(kept)).map(({ id }) => id))
}

/** Each event with whether it is known, which is asked once for a page of them: most are, in every round. */
async function* withKnown<T extends { readonly id: string }>(
  reader: Reader,
  events: AsyncIterable<T>,
): AsyncGenerator<{ readonly event: T; readonly isKnown: boolean }> {
  const page: T[] = []
  const looked = async () => {
    const known =
      page.length === 0
        ? new Set<string>()
        : await knownOf(
            reader,
            page.map(({ id }) => id),
          )
    return page.splice(0).map((event) => ({ event, isKnown: known.has(event.id) }))
  }
  for await (const event of events) {
    page.push(event)
    if (page.length >= EVENTS_PER_PAGE) yield* await looked()
  }
  yield* await looked()
}

/** Reads new events. An interrupted round is read again from its start; recorded and failed events are skipped. */
async function readEvents(room: Crediting): Promise<void> {
  const [reading] = await room.db.select().from(stripeReading)
  const readUntil = new Date()
  const from = reading?.readUntil ?? new Date(readUntil.getTime() - EVENTS_KEPT_DAYS * DAY_MS)
  const created = { gte: Math.floor(from.getTime() / 1000) - OVERLAP_SECONDS }
  await eachEvent(
    withKnown(room.db, stripeOf(room).events.list({ created, limit: EVENTS_PER_PAGE })),
    async ({ event, isKnown }) => (isKnown ? undefined : recordEvent(room, subjectOf(event))),
    ({ event }, error) => keepEvent(room, subjectOf(event), error),
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
  await eachEvent(
    await dueEvents(room.db),
    (event) => retryEvent(room, event),
    (event, error) => keepEvent(room, event, error),
  )
}

/** Unfinished purchases, least recently checked first. */
async function askAboutOrders(room: Crediting, run: Run | undefined): Promise<void> {
  const wanted = and(inArray(payment.status, UNFINISHED), olderThan('1 minute'))
  await askEach(room, { task: 'credits.ask', wanted, ask: (intentId) => recordIntent(room, intentId), run })
}

interface Asking {
  /** Failures are counted by it. */
  readonly task: string
  readonly wanted: SQL | undefined
  readonly ask: (intentId: string) => Promise<unknown>
  readonly run: Run | undefined
}

/**
 * Asks about the least recently asked purchases, each alone; marks them first, so that an error does not block the
 * others next time. One that fails again and again is left to a person.
 */
async function askEach(room: Crediting, { task, wanted, ask, run }: Asking): Promise<void> {
  const longestAgo = room.db
    .select({ id: payment.id })
    .from(payment)
    .where(and(wanted, isNotNull(payment.intentId), isNotPassedOver(task, payment.id), hasNoTask(room.db)))
    .orderBy(asc(payment.askedAt))
    .limit(ORDERS_PER_ROUND)
  const askedAt = sql`clock_timestamp()`
  const orders = await room.db
    .update(payment)
    .set({ askedAt })
    .where(inArray(payment.id, longestAgo))
    .returning({ id: payment.id, intentId: payment.intentId })
  await eachAlone({
    room,
    task,
    items: orders.flatMap(({ id, intentId }) => (intentId === null ? [] : [{ id, intentId }])),
    subjectOf: ({ id }) => id,
    work: async ({ intentId }) => void (await ask(intentId)),
    failuresInRowMax: FAILURES_IN_A_ROW_MAX,
    giveUp: { after: FAILURES_MAX, handOver: (order, error) => openUnreadable(room, order, error) },
    run,
  })
}

/** Cancels unpaid purchases older than a day; a returning user gets a new one. */
async function dropAbandoned(room: Crediting, run: Run | undefined): Promise<void> {
  const old = lt(payment.createdAt, sql`now() - make_interval(hours => ${ABANDONED_HOURS})`)
  const unpaid = or(eq(payment.status, 'open'), eq(payment.status, 'failed'))
  await room.db
    .update(payment)
    .set({ status: 'canceled' })
    .where(and(eq(payment.status, 'open'), isNull(payment.intentId), old))
  const ask = (intentId: string) => dropIntent(room, intentId, 'abandoned')
  await askEach(room, { task: 'credits.drop', wanted: and(unpaid, old), ask, run })
}

function olderThan(interval: string) {
  return lt(payment.checkedAt, sql`now() - ${interval}::interval`)
}
