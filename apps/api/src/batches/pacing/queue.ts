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

export interface Asked {
  readonly batchId: string
  readonly places: Places
  /** Counts at most so many. */
  readonly most: number
}

interface Due {
  readonly contacts: number
  /** The earliest retry to come. */
  readonly nextRetryAt: Date | null
}

/** How many contacts of each batch are due, in one statement. Of places that are not open none is. */
export async function countDue(reader: Reader, asked: readonly Asked[], now: Date): Promise<ReadonlyMap<string, Due>> {
  const at = sql`${sql.param(now, nextAttemptAt)}::timestamptz`
  // The places are those of all batches or of none: it is a setting.
  const isAnywhere = asked.every(({ places }) => places === null)
  const of = (when: SQL) => {
    const waiting = sql`contact.batch_id = asked."batchId" and contact.status = 'waiting' and ${when}`
    const inPlaces = sql`jsonb_array_elements_text(asked.places) as p (place) cross join lateral
      (select from ${batchContact} as contact where ${waiting} and contact.place = p.place limit asked.most) as here`
    const from = isAnywhere ? sql`${batchContact} as contact where ${waiting}` : inPlaces
    return sql`(select count(*) from (select from ${from} limit asked.most) as due)`
  }
  const { rows } = await reader.execute<{ id: string; contacts: number; retry: number | null }>(sql`
    select asked."batchId" as id,
      least(asked.most, ${of(sql`contact.next_attempt_at is null`)} + ${of(sql`contact.next_attempt_at <= ${at}`)})::int
        as contacts,
      (select extract(epoch from min(next_attempt_at)) * 1000 from ${batchContact} where batch_id = asked."batchId"
        and status = 'waiting' and next_attempt_at > ${at})::float8 as retry
    from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as asked ("batchId" text, places jsonb, most int)`)
  return new Map(
    rows.map(({ id, contacts, retry }) => [id, { contacts, nextRetryAt: retry === null ? null : new Date(retry) }]),
  )
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
