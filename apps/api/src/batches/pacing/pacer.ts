import { and, eq, inArray, sql } from 'drizzle-orm'
import { batchPlaces } from '../../calls/index.ts'
import { isDialingOn } from '../../consent/index.ts'
import type { Db } from '../../platform/db.ts'
import { eachAlone } from '../../platform/rounds/each-alone.ts'
import type { Run } from '../../platform/rounds/rounds.ts'
import { DIAL_TASK, dueBatches, lookAgain, noteObstacle, startScheduled, withPlaces } from './agenda.ts'
import { dialNext } from './dial.ts'
import { type Accounts, lookAt, noteWaits, type Paced } from './look.ts'
import { deal, type Demand, IDLE_MS, shareOf } from './pacing.ts'
import type { BatchesRoom } from '../room.ts'
import { batch } from '../schema.ts'
import { countFreeSlots } from './slots.ts'

const BATCHES_PER_PIECE = 250
/** After so many calls, or so long, the round ends and the next one begins at once: no look waits for long. */
const DIALED_PER_ROUND = 200
const DIALING_MS = 2000
const DIALED_AT_ONCE = 4
const FIRST_RETRY_SECONDS = 1

/** Starts calls of batches that are due, as many as are allowed now. Runs on one process at a time. */
export class Pacer {
  readonly #room: BatchesRoom
  #servedLast: string | null = null

  constructor(room: BatchesRoom) {
    this.#room = room
  }

  /** Looks at the batches that are due at its start, in pieces, and then dials what was dealt out among them. */
  async round(run?: Run): Promise<void> {
    const { db, calls } = this.#room
    const now = new Date()
    await startScheduled(db, now)
    const due = await dueBatches(db, now)
    if (due.length === 0) return
    const obstacle = await this.#obstacle()
    if (obstacle !== null) return noteObstacle(db, due, obstacle)
    // What finds no place on a voice node waits in its batch, not in the waiting line.
    const places = Math.min(await this.#freeSlots(now), await batchPlaces(calls), DIALED_PER_ROUND)
    const { ids, isMore } = withPlaces(due, places)
    const accounts: Accounts = new Map()
    const paced: Paced[] = []
    for (let from = 0; from < ids.length; from += BATCHES_PER_PIECE) {
      run?.check()
      paced.push(...(await lookAt(this.#room, ids.slice(from, from + BATCHES_PER_PIECE), { accounts, now, run })))
    }
    run?.check()
    const isCutShort = await this.#deal(paced, places, accounts)
    if (isMore || isCutShort) this.#room.nudge()
  }

  #freeSlots(now: Date): Promise<number> {
    return countFreeSlots(this.#room.db, this.#room.config.batchConcurrency, now)
  }

  /** Why no batch can dial now; null: nothing. */
  async #obstacle(): Promise<string | null> {
    const { calls, db, disk } = this.#room
    if (!(await isDialingOn(db))) return 'New calls are paused for the moment. It goes on by itself.'
    if ((await disk.state()) === 'full') return 'There is no room to keep new calls. It goes on by itself.'
    if ((await calls.voice.obstacle()) !== null) return 'Calls cannot be started right now. It goes on by itself.'
    return null
  }

  /** Deals the places out among the batches and dials. Returns whether there may be more to dial at once. */
  async #deal(paced: readonly Paced[], places: number, accounts: Accounts): Promise<boolean> {
    const wanting = paced.filter(({ pace }) => pace.dial > 0)
    // Within an account, the batch whose last call is the longest ago comes first.
    const demands = wanting
      .toSorted((a, b) => (a.servedAt?.getTime() ?? 0) - (b.servedAt?.getTime() ?? 0))
      .map(({ row, pace: { dial } }): Demand => ({ userId: row.userId, batchId: row.id, dial }))
    const mostOf = (userId: string) => {
      const account = accounts.get(userId)
      if (account === undefined) return 0
      const { limits, liveCalls, callsLastHour } = account
      return Math.min(shareOf(limits.liveCallsPerAccount) - liveCalls, shareOf(limits.callsPerHour) - callsLastHour)
    }
    const { batchIds } = deal(demands, places, mostOf, this.#servedLast)
    const turns = Map.groupBy(batchIds, (batchId) => batchId)
    // A batch that got fewer places than it could use looks again as soon as one is free.
    const isShort = ({ batchId, dial }: Demand) => (turns.get(batchId)?.length ?? 0) < dial
    await noteWaits(this.#room, wanting, new Set(demands.filter(isShort).map(({ batchId }) => batchId)))
    const taken = await this.#dial(batchIds, new Map(wanting.map((each) => [each.row.id, each.openPlaces])))
    const last = wanting.find(({ row }) => row.id === batchIds[taken - 1])
    if (last) this.#servedLast = last.row.userId
    return taken < batchIds.length || taken === DIALED_PER_ROUND
  }

  /**
   * Dials a few at once, in the dealt order, for a limited time. A held batch gives up its remaining turns, and so does
   * one that fails. Returns how many turns were taken.
   */
  async #dial(batchIds: readonly string[], openPlaces: ReadonlyMap<string, readonly string[] | null>): Promise<number> {
    if (batchIds.length === 0) return 0
    const { db } = this.#room
    const until = performance.now() + DIALING_MS
    const ids = [...new Set(batchIds)]
    const rows = new Map((await db.select().from(batch).where(inArray(batch.id, ids))).map((row) => [row.id, row]))
    const turns = batchIds.values()
    const over = new Set<string>()
    const again = new Set<string>()
    const idle = new Set<string>()
    const failed = new Map<string, unknown>()
    let taken = 0
    const worker = async () => {
      while (performance.now() < until) {
        const { value: batchId, done } = turns.next()
        if (done) return
        taken++
        const row = rows.get(batchId)
        if (!row || over.has(batchId)) continue
        const dialed = await dialNext(this.#room, row, openPlaces.get(batchId) ?? null).catch((error: unknown) => {
          failed.set(batchId, error)
          return 'failed' as const
        })
        if (dialed === 'placed') continue
        if (dialed === 'nothing') idle.add(batchId)
        if (dialed === 'skipped' || dialed === 'failed') again.add(batchId)
        if (dialed !== 'skipped') over.add(batchId)
      }
    }
    await Promise.all(Array.from({ length: DIALED_AT_ONCE }, worker))
    await eachAlone({
      room: this.#room,
      task: DIAL_TASK,
      items: ids,
      subjectOf: (batchId) => batchId,
      firstRetrySeconds: FIRST_RETRY_SECONDS,
      work: async (batchId) => {
        if (failed.has(batchId)) throw failed.get(batchId)
      },
    })
    // Who was skipped has no call whose end would bring the next look.
    await lookAgain(db, [...again, ...batchIds.slice(taken)], new Date())
    await lookAgain(db, [...idle], new Date(Date.now() + IDLE_MS))
    return taken
  }
}

/** Deletes batches whose upload was cut off by the end of the process. */
export async function sweepIncoming(db: Db): Promise<void> {
  const old = sql`${batch.createdAt} < now() - interval '1 hour'`
  await db.delete(batch).where(and(eq(batch.incoming, true), old))
}
