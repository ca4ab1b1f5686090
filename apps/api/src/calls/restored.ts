import { asc, isNull } from 'drizzle-orm'
import { withTx } from '../platform/db.ts'
import { isOver } from './lifecycle.ts'
import { lockCall } from './read.ts'
import { conclude } from './facts.ts'
import type { CallsRoom } from './room.ts'
import { call } from './schema.ts'

const MESSAGE =
  'The data was restored from a backup that was made before this call ended. What came of it is not known here.'

/**
 * Ends every call that was live in restored data: it ended or was dropped after the backup. Facts known at the backup
 * are charged.
 */
export async function endRestoredCalls(room: Pick<CallsRoom, 'db' | 'hooks'>): Promise<number> {
  const live = await room.db
    .select({ id: call.id })
    .from(call)
    .where(isNull(call.completedAt))
    .orderBy(asc(call.createdAt))
  for (const { id } of live) {
    await withTx(room.db, async (tx) => {
      const row = await lockCall(tx, id)
      if (!isOver(row)) await conclude(room.hooks, tx, row, { reason: 'interrupted', message: MESSAGE, at: new Date() })
    })
  }
  return live.length
}
