import { and, asc, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import { activityOf, batchPlaces, callsOfBatch } from '../../calls/index.ts'
import { isDialingOn, limitsOf, openingAt } from '../../consent/index.ts'
import { purchasedCredits } from '../../credits/index.ts'
import type { Db, Reader } from '../../platform/db.ts'
import { eachAlone, isNotPassedOver } from '../../platform/rounds/each-alone.ts'
import type { Run } from '../../platform/rounds/rounds.ts'
import { dialNext } from './dial.ts'
import { type AccountPace, deal, type Demand, pace, type Pace, type Ready, shareOf, type WaitsFor } from './pacing.ts'
import { countReady, nextRetryAt } from './queue.ts'
import type { BatchesRoom } from '../room.ts'
import { batch, type BatchRecord } from '../schema.ts'
import { countFreeSlots } from './slots.ts'

const BATCHES_PER_PIECE = 100
/** A longer round ends, and the next one begins at once. */
const PIECES_PER_ROUND = 100
const PACED_AT_ONCE = 8
/** The most calls that one look at a batch begins. */
const CONTACTS_PER_LOOK = 1000
const PACE_TASK = 'batches.pace'
const DIAL_TASK = 'batches.dial'
const FIRST_RETRY_SECONDS = 1
const MINUTE_MS = 60_000
const DIALED_AT_ONCE = 4
/** How often batches look again while the dialing switch is off or the voice service is away. */
const HELD_LOOK_MS = 2000

const MESSAGES: Readonly<Record<WaitsFor, string | null>> = {
  hours: 'It is too early or too late where the next contacts are. It goes on by itself.',
  retries: 'The contacts that are left are called again later.',
  hour: 'As many calls as your account may make in an hour were made. It goes on by itself.',
  day: 'As many credits as your account may use in a day were used. It goes on by itself.',
  minute: null,
  lines: null,
  calls: null,
}

interface Paced {
  readonly row: BatchRecord
  readonly pace: Pace
  /** null: no calling hours apply. */
  readonly openPlaces: readonly string[] | null
}

/** Starts calls of batches that are due, as many as are allowed now. Runs on one process at a time. */
export class Pacer {
  readonly #room: BatchesRoom
  #servedLast: string | null = null

  constructor(room: BatchesRoom) {
    this.#room = room
  }

  /** Looks at every batch that is due at its start, in pieces: no number of batches delays the others' turn. */
  async round(run?: Run): Promise<void> {
    const startedAt = new Date()
    await this.#startScheduled(startedAt)
    for (let piece = 0; piece < PIECES_PER_ROUND; piece++) {
      run?.check()
      if ((await this.#piece(startedAt, run)) < BATCHES_PER_PIECE) return
    }
    this.#room.nudge()
  }

  /** Returns how many batches were looked at. */
  async #piece(startedAt: Date, run: Run | undefined): Promise<number> {
    const { db, config } = this.#room
    const free = await countFreeSlots(db, config.batchConcurrency, startedAt)
    const rows = free === 0 ? [] : await this.#dueBatches(startedAt)
    if (rows.length === 0) return 0
    const obstacle = await this.#obstacle()
    if (obstacle !== null) {
      await this.#wait(rows, new Date(), obstacle)
      return rows.length
    }
    // Later than the start of the round, in which nothing is looked at twice.
    const now = new Date(Math.max(Date.now(), startedAt.getTime() + 1))
    const { paced, accounts } = await this.#paceAll(rows, now, run)
    const demands = paced.map(({ row, pace: { dial } }): Demand => ({ userId: row.userId, batchId: row.id, dial }))
    const mostOf = (userId: string) => {
      const account = accounts.get(userId)
      if (account === undefined) return 0
      const { limits, liveCalls, callsLastHour } = account
      return Math.min(shareOf(limits.liveCallsPerAccount) - liveCalls, shareOf(limits.callsPerHour) - callsLastHour)
    }
    // What finds no place on a voice node waits in its batch, not in the waiting line.
    const places = await batchPlaces(this.#room.calls)
    const { batchIds, servedLast } = deal(demands, Math.min(free, places), mostOf, this.#servedLast)
    this.#servedLast = servedLast
    const dealt = Map.groupBy(batchIds, (batchId) => batchId)
    for (const each of paced) await this.#note(each, now, (dealt.get(each.row.id)?.length ?? 0) < each.pace.dial)
    await this.#dial(batchIds, new Map(paced.map((each) => [each.row.id, each])), now)
    return rows.length
  }

  /** Why no batch can dial now; null: nothing. */
  async #obstacle(): Promise<string | null> {
    const { calls, db, disk } = this.#room
    if (!(await isDialingOn(db))) return 'New calls are paused for the moment. It goes on by itself.'
    if ((await disk.state()) === 'full') return 'There is no room to keep new calls. It goes on by itself.'
    if ((await calls.voice.obstacle()) !== null) return 'Calls cannot be started right now. It goes on by itself.'
    return null
  }

  /** A batch that fails is passed over until later; the others are paced. */
  async #paceAll(items: readonly BatchRecord[], now: Date, run: Run | undefined) {
    const asked = new Map<string, Promise<AccountPace>>()
    const accounts = new Map<string, AccountPace>()
    const paced = new Map<string, Paced>()
    const work = async (row: BatchRecord) => {
      const { userId } = row
      const asking = asked.get(userId) ?? this.#accountOf(userId, now)
      asked.set(userId, asking)
      const account = await asking
      accounts.set(userId, account)
      paced.set(row.id, await this.#pace(row, account, now))
    }
    const subjectOf = ({ id }: BatchRecord) => id
    await eachAlone({
      room: this.#room,
      task: PACE_TASK,
      items,
      subjectOf,
      work,
      atOnce: PACED_AT_ONCE,
      firstRetrySeconds: FIRST_RETRY_SECONDS,
      run,
    })
    return { accounts, paced: items.flatMap(({ id }) => paced.get(id) ?? []) }
  }

  async #startScheduled(now: Date): Promise<void> {
    const due = and(eq(batch.status, 'scheduled'), lte(batch.scheduledFor, now))
    await this.#room.db.update(batch).set({ status: 'running', startedAt: now, lookAt: null }).where(due)
  }

  /**
   * Every account's first batch, then every account's second, so that one account with many batches delays no other.
   */
  #dueBatches(now: Date): Promise<BatchRecord[]> {
    const active = or(eq(batch.status, 'running'), and(eq(batch.status, 'paused'), eq(batch.pausedBy, 'hours')))
    const ofAccount = sql`row_number() over (partition by ${batch.userId} order by ${batch.lookAt} nulls first, ${batch.createdAt})`
    return this.#room.db
      .select()
      .from(batch)
      .where(
        and(
          active,
          or(isNull(batch.lookAt), lte(batch.lookAt, now)),
          isNotPassedOver(PACE_TASK, batch.id),
          isNotPassedOver(DIAL_TASK, batch.id),
        ),
      )
      .orderBy(ofAccount, sql`${batch.lookAt} nulls first`, asc(batch.createdAt))
      .limit(BATCHES_PER_PIECE)
  }

  async #wait(rows: readonly BatchRecord[], now: Date, statusMessage: string): Promise<void> {
    const ids = rows.map(({ id }) => id)
    const lookAt = new Date(now.getTime() + HELD_LOOK_MS)
    await this.#room.db.update(batch).set({ lookAt, statusMessage }).where(inArray(batch.id, ids))
  }

  async #accountOf(userId: string, now: Date): Promise<AccountPace> {
    const { db, config } = this.#room
    const [bought, activity] = await Promise.all([purchasedCredits(db, userId), activityOf(db, userId, now)])
    return { limits: limitsOf(config.limits, bought), ...activity }
  }

  async #pace(row: BatchRecord, account: AccountPace, now: Date): Promise<Paced> {
    const { db, config } = this.#room
    const openPlaces = config.callingHours ? row.places.filter((place) => openingAt(place, now).open) : null
    const minuteMs = MINUTE_MS / (await callsOfBatch.clockSpeed(db, row.id))
    const [begun, ready] = await Promise.all([
      callsOfBatch.begunSince(db, row.id, new Date(now.getTime() - minuteMs)),
      this.#ready(db, row, openPlaces, now),
    ])
    const facts = {
      liveCallsMax: row.plan.liveCalls,
      callsPerMinute: row.plan.callsPerMinute,
      minuteMs,
      liveCalls: row.calling,
      dialedLastMinute: begun.calls,
      firstOfMinute: begun.first,
    }
    return { row, pace: pace(facts, account, ready, now), openPlaces }
  }

  /** Counts at most as many contacts as could be dialed now. */
  async #ready(reader: Reader, row: BatchRecord, openPlaces: readonly string[] | null, now: Date): Promise<Ready> {
    const most = Math.min(row.waiting, this.#room.config.batchConcurrency ?? CONTACTS_PER_LOOK)
    const [contacts, retryAt] = await Promise.all([
      countReady(reader, row.id, { places: openPlaces, now, most }),
      nextRetryAt(reader, row.id, now),
    ])
    const closed = openPlaces === null ? [] : row.places.filter((place) => !openPlaces.includes(place))
    const openings = closed.map((place) => openingAt(place, now).until.getTime())
    return {
      contacts,
      opensAt: openings.length === 0 || row.waiting === 0 ? null : new Date(Math.min(...openings)),
      nextRetryAt: retryAt,
    }
  }

  /**
   * Stores when to look again and what the batch waits for, unless a user or an ended call changed the batch meanwhile.
   */
  async #note({ row, pace: { dial, lookAt: later, waitsFor } }: Paced, now: Date, isShort: boolean): Promise<void> {
    // A batch that got fewer slots than it could use looks again as soon as one is free.
    const lookAt = isShort ? now : later
    const byHours = waitsFor === 'hours' && dial === 0 && row.calling === 0
    const statusMessage = waitsFor === null || dial > 0 ? null : MESSAGES[waitsFor]
    const state = byHours
      ? { status: 'paused' as const, pausedBy: 'hours' as const }
      : { status: 'running' as const, pausedBy: null }
    if (
      row.status === state.status &&
      row.statusMessage === statusMessage &&
      row.lookAt?.getTime() === lookAt.getTime()
    )
      return
    await this.#room.db
      .update(batch)
      .set({ ...state, lookAt, statusMessage })
      .where(
        and(
          eq(batch.id, row.id),
          eq(batch.status, row.status),
          eq(batch.waiting, row.waiting),
          eq(batch.calling, row.calling),
          row.pausedBy === null ? isNull(batch.pausedBy) : eq(batch.pausedBy, row.pausedBy),
        ),
      )
    if (row.status !== state.status) this.#room.tell(row.id)
  }

  /** Dials a few at once, in the dealt order; a held batch gives up its remaining turns, and so does one that fails. */
  async #dial(batchIds: readonly string[], paced: ReadonlyMap<string, Paced>, now: Date): Promise<void> {
    const turns = batchIds.values()
    const over = new Set<string>()
    const failed = new Map<string, unknown>()
    const worker = async () => {
      for (const batchId of turns) {
        const each = paced.get(batchId)
        if (!each || over.has(batchId)) continue
        const dialed = await dialNext(this.#room, each.row, each.openPlaces).catch((error: unknown) => {
          failed.set(batchId, error)
          return 'failed' as const
        })
        if (dialed !== 'on') over.add(batchId)
      }
    }
    await Promise.all(Array.from({ length: DIALED_AT_ONCE }, worker))
    await eachAlone({
      room: this.#room,
      task: DIAL_TASK,
      items: [...new Set(batchIds)],
      subjectOf: (batchId) => batchId,
      firstRetrySeconds: FIRST_RETRY_SECONDS,
      work: async (batchId) => {
        if (failed.has(batchId)) throw failed.get(batchId)
      },
    })
    // A batch whose dealt contacts were all skipped (no live call) is looked at again in the next round.
    const again = [...new Set(batchIds)].filter((batchId) => !over.has(batchId))
    if (again.length > 0)
      await this.#room.db
        .update(batch)
        .set({ lookAt: now })
        .where(
          and(
            inArray(batch.id, again),
            eq(batch.status, 'running'),
            sql`${batch.waiting} > 0`,
            sql`${batch.calling} = 0`,
          ),
        )
  }
}

/** Deletes batches whose upload was cut off by the end of the process. */
export async function sweepIncoming(db: Db): Promise<void> {
  const old = sql`${batch.createdAt} < now() - interval '1 hour'`
  await db.delete(batch).where(and(eq(batch.incoming, true), old))
}
