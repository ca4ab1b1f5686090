import { fileURLToPath } from 'node:url'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { applyMigrations } from './apply.ts'
import { isDatabaseAway } from './away.ts'
import { type Database, SESSION_SETTINGS } from '../db.ts'
import { type MigrationState, migrationState } from './migration-state.ts'
import type { LockPatience } from './patience.ts'
import { pendingReplays, replay, type ReplayedSql } from './replay.ts'

export const MIGRATIONS = fileURLToPath(new URL('migrations', import.meta.url))
/** Advisory lock: nodes that start together migrate one after the other. */
const MIGRATION_LOCK = 7_316_001
const ASK_FOR_LOCK_MS = 200
const SAY_EVERY_MS = 5000
/** For a database that is starting or restarting. */
const DATABASE_WAIT_MS = 60_000
const ASK_AGAIN_MS = 500
/** For another process that migrates. */
const MIGRATION_WAIT_MS = 10 * 60_000
/** A migration, and waiting for another node's, may take longer than the server's timeouts. */
const WITHOUT_LIMITS = [
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'idle_session_timeout',
  'transaction_timeout',
]

interface Options {
  readonly log?: Logger
  readonly folder?: string
  readonly sayEveryMs?: number
  /** SQL files of functions and triggers, replayed after the migrations if changed. */
  readonly replayed?: readonly ReplayedSql[]
  /** Runs before changes to a database that has had migrations, for a backup. */
  readonly before?: (state: MigrationState) => Promise<void>
  /** How often and how long a migration or a replay waits for its locks. */
  readonly patience?: LockPatience
}

/** Migrates the schema to this version, forward only, one node at a time. Logs while waiting. */
export async function migrateDatabase(
  { url, directUrl }: Pick<Database, 'url' | 'directUrl'>,
  options: Options = {},
): Promise<MigrationState> {
  const { log, folder = MIGRATIONS, replayed = [], sayEveryMs = SAY_EVERY_MS, patience } = options
  return withClient(directUrl, async (client) => {
    // Only settings that the server knows: older ones lack transaction_timeout.
    await client.query("select set_config(name, '0', false) from pg_settings where name = any($1)", [WITHOUT_LIMITS])
    const saying = setInterval(() => log?.warn('waiting for another node that migrates the database'), sayEveryMs)
    await takeLock(client).finally(() => clearInterval(saying))
    const state = await migrationState(client, folder)
    const replays = await pendingReplays(client, replayed)
    if (state.applied.length > 0 && state.pending.length + replays.length > 0) await options.before?.(state)
    // The lock ends with the connection.
    await applyMigrations(client, { folder, pending: state.pending, patience, log })
    if (replays.length > 0) await replay(client, { replays, patience, log })
    if (url !== directUrl) await keepSettings(client)
    return state
  })
}

/** Throws unless the schema is exactly this version's: then a start would need `npm run migrate`, or a newer version. */
export async function checkSchema(
  { directUrl }: Pick<Database, 'directUrl'>,
  { folder = MIGRATIONS, replayed = [] }: Pick<Options, 'folder' | 'replayed'> = {},
): Promise<void> {
  return withClient(directUrl, async (client) => {
    const { pending } = await migrationState(client, folder)
    const replays = await pendingReplays(client, replayed)
    const [first] = [...pending, ...replays.map(({ name }) => `SQL "${name}"`)]
    if (first === undefined) return
    throw new Error(
      `The database is older than this Parley: it lacks ${first}, and in production a start changes no schema. ` +
        'Run "npm run migrate" of this version first.',
    )
  })
}

/** Of every session of this role on this database: a pooler lets no session set its own. */
async function keepSettings(client: pg.Client): Promise<void> {
  for (const [name, value] of Object.entries(SESSION_SETTINGS)) {
    const { rows } = await client.query<{ statement: string }>(
      "select format('alter role current_user in database %I set %I = %L', current_database(), $1::text, $2::text) as statement",
      [name, String(value)],
    )
    await client.query(rows[0]?.statement ?? '')
  }
}

async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString, application_name: 'parley migrations', keepAlive: true })
  // A broken connection is reported by the waiting query.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Asks again and again: a session that waits inside a statement would hold up CREATE INDEX CONCURRENTLY of another. */
async function takeLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      MIGRATION_LOCK,
    ])
    if (rows[0]?.locked === true) return
    await pause(ASK_FOR_LOCK_MS)
  }
}

/** An AggregateError of failed addresses has its messages only in its parts. */
function sentenceOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(sentenceOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}

/** Waits for a database that is starting. Throws its last error after DATABASE_WAIT_MS, or at once if it refuses us. */
export async function untilDatabaseAnswers(
  { pool }: Pick<Database, 'pool'>,
  log: Logger,
  { waitMs = DATABASE_WAIT_MS, signal }: { waitMs?: number; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const deadline = performance.now() + waitMs
  let saidAt = -Infinity
  const stopped = new Promise<never>((_, stop) =>
    signal?.addEventListener('abort', () => stop(new Error('The start was stopped.')), { once: true }),
  )
  for (;;) {
    signal?.throwIfAborted()
    try {
      return void (await Promise.race([pool.query('select 1'), stopped]))
    } catch (error) {
      if (signal?.aborted === true || !isDatabaseAway(error) || performance.now() > deadline) throw error
      if (performance.now() - saidAt > SAY_EVERY_MS) {
        saidAt = performance.now()
        log.warn({ reason: sentenceOf(error) }, 'the database does not answer; waiting for it')
      }
      await Promise.race([new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS)), stopped])
    }
  }
}

/** For a process that does not migrate: waits until another one has brought the schema to this version. */
export async function untilMigrated(
  { directUrl }: Pick<Database, 'directUrl'>,
  {
    log,
    replayed,
    signal,
    waitMs = MIGRATION_WAIT_MS,
  }: {
    readonly log: Logger
    readonly replayed: readonly ReplayedSql[]
    readonly signal?: AbortSignal | undefined
    readonly waitMs?: number
  },
): Promise<void> {
  const deadline = performance.now() + waitMs
  let saidAt = -Infinity
  return withClient(directUrl, async (client) => {
    for (;;) {
      signal?.throwIfAborted()
      const { pending } = await migrationState(client, MIGRATIONS)
      if (pending.length === 0 && (await pendingReplays(client, replayed)).length === 0) return
      if (performance.now() > deadline)
        throw new Error('The database has no schema of this version: start a worker of this version, which makes it.')
      if (performance.now() - saidAt > SAY_EVERY_MS) {
        saidAt = performance.now()
        log.warn({ pending: pending.length }, 'waiting for a worker that migrates the database')
      }
      await pause(ASK_AGAIN_MS)
    }
  })
}
