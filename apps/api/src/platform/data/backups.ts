import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type BackupOptions, type BackupReason, takeBackup } from './backup.ts'
import { clusterPaths } from './cluster.ts'
import { backupNames, BACKUPS } from './damage.ts'

const DAY_MS = 24 * 3_600_000
/** The first backup of a database: once its first start is over, and what it was made for has begun. */
const FIRST_AFTER_MS = 3 * 60_000
/** A disk that lacks room is not asked at every look. */
const AFTER_FAILURE_MS = 15 * 60_000
/** Of the last backup that failed, until one is made; `npm run restore` shows it. */
export const FAILURE = 'last-failure.json'

/**
 * The backups that the product makes by itself. None of them throws: a product without a backup is better than none.
 */
export interface Backups {
  beforeMigration(migration: string | null): Promise<void>
  /** Makes one when the newest is a day old, or there is none yet of a database that is some minutes old. */
  daily(newestMigration: () => Promise<string | null>): Promise<void>
  /** Cuts off the one that is under way. */
  stop(): void
}

interface Made extends Pick<BackupOptions, 'dataDir' | 'databaseUrl' | 'freeBytes'> {
  readonly log: Logger
}

export function createBackups({ log, ...options }: Made): Backups {
  const stopped = new AbortController()
  const failure = join(options.dataDir, BACKUPS, FAILURE)
  let failedAt = -Infinity
  const make = async (reason: BackupReason, migration: string | null) => {
    try {
      const name = await takeBackup({
        ...options,
        reason,
        migration,
        gentle: reason === 'daily',
        signal: stopped.signal,
      })
      await rm(failure, { force: true })
      log.info({ name }, 'backup made')
    } catch (error) {
      if (stopped.signal.aborted) return
      failedAt = performance.now()
      const why = error instanceof Error ? error.message : String(error)
      log.error({ err: error, reason }, `No backup was made: ${why}`)
      await note(failure, { at: new Date().toISOString(), reason, why }).catch(() => undefined)
    }
  }
  return {
    beforeMigration: (migration) => make('before-migration', migration),
    async daily(newestMigration) {
      if (
        stopped.signal.aborted ||
        performance.now() - failedAt < AFTER_FAILURE_MS ||
        Date.now() < (await nextTime(options.dataDir))
      )
        return
      await make('daily', await newestMigration())
    },
    stop: () => stopped.abort(),
  }
}

async function note(file: string, what: object): Promise<void> {
  await mkdir(join(file, '..'), { recursive: true, mode: 0o700 })
  await writeFile(file, JSON.stringify(what), { mode: 0o600 })
}

/** A day after the newest backup was begun, or soon after the database was made. */
async function nextTime(dataDir: string): Promise<number> {
  const [newest] = await backupNames(dataDir)
  if (newest === undefined)
    return (await stat(clusterPaths(join(dataDir, 'postgres')).password)).mtimeMs + FIRST_AFTER_MS
  const [date = '', time = ''] = newest.slice(0, 19).split('T')
  return Date.parse(`${date}T${time.replaceAll('-', ':')}Z`) + DAY_MS
}
