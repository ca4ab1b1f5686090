import { readMigrationFiles } from 'drizzle-orm/migrator'
import type pg from 'pg'

/** Applied and pending migrations of a database, in order. */
export interface MigrationState {
  readonly applied: readonly string[]
  readonly pending: readonly string[]
}

async function appliedIn(client: pg.ClientBase | pg.Pool): Promise<string[]> {
  const { rows: found } = await client.query<{ known: boolean }>(
    "select to_regclass('drizzle.__drizzle_migrations') is not null as known",
  )
  if (found[0]?.known !== true) return []
  const { rows } = await client.query<{ name: string }>(
    'select name from drizzle.__drizzle_migrations order by name collate "C"',
  )
  return rows.map(({ name }) => name)
}

export async function newestMigration(client: pg.ClientBase | pg.Pool): Promise<string | null> {
  return (await appliedIn(client)).at(-1) ?? null
}

/** Reads the state. Throws for a database used by a newer version, whose data this version could damage. */
export async function migrationState(client: pg.ClientBase | pg.Pool, folder: string): Promise<MigrationState> {
  const applied = await appliedIn(client)
  const ours = readMigrationFiles({ migrationsFolder: folder }).map(({ name }) => name)
  const [newest, last] = [applied.at(-1), ours.at(-1)]
  if (newest !== undefined && last !== undefined && newest > last) {
    throw usedByNewer(`it has the migration ${newest}, and this version ends with ${last}`)
  }
  return { applied, pending: ours.filter((name) => !applied.includes(name)) }
}

export function usedByNewer(why: string): Error {
  return new Error(
    `The database was used by a newer Parley: ${why}. ` +
      'Start the newer version, restore a backup that was made before it, or set DATA_DIR or DATABASE_URL to another database.',
  )
}
