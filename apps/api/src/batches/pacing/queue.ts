import { and, eq, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../../platform/db.ts'
import { batchContact } from '../schema.ts'

// Whose turn it is in a list. `places` are those where it is an hour to call in; null where hours do not matter.

export type Contact = typeof batchContact.$inferSelect
type Places = readonly string[] | null

/** Others dial for the same list at this moment, and have locked the rows before. */
const CANDIDATES = 8

const { nextAttemptAt, place, row } = batchContact
const waitingIn = (batchId: string) => and(eq(batchContact.batchId, batchId), eq(batchContact.status, 'waiting'))
const freshIn = (batchId: string) => and(waitingIn(batchId), isNull(nextAttemptAt))
const dueIn = (batchId: string, now: Date) => and(waitingIn(batchId), lte(nextAttemptAt, now))

/** How many there are whose turn has come; `most` are counted. */
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

/** When the next retry is, of those that are still to come. */
export async function nextRetryAt(reader: Reader, batchId: string, now: Date): Promise<Date | null> {
  const isToCome = sql`${nextAttemptAt} > ${sql.param(now, nextAttemptAt)}`
  const [retry] = await reader
    .select({ at: sql<Date | null>`min(${nextAttemptAt})`.mapWith(nextAttemptAt) })
    .from(batchContact)
    .where(and(waitingIn(batchId), isToCome))
  return retry?.at ?? null
}

/** Retries whose time has come, the longest due first; else the first row of the list. It is locked. */
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

/** The first of each place by the index, and of those the first. */
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

/** What a query finds in each of the places, one after the other, under the name `first`. */
function inEach(places: Places, query: (here: SQL | undefined) => SQL): SQL {
  if (places === null) return sql`(${query(undefined)}) as first`
  return sql`unnest(${sql.param([...places])}::text[]) as p(place) cross join lateral (${query(sql`${place} = p.place`)}) as first`
}
