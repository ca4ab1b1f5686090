import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { createBackups } from './platform/data/backups.ts'
import { type Bus, createBus } from './platform/bus.ts'
import { isAwaitingDatabase, noteDatabaseMade } from './platform/data/cluster.ts'
import { damaged } from './platform/data/damage.ts'
import { createDatabase, type Database, type Db } from './platform/db.ts'
import { createDisk, type Disk } from './platform/data/disk.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './platform/database/embedded.ts'
import { createDiskStore, createS3Store, type FileStore } from './platform/files.ts'
import { forgetOldAnswers } from './platform/requests/idempotency.ts'
import { createJobs, type Jobs } from './platform/jobs.ts'
import type { KeepOptions } from './platform/process/keep-running.ts'
import { createLog } from './platform/log/log.ts'
import { migrateDatabase, untilDatabaseAnswers, untilMigrated } from './platform/database/migrate.ts'
import { newestMigration } from './platform/database/migration-state.ts'
import type { ReplayedSql } from './platform/database/replay.ts'
import { createOutbox, createSmtpMailer, type Mailer } from './platform/mail.ts'
import { forgetPassedOver } from './platform/rounds/each-alone.ts'
import { checkRedis, checkServerVersion, databaseFailure } from './platform/process/start-failures.ts'

/** What every room stands on: the long-lived parts of the platform. */
export interface Floor {
  readonly config: Config
  readonly log: Logger
  readonly database: Database
  readonly db: Db
  readonly jobs: Jobs
  readonly bus: Bus
  readonly mailer: Mailer
  readonly files: FileStore
  readonly disk: Disk
  /** Closes in the order that loses nothing. */
  close(): Promise<void>
}

export type FloorOverrides = Partial<Pick<Floor, 'log' | 'mailer' | 'bus' | 'files' | 'disk'>>

const EMBEDDED_DATABASE = 'parley'
const SWEEP_INTERVAL_MS = 3_600_000
const BACKUP_LOOK_MS = 2 * 60_000

/** Starts what is embedded, connects the rest, brings the schema and the rooms' SQL to this version. */
export async function createFloor(
  config: Config,
  replayed: readonly ReplayedSql[],
  overrides: FloorOverrides = {},
  signal?: AbortSignal,
): Promise<Floor> {
  const log = overrides.log ?? createLog(config.logLevel)
  const embedded =
    config.databaseUrl === undefined
      ? await startEmbeddedPostgres(join(config.dataDir, 'postgres'), { keep: keepWith(log) })
      : undefined
  const url = config.databaseUrl ?? (await ensureDatabase(config.dataDir, embedded))
  const database = createDatabase(url, {
    poolSize: 20,
    onError: (error) => log.warn({ err: error }, 'database connection'),
  })
  const backups = embedded && createBackups({ dataDir: config.dataDir, databaseUrl: url, log })
  try {
    await untilDatabaseAnswers(database, log, { signal })
    if (!embedded) await checkServerVersion(database.pool)
    if (config.role === 'api') await untilMigrated(database, { log, replayed, signal })
    else
      await migrateDatabase(database, {
        log,
        replayed,
        before: async ({ applied }) => backups?.beforeMigration(applied.at(-1) ?? null),
      })
    if (config.redisUrl !== undefined && !overrides.bus) await checkRedis(config.redisUrl)
  } catch (error) {
    const closed = database.close()
    // A connection that is being made to a server which does not answer is not waited for.
    if (signal?.aborted !== true) await closed
    await embedded?.stop()
    throw (config.databaseUrl !== undefined && databaseFailure(config.databaseUrl, error)) || error
  }
  const bus = overrides.bus ?? createBus(config.redisUrl, log)
  const jobs = createJobs({ database, bus, log, isAlone: embedded !== undefined, isRunner: config.role !== 'api' })
  jobs.every('idempotency.sweep', SWEEP_INTERVAL_MS, () => forgetOldAnswers(database.db))
  jobs.every('rounds.sweep', SWEEP_INTERVAL_MS, () => forgetPassedOver(database.db))
  if (backups) jobs.every('backup.daily', BACKUP_LOOK_MS, () => backups.daily(() => newestMigration(database.pool)))
  const mailer = overrides.mailer ?? createMailer(config)
  const files = overrides.files ?? (config.s3 ? createS3Store(config.s3) : createDiskStore(config.dataDir))
  const disk = overrides.disk ?? createDisk(config.dataDir)
  const close = async () => {
    backups?.stop()
    await jobs.stop()
    await bus.close()
    await mailer.close()
    await database.close()
    await embedded?.stop()
  }
  return { config, log, database, db: database.db, jobs, bus, mailer, files, disk, close }
}

/** Without its database the process can do nothing: whoever runs it hears why, and starts it again. */
function keepWith(log: Logger): Pick<KeepOptions, 'say' | 'giveUp'> {
  const giveUp = (sentence: string) =>
    void setImmediate(() => {
      throw new Error(sentence)
    })
  return { say: (line) => log.error(line), giveUp }
}

function createMailer({ mail, dataDir }: Config): Mailer {
  return mail.kind === 'smtp' ? createSmtpMailer(mail.url, mail.from) : createOutbox(dataDir)
}

async function ensureDatabase(dataDir: string, embedded: EmbeddedPostgres | undefined): Promise<string> {
  if (!embedded) throw new Error('There is neither an embedded database nor a DATABASE_URL.')
  const home = join(dataDir, 'postgres')
  const admin = createDatabase(embedded.url, { poolSize: 1 })
  try {
    const { rowCount } = await admin.pool.query('select 1 from pg_database where datname = $1', [EMBEDDED_DATABASE])
    if (rowCount === 0) {
      if (!(await isAwaitingDatabase(home)))
        throw await damaged(dataDir, `the database "${EMBEDDED_DATABASE}" is missing in ${home}`)
      await admin.pool.query(`create database ${EMBEDDED_DATABASE}`)
    }
    await noteDatabaseMade(home)
  } catch (error) {
    await admin.close()
    await embedded.stop()
    throw error
  }
  await admin.close()
  return embedded.databaseUrl(EMBEDDED_DATABASE)
}
