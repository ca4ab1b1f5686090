import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from '../db.ts'
import { testDatabase } from '../testing.ts'
import { OUTSIDE_TRANSACTION } from './apply.ts'
import { checkSchema, migrateDatabase } from './migrate.ts'

let database: Database
let folder: string
const lines: string[] = []
const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })

beforeEach(async () => {
  database = await testDatabase({ empty: true })
  folder = await mkdtemp(join(tmpdir(), 'parley-migrations-'))
  lines.length = 0
  await migration('20260101000000_people', 'create table people (id int primary key, name text);')
  await migrateDatabase(database, { folder })
})
afterEach(async () => {
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

async function migration(name: string, text: string): Promise<void> {
  await mkdir(join(folder, name), { recursive: true })
  await writeFile(join(folder, name, 'migration.sql'), text)
}
const applied = async () =>
  (await database.pool.query<{ name: string }>('select name from drizzle.__drizzle_migrations order by name')).rows.map(
    ({ name }) => name,
  )
const patience = { timeoutMs: 50, attempts: 3, pauseMs: 10 }

test('a migration that meets a held lock lets others pass, and is applied when the lock is free', async () => {
  await migration('20260102000000_age', 'alter table people add column age int;')
  const other = await database.pool.connect()
  await other.query('begin')
  await other.query('select from people')
  const migrating = migrateDatabase(database, { folder, log, patience: { ...patience, attempts: 1000 } })
  await expect.poll(() => lines.filter((line) => line.includes('waits for locks')).length).toBeGreaterThan(1)
  // Between two attempts nobody waits behind the migration.
  expect((await database.pool.query('select from people')).rowCount).toBe(0)
  await other.query('commit')
  other.release()
  await migrating
  expect(await applied()).toEqual(['20260101000000_people', '20260102000000_age'])
})

test('a migration that never gets its locks gives up with one sentence and leaves nothing', async () => {
  await migration(
    '20260102000000_age',
    'create table early (); --> statement-breakpoint\nalter table people add age int;',
  )
  const other = await database.pool.connect()
  await other.query('begin')
  await other.query('select from people')
  await expect(migrateDatabase(database, { folder, patience })).rejects.toThrow(
    'The migration 20260102000000_age did not get its locks in 3 attempts of 0.05 s: other transactions hold them. ' +
      'Nothing of it was applied; end them, and run "npm run migrate" again.',
  )
  await other.query('commit')
  other.release()
  expect(await applied()).toEqual(['20260101000000_people'])
  expect((await database.pool.query("select to_regclass('early') as found")).rows).toEqual([{ found: null }])
})

test('a migration keeps those before it when one after it fails', async () => {
  await migration('20260102000000_age', 'alter table people add column age int;')
  await migration('20260103000000_wrong', 'alter table nobody add column age int;')
  await expect(migrateDatabase(database, { folder })).rejects.toThrow(
    'The migration 20260103000000_wrong failed: relation "nobody" does not exist',
  )
  expect(await applied()).toEqual(['20260101000000_people', '20260102000000_age'])
})

const INDEX = `drop index concurrently if exists people_name; --> statement-breakpoint
create index concurrently people_name on people (name);`

test('an index is made CONCURRENTLY by a marked migration while two nodes start and a transaction writes', async () => {
  await migration('20260102000000_index', `${OUTSIDE_TRANSACTION}\n${INDEX}`)
  const writer = await database.pool.connect()
  await writer.query('begin')
  await writer.query("insert into people values (1, 'Ada')")
  const nodes = Promise.all([migrateDatabase(database, { folder }), migrateDatabase(database, { folder })])
  const waiting = "select from pg_stat_activity where query ~ '^\\s*create index' and wait_event_type = 'Lock'"
  await expect.poll(async () => (await database.pool.query(waiting)).rowCount).toBe(1)
  // Writers do not wait behind it.
  await writer.query("insert into people values (2, 'Bea')")
  await database.pool.query("insert into people values (3, 'Cyd')")
  await writer.query('commit')
  writer.release()
  await nodes
  const { rows } = await database.pool.query(
    "select indisvalid from pg_index where indexrelid = 'people_name'::regclass",
  )
  expect(rows).toEqual([{ indisvalid: true }])
  expect(await applied()).toEqual(['20260101000000_people', '20260102000000_index'])
})

test('the same statements without the mark are refused by PostgreSQL', async () => {
  await migration('20260102000000_index', INDEX)
  await expect(migrateDatabase(database, { folder })).rejects.toThrow('cannot run inside a transaction block')
})

test('a schema that lacks a migration is refused by the check and untouched, and a newer one too', async () => {
  await checkSchema(database, { folder })
  await migration('20260102000000_age', 'alter table people add column age int;')
  await expect(checkSchema(database, { folder })).rejects.toThrow(
    'The database is older than this Parley: it lacks 20260102000000_age, and in production a start changes no schema. ' +
      'Run "npm run migrate" of this version first.',
  )
  expect(await applied()).toEqual(['20260101000000_people'])
  await migrateDatabase(database, { folder })
  await checkSchema(database, { folder })
  await rm(join(folder, '20260102000000_age'), { recursive: true })
  await expect(checkSchema(database, { folder })).rejects.toThrow(/^The database was used by a newer Parley/)
})
