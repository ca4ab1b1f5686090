import { and, eq, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../../platform/db.ts'
import { batchContact } from '../schema.ts'

// Which contact of a batch is next. `places`: those within calling hours; null: no calling hours apply.

export type Contact = typeof batchContact.$inferSelect
type Places = readonly string[] | null

/** Concurrent dialers of the same batch may have locked the first rows. */
const CANDIDATES = 8

const { nextAttemptAt, place, row } = batchContact
const waitingIn = (batchId: string) => and(eq(batchContact.batchId, batchId), eq(batchContact.status, 'waiting'))
const freshIn = (batchId: string) => and(waitingIn(batchId), isNull(nextAttemptAt))
const dueIn = (batchId: string, now: Date) => and(waitingIn(batchId), lte(nextAttemptAt, now))

/** How many contacts are due; counts at most `most`. */
export async function countReady(
  reader: Reader,
  batchId: string,
  { places, now, most }: { readonly places: Places; readonly now: Date; readonly most: number },
): Promise<number> {
  const counts = await Promise.all(
    [dueIn(batchId, now), freshIn(batchId)].map(async (where) => {
      const ready = inEach(places, (here) => sql`select 1 from ${batchContact} where ${and(where, here)} limit ${most}`)
      const { rows } = await reader.execute<{ contacts: string }>(sql`select count(*) as contacts from ${ready}`)
      return Number(rows[0]?.contacts ?? 0)
    }),
  )
  return Math.min(
    counts.reduce((sum, each) => sum + each, 0),
    most,
  )
}

/** The time of the earliest future retry. */
export async function nextRetryAt(reader: Reader, batchId: string, now: Date): Promise<Date | null> {
  const isToCome = sql`${nextAttemptAt} > ${sql.param(now, nextAttemptAt)}`
  const [retry] = await reader
    .select({ at: sql<Date | null>`min(${nextAttemptAt})`.mapWith(nextAttemptAt) })
    .from(batchContact)
    .where(and(waitingIn(batchId), isToCome))
  return retry?.at ?? null
}

/** The next contact, locked: the longest overdue retry, else the first fresh row. */
export async function nextContact(tx: Tx, batchId: string, places: Places, now: Date): Promise<Contact | undefined> {
  for (const where of [dueIn(batchId, now), freshIn(batchId)]) {
    const rows = await firstRows(tx, places, where)
    if (rows.length === 0) continue
    const [contact] = await tx
      .select()
      .from(batchContact)
      .where(and(where, inArray(row, rows)))
      .orderBy(nextAttemptAt, row)
      .limit(1)
      .for('update', { skipLocked: true })
    if (contact) return contact
  }
  return undefined
}

/** The first rows over all places, by one index scan per place. */
async function firstRows(reader: Reader, places: Places, where: SQL | undefined): Promise<number[]> {
  const inTurn = sql`order by ${nextAttemptAt}, ${row} limit ${CANDIDATES}`
  const first = inEach(
    places,
    (here) => sql`select ${row}, ${nextAttemptAt} from ${batchContact} where ${and(where, here)} ${inTurn}`,
  )
  const { rows } = await reader.execute<{ row: number }>(
    sql`select first.row from ${first} order by first.next_attempt_at, first.row limit ${CANDIDATES}`,
  )
  return rows.map((each) => each.row)
}

/** Runs a query for each place (lateral join) and names the result `first`. */
function inEach(places: Places, query: (here: SQL | undefined) => SQL): SQL {
  if (places === null) return sql`(${query(undefined)}) as first`
  return sql`unnest(${sql.param([...places])}::text[]) as p(place) cross join lateral (${query(sql`${place} = p.place`)}) as first`
}
