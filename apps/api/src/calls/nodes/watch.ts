import { withTx } from '../../platform/db.ts'
import { eachAlone } from '../../platform/rounds/each-alone.ts'
import { announce, type CallsRoom, type Concluding } from '../room.ts'
import { fail } from '../placing/dial.ts'
import { LINE_WAIT_MAX_MS } from '../placing/limits.ts'
import { lockCall } from '../read.ts'
import { listWaiting, wakeNext } from './line.ts'

export const WATCH_EVERY_MS = 1000
const CALLS_PER_ROUND = 100
const TASK = 'calls.nodes'

/** Ends waits that took too long, and dials the first of the line when a place is free. */
export async function watchLine(room: Concluding & Pick<CallsRoom, 'jobs'>, now: Date = new Date()): Promise<void> {
  const since = new Date(now.getTime() - LINE_WAIT_MAX_MS)
  const items = await listWaiting(room.db, since, CALLS_PER_ROUND, TASK)
  await eachAlone({ room, task: TASK, items, subjectOf: (id) => id, work: (id) => endWait(room, id, since) })
  await withTx(room.db, (tx) => wakeNext(room.jobs, tx))
}

async function endWait(room: Concluding, callId: string, since: Date): Promise<void> {
  const kept = await withTx(room.db, async (tx) => {
    const row = await lockCall(tx, callId)
    // Its turn may have come meanwhile.
    if (row.completedAt !== null || row.waitingSince === null || row.waitingSince >= since) return undefined
    return fail(room.hooks, tx, row)
  })
  if (kept) announce(room.bus, kept.row.userId, kept.messages)
}
