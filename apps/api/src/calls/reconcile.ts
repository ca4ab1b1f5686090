import { and, asc, eq, getColumns, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import { listExpiredHolds, settle } from '../credits/index.ts'
import { type Reader, withTx } from '../platform/db.ts'
import { eachAlone } from '../platform/rounds/each-alone.ts'
import { inTurns } from '../platform/rounds/in-turns.ts'
import type { Run } from '../platform/rounds/rounds.ts'
import { NodeGone, VoiceRefusal } from './nodes/wire.ts'
import { fail, neverDialed } from './placing/dial.ts'
import { isOver } from './lifecycle.ts'
import { DIAL_BUDGET_MS, limitSecondsOf, longestCallMs } from './placing/limits.ts'
import { type Answer, lastHeardAt, noteAnswers } from './liveness.ts'
import { lockCall } from './read.ts'
import { conclude, type Kept } from './facts.ts'
import { announce, type CallsRoom, type Concluding } from './room.ts'
import { call, callLease, callLiveness, type CallRow } from './schema.ts'

export const RECONCILE_EVERY_MS = 5000
/** A call with a fact in the last so many ms is not checked. */
const QUIET_MS = 4000
/** Added to the dial budget, for the response of the last attempt. */
const DIAL_GRACE_MS = 5000
/** Added to the longest call, when voice cannot be asked or does not let go. */
const OVERDUE_MS = 60_000
const CALLS_PER_ROUND = 200
const ASKED_AT_ONCE = 20
/** Who is not asked by then comes first in the next round. */
const ASKING_MS = 5000
/** A node that has failed to answer so often in a row is not asked again in the same round. */
const SILENT_AFTER = 3

/** Of holds that could not be freed. */
const TASK = 'calls.reconcile'
const FREED_AT_ONCE = 5

type Freeing = Pick<CallsRoom, 'bus' | 'db' | 'hooks' | 'log'>

/** Ends every call and hold that a crash of voice or api left behind. */
export async function reconcile(room: Concluding, now: Date = new Date(), run?: Run): Promise<void> {
  await askAbout(room, await listQuietCalls(room.db, now), now)
  await freeExpiredHolds(room, now, run)
}

interface Quiet {
  readonly row: CallRow
  /** The node that has the call; null: VOICE_URL. */
  readonly nodeId: string | null
  /** Its node did not know it when it was last asked. */
  readonly wasMissed: boolean | null
}

/** Those that were asked about the longest ago, or never. */
function listQuietCalls(reader: Reader, now: Date): Promise<Quiet[]> {
  const quietSince = new Date(now.getTime() - QUIET_MS)
  return reader
    .select({ row: getColumns(call), nodeId: callLease.nodeId, wasMissed: callLiveness.isMissed })
    .from(call)
    .leftJoin(callLiveness, eq(callLiveness.callId, call.id))
    .leftJoin(callLease, eq(callLease.callId, call.id))
    .where(
      and(
        isNull(call.completedAt),
        isNull(call.waitingSince),
        or(lt(lastHeardAt, sql.param(quietSince, call.heardAt)), isNotNull(call.stopRequestedAt)),
      ),
    )
    .orderBy(sql`${callLiveness.askedAt} nulls first`, asc(lastHeardAt))
    .limit(CALLS_PER_ROUND)
}

/** Asks the nodes; one that is slow or dead holds no call of another. */
async function askAbout(room: Concluding, quiet: readonly Quiet[], now: Date): Promise<void> {
  const until = performance.now() + ASKING_MS
  const silences = new Map<string, number>()
  const answers: Answer[] = []
  const groupOf = ({ nodeId }: Quiet) => nodeId ?? ''
  const work = async (each: Quiet) => {
    if (performance.now() > until) return
    const node = groupOf(each)
    const silencesOf = () => silences.get(node) ?? 0
    const standing = silencesOf() < SILENT_AFTER ? await ask(room, each.row.id) : 'silent'
    silences.set(node, standing === 'silent' ? silencesOf() + 1 : 0)
    answers.push(await lookAfter(room, each, standing, now))
  }
  await inTurns({ items: quiet, groupOf, atOnce: ASKED_AT_ONCE, work })
  await noteAnswers(room.db, answers, now)
}

/** unknown: the node has said nothing of use. silent: it has not answered. */
type Standing = Awaited<ReturnType<CallsRoom['voice']['ask']>> | 'unknown' | 'silent'

function ask({ voice }: Concluding, callId: string): Promise<Standing> {
  return voice
    .ask(callId)
    .catch((error: unknown): Standing =>
      error instanceof VoiceRefusal || error instanceof NodeGone ? 'unknown' : 'silent',
    )
}

/** Reconciles one call; an error does not stop the others. */
async function lookAfter(room: Concluding, { row, wasMissed }: Quiet, standing: Standing, now: Date): Promise<Answer> {
  const isMissed = isNowhere(standing)
  let isHeard = false
  try {
    const givenUp = isHopeless(row, standing, isMissed && wasMissed === true, now)
    if (givenUp) await giveUp(room, row.id, standing)
    isHeard = standing === 'live' && !givenUp && row.stopRequestedAt === null
    if (standing === 'live' && !isHeard) await room.voice.command(row.id, { type: 'stop' })
  } catch (error) {
    room.log.warn({ err: error, callId: row.id }, 'call not reconciled')
  }
  return { callId: row.id, isHeard, isMissed }
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
  return (isMissed || standing === 'unknown' || standing === 'silent') && ageMs > DIAL_BUDGET_MS + DIAL_GRACE_MS
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
