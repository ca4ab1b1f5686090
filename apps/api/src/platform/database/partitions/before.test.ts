import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../db.ts'
import { testDatabase } from '../../testing.ts'
import { migrateDatabase, MIGRATIONS } from '../migrate.ts'

// The tables of before become first partitions where they are, under statements of the version before.

const FIRST = '_partitions_checked'
const TABLES = ['webhook_delivery', 'consent_audit', 'security_event']

let database: Database
let folder: string

beforeAll(async () => {
  database = await testDatabase({ empty: true })
  folder = await mkdtemp(join(tmpdir(), 'parley-migrations-'))
  const names = (await readdir(MIGRATIONS)).toSorted()
  const before = names.slice(
    0,
    names.findIndex((name) => name.endsWith(FIRST)),
  )
  for (const name of before) await cp(join(MIGRATIONS, name), join(folder, name), { recursive: true })
  await migrateDatabase(database, { folder })
})
afterAll(async () => {
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

const query = async (text: string, values: readonly unknown[] = []) =>
  (await database.pool.query<Record<string, unknown>>(text, [...values])).rows

/** As the version before writes them. */
async function write(userId: string, word: string): Promise<void> {
  await query(
    `insert into "webhook_delivery" ("id", "user_id", "type", "url", "payload", "created_at") values ($1, $2, 'test', $3, '{}', default)`,
    [randomUUID(), userId, word],
  )
  await query(`insert into "consent_audit" ("id", "user_id", "kind", "detail") values (default, $1, 'dialed', $2)`, [
    userId,
    word,
  ])
  await query(`insert into "security_event" ("user_id", "kind", "detail") values ($1, 'signed_in', $2)`, [userId, word])
}

const files = async (suffix: string) =>
  query(
    `select n || $2 as name, pg_relation_filenode(quote_ident(n || $2)::regclass) as file from unnest($1::text[]) n order by 1`,
    [TABLES, suffix],
  )

test('rows stay where they are, ids go on, and the rows of an account still go with it', async () => {
  const [one, other] = [randomUUID(), randomUUID()]
  for (const id of [one, other]) await query('insert into "user" (id, name, email) values ($1, $1, $1)', [id])
  await write(one, 'before')
  const filesBefore = (await files('')).map(({ file }) => file)
  const [{ id: lastId } = {}] = await query('select max(id) as id from consent_audit')

  await migrateDatabase(database)
  expect((await files('_before')).map(({ file }) => file)).toEqual(filesBefore)
  await write(one, 'after')
  await write(other, 'after')
  const audit = await query(
    'select id > $1 as is_later, detail, tableoid::regclass::text as part from consent_audit order by id',
    [lastId],
  )
  expect(audit).toEqual([
    { is_later: false, detail: 'before', part: 'consent_audit_before' },
    { is_later: true, detail: 'after', part: 'consent_audit_before' },
    { is_later: true, detail: 'after', part: 'consent_audit_before' },
  ])
  // Beyond the first partition.
  await query(`insert into consent_audit (user_id, kind, at) values ($1, 'dialed', now() + interval '3 months')`, [
    other,
  ])
  const parts = await query(`select distinct tableoid::regclass::text as part from consent_audit order by 1`)
  expect(parts.map(({ part }) => part)).toEqual([
    expect.stringMatching(/^consent_audit_\d{4}_\d{2}$/),
    'consent_audit_before',
  ])

  await query('delete from "user" where id = $1', [one])
  for (const table of TABLES) {
    const rows = await query(`select distinct user_id from ${table}`)
    expect({ table, rows }).toEqual({ table, rows: [{ user_id: other }] })
  }
})

test('no index, key or default is lost', async () => {
  for (const table of TABLES) {
    const shape = (name: string) =>
      query(
        `select replace(replace(pg_get_indexdef(i.indexrelid), $1 || ' ', ''), ' ONLY', '') ~ 'UNIQUE' as is_unique,
           (select array_agg(pg_get_indexdef(i.indexrelid, n, true)) from generate_series(1, i.indnatts) n) as columns
         from pg_index i where i.indrelid = quote_ident($1)::regclass order by 2`,
        [name],
      )
    const now = await shape(table)
    expect({ table, now }).toEqual({ table, now: await shape(`${table}_before`) })
    expect(now.length).toBeGreaterThan(2)
  }
})
