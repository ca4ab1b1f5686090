import { and, asc, eq, getColumns, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import { listExpiredHolds, settle } from '../credits/index.ts'
import { type Db, type Reader, withTx } from '../platform/db.ts'
import { eachAlone } from '../platform/rounds/each-alone.ts'
import type { Run } from '../platform/rounds/rounds.ts'
import { fail, neverDialed } from './placing/dial.ts'
import { isOver } from './lifecycle.ts'
import { DIAL_BUDGET_MS, limitSecondsOf, longestCallMs } from './placing/limits.ts'
import { lastHeardAt, noteHeard } from './liveness.ts'
import { lockCall } from './read.ts'
import { conclude, type Kept } from './facts.ts'
import { announce, type CallsRoom, type Concluding } from './room.ts'
import { call, callLiveness, type CallRow } from './schema.ts'

export const RECONCILE_EVERY_MS = 5000
/** A call with a fact in the last so many ms is not checked. */
const QUIET_MS = 4000
/** Added to the dial budget, for the response of the last attempt. */
const DIAL_GRACE_MS = 5000
/** Added to the longest call, when voice cannot be asked or does not let go. */
const OVERDUE_MS = 60_000
const CALLS_PER_ROUND = 200
const ASKED_AT_ONCE = 20

/** Of holds that could not be freed. */
const TASK = 'calls.reconcile'
const FREED_AT_ONCE = 5

type Freeing = Pick<CallsRoom, 'bus' | 'db' | 'hooks' | 'log'>
type Reconciling = Concluding & Pick<CallsRoom, 'missed'>

/** Ends every call and hold that a crash of voice or api left behind. */
export async function reconcile(room: Reconciling, now: Date = new Date(), run?: Run): Promise<void> {
  const quiet = await listQuietCalls(room.db, now)
  const missed = new Set<string>()
  for (let from = 0; from < quiet.length; from += ASKED_AT_ONCE) {
    await Promise.all(quiet.slice(from, from + ASKED_AT_ONCE).map((row) => lookAfter(room, row, missed, now)))
  }
  room.missed.clear()
  for (const callId of missed) room.missed.add(callId)
  await freeExpiredHolds(room, now, run)
}

function listQuietCalls(reader: Reader, now: Date): Promise<CallRow[]> {
  const quietSince = new Date(now.getTime() - QUIET_MS)
  return reader
    .select(getColumns(call))
    .from(call)
    .leftJoin(callLiveness, eq(callLiveness.callId, call.id))
    .where(
      and(
        isNull(call.completedAt),
        isNull(call.waitingSince),
        or(lt(lastHeardAt, sql.param(quietSince, call.heardAt)), isNotNull(call.stopRequestedAt)),
      ),
    )
    .orderBy(asc(lastHeardAt))
    .limit(CALLS_PER_ROUND)
}

type Standing = Awaited<ReturnType<CallsRoom['voice']['ask']>> | 'unknown'

/** Reconciles one call; an error does not stop the others. */
async function lookAfter(room: Reconciling, row: CallRow, missed: Set<string>, now: Date): Promise<void> {
  try {
    const standing = await room.voice.ask(row.id).catch((): Standing => 'unknown')
    if (isNowhere(standing)) missed.add(row.id)
    const isMissed = missed.has(row.id) && room.missed.has(row.id)
    const givenUp = isHopeless(row, standing, isMissed, now)
    if (givenUp) await giveUp(room, row.id, standing)
    if (standing !== 'live') return
    if (givenUp || row.stopRequestedAt !== null) await room.voice.command(row.id, { type: 'stop' })
    else await noteLive(room.db, row.id, now)
  } catch (error) {
    room.log.warn({ err: error, callId: row.id }, 'call not reconciled')
  }
}

/** Locks the call first, as those do who take its facts. One that has ended meanwhile is not heard of any more. */
async function noteLive(db: Db, callId: string, now: Date): Promise<void> {
  await withTx(db, async (tx) => {
    if (!isOver(await lockCall(tx, callId))) await noteHeard(tx, callId, now)
  })
}

function isNowhere(standing: Standing): boolean {
  return standing === 'lost' || standing === 'never'
}

/**
 * Whether no more facts can come. A call that is over in voice has only its last facts to deliver; one that its own
 * node does not know (`isMissed`: two times in a row) has none. Calls of a dead node are for nodes/deaths.ts.
 */
function isHopeless(row: CallRow, standing: Standing, isMissed: boolean, now: Date): boolean {
  const ageMs = now.getTime() - (row.takenAt ?? row.stageAt).getTime()
  if (ageMs > longestCallMs(limitSecondsOf(row), row.clockSpeed) + OVERDUE_MS) return true
  if (row.takenAt !== null) return isMissed
  return (isMissed || standing === 'unknown') && ageMs > DIAL_BUDGET_MS + DIAL_GRACE_MS
}

/** `connectedSeconds`: the carrier's own, where it was asked. */
export async function giveUp(
  room: Pick<CallsRoom, 'bus' | 'db' | 'hooks' | 'log'>,
  callId: string,
  standing: Standing,
  connectedSeconds?: number,
): Promise<void> {
  const kept = await withTx(room.db, async (tx): Promise<Kept | undefined> => {
    const row = await lockCall(tx, callId)
    if (isOver(row)) return undefined
    const ending = { at: new Date(), ...(connectedSeconds === undefined ? {} : { connectedSeconds }) }
    if (row.stopRequestedAt !== null)
      return conclude(room.hooks, tx, row, { ...ending, reason: 'stopped', message: 'The call was stopped.' })
    if (row.factsTaken === 0 && (standing === 'never' || row.dispatchedAt === null))
      return neverDialed(room.hooks, tx, row)
    if (row.takenAt === null) return fail(room.hooks, tx, row)
    const message = 'A technical problem ended the call.'
    return conclude(room.hooks, tx, row, { ...ending, reason: 'interrupted', message })
  })
  if (!kept) return
  room.log.warn({ callId, reason: kept.row.endReason }, 'call given up')
  announce(room.bus, kept.row.userId, kept.messages)
}

/** Releases holds that outlived their call. */
async function freeExpiredHolds(room: Freeing, now: Date, run?: Run): Promise<void> {
  const items = await listExpiredHolds(room.db, now, { unless: TASK })
  const work = ({ callId }: { readonly callId: string }) => freeHold(room, callId)
  const subjectOf = ({ callId }: { readonly callId: string }) => callId
  await eachAlone({ room, task: TASK, items, subjectOf, work, atOnce: FREED_AT_ONCE, run })
}

async function freeHold(room: Freeing, callId: string): Promise<void> {
  const [row] = await room.db.select().from(call).where(eq(call.id, callId))
  if (row && !isOver(row)) return giveUp(room, callId, 'unknown')
  await withTx(room.db, async (tx) => void (await settle(tx, { callId, connectedSeconds: row?.durationSeconds ?? 0 })))
}
