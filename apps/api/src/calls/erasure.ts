import { and, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { withTx } from '../platform/db.ts'
import { AppError } from '../platform/errors.ts'
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

/** Erases transcript, summary, outcomes, questions, notes and recording of calls that ended more than `days` days ago. */
export async function eraseWords(
  room: Pick<CallsRoom, 'db' | 'hooks' | 'jobs'>,
  userIds: readonly string[],
  days: number,
): Promise<void> {
  if (userIds.length === 0) return
  const left: ErasedWords = {
    transcript: `Erased after ${days} days, as your settings say.`,
    summary: null,
    notes: null,
    hasRecording: false,
    outcomes: [],
  }
  const old = sql`${call.completedAt} < now() - make_interval(days => ${days})`
  const unerased = or(
    isNull(call.transcript),
    sql`${call.transcript} not like 'Erased after % days, as your settings say.'`,
    call.hasRecording,
  )
  await withTx(room.db, async (tx) => {
    const erased = await tx
      .update(call)
      .set(left)
      .where(and(inArray(call.userId, [...userIds]), old, unerased))
      .returning({ id: call.id, userId: call.userId, record: call.record })
    for (const [userId, calls] of Map.groupBy(
      erased.filter(({ record }) => record),
      (each) => each.userId,
    )) {
      await eraseRecordings(
        room.jobs,
        tx,
        userId,
        calls.map(({ id }) => id),
      )
    }
    const ids = erased.map(({ id }) => id)
    if (ids.length === 0) return
    await tx.delete(callTurn).where(inArray(callTurn.callId, ids))
    await tx.delete(callEvent).where(and(inArray(callEvent.callId, ids), isNotNull(callEvent.question)))
    await tx.delete(callSummary).where(inArray(callSummary.callId, ids))
    await room.hooks.run('erased', tx, ids, left)
  })
}
