import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../db.ts'
import { migrateDatabase } from './migrate.ts'
import type { MigrationState } from './migration-state.ts'
import { testDatabase } from '../testing.ts'

let database: Database
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

test('`before` runs only with pending migrations on a database that has applied some', async () => {
  const asked: MigrationState[] = []
  const before = async (state: MigrationState) => void asked.push(state)
  await migrateDatabase(database, { before })
  expect(asked).toEqual([])
  const last = (
    await database.pool.query<{ name: string }>('select max(name) as name from drizzle.__drizzle_migrations')
  ).rows[0]!.name
  await database.pool.query('delete from drizzle.__drizzle_migrations where name = $1', [last])
  // The migration's tables exist already.
  await expect(migrateDatabase(database, { before })).rejects.toThrow(/^The migration \d+_\w+ failed: /)
  expect(asked.map(({ pending }) => pending)).toEqual([[last]])
  await database.pool.query('delete from drizzle.__drizzle_migrations')
  await expect(migrateDatabase(database, { before })).rejects.toThrow(/^The migration \d+_\w+ failed: /)
  expect(asked.length).toBe(1)
})

test('refuses a database that has a newer migration', async () => {
  const newer = await testDatabase()
  await newer.pool.query(
    "insert into drizzle.__drizzle_migrations (hash, created_at, name) values ('x', 4102444800000, '21000101000000_to_come')",
  )
  await expect(migrateDatabase(newer)).rejects.toThrow(
    /^The database was used by a newer Parley: it has the migration 21000101000000_to_come, and this version ends with \d{14}_\w+\. Start the newer version, /,
  )
  await newer.close()
})
