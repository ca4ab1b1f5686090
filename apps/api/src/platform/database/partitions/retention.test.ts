import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '../../db.ts'
import { createDiskStore, type FileStore } from '../../files.ts'
import { testDatabase } from '../../testing.ts'
import { listArchives, restore } from './archive.ts'
import { addPartitions } from './partitions.ts'
import { retire } from './retention.ts'

let database: Database
let dir: string
let files: FileStore

beforeAll(async () => {
  database = await testDatabase()
  dir = await mkdtemp(join(tmpdir(), 'parley-archive-'))
  files = createDiskStore(dir)
})
afterAll(async () => {
  await database.close()
  await rm(dir, { recursive: true, force: true })
})
beforeEach(() =>
  query(`
    delete from partition_archive;
    drop table if exists note;
    create table note (id uuid default gen_random_uuid(), user_id text not null references "user" on delete cascade,
      at timestamptz not null, text text not null, primary key (id, at)) partition by range (at);
    create table note_rest partition of note default`),
)

const query = async (text: string, values: readonly unknown[] = []) =>
  (await database.pool.query<Record<string, unknown>>(text, [...values])).rows
const note = (userId: string, at: string, text: string) =>
  query('insert into note (user_id, at, text) values ($1, $2, $3)', [userId, at, text])
const notes = async () => (await query('select text from note order by text')).map(({ text }) => text)
const round = (archiveDays: number) =>
  retire(
    { db: database.db, files, log: pino({ level: 'silent' }) },
    { kept: [{ table: 'note', days: 30 }], archiveDays },
  )
const parts = async () =>
  (
    await query(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'note'::regclass order by 1`,
    )
  ).map(({ name }) => name)

async function newPerson(): Promise<string> {
  const id = randomUUID()
  await query('insert into "user" (id, name, email) values ($1, $1, $1)', [id])
  return id
}

/** Two notes of two years ago, of different accounts, and one of now. */
async function twoYears(): Promise<readonly [string, string]> {
  const people = [await newPerson(), await newPerson()] as const
  await note(people[0], '2023-05-31T23:59:59.999Z', 'a heron')
  await note(people[1], '2023-05-01T00:00:00Z', 'a kestrel')
  await note(people[0], new Date().toISOString(), 'of now')
  await addPartitions(database.db)
  expect(await parts()).toContain('note_2023_05')
  return people
}

test('a month that is over becomes a file, leaves the table, and comes back for some days', async () => {
  await twoYears()
  await round(365)
  expect(await notes()).toEqual(['of now'])
  expect(await parts()).not.toContain('note_2023_05')
  const [archived] = await listArchives(database.db)
  expect(archived).toMatchObject({ name: 'note_2023_05', table: 'note', month: '2023-05-01', rows: 2 })
  const text = await readFile(join(dir, 'archive', 'note_2023_05.ndjson'), 'utf8')
  expect(text).not.toMatch(/heron|kestrel/)

  expect(await restore({ db: database.db, files }, archived!, 7)).toBe(2)
  expect(await notes()).toEqual(['a heron', 'a kestrel', 'of now'])
  await round(365)
  expect(await notes()).toEqual(['a heron', 'a kestrel', 'of now'])
  await expect(restore({ db: database.db, files }, archived!, 7)).rejects.toThrow('note_2023_05 is there.')

  const archivedAt = (await listArchives(database.db))[0]!.archivedAt
  await query(`update partition_archive set restored_until = now() - interval '1 s'`)
  await round(365)
  expect(await notes()).toEqual(['of now'])
  expect((await listArchives(database.db))[0]!.archivedAt).toEqual(archivedAt)
})

test('what an erased account has in an archive does not come back', async () => {
  const [gone] = await twoYears()
  await round(365)
  await query('delete from "user" where id = $1', [gone])
  const [archived] = await listArchives(database.db)
  expect(await restore({ db: database.db, files }, archived!, 7)).toBe(1)
  expect(await notes()).toEqual(['a kestrel'])
})

test('without archives a month is dropped, and older archives are deleted', async () => {
  await twoYears()
  await round(365)
  expect(await files.size('archive/note_2023_05.ndjson')).toBeGreaterThan(0)
  await query(`update partition_archive set archived_at = now() - interval '366 days'`)
  await round(365)
  expect(await files.size('archive/note_2023_05.ndjson')).toBeUndefined()
  expect(await listArchives(database.db)).toEqual([])

  await twoYears()
  await round(0)
  expect(await notes()).toEqual(['of now', 'of now'])
  expect(await listArchives(database.db)).toEqual([])
})

test('old rows of the default partition are deleted one by one, newer ones stay', async () => {
  const userId = await newPerson()
  await note(userId, '2023-05-01T00:00:00Z', 'old')
  await note(userId, new Date().toISOString(), 'of now')
  await round(0)
  expect(await notes()).toEqual(['of now'])
})
