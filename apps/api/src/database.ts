import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { type Backups, createBackups } from './platform/data/backups.ts'
import { isAwaitingDatabase, noteDatabaseMade } from './platform/data/cluster.ts'
import { damaged } from './platform/data/damage.ts'
import { createDatabase, type Database } from './platform/db.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './platform/database/embedded.ts'
import { checkSchema, migrateDatabase, untilDatabaseAnswers, untilMigrated } from './platform/database/migrate.ts'
import type { ReplayedSql } from './platform/database/replay.ts'
import type { KeepOptions } from './platform/process/keep-running.ts'
import { checkServerVersion, databaseFailure } from './platform/process/start-failures.ts'

export type DatabaseConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseDirectUrl'>

export interface OpenedDatabase {
  readonly database: Database
  /** undefined: the server of DATABASE_URL has its own. */
  readonly backups: Backups | undefined
  /** Closes the connections, then the embedded server. */
  close(): Promise<void>
}

interface Options {
  readonly log: Logger
  /** Functions and triggers of the rooms. */
  readonly replayed: readonly ReplayedSql[]
  /** Whether a schema of an older version is brought to this one, or refused. */
  readonly schema: 'migrate' | 'check' | 'wait'
  readonly poolSize: number
  readonly signal?: AbortSignal | undefined
}

const EMBEDDED_DATABASE = 'parley'

/** Starts the embedded PostgreSQL, or connects to that of DATABASE_URL, with the schema of this version. */
export async function openDatabase(config: DatabaseConfig, options: Options): Promise<OpenedDatabase> {
  const { log, replayed, schema, poolSize, signal } = options
  const embedded =
    config.databaseUrl === undefined
      ? await startEmbeddedPostgres(join(config.dataDir, 'postgres'), { keep: keepWith(log) })
      : undefined
  const url = config.databaseUrl ?? (await ensureDatabase(config.dataDir, embedded))
  const database = createDatabase(url, {
    poolSize,
    directUrl: config.databaseDirectUrl,
    onError: (error) => log.warn({ err: error }, 'database connection'),
  })
  const backups = embedded && createBackups({ dataDir: config.dataDir, databaseUrl: url, log })
  try {
    await untilDatabaseAnswers(database, log, { signal })
    if (!embedded) await checkServerVersion(database.pool)
    if (schema === 'check') await checkSchema(database, { replayed })
    else if (schema === 'wait') await untilMigrated(database, { log, replayed, signal })
    else {
      const before = async ({ applied }: { applied: readonly string[] }) =>
        backups?.beforeMigration(applied.at(-1) ?? null)
      await migrateDatabase(database, { log, replayed, before })
    }
  } catch (error) {
    const closed = database.close()
    // A connection that is being made to a server which does not answer is not waited for.
    if (signal?.aborted !== true) await closed
    await embedded?.stop()
    throw (config.databaseUrl !== undefined && databaseFailure(config.databaseUrl, error)) || error
  }
  const close = async () => {
    await database.close()
    await embedded?.stop()
  }
  return { database, backups, close }
}

/** Without its database the process can do nothing: whoever runs it hears why, and starts it again. */
function keepWith(log: Logger): Pick<KeepOptions, 'say' | 'giveUp'> {
  const giveUp = (sentence: string) =>
    void setImmediate(() => {
      throw new Error(sentence)
    })
  return { say: (line) => log.error(line), giveUp }
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
