import { hostname } from 'node:os'
import { createTraces, type Traces } from '@parley/traces'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { openDatabase } from './database.ts'
import { type Bus, createBus } from './platform/bus.ts'
import type { Database, Db } from './platform/db.ts'
import { createDisk, type Disk } from './platform/data/disk.ts'
import { createDiskStore, createS3Store, type FileStore } from './platform/files.ts'
import { forgetOldAnswers } from './platform/requests/idempotency.ts'
import { createJobs, type Jobs } from './platform/jobs.ts'
import { createLog } from './platform/log/log.ts'
import { createMetrics, type Metrics } from './platform/metrics/metrics.ts'
import { addPlatformFigures } from './platform/metrics/queue.ts'
import { addPartitions } from './platform/database/partitions/partitions.ts'
import { newestMigration } from './platform/database/migration-state.ts'
import type { ReplayedSql } from './platform/database/replay.ts'
import { createOutbox, createSmtpMailer, type Mailer } from './platform/mail.ts'
import { forgetPassedOver } from './platform/rounds/each-alone.ts'
import { checkRedis } from './platform/process/start-failures.ts'
import { version } from './platform/process/version.ts'

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
  readonly metrics: Metrics
  readonly traces: Traces
  /** Closes in the order that loses nothing. */
  close(): Promise<void>
}

export type FloorOverrides = Partial<Pick<Floor, 'log' | 'mailer' | 'bus' | 'files' | 'disk'>>

const SWEEP_INTERVAL_MS = 3_600_000
const BACKUP_LOOK_MS = 2 * 60_000

/** Starts what is embedded and connects the rest. */
export async function createFloor(
  config: Config,
  replayed: readonly ReplayedSql[],
  overrides: FloorOverrides = {},
  signal?: AbortSignal,
): Promise<Floor> {
  const log = overrides.log ?? createLog(config.logLevel)
  const opened = await openDatabase(config, {
    log,
    replayed,
    schema: schemaDutyOf(config),
    poolSize: config.databasePoolSize,
    signal,
  })
  const { database, backups } = opened
  try {
    if (config.redisUrl !== undefined && !overrides.bus) await checkRedis(config.redisUrl)
  } catch (error) {
    await opened.close()
    throw error
  }
  const bus = overrides.bus ?? createBus(config.redisUrl, log)
  const traces = await tracesOf(config, log)
  const jobs = createJobs({
    database,
    bus,
    log,
    traces,
    isAlone: backups !== undefined,
    isRunner: config.role !== 'api',
    poolSize: config.jobsPoolSize,
  })
  jobs.every('idempotency.sweep', SWEEP_INTERVAL_MS, () => forgetOldAnswers(database.db))
  jobs.every('rounds.sweep', SWEEP_INTERVAL_MS, () => forgetPassedOver(database.db))
  jobs.every('database.partitions', SWEEP_INTERVAL_MS, (run) => addPartitions(database.db, run))
  if (backups) jobs.every('backup.daily', BACKUP_LOOK_MS, () => backups.daily(() => newestMigration(database.pool)))
  const mailer = overrides.mailer ?? createMailer(config)
  const files = overrides.files ?? (config.s3 ? createS3Store(config.s3) : createDiskStore(config.dataDir))
  const disk = overrides.disk ?? createDisk(config.dataDir)
  const metrics = createMetrics(log)
  addPlatformFigures(metrics, database, traces)
  const close = async () => {
    backups?.stop()
    await jobs.stop()
    await bus.close()
    await mailer.close()
    await opened.close()
    await traces.close()
  }
  return { config, log, database, db: database.db, jobs, bus, mailer, files, disk, metrics, traces, close }
}

function tracesOf({ traces, role }: Config, log: Logger): Promise<Traces> {
  const onLost = (lost: number) => log.warn({ lost }, 'spans were not exported')
  const service = role === 'worker' ? 'parley-worker' : 'parley-api'
  return createTraces(traces && { ...traces, service, version, instance: hostname(), onLost })
}

/** In production many nodes start at once, and each start has a deadline of whoever runs it. */
function schemaDutyOf({ isProduction, databaseUrl, role }: Config): 'check' | 'migrate' | 'wait' {
  if (isProduction && databaseUrl !== undefined) return 'check'
  return role === 'api' ? 'wait' : 'migrate'
}

function createMailer({ mail, dataDir }: Config): Mailer {
  return mail.kind === 'smtp' ? createSmtpMailer(mail.url, mail.from) : createOutbox(dataDir)
}
