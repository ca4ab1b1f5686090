import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import type pg from 'pg'
import type { Logger } from 'pino'
import { ChangeFailed, type LockPatience, withPatience } from './patience.ts'

/**
 * First line of a migration whose statements run one by one without a transaction, as CREATE INDEX CONCURRENTLY needs.
 * It may be cut off between two of them: each must succeed when it is run again.
 */
export const OUTSIDE_TRANSACTION = '-- outside a transaction'

const HISTORY = `create schema if not exists drizzle;
  create table if not exists drizzle.__drizzle_migrations (
    id serial primary key, hash text not null, created_at bigint, name text,
    applied_at timestamp with time zone default now())`
const NOTE = 'insert into drizzle.__drizzle_migrations (hash, created_at, name) values ($1, $2, $3)'

interface Options {
  readonly folder: string
  /** Names, in order. */
  readonly pending: readonly string[]
  readonly patience?: LockPatience | undefined
  readonly log?: Logger | undefined
}

/** Each migration in a transaction of its own, so that what a long one holds is not held by those after it. */
export async function applyMigrations(client: pg.Client, { folder, pending, patience, log }: Options): Promise<void> {
  await client.query(HISTORY)
  for (const migration of readMigrationFiles({ migrationsFolder: folder })) {
    if (!pending.includes(migration.name)) continue
    if (isOutsideTransaction(migration)) await outsideTransaction(client, migration)
    else await withPatience(patience, log, (waitMs) => inTransaction(client, migration, waitMs))
    log?.info({ migration: migration.name }, 'migration applied')
  }
}

const isOutsideTransaction = ({ sql: [first = ''] }: MigrationMeta) => first.trimStart().startsWith(OUTSIDE_TRANSACTION)

/** Without a lock time-out: such statements wait in a way that nobody waits behind. */
async function outsideTransaction(client: pg.Client, migration: MigrationMeta): Promise<void> {
  for (const statement of migration.sql) await run(client, migration, statement)
  await note(client, migration)
}

async function inTransaction(client: pg.Client, migration: MigrationMeta, lockTimeoutMs: number): Promise<void> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
    for (const statement of migration.sql) await run(client, migration, statement)
    await note(client, migration)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

async function note(client: pg.Client, { hash, folderMillis, name }: MigrationMeta): Promise<void> {
  await client.query(NOTE, [hash, folderMillis, name])
}

async function run(client: pg.Client, { name }: MigrationMeta, statement: string): Promise<void> {
  try {
    await client.query(statement)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ChangeFailed(`The migration ${name}`, `failed: ${reason}`, error)
  }
}
