import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Database, sqlState } from '../../platform/db.ts'
import { migrateDatabase } from '../../platform/database/migrate.ts'
import { type Template, testDatabase, testTemplate } from '../../platform/testing.ts'
import { balance, grant, settle, statement } from '../index.ts'
import { checkBooks } from './check.ts'
import { LEDGER_SQL } from './sql.ts'
import { everyRow, fillBooks, inReplay, inTransfers, migrateToBefore } from './testing.ts'

// The books of the version before this one, which wrote events with legs, and what its nodes do on this version's schema.

/** The version that copies events, empty, before it has begun to. */
let copying: Template
/** The version before, with books that are to become transfers. */
let before: Template
/** The same with the tables of this version and the books' functions of the one before. */
let between: Template
/** The same in this version. */
let now: Template
/** What the books have of whom. */
let filled: Awaited<ReturnType<typeof fillBooks>>
let database: Database
beforeAll(async () => {
  copying = await testTemplate((empty) => migrateToBefore(empty, '_ledger_copy'))
  before = await testTemplate(async (books) => {
    await migrateToBefore(books, '_ledger_in_transfers')
    filled = await fillBooks(books)
  }, copying)
  between = await testTemplate(async (books) => void (await migrateDatabase(books)), before)
  now = await testTemplate(async (books) => void (await migrateDatabase(books, { replayed: [LEDGER_SQL] })), between)
})
afterEach(() => database.close())
afterAll(async () => {
  for (const template of [copying, before, between, now]) await template.drop()
})

test('events written after the copying are copied when the books become transfers', async () => {
  database = await testDatabase({ template: before })
  expect((await database.pool.query('select upto from ledger_copied')).rows).toEqual([{ upto: '0' }])
  await database.pool.query('call ledger_copy()')
  const copied = await database.pool.query('select from ledger_transfer')
  const more = await fillBooks(database)
  const rows = await everyRow(database)
  await migrateDatabase(database, { replayed: [LEDGER_SQL] })
  expect((await database.pool.query('select from ledger_transfer')).rowCount).toBe(2 * Number(copied.rowCount))
  expect(await everyRow(database)).toEqual(rows)
  expect((await statement(database.db, more.debtor, { limit: 10 })).items.map(({ cause }) => cause)).toEqual([
    'Refund (40 owed)',
    'Call of 50m 0s',
    'A package',
    'Free credits for a new account',
  ])
  await checkBooks(database.db)
})

test('copying goes on where it was cut off', async () => {
  database = await testDatabase({ template: copying })
  await fillBooks(database)
  await database.pool.query('select ledger_copy_events(0, 2)')
  await database.pool.query('update ledger_copied set upto = 2')
  const rows = await everyRow(database)
  await migrateDatabase(database, { replayed: [LEDGER_SQL] })
  expect(await everyRow(database)).toEqual(rows)
  await checkBooks(database.db)
})

describe('a node of the version before', () => {
  let caller: string
  let debtor: string
  beforeEach(async () => {
    database = await testDatabase({ template: now })
    caller = filled.caller
    debtor = filled.debtor
    await settle(database.db, { callId: filled.callId, connectedSeconds: 61 })
    const [key, credits, bonusCredits] = [`pi:${randomUUID()}` as const, 30, 5]
    await grant(database.db, { userId: caller, kind: 'purchase', key, credits, bonusCredits, cause: 'A package' })
  })

  test('reads the statement and the purchases that this version wrote', async () => {
    const moved = `coalesce(sum(ledger_entry.credits) filter (where ledger_account.kind = 'wallet'), 0)`
    const read = `select * from (
        select ledger_tx.id, ledger_tx.kind, ledger_tx.cause, ledger_tx.call_id, ledger_tx.at, ${moved} as credits,
          sum(${moved}) over (order by ledger_tx.id) as balance, count(*) over () as total_count
        from ledger_entry
        inner join ledger_tx on ledger_tx.id = ledger_entry.tx_id
        inner join ledger_account on ledger_account.id = ledger_entry.account_id
        where ledger_account.user_id = $1 group by ledger_tx.id
      ) events order by id desc limit 10`
    for (const userId of [caller, debtor]) {
      const { rows } = await database.pool.query<{ id: string; credits: string; balance: string; cause: string }>(
        read,
        [userId],
      )
      const { items } = await statement(database.db, userId, { limit: 10 })
      expect(rows.map(({ id, credits, balance: after, cause }) => [id, Number(credits), Number(after), cause])).toEqual(
        items.map(({ id, credits, balance: after, cause }) => [id, credits, after, cause]),
      )
      expect(rows.length).toBeGreaterThan(3)
    }
    const bought = await database.pool.query(
      `select sum(e.credits)::int as credits from ledger_entry e join ledger_tx t on t.id = e.tx_id
       where e.account_id = $1 and starts_with(e.account_id, 'wallet:') and e.credits > 0 and t.kind = 'purchase'`,
      [`wallet:${caller}`],
    )
    expect(bought.rows).toEqual([{ credits: 35 }])
  })

  test('opens wallets, holds, settles and grants by the functions that it calls by name', async () => {
    const [userId, callId] = [randomUUID(), randomUUID()]
    const run = async (text: string, values: unknown[]) =>
      (await database.pool.query<Record<string, unknown>>(text, values)).rows[0]
    await run(
      `insert into ledger_account (id, kind, user_id, posted, held)
       values ('wallet:' || $1, 'wallet', $1, default, default), ('debt:' || $1, 'debt', $1, default, default)
       on conflict do nothing`,
      [userId],
    )
    const give = `select outcome::text, available::text from books_move(person => $1, kind => 'grant', key => $2, hash => 'h',
      cause => 'Free', bought => 0, given => 10, written => 0, may_owe => false)`
    expect(await run(give, [userId, `signup:${userId}`])).toEqual({ outcome: 'written', available: '10' })
    expect(await run(give, [userId, `signup:${userId}`])).toEqual({ outcome: 'repeated', available: '10' })
    const held = `select outcome::text, credits::text, available::text, debt::text
      from books_hold(call => $1, person => $2, wanted => 4, expires => now())`
    const answer = { outcome: 'written', credits: '4', available: '6', debt: '0' }
    expect(await run(held, [callId, userId])).toEqual(answer)
    const settled = `select outcome::text, charged::text, available::text
      from books_settle(call => $1, seconds => 61, cost => 2)`
    expect(await run(settled, [callId])).toEqual({ outcome: 'written', charged: '2', available: '8' })
    expect(await balance(database.db, userId)).toEqual({ posted: 8, held: 0, available: 8, debt: 0 })
    await checkBooks(database.db)
  })
})

describe('a transaction that is within a function of the books', () => {
  let client: PoolClient
  let pid: number
  const connect = async () => {
    client = await database.pool.connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    pid = rows[0]?.pid ?? 0
  }
  afterEach(() => client.release())

  const calls = {
    'a hold': [
      `select outcome from books_hold(call => 'late', person => $1, wanted => 2, expires => now())`,
      () => filled.caller,
    ],
    'a settlement of a call that was not answered': [
      'select outcome from books_settle(call => $1, seconds => 0, cost => 0)',
      () => filled.callId,
    ],
    'a settlement with a charge': [
      'select outcome from books_settle(call => $1, seconds => 61, cost => 2)',
      () => filled.callId,
    ],
    'a purchase': [
      `select outcome from books_move(person => $1, kind => 'purchase', key => 'pi:late', hash => 'h', cause => 'A package',
         bought => 25, given => 5, written => 0, may_owe => false)`,
      () => filled.caller,
    ],
  } as const
  const written = [{ outcome: 'written' }]
  type Call = (typeof calls)[keyof typeof calls]
  const ask = async ([call, value]: Call) => (await client.query<{ outcome: string }>(call, [value()])).rows

  /** As a node that has worked for a while: the plans of the function are made. */
  async function warmUp(call: Call): Promise<void> {
    await client.query('begin')
    expect(await ask(call)).toEqual(written)
    await client.query('rollback')
  }

  /** Resolves when the call waits for a lock, with what comes of it. */
  async function askAndWait(call: Call): Promise<{ answer: Promise<unknown> }> {
    const answer = ask(call).catch(sqlState)
    await vi.waitFor(async () => {
      const waiting = await database.pool.query('select from pg_locks where not granted and pid = $1', [pid])
      expect(waiting.rowCount).toBe(1)
    })
    return { answer }
  }

  test.each(Object.entries(calls))(
    'of the version before is tried again when the books have become transfers: %s',
    async (_, call) => {
      database = await testDatabase({ template: before })
      await connect()
      await warmUp(call)
      const late = await inTransfers(database, () => askAndWait(call))
      // What withTx repeats.
      expect(await late.answer).toBe('40001')
      await migrateDatabase(database, { replayed: [LEDGER_SQL] })
      expect(await ask(call)).toEqual(written)
      await checkBooks(database.db)
    },
  )

  test.each(Object.entries(calls))('goes on when a replay takes the rights of all others: %s', async (_, call) => {
    database = await testDatabase({ template: between })
    await connect()
    await warmUp(call)
    const late = await inReplay(database, () => askAndWait(call))
    expect(await late.answer).toEqual(written)
    await checkBooks(database.db)
  })
})
