import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from '../db.ts'
import { migrateDatabase } from './migrate.ts'
import type { ReplayedSql } from './replay.ts'
import { testDatabase } from '../testing.ts'

let database: Database
let folder: string
/** How often something was done before a migration or a replay. */
let prepared = 0
const lines: string[] = []
const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })

beforeEach(async () => {
  database = await testDatabase()
  folder = await mkdtemp(join(tmpdir(), 'parley-replayed-'))
  prepared = 0
  lines.length = 0
  await database.pool.query('create table replays (greeting text)')
  await write('counting.sql', "insert into replays values ('once more');")
  await greet('good morning')
})
afterEach(async () => {
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

const write = (file: string, text: string) => writeFile(join(folder, file), text)
const greet = (words: string) =>
  write('greet.sql', `create or replace function greet() returns text language sql as $$ select '${words}' $$;`)

const start = (version = 1, options: Pick<Parameters<typeof migrateDatabase>[1] & {}, 'log' | 'patience'> = {}) => {
  const set: ReplayedSql = { name: 'greetings', folder, version }
  return migrateDatabase(database, { replayed: [set], before: async () => void prepared++, ...options })
}

/** What the function says now, how often the files were replayed, and what is remembered of it. */
async function state() {
  const { rows } = await database.pool.query<{ says: string; replays: number; version: number }>(
    `select greet() as says, (select count(*)::int from replays) as replays,
      (select version from replayed_sql where name = 'greetings') as version`,
  )
  return rows[0]
}

test('a changed file is replayed at the next start, and an unchanged one never', async () => {
  await start()
  expect(await state()).toEqual({ says: 'good morning', replays: 1, version: 1 })
  await utimes(join(folder, 'greet.sql'), new Date(), new Date())
  await start()
  expect(await state()).toEqual({ says: 'good morning', replays: 1, version: 1 })

  await greet('good night')
  await start(2)
  expect(await state()).toEqual({ says: 'good night', replays: 2, version: 2 })
  await start(2)
  expect(await state()).toEqual({ says: 'good night', replays: 2, version: 2 })
})

test('a file that is changed while it is written is replayed without a new version', async () => {
  await start()
  await greet('good evening')
  await start()
  expect(await state()).toEqual({ says: 'good evening', replays: 2, version: 1 })
})

test('something is done before a replay, as before a migration, and not when nothing is replayed', async () => {
  await start()
  expect(prepared).toBe(1)
  await start()
  expect(prepared).toBe(1)
})

test('a replay that fails leaves all that was there, names the file, and is repeated by the next start', async () => {
  await start()
  await greet('good night')
  await write('wrong.sql', "do $$ begin raise exception 'nobody is greeted'; end $$;")
  await expect(start(2)).rejects.toThrow('The SQL of greetings/wrong.sql could not be replayed: nobody is greeted')
  expect(await state()).toEqual({ says: 'good morning', replays: 1, version: 1 })
  await rm(join(folder, 'wrong.sql'))
  await start(2)
  expect(await state()).toEqual({ says: 'good night', replays: 2, version: 2 })
})

test('a replay that is cut off leaves all that was there', async () => {
  await start()
  await greet('good night')
  await write('slow.sql', 'select pg_sleep(60);')
  const cutOff = start(2).then(String, String)
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query like '%pg_sleep(60)%'`
  await expect.poll(async () => (await database.pool.query(cut)).rowCount).toBe(1)
  expect(await cutOff).toContain('The SQL of greetings/slow.sql could not be replayed')
  expect(await state()).toEqual({ says: 'good morning', replays: 1, version: 1 })
})

test('nodes that start at once replay once', async () => {
  await Promise.all([start(), start(), start()])
  expect(await state()).toEqual({ says: 'good morning', replays: 1, version: 1 })
})

test('an older version is refused once a newer one has replayed its files, and changes nothing', async () => {
  await greet('good night')
  await start(2)
  await greet('good morning')
  await expect(start(1)).rejects.toThrow(
    'The database was used by a newer Parley: it has the version 2 of the SQL "greetings", and this version ends with 1. Start the newer version, ',
  )
  expect(await state()).toEqual({ says: 'good night', replays: 1, version: 2 })
  expect(prepared).toBe(1)
})

test('a folder without SQL is refused', async () => {
  await rm(join(folder, 'greet.sql'))
  await rm(join(folder, 'counting.sql'))
  await expect(start()).rejects.toThrow(`There is no SQL in ${folder}: this Parley is incomplete, install it anew.`)
})

const patience = { timeoutMs: 50, attempts: 3, pauseMs: 10 }

test('a replay that meets a held lock lets others pass, and is done when the lock is free', async () => {
  await database.pool.query('create table people (name text)')
  await write('locks.sql', 'lock table people in share row exclusive mode;')
  const other = await database.pool.connect()
  await other.query('begin')
  await other.query("insert into people values ('Ada')")
  const replaying = start(1, { log, patience: { ...patience, attempts: 1000 } })
  const waits = '"change":"The SQL of greetings/locks.sql"'
  await expect.poll(() => lines.filter((line) => line.includes(waits)).length).toBeGreaterThan(1)
  // Between two attempts nobody waits behind the replay.
  await database.pool.query("insert into people values ('Bea')")
  await other.query('commit')
  other.release()
  await replaying
  expect(await state()).toEqual({ says: 'good morning', replays: 1, version: 1 })
})

test('a replay that never gets its locks gives up with one sentence and leaves all that was there', async () => {
  await database.pool.query('create table people (name text)')
  await start()
  await greet('good night')
  await write('locks.sql', 'lock table people in share row exclusive mode;')
  const other = await database.pool.connect()
  await other.query('begin')
  await other.query("insert into people values ('Ada')")
  await expect(start(2, { patience })).rejects.toThrow(
    'The SQL of greetings/locks.sql did not get its locks in 3 attempts of 0.05 s: other transactions hold them. ' +
      'Nothing of it was applied; end them, and run "npm run migrate" again.',
  )
  await other.query('commit')
  other.release()
  expect(await state()).toEqual({ says: 'good morning', replays: 1, version: 1 })
})

test('a replay that meets a deadlock with transactions under way seven times is tried again', async () => {
  await database.pool.query('create table one (id int); create table two (id int)')
  const { rows } = await database.pool.query<{ named: string }>('select quote_ident(current_database()) as named')
  await database.pool.query(`alter database ${rows[0]?.named} set deadlock_timeout = '20ms'`)
  // The replay locks two, then one as soon as the transaction, which has locked one, waits for two.
  await write(
    'locks.sql',
    `lock table two in share row exclusive mode;
    do $$ begin
      while exists (select from pg_locks where relation = 'one'::regclass)
        and not exists (select from pg_locks where relation = 'two'::regclass and not granted) loop
        perform pg_sleep(0.02);
      end loop;
    end $$;
    lock table one in share row exclusive mode;`,
  )
  const other = await database.pool.connect()
  // So that PostgreSQL ends the replay, which looks for a deadlock first.
  await other.query("set deadlock_timeout = '60s'")
  await other.query('begin')
  await other.query('insert into one values (1)')
  const replayed = start(1, { log, patience: { timeoutMs: 60_000, attempts: 8, pauseMs: 10 } })
  const held = "select from pg_locks where relation = 'two'::regclass and granted"
  for (let met = 0; met < 7; met++) {
    await expect.poll(async () => (await database.pool.query(held)).rowCount).toBe(1)
    await other.query('savepoint before')
    await other.query('insert into two values (1)')
    await other.query('rollback to savepoint before')
  }
  await other.query('commit')
  other.release(true)
  await replayed
  expect(lines.filter((line) => line.includes('waits for locks'))).toHaveLength(7)
  expect(await state()).toEqual({ says: 'good morning', replays: 1, version: 1 })
})
