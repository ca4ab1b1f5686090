import type { LiveMessage } from '@parley/contract'
import { eq } from 'drizzle-orm'
import { announce } from '../../calls/index.ts'
import { readOverview } from '../read.ts'
import type { BatchesRoom } from '../room.ts'
import { batch } from '../schema.ts'

/** At most one progress message per batch in this time. */
const TELL_EVERY_MS = 500

/** Publishes the progress of batches to pages, throttled: the newest counts, not every step. */
export function createTelling({ db, bus, log }: Pick<BatchesRoom, 'bus' | 'db' | 'log'>): (batchId: string) => void {
  const timers = new Map<string, NodeJS.Timeout>()
  const tellNow = async (batchId: string) => {
    // Told within transactions, whose changes count: it waits for one that is not committed yet.
    const [row] = await db.select().from(batch).where(eq(batch.id, batchId)).for('share')
    if (!row) return
    const { status, counts, contacts } = await readOverview(db, row)
    announce(bus, row.userId, [{ type: 'batch_progress', batchId, status, counts, contacts } satisfies LiveMessage])
  }
  return (batchId) => {
    if (timers.has(batchId)) return
    const timer = setTimeout(() => {
      timers.delete(batchId)
      tellNow(batchId).catch((error: unknown) => log.warn({ err: error, batchId }, 'progress not told'))
    }, TELL_EVERY_MS)
    timers.set(batchId, timer.unref())
  }
}
