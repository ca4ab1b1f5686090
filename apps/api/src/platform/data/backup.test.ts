import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BACKUPS_KEPT, takeBackup } from './backup.ts'
import { createDatabase, type Database } from '../db.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../database/embedded.ts'
import { listBackups, restoreBackup } from './restore.ts'

let dataDir: string
let server: EmbeddedPostgres
let database: Database

const at = (...parts: string[]) => join(dataDir, ...parts)

async function start(): Promise<void> {
  server = await startEmbeddedPostgres(at('postgres'), { durable: false })
  database = createDatabase(server.url)
}

async function stop(): Promise<void> {
  await database.close()
  await server.stop()
}

const backUp = (more: Partial<Parameters<typeof takeBackup>[0]> = {}) =>
  takeBackup({
    dataDir,
    databaseUrl: server.url,
    reason: 'daily',
    migration: 'm1',
    freeBytes: async () => Infinity,
    ...more,
  })

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-backup-'))
  await start()
  await writeFile(at('secrets.json'), '{"auth":"of then"}')
  // Two tables that are changed together, like the ledger's.
  await database.pool.query(`
    create table account (id int primary key, credits int not null);
    create table movement (id bigserial primary key, account int not null, credits int not null, filler text not null);
    insert into account select n, 0 from generate_series(1, 20) n`)
})
afterAll(async () => {
  await stop()
  await rm(dataDir, { recursive: true, force: true })
})

/** Writes to both tables until stopped; `written` counts the commits so far. */
function keepWriting() {
  let on = true
  let written = 0
  const writer = async (account: number) => {
    while (on) {
      const sql = 'update account set credits = credits + 1 where id = $1 returning id'
      await database.pool.query(
        `with a as (${sql}) insert into movement (account, credits, filler) select id, 1, repeat(md5(random()::text), 60) from a`,
        [account],
      )
      written += 1
    }
  }
  const all = Promise.all([1, 2, 3, 4].map((account) => writer(account)))
  return {
    written: () => written,
    async stop() {
      on = false
      await all
    },
  }
}

async function booksOf(): Promise<{ movements: number; wrong: number }> {
  const { rows } = await database.pool.query<{ movements: number; wrong: number }>(`
    select (select count(*)::int from movement) as movements,
      (select count(*)::int from account a where credits <> (select coalesce(sum(m.credits), 0) from movement m where m.account = a.id)) as wrong`)
  return rows[0]!
}

describe('a backup made during writes', () => {
  test('restores every row committed before it, with consistent tables', async () => {
    const writing = keepWriting()
    await expect.poll(() => writing.written()).toBeGreaterThan(200)
    const before = writing.written()
    const name = await backUp({ gentle: false })
    const after = writing.written()
    expect(after).toBeGreaterThan(before)
    await writing.stop()
    await stop()

    await rm(at('postgres/data/PG_VERSION'))
    await writeFile(at('secrets.json'), '')
    const aside = await restoreBackup(dataDir, name, new Date('2026-11-22T12:00:00Z'))
    expect(aside).toBe(at('damaged-2026-11-22T12-00-00.000Z'))
    expect((await readdir(aside!)).toSorted()).toEqual(['postgres', 'secrets.json'])
    expect(await readFile(at('secrets.json'), 'utf8')).toBe('{"auth":"of then"}')
    await start()
    const { movements, wrong } = await booksOf()
    expect(wrong).toBe(0)
    expect(movements).toBeGreaterThanOrEqual(before)
    expect(movements).toBeLessThanOrEqual(after + 4)
    // The restored database can be written.
    await database.pool.query("insert into movement (account, credits, filler) values (20, 0, 'x')")
  }, 120_000)

  test('is listed with version, migration and checksums, readable by its owner only', async () => {
    const [listed] = await listBackups(dataDir)
    const manifest = listed!.manifest!
    expect(manifest).toMatchObject({ format: 1, product: 'Parley', reason: 'daily', migration: 'm1', postgres: '18' })
    expect(manifest.files.map(({ name }) => name)).toEqual(['cluster.tar.gz', 'password', 'secrets.json'])
    expect(manifest.notIncluded).toContain('recordings')
    for (const name of ['', 'manifest.json', ...manifest.files.map((each) => each.name)]) {
      expect((await stat(at('backups', listed!.name, name))).mode & 0o077).toBe(0)
    }
  })
})

describe('backups', () => {
  test('keep the newest seven and delete leftovers of a cut-off backup', async () => {
    const there = (await readdir(at('backups'))).length
    await mkdir(at('backups/.2026-01-01T00-00-00Z-daily.partial'))
    for (let hour = 0; hour < BACKUPS_KEPT + 1 - there; hour++) {
      await mkdir(at(`backups/2020-01-01T0${hour}-00-00Z-daily`))
    }
    const name = await backUp()
    const names = (await readdir(at('backups'))).toSorted()
    expect(names.length).toBe(BACKUPS_KEPT)
    expect(names.at(-1)).toBe(name)
    expect(names).not.toContain('2020-01-01T00-00-00Z-daily')
  })

  test('are refused when the disk lacks room', async () => {
    const before = await readdir(at('backups'))
    await expect(backUp({ freeBytes: async () => 400 * 1024 ** 2 })).rejects.toThrow(
      /^The disk lacks room for a backup: \d+ MB must be free\.$/,
    )
    expect(await readdir(at('backups'))).toEqual(before)
  })

  test('leave nothing when aborted, and the next one succeeds', async () => {
    const before = await readdir(at('backups'))
    const cut = new AbortController()
    // Aborts in the middle: the archive exists.
    const running = backUp({ gentle: true, signal: cut.signal, now: new Date(Date.now() + 5000) })
    running.catch(() => undefined)
    await expect.poll(async () => (await readdir(at('backups'))).some((each) => each.endsWith('.partial'))).toBe(true)
    cut.abort()
    await expect(running).rejects.toThrow('The backup was cut off.')
    expect(await readdir(at('backups'))).toEqual(before)
    // The server notices the abort a moment later.
    await expect
      .poll(async () => (await database.pool.query('select slot_name from pg_replication_slots')).rows)
      .toEqual([])
    expect(await backUp({ now: new Date(Date.now() + 10_000) })).toMatch(/-daily$/)
  })

  test('refuse a second one in parallel', async () => {
    const results = await Promise.allSettled([
      backUp({ now: new Date(Date.now() + 20_000) }),
      backUp({ now: new Date(Date.now() + 30_000) }),
    ])
    const refused = results.filter((each) => each.status === 'rejected')
    expect(refused.map(({ reason }) => (reason as Error).message)).toEqual(['Another backup is under way.'])
  })

  test('run one after another with waitMs', async () => {
    const names = await Promise.all([
      backUp({ now: new Date(Date.now() + 40_000), waitMs: 15_000 }),
      backUp({ now: new Date(Date.now() + 50_000), waitMs: 15_000 }),
    ])
    expect(new Set(names).size).toBe(2)
  })
})

describe('a restore', () => {
  test('is refused while the product runs, for an unknown name and for a damaged backup', async () => {
    const [newest, second] = (await listBackups(dataDir)).map(({ name }) => name)
    await writeFile(at('parley.pid'), `${process.ppid} \n`)
    await expect(restoreBackup(dataDir, newest!)).rejects.toThrow(
      `Parley runs on the data in ${dataDir} already (process ${process.ppid})`,
    )
    await rm(at('parley.pid'))
    await stop()
    await expect(restoreBackup(dataDir, '../postgres')).rejects.toThrow('There is no whole backup "../postgres"')
    const archive = at('backups', newest!, 'cluster.tar.gz')
    await truncate(archive, (await stat(archive)).size - 100)
    const before = await readdir(dataDir)
    await expect(restoreBackup(dataDir, newest!)).rejects.toThrow(
      `The backup "${newest}" is damaged: cluster.tar.gz is not what it was. Nothing was changed; restore another one.`,
    )
    expect(await readdir(dataDir)).toEqual(before)
    // Nothing to keep aside, as on a new machine.
    await rename(at('postgres'), at('gone'))
    await rm(at('secrets.json'))
    expect(await restoreBackup(dataDir, second!)).toBeUndefined()
    await start()
    expect((await booksOf()).wrong).toBe(0)
  })
})
