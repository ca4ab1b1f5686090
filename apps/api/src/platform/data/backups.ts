import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type BackupOptions, type BackupReason, takeBackup } from './backup.ts'
import { clusterPaths } from './cluster.ts'
import { backupNames, BACKUPS } from './damage.ts'

const DAY_MS = 24 * 3_600_000
/** Delay of a new database's first backup, after the load of its first start. */
const FIRST_AFTER_MS = 3 * 60_000
/** Wait after a failed backup, for example for lack of disk space. */
const AFTER_FAILURE_MS = 15 * 60_000
/** The last failure, until a backup succeeds; `npm run restore` shows it. */
export const FAILURE = 'last-failure.json'

/** Automatic backups. Errors are logged, not thrown: the product runs on without a backup. */
export interface Backups {
  beforeMigration(migration: string | null): Promise<void>
  /** Makes a backup if the newest is a day old, or if a database some minutes old has none. */
  daily(newestMigration: () => Promise<string | null>): Promise<void>
  /** Aborts a running backup. */
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

/** A day after the start of the newest backup, or soon after the database was created. */
async function nextTime(dataDir: string): Promise<number> {
  const [newest] = await backupNames(dataDir)
  if (newest === undefined)
    return (await stat(clusterPaths(join(dataDir, 'postgres')).password)).mtimeMs + FIRST_AFTER_MS
  const [date = '', time = ''] = newest.slice(0, 19).split('T')
  return Date.parse(`${date}T${time.replaceAll('-', ':')}Z`) + DAY_MS
}
