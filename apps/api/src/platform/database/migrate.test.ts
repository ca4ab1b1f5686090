import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createDatabase, type Database } from '../db.ts'
import { migrateDatabase, untilDatabaseAnswers } from './migrate.ts'
import { testDatabase } from '../testing.ts'

// A server whose own limits a migration exceeds: no shorter than what the first statement of a connection may take on a
// slow machine.
const LIMIT_MS = 1000

let database: Database
const lines: string[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })

beforeAll(async () => {
  database = await testDatabase()
  const { rows } = await database.pool.query<{ name: string }>('select current_database() as name')
  for (const limit of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) {
    await database.pool.query(`alter database ${rows[0]?.name} set ${limit} = '${LIMIT_MS}ms'`)
  }
})
afterAll(() => database.close())

test('waits for another migrating node beyond statement and lock timeouts, and logs it', async () => {
  const other = await database.pool.connect()
  await other.query('select pg_advisory_lock(7316001)')
  let isDone = false
  const migrating = migrateDatabase(database, { log, sayEveryMs: LIMIT_MS / 2 }).then(() => (isDone = true))
  await vi.waitFor(
    () => expect(lines.filter((line) => line.includes('waiting for another node')).length).toBeGreaterThan(2),
    15_000,
  )
  expect(isDone).toBe(false)
  await other.query('select pg_advisory_unlock(7316001)')
  other.release()
  await migrating
  // Of this database alone; the server notices a closed connection a moment later.
  const held =
    "select from pg_locks join pg_database on oid = database where locktype = 'advisory' and datname = current_database()"
  await expect.poll(async () => (await database.pool.query(held)).rowCount).toBe(0)
})

test('a migration may exceed the statement timeout', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-migrations-'))
  await mkdir(join(folder, '20990101000000_slow'))
  await writeFile(
    join(folder, '20990101000000_slow/migration.sql'),
    'create table slow as select pg_sleep(1.5)::text as slept;',
  )
  await migrateDatabase(database, { folder })
  expect((await database.pool.query('select from slow')).rowCount).toBe(1)
  await rm(folder, { recursive: true, force: true })
})

test('waits for an unreachable database until waitMs', async () => {
  const absent = createDatabase('postgres://app:secret@127.0.0.1:9/none')
  await expect(untilDatabaseAnswers(absent, log, { waitMs: 600 })).rejects.toThrow('ECONNREFUSED')
  expect(lines.some((line) => line.includes('the database does not answer'))).toBe(true)
  await absent.close()
})

test('waiting for a database ends at once on abort, also while connecting', async () => {
  const stop = new AbortController()
  const deaf = createServer()
  await new Promise<void>((listening) => deaf.listen(0, '127.0.0.1', listening))
  const address = deaf.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const silent = createDatabase(`postgres://app:secret@127.0.0.1:${port}/none`)
  const waiting = untilDatabaseAnswers(silent, log, { signal: stop.signal })
  const [socket] = await once(deaf, 'connection')
  stop.abort()
  await expect(waiting).rejects.toThrow('The start was stopped.')
  socket.destroy()
  await silent.close()
  deaf.close()
})
