import type { PoolClient } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, withTx } from '../../platform/db.ts'
import { migrateDatabase } from '../../platform/database/migrate.ts'
import { readReplay } from '../../platform/database/replay.ts'
import { testDatabase } from '../../platform/testing.ts'
import { adjust, balance, settle } from '../index.ts'
import { checkBooks } from './check.ts'
import { LEDGER_SQL } from './sql.ts'
import { everyRow, fillBooks, migrateToBefore } from './testing.ts'

/** The hash of the files in each version, the first first: only ever added to. */
const VERSIONS = [
  '1587a27e5619c0382789ebc7c5e368a99089ff3685c247770fc75f2ed61eceee',
  '776e9bdccdc7e3ef555448aaa4fc04f3b96ac59c06a617a7797fe4b0629c3950',
  'e88438c321db859a64571d09424a595edfd39056954e9606b29a9c41a9cebc7d',
  '80174190eb9883d126e351686376cdf252bba002a37ceba3520ee68e64316e5a',
  '1b814946b7575129b66d19aba6e923da49eba0ed6e3e2ed19ec0a35ba16b35f8',
]

/** Functions of the product that are no rules of the books, made by migrations: totals, search and months. */
const OTHERS = [
  'add_month_partition',
  'call_figure_of',
  'contact_totals',
  'forget_call_search',
  'keep_call_figures',
  'keep_call_search',
]

const OF_THE_PRODUCT = `p.pronamespace = 'public'::regnamespace and p.proname <> all($1)
  and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`

/** Name and definition of every function and trigger that the product has made, but for those of OTHERS. */
const RULES = `
  select p.oid::regprocedure::text as name, pg_get_functiondef(p.oid) as definition
  from pg_proc p where ${OF_THE_PRODUCT}
  union all
  select t.tgname || ' on ' || t.tgrelid::regclass, pg_get_triggerdef(t.oid) || ' -- enabled: ' || t.tgenabled::text
  from pg_trigger t join pg_proc p on p.oid = t.tgfoid
  where ${OF_THE_PRODUCT} and not t.tgisinternal
  order by 1`

async function rulesIn(client: PoolClient): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; definition: string }>(RULES, [OTHERS])
  return new Map(rows.map(({ name, definition }) => [name, definition]))
}

/** The names of what is not in the database as the files say it: there alone, in the files alone, or another. */
async function differences(client: PoolClient): Promise<string[]> {
  const found = await rulesIn(client)
  await client.query('savepoint found')
  const functions = [...found.keys()].filter((name) => name.endsWith(')'))
  // Triggers go with their functions.
  for (const name of functions) await client.query(`drop function ${name} cascade`)
  expect([...(await rulesIn(client)).keys()]).toEqual([])
  for (const { text } of (await readReplay(LEDGER_SQL)).files) await client.query(text)
  const wanted = await rulesIn(client)
  await client.query('rollback to found')
  const names = new Set([...found.keys(), ...wanted.keys()])
  return [...names].filter((name) => found.get(name) !== wanted.get(name)).toSorted()
}

describe('the SQL files of the ledger', () => {
  let database: Database
  let client: PoolClient
  beforeAll(async () => {
    database = await testDatabase()
  })
  afterAll(() => database.close())

  /** What differs after some SQL that is then undone. */
  async function differencesAfter(sql: string): Promise<string[]> {
    client = await database.pool.connect()
    try {
      await client.query('begin')
      await client.query(sql)
      return await differences(client)
    } finally {
      await client.query('rollback')
      client.release()
    }
  }

  test('are what a database runs: no function or trigger is missing, left over or another', async () => {
    expect(await differencesAfter('select')).toEqual([])
  })

  test.each([
    [
      'a changed body',
      `create or replace function books_repay(person text, cause_key text, debt bigint, available bigint) returns bigint
        language plpgsql as $$ begin return available; end $$`,
      ['books_repay(text,text,bigint,bigint)'],
    ],
    ['a changed property', 'alter function books_lock(text) security invoker', ['books_lock(text)']],
    ['a function that is gone', 'drop function books_lock(text)', ['books_lock(text)']],
    [
      'a function of no file',
      'create function books_give(person text) returns void language sql as $$ $$',
      ['books_give(text)'],
    ],
    ['a trigger that is gone', 'drop trigger hold_stays on hold', ['hold_stays on hold']],
    [
      'a trigger that is switched off',
      'alter table ledger_transfer disable trigger ledger_transfer_guarded',
      ['ledger_transfer_guarded on ledger_transfer'],
    ],
    [
      'a trigger of no file',
      'create trigger hold_closes before update on hold for each statement execute function books_refuse()',
      ['hold_closes on hold'],
    ],
  ])('differ from a database with %s', async (_, planted, found) => {
    expect(await differencesAfter(planted)).toEqual(found)
  })

  test('are one for each function, named as it', async () => {
    const { files } = await readReplay(LEDGER_SQL)
    const { rows } = await database.pool.query<{ name: string }>(
      `select proname as name from pg_proc p where ${OF_THE_PRODUCT}`,
      [OTHERS],
    )
    expect(files.map(({ file }) => file)).toEqual(rows.map(({ name }) => `${name}.sql`).toSorted())
    for (const { file, text } of files) {
      expect(text.match(/^CREATE OR REPLACE FUNCTION \w+/gm)).toEqual([
        `CREATE OR REPLACE FUNCTION ${file.replace('.sql', '')}`,
      ])
    }
  })

  test('have the next version in sql.ts, and a new hash in VERSIONS, for every change of them', async () => {
    const { version, hash } = await readReplay(LEDGER_SQL)
    expect({ version, hash }).toEqual({ version: VERSIONS.length, hash: VERSIONS.at(-1) })
  })
})

test('a database of the version before, with people, calls and payments, starts with all that it holds', async () => {
  const database = await testDatabase({ empty: true })
  await migrateToBefore(database)
  const { caller, debtor, callId } = await fillBooks(database)
  const rows = await everyRow(database)
  const isReplayed = "select to_regclass('replayed_sql') is not null as known"
  expect((await database.pool.query(isReplayed)).rows).toEqual([{ known: false }])

  await migrateDatabase(database, { replayed: [LEDGER_SQL] })
  expect(await everyRow(database)).toEqual(rows)
  await checkBooks(database.db)
  const replayed = await database.pool.query('select name, version, hash from replayed_sql')
  expect(replayed.rows).toEqual([{ name: 'ledger', version: LEDGER_SQL.version, hash: VERSIONS.at(-1) }])

  // The books go on: the call under way is charged, a gift repays what is owed.
  expect(await settle(database.db, { callId, connectedSeconds: 61 })).toMatchObject({ chargedCredits: 2, available: 5 })
  const owed = (await balance(database.db, debtor)).debt
  expect(owed).toBe(40)
  await withTx(database.db, (tx) => adjust(tx, { userId: debtor, key: 'adjust:gift', credits: 45, reason: 'A gift' }))
  expect(await balance(database.db, debtor)).toEqual({ posted: 5, held: 0, available: 5, debt: 0 })
  expect(await balance(database.db, caller)).toEqual({ posted: 5, held: 0, available: 5, debt: 0 })
  await checkBooks(database.db)
  await database.close()
})

test('a replay that waits for a settlement under way holds no table that the settlement writes next', async () => {
  const database = await testDatabase()
  const settlement = await database.pool.connect()
  await settlement.query('begin; lock table hold in row exclusive mode')
  const replayed = migrateDatabase(database, { replayed: [{ ...LEDGER_SQL, version: LEDGER_SQL.version + 1 }] })
  const waiting = "select from pg_locks where relation = 'hold'::regclass and not granted"
  await expect.poll(async () => (await database.pool.query(waiting)).rowCount).toBe(1)
  await settlement.query('lock table ledger_account, ledger_transfer in row exclusive mode nowait; commit')
  settlement.release()
  await replayed
  await database.close()
})
