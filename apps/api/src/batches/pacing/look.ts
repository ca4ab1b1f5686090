import { and, sql } from 'drizzle-orm'
import { activitiesOf, type Begun, callsOfBatch } from '../../calls/index.ts'
import { limitsOf, openingAt } from '../../consent/index.ts'
import { purchasedCreditsOf } from '../../credits/index.ts'
import { sqlState } from '../../platform/db.ts'
import { eachAlone } from '../../platform/rounds/each-alone.ts'
import type { Run } from '../../platform/rounds/rounds.ts'
import { isPaced, type Note, note, PACE_TASK } from './agenda.ts'
import { type AccountPace, type BatchPace, pace, type Pace, roomOf, type WaitsFor } from './pacing.ts'
import { countDue } from './queue.ts'
import type { BatchesRoom } from '../room.ts'
import { batch } from '../schema.ts'

// A look at many batches: what is known of all of them is read in a few statements, and what each waits for is stored.

/** The most calls that one look at a batch begins. */
const CONTACTS_PER_LOOK = 1000
const FIRST_RETRY_SECONDS = 1
/** Rows that one statement changes. */
const NOTED_AT_ONCE = 250
/** SQLSTATE of a statement that fails by the data of some row. */
const DATA_ERROR = /^2[2-4]/

const MESSAGES: Readonly<Record<WaitsFor, string | null>> = {
  hours: 'It is too early or too late where the next contacts are. It goes on by itself.',
  retries: 'The contacts that are left are called again later.',
  hour: 'As many calls as your account may make in an hour were made. It goes on by itself.',
  day: 'As many credits as your account may use in a day were used. It goes on by itself.',
  minute: null,
  lines: null,
  account: null,
  calls: null,
}

/** What pacing needs of a batch; the words of its plan are not read. */
const COLUMNS = {
  id: batch.id,
  userId: batch.userId,
  status: batch.status,
  pausedBy: batch.pausedBy,
  statusMessage: batch.statusMessage,
  waitsFor: batch.waitsFor,
  lookAt: batch.lookAt,
  waiting: batch.waiting,
  calling: batch.calling,
  places: batch.places,
  liveCallsMax: sql<number | null>`(${batch.plan} ->> 'liveCalls')::float8`,
  callsPerMinute: sql<number | null>`(${batch.plan} ->> 'callsPerMinute')::float8`,
}
type Row = Awaited<ReturnType<typeof readRows>>[number]

function readRows({ db }: Pick<BatchesRoom, 'db'>, ids: readonly string[]) {
  const asked = sql`${batch.id} = any(${sql.param([...ids])}::text[])`
  return db.select(COLUMNS).from(batch).where(and(asked, isPaced))
}

export interface Paced {
  readonly row: Row
  readonly pace: Pace
  /** null: no calling hours apply. */
  readonly openPlaces: readonly string[] | null
  /** When the newest call of the batch was begun. */
  readonly servedAt: Date | null
}

/** What the round knows of accounts. */
export type Accounts = Map<string, AccountPace>

/**
 * Looks at the batches, and notes what those that cannot dial wait for. One that fails is passed over; the others are
 * paced.
 */
export async function lookAt(
  room: Pick<BatchesRoom, 'config' | 'db' | 'log' | 'tell'>,
  ids: readonly string[],
  { accounts, now, run }: { readonly accounts: Accounts; readonly now: Date; readonly run: Run | undefined },
): Promise<Paced[]> {
  const paced: Paced[] = []
  for (const part of await readFacts(room, ids, accounts, now)) {
    await eachAlone({
      room,
      task: PACE_TASK,
      items: part.ids,
      subjectOf: (id) => id,
      firstRetrySeconds: FIRST_RETRY_SECONDS,
      run,
      work: async (id) => void paced.push(...part.paceOf(id)),
    })
  }
  await noteWaits(
    room,
    paced.filter(({ pace: { dial } }) => dial === 0),
  )
  return paced
}

/** Notes when to look again, and what until then; of `short` as soon as one of them finds a place. */
export async function noteWaits(
  room: Pick<BatchesRoom, 'db' | 'tell'>,
  paced: readonly Paced[],
  short: ReadonlySet<string> = new Set(),
): Promise<void> {
  const now = new Date()
  const notes = paced.map((each) => (short.has(each.row.id) ? { ...noteOf(each), lookAt: now } : noteOf(each)))
  const changed = notes.filter(({ row, ...noted }) => !isNoted(row, noted))
  for (let from = 0; from < changed.length; from += NOTED_AT_ONCE)
    await note(room.db, changed.slice(from, from + NOTED_AT_ONCE))
  for (const { row, status } of changed) if (row.status !== status) room.tell(row.id)
}

interface Facts {
  readonly ids: readonly string[]
  /** Throws for a batch whose facts are wrong; nothing for one that has ended meanwhile. */
  readonly paceOf: (id: string) => Paced[]
}

/** A row by which a statement fails is found by halves, so that it keeps no other from its look. */
async function readFacts(
  room: Pick<BatchesRoom, 'config' | 'db'>,
  ids: readonly string[],
  accounts: Accounts,
  now: Date,
): Promise<Facts[]> {
  try {
    return [{ ids, paceOf: await readTogether(room, ids, accounts, now) }]
  } catch (error) {
    if (!DATA_ERROR.test(sqlState(error) ?? '')) throw error
    const half = Math.ceil(ids.length / 2)
    if (half === ids.length) {
      const paceOf = () => {
        throw error
      }
      return [{ ids, paceOf }]
    }
    const first = await readFacts(room, ids.slice(0, half), accounts, now)
    return [...first, ...(await readFacts(room, ids.slice(half), accounts, now))]
  }
}

async function readTogether(
  room: Pick<BatchesRoom, 'config' | 'db'>,
  ids: readonly string[],
  accounts: Accounts,
  now: Date,
): Promise<Facts['paceOf']> {
  const { db, config } = room
  const rows = await readRows(room, ids)
  const found = rows.map(({ id }) => id)
  const [begun] = await Promise.all([callsOfBatch.begun(db, found, now), readAccounts(room, rows, accounts, now)])
  const openPlacesOf = ({ places }: Row) =>
    config.callingHours ? places.filter((place) => openingAt(place, now).open) : null
  const most = Math.min(CONTACTS_PER_LOOK, config.batchConcurrency ?? CONTACTS_PER_LOOK)
  const asked = rows.flatMap((row) => {
    const [account, calls] = [accounts.get(row.userId), begun.get(row.id)]
    if (!account || !calls) return []
    // One more than there is room for tells whether more could be dialed.
    const { left } = roomOf(batchPaceOf(row, calls), account, now)
    const wanted = Math.max(1, Math.min(most, left + 1, row.waiting))
    return [{ batchId: row.id, places: openPlacesOf(row), most: wanted }]
  })
  const due = await countDue(db, asked, now)
  const known = new Map(rows.map((row) => [row.id, row]))
  return (id) => {
    const row = known.get(id)
    if (!row) return []
    const [account, calls, contacts] = [accounts.get(row.userId), begun.get(id), due.get(id)]
    if (!account || !calls || !contacts) throw new Error(`The facts of batch ${id} are missing.`)
    if (row.callsPerMinute === null) throw new Error(`The plan of batch ${id} has no pace.`)
    const openPlaces = openPlacesOf(row)
    const ready = { ...contacts, opensAt: opensAt(row, openPlaces, now) }
    return [{ row, pace: pace(batchPaceOf(row, calls), account, ready, now), openPlaces, servedAt: calls.lastAt }]
  }
}

async function readAccounts(
  { db, config }: Pick<BatchesRoom, 'config' | 'db'>,
  rows: readonly Row[],
  accounts: Accounts,
  now: Date,
): Promise<void> {
  const userIds = [...new Set(rows.map(({ userId }) => userId))].filter((userId) => !accounts.has(userId))
  if (userIds.length === 0) return
  const [bought, activities] = await Promise.all([purchasedCreditsOf(db, userIds), activitiesOf(db, userIds, now)])
  for (const [userId, activity] of activities)
    accounts.set(userId, { limits: limitsOf(config.limits, bought.get(userId) ?? 0), ...activity })
}

function batchPaceOf({ liveCallsMax, callsPerMinute, calling }: Row, calls: Begun): BatchPace {
  return {
    liveCallsMax,
    callsPerMinute: callsPerMinute ?? 0,
    minuteMs: calls.minuteMs,
    liveCalls: calling,
    dialedLastMinute: calls.lastMinute,
    firstOfMinute: calls.firstOfMinute,
  }
}

/** When the first place that is closed opens; null: none is, or nobody waits there. */
function opensAt({ places, waiting }: Row, openPlaces: readonly string[] | null, now: Date): Date | null {
  if (openPlaces === null || waiting === 0) return null
  const closed = places.filter((place) => !openPlaces.includes(place))
  if (closed.length === 0) return null
  return new Date(Math.min(...closed.map((place) => openingAt(place, now).until.getTime())))
}

function noteOf({ row, pace: { dial, lookAt: at, waitsFor } }: Paced): Note {
  const byHours = waitsFor === 'hours' && dial === 0 && row.calling === 0
  return {
    row,
    ...(byHours
      ? { status: 'paused' as const, pausedBy: 'hours' as const }
      : { status: 'running' as const, pausedBy: null }),
    statusMessage: waitsFor === null || dial > 0 ? null : MESSAGES[waitsFor],
    waitsFor: waitsFor === 'account' ? 'account' : null,
    lookAt: at,
  }
}

function isNoted(row: Note['row'], noted: Omit<Note, 'row'>): boolean {
  return (
    row.status === noted.status &&
    row.pausedBy === noted.pausedBy &&
    row.statusMessage === noted.statusMessage &&
    row.waitsFor === noted.waitsFor &&
    row.lookAt?.getTime() === noted.lookAt.getTime()
  )
}
