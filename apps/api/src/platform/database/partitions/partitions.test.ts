import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../db.ts'
import { testDatabase } from '../../testing.ts'
import { addPartitions, partitionedTables } from './partitions.ts'

let database: Database

beforeAll(async () => {
  database = await testDatabase()
  await database.pool.query(`
    create table note (at timestamptz not null, id int not null, primary key (at, id)) partition by range (at);
    create table note_rest partition of note default;
    alter table note alter column id set statistics 7`)
})
afterAll(() => database.close())

const partitionsOf = async (table: string) => {
  const { rows } = await database.pool.query<{ name: string }>(
    'select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1',
    [table],
  )
  return rows.map(({ name }) => name)
}

test('the partitions of this month and of three to come are made once, in UTC', async () => {
  await addPartitions(database.db)
  await addPartitions(database.db)
  const now = new Date()
  const months = [0, 1, 2, 3].map((ahead) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead)).toISOString().slice(0, 7).replace('-', '_'),
  )
  expect(await partitionsOf('note')).toEqual([...months.map((month) => `note_${month}`), 'note_rest'])
  expect(await partitionedTables(database.db)).toContain('call_search')
  const { rows } = await database.pool.query(
    `select distinct attstattarget as target from pg_attribute where attrelid::regclass::text like 'note_2%' and attname = 'id'
       and attrelid in (select oid from pg_class where relkind = 'r')`,
  )
  expect(rows).toEqual([{ target: 7 }])
})

test('rows that came to the default partition move to a partition of their month, at its edges too', async () => {
  const insert = 'insert into note values ($1, $2)'
  await database.pool.query(insert, ['2031-02-01T00:00:00Z', 1])
  await database.pool.query(insert, ['2031-02-28T23:59:59.999Z', 2])
  await database.pool.query(insert, ['2031-03-01T00:00:00Z', 3])
  await addPartitions(database.db)
  const { rows } = await database.pool.query('select tableoid::regclass::text as part, id from note order by id')
  expect(rows).toEqual([
    { part: 'note_2031_02', id: 1 },
    { part: 'note_2031_02', id: 2 },
    { part: 'note_2031_03', id: 3 },
  ])
})
