import { mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { LEDGER_SQL } from './credits/index.ts'
import { createFloor, type Floor } from './floor.ts'
import { createBackups } from './platform/data/backups.ts'
import { createDatabase } from './platform/db.ts'
import { listBackups } from './platform/data/restore.ts'

// Tests the product's floor on an embedded database of its own.
// Longer than 20 s: an embedded PostgreSQL of its own is made, started and backed up six times.

const DAY_MS = 24 * 3_600_000
let dataDir: string
let floor: Floor
const lines: string[] = []
const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })

async function start(): Promise<void> {
  const secrets = { AUTH_SECRET: 'a'.repeat(32), VOICE_SECRET: 'v'.repeat(32) }
  floor = await createFloor(readConfig({ ...secrets, DATA_DIR: dataDir }), [LEDGER_SQL], { log })
}
const backups = async () => (await listBackups(dataDir)).map(({ manifest }) => manifest)
const aged = async () => {
  // Without this, the daily backup's own checkpoint may be slow.
  await floor.database.pool.query('checkpoint')
  const then = new Date(Date.now() - DAY_MS - 1000)
  await utimes(join(dataDir, 'postgres/password'), then, then)
}

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-backups-'))
  await start()
})
afterEach(async () => {
  await floor.close()
  await rm(dataDir, { recursive: true, force: true })
})

test('backs up an existing database before a migration, and not on a start without one', async () => {
  await floor.close()
  await start()
  expect(await backups()).toEqual([])
  const { rows } = await floor.database.pool.query<{ name: string }>(
    'select name from drizzle.__drizzle_migrations order by name desc limit 2',
  )
  const [last, before] = rows.map(({ name }) => name)
  await floor.database.pool.query('delete from drizzle.__drizzle_migrations where name = $1', [last])
  await floor.close()
  // The migration's tables exist already: the start fails after its backup.
  await expect(start()).rejects.toThrow(/^The migration \d+_\w+ failed: /)
  expect(await backups()).toMatchObject([{ reason: 'before-migration', migration: before }])
  await rm(join(dataDir, 'postgres'), { recursive: true })
  await start()
}, 120_000)

test('backs up a database a day old when its jobs start, and again after another day', async () => {
  await aged()
  await floor.jobs.start()
  await expect
    .poll(async () => (await backups()).map((manifest) => manifest?.reason), { timeout: 60_000 })
    .toEqual(['daily'])
  const own = createBackups({ dataDir, databaseUrl: floor.database.url, log })
  await own.daily(async () => null)
  expect((await backups()).length).toBe(1)
  const [name = ''] = await readdir(join(dataDir, 'backups'))
  const dayBefore = `${new Date(Date.now() - DAY_MS - 1000).toISOString().slice(0, 19).replaceAll(':', '-')}Z-daily`
  await rename(join(dataDir, 'backups', name), join(dataDir, 'backups', dayBefore))
  await own.daily(async () => null)
  expect((await backups()).length).toBe(2)
}, 120_000)

test('backs up a new database once after some minutes, and does not retry a failed backup at each check', async () => {
  const made: string[] = []
  const old = async (minutes: number) => {
    const then = new Date(Date.now() - minutes * 60_000)
    await utimes(join(dataDir, 'postgres/password'), then, then)
  }
  let freeBytes = 0
  const own = createBackups({
    dataDir,
    databaseUrl: floor.database.url,
    log,
    freeBytes: async () => (made.push('asked'), freeBytes),
  })
  await floor.database.pool.query('checkpoint')
  await old(1)
  await own.daily(async () => null)
  expect(made).toEqual([])
  await old(4)
  for (let look = 0; look < 3; look++) await own.daily(async () => null)
  expect(made).toEqual(['asked'])
  freeBytes = Number.MAX_SAFE_INTEGER
  const next = createBackups({ dataDir, databaseUrl: floor.database.url, log, freeBytes: async () => freeBytes })
  for (let look = 0; look < 2; look++) await next.daily(async () => null)
  expect(await backups()).toMatchObject([{ reason: 'daily' }])
})

test('logs a failed backup and notes it on disk until a backup succeeds', async () => {
  await aged()
  const options = { dataDir, databaseUrl: floor.database.url, log }
  await createBackups({ ...options, freeBytes: async () => 0 }).daily(async () => null)
  expect(lines.some((line) => line.includes('No backup was made: The disk lacks room'))).toBe(true)
  const note = join(dataDir, 'backups/last-failure.json')
  expect(JSON.parse(await readFile(note, 'utf8'))).toMatchObject({
    reason: 'daily',
    why: expect.stringContaining('The disk lacks room'),
  })
  await createBackups(options).daily(async () => null)
  expect((await readdir(join(dataDir, 'backups'))).length).toBe(1)
})

test('refuses to start when the database of a complete cluster is missing, and creates one in a new cluster', async () => {
  const admin = createDatabase(floor.database.url.replace(/parley$/, 'postgres'), { poolSize: 1 })
  await admin.pool.query('drop database parley with (force)')
  await admin.close()
  await floor.close()
  await expect(start()).rejects.toThrow(
    `DATA_DIR=${dataDir} is damaged: the database "parley" is missing in ${join(dataDir, 'postgres')}. There is no backup in`,
  )
  // The server was stopped and no database created: the next start fails alike.
  await expect(readFile(join(dataDir, 'postgres/data/postmaster.pid'))).rejects.toThrow('ENOENT')
  await expect(start()).rejects.toThrow('the database "parley" is missing')
  // The marker of a first start that was cut off before it created the database.
  await writeFile(join(dataDir, 'postgres/database.new'), '')
  await start()
  await expect(readFile(join(dataDir, 'postgres/database.new'))).rejects.toThrow('ENOENT')
})

test('closing cancels a running backup and leaves no partial file', async () => {
  await aged()
  await floor.jobs.start()
  await expect.poll(() => readdir(join(dataDir, 'backups')).catch(() => [])).toHaveLength(1)
  await floor.close()
  const left = await readdir(join(dataDir, 'backups'))
  expect(left.filter((name) => name.endsWith('.partial'))).toEqual([])
  await start()
})
