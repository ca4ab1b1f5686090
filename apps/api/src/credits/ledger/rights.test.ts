import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest'
import { createDatabase, type Database, withTx } from '../../platform/db.ts'
import { migrateDatabase } from '../../platform/database/migrate.ts'
import { type Template, testDatabase, testTemplate } from '../../platform/testing.ts'
import { booksHaveTheirRole, hold, openWallet, settle } from '../index.ts'
import { checkBooks } from './check.ts'
import { LEDGER_SQL } from './sql.ts'
import { inReplay } from './testing.ts'

/** As a superuser: the administrator of the server. */
let server: Database
/** As the operator's database user, who owns the database and may create no roles. */
let database: Database
const user = `parley_test_${randomUUID().slice(0, 8)}`
/** What the user has migrated. */
let migrated: Template

function asUser(url: string): Database {
  const own = new URL(url)
  own.username = user
  own.password = 'secret'
  return createDatabase(own.href, { poolSize: 4 })
}

const nameOf = (url: string) => new URL(url).pathname.slice(1)

beforeAll(async () => {
  migrated = await testTemplate(async ({ pool, url }) => {
    await pool.query(`create role ${user} login password 'secret'`)
    await pool.query(`alter database ${nameOf(url)} owner to ${user}`)
    await migrateDatabase(asUser(url), { replayed: [LEDGER_SQL] })
  })
})
beforeEach(async () => {
  server = await testDatabase({ template: migrated })
  await server.pool.query(`alter database ${nameOf(server.url)} owner to ${user}`)
  database = asUser(server.url)
})
afterEach(async () => {
  await database.close()
  await server.pool.query(`revoke parley_books from ${user}; alter role ${user} inherit`)
  await server.close()
})
afterAll(async () => {
  await migrated.drop()
  const admin = createDatabase(inject('postgresUrl'), { poolSize: 1 })
  await admin.pool.query(`drop role ${user}`)
  await admin.close()
})

async function callOf(userId: string): Promise<number> {
  const callId = randomUUID()
  return withTx(database.db, async (tx) => {
    await openWallet(tx, userId)
    await hold(tx, { userId, callId, wantedCredits: 3, expiresAt: new Date() })
    return (await settle(tx, { callId, connectedSeconds: 61 })).available
  })
}

const insert = `insert into hold (call_id, user_id, wanted_credits, credits, expires_at) values ('by-hand', 'ada', 1, 1, now())`

test('a database user who may create no roles keeps books that are only added to', async () => {
  expect(await booksHaveTheirRole(database.db)).toBe(false)
  expect(await callOf('ada')).toBe(8)
  for (const change of ['update ledger_transfer set amount = 1', 'delete from hold', 'truncate ledger_transfer'])
    await expect(database.pool.query(change)).rejects.toThrow('the books are only added to')
  await checkBooks(database.db)
})

test('the role that an administrator makes has the rights that the database user then lacks, also after a replay', async () => {
  const { rows } = await server.pool.query<{ newer: boolean }>(
    "select current_setting('server_version_num')::int >= 160000 as newer",
  )
  await server.pool.query(
    rows[0]?.newer === true
      ? `grant parley_books to ${user} with inherit false`
      : `alter role ${user} noinherit; grant all on schema public to ${user}; grant parley_books to ${user}`,
  )
  await server.pool.query('grant create on schema public to parley_books')
  expect((await database.pool.query('select ledger_rights() as apart')).rows).toEqual([{ apart: true }])

  for (const isAgain of [false, true]) {
    expect(await booksHaveTheirRole(database.db)).toBe(true)
    expect(await callOf(`ada-${isAgain}`)).toBe(8)
    for (const change of [
      insert,
      'update ledger_transfer set amount = 1',
      'update hold set credits = 1',
      `select books_low('ada', 3, 2)`,
    ])
      await expect(database.pool.query(change)).rejects.toThrow('permission denied')
    await checkBooks(database.db)
    await database.pool.query('delete from replayed_sql')
    await migrateDatabase(database, { replayed: [LEDGER_SQL] })
  }
})

test('a hold of a database user who may create no roles goes on when it waits for a replay', async () => {
  await withTx(database.db, (tx) => openWallet(tx, 'ada'))
  const late = await inReplay(database, async () => {
    const request = { userId: 'ada', callId: 'late', wantedCredits: 3, expiresAt: new Date() }
    const held = withTx(database.db, (tx) => hold(tx, request))
    await vi.waitFor(async () => {
      const waiting = await server.pool.query("select from pg_locks where not granted and locktype = 'relation'")
      expect(waiting.rowCount).toBe(1)
    })
    return { held }
  })
  expect(await late.held).toMatchObject({ credits: 3, available: 7 })
  await checkBooks(database.db)
})
