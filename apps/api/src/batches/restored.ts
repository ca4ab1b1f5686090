import { and, eq, inArray, or } from 'drizzle-orm'
import type { Db } from '../platform/db.ts'
import { batch } from './schema.ts'

/**
 * Pauses every batch that would dial by itself: its contacts may have been called after the backup. Returns how many.
 */
export async function pauseRestored(db: Db, takenAt: Date | undefined): Promise<number> {
  const backup =
    takenAt === undefined ? 'a backup' : `a backup of ${takenAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const statusMessage = `The data was restored from ${backup}. Contacts may have been called since then: check that before you resume.`
  const goesOn = or(
    inArray(batch.status, ['running', 'scheduled']),
    and(eq(batch.status, 'paused'), eq(batch.pausedBy, 'hours')),
  )
  const { rowCount } = await db
    .update(batch)
    .set({ status: 'paused', pausedBy: 'restored', statusMessage, lookAt: null })
    .where(goesOn)
  return rowCount ?? 0
}
