import { join } from 'node:path'
import { pauseRestored } from './batches/index.ts'
import { type CallsRoom, endRestoredCalls } from './calls/index.ts'
import type { Floor } from './floor.ts'
import { forgetRestored, readRestored } from './platform/data/restored.ts'

/**
 * At the first start on restored data, before anything is dialed: the lists first, so that an ended call moves no
 * other.
 */
export async function holdRestored(
  { config, db, log }: Pick<Floor, 'config' | 'db' | 'log'>,
  calls: Pick<CallsRoom, 'db' | 'hooks'>,
): Promise<void> {
  if (config.databaseUrl !== undefined) return
  const home = join(config.dataDir, 'postgres')
  const restored = await readRestored(home)
  if (restored === undefined) return
  const paused = await pauseRestored(db, restored.takenAt === undefined ? undefined : new Date(restored.takenAt))
  const ended = await endRestoredCalls(calls)
  await forgetRestored(home)
  log.warn({ backup: restored.backup, paused, ended }, 'restored data: lists were paused and calls ended')
}
