import { and, asc, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { withTx } from '../platform/db.ts'
import { AppError } from '../platform/errors.ts'
import { eachAlone, isNotPassedOver } from '../platform/rounds/each-alone.ts'
import type { Run } from '../platform/rounds/rounds.ts'
import { stopCall } from './change.ts'
import { eraseRecordings } from './recordings.ts'
import type { CallsRoom, Concluding, ErasedWords } from './room.ts'
import { call, callEvent, callSummary, callTurn } from './schema.ts'

/** Asks every live call of a user to end. Returns how many are still live. */
export async function endCalls(room: Concluding, userId: string): Promise<number> {
  const live = and(eq(call.userId, userId), isNull(call.completedAt))
  const end = async ({ id }: { readonly id: string }) => {
    await stopCall(room, userId, id).catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === 'call_ended')) throw error
    })
  }
  // Concurrent: an account has few live calls, and each may wait for the voice service.
  await Promise.all((await room.db.select({ id: call.id }).from(call).where(live)).map(end))
  return room.db.$count(call, live)
}

const TASK = 'accounts.retention'
const CALLS_PER_PIECE = 200

type Erasing = Pick<CallsRoom, 'db' | 'hooks' | 'jobs' | 'log'>

/**
 * Erases transcript, summary, outcomes, questions, notes and recording of calls that ended more than `days` days ago, in pieces.
 * An account that fails is passed over until later.
 */
export async function eraseWords(room: Erasing, userIds: readonly string[], days: number, run?: Run): Promise<void> {
  const old = sql`${call.completedAt} < now() - make_interval(days => ${days})`
  const unerased = or(
    isNull(call.transcript),
    sql`${call.transcript} not like 'Erased after % days, as your settings say.'`,
    call.hasRecording,
  )
  for (let isMore = userIds.length > 0; isMore;) {
    const due = await room.db
      .select({ id: call.id, userId: call.userId })
      .from(call)
      .where(and(inArray(call.userId, [...userIds]), old, unerased, isNotPassedOver(TASK, call.userId)))
      .orderBy(asc(call.userId), asc(call.completedAt))
      .limit(CALLS_PER_PIECE)
    const items = [...Map.groupBy(due, ({ userId }) => userId)]
    const work = ([userId, calls]: (typeof items)[number]) =>
      eraseOf(
        room,
        userId,
        calls.map(({ id }) => id),
        days,
      )
    await eachAlone({ room, task: TASK, items, subjectOf: ([userId]) => userId, work, run })
    isMore = due.length === CALLS_PER_PIECE
  }
}

async function eraseOf(room: Erasing, userId: string, callIds: readonly string[], days: number): Promise<void> {
  const left: ErasedWords = {
    transcript: `Erased after ${days} days, as your settings say.`,
    summary: null,
    notes: null,
    hasRecording: false,
    outcomes: [],
  }
  await withTx(room.db, async (tx) => {
    const erased = await tx
      .update(call)
      .set(left)
      .where(inArray(call.id, [...callIds]))
      .returning({ id: call.id, record: call.record })
    const recorded = erased.flatMap(({ id, record }) => (record ? [id] : []))
    if (recorded.length > 0) await eraseRecordings(room.jobs, tx, userId, recorded)
    const ids = erased.map(({ id }) => id)
    if (ids.length === 0) return
    await tx.delete(callTurn).where(inArray(callTurn.callId, ids))
    await tx.delete(callEvent).where(and(inArray(callEvent.callId, ids), isNotNull(callEvent.question)))
    await tx.delete(callSummary).where(inArray(callSummary.callId, ids))
    await room.hooks.run('erased', tx, ids, left)
  })
}
