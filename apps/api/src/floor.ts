import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { type Bus, createBus } from './platform/bus.ts'
import { createDatabase, type Database, type Db, migrateDatabase } from './platform/db.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './platform/embedded.ts'
import { createDiskStore, createS3Store, type FileStore } from './platform/files.ts'
import { forgetOldAnswers } from './platform/idempotency.ts'
import { createJobs, type Jobs } from './platform/jobs.ts'
import { createLog } from './platform/log.ts'
import { createOutbox, createSmtpMailer, type Mailer } from './platform/mail.ts'

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
  /** Closes in the order that loses nothing. */
  close(): Promise<void>
}

export type FloorOverrides = Partial<Pick<Floor, 'log' | 'mailer' | 'bus' | 'files'>>

const EMBEDDED_DATABASE = 'parley'
const SWEEP_INTERVAL_MS = 3_600_000

/** Starts what is embedded, connects the rest, brings the schema to this version. */
export async function createFloor(config: Config, overrides: FloorOverrides = {}): Promise<Floor> {
  const log = overrides.log ?? createLog(config.logLevel)
  const embedded = config.databaseUrl === undefined ? await startEmbeddedPostgres(join(config.dataDir, 'postgres')) : undefined
  const url = config.databaseUrl ?? (await ensureDatabase(embedded))
  const database = createDatabase(url, { poolSize: 20, onError: (error) => log.warn({ err: error }, 'database connection') })
  try {
    await migrateDatabase(database)
  } catch (error) {
    await database.close()
    await embedded?.stop()
    throw error
  }
  const jobs = createJobs(database, log)
  jobs.every('idempotency.sweep', SWEEP_INTERVAL_MS, () => forgetOldAnswers(database.db))
  const bus = overrides.bus ?? createBus(config.redisUrl, log)
  const mailer = overrides.mailer ?? createMailer(config)
  const files = overrides.files ?? (config.s3 ? createS3Store(config.s3) : createDiskStore(config.dataDir))
  const close = async () => {
    await jobs.stop()
    await bus.close()
    await mailer.close()
    await database.close()
    await embedded?.stop()
  }
  return { config, log, database, db: database.db, jobs, bus, mailer, files, close }
}

function createMailer({ mail, dataDir }: Config): Mailer {
  return mail.kind === 'smtp' ? createSmtpMailer(mail.url, mail.from) : createOutbox(dataDir)
}

async function ensureDatabase(embedded: EmbeddedPostgres | undefined): Promise<string> {
  if (!embedded) throw new Error('There is neither an embedded database nor a DATABASE_URL.')
  const admin = createDatabase(embedded.url, { poolSize: 1 })
  try {
    const { rowCount } = await admin.pool.query('select 1 from pg_database where datname = $1', [EMBEDDED_DATABASE])
    if (rowCount === 0) await admin.pool.query(`create database ${EMBEDDED_DATABASE}`)
  } finally {
    await admin.close()
  }
  return embedded.databaseUrl(EMBEDDED_DATABASE)
}
