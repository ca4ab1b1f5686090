import { randomUUID } from 'node:crypto'
import { TransactionRollbackError } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Database, withTx } from '../../platform/db.ts'
import { testDatabase } from '../../platform/testing.ts'
import { balance, clawBack, grant, hold, openWallet, settle } from '../index.ts'
import { checkBooks } from './check.ts'

let database: Database
let userId: string
let callId: string

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

/** A wallet with 7 credits, after 3 were charged for a call. */
beforeEach(async () => {
  userId = randomUUID()
  callId = randomUUID()
  await withTx(database.db, async (tx) => {
    await openWallet(tx, userId)
    await hold(tx, { userId, callId, wantedCredits: 3, expiresAt: new Date() })
    await settle(tx, { callId, connectedSeconds: 180 })
  })
})

/** The statement by the role of the books, past their functions: what the tables themselves refuse. */
async function asTheBooks(statement: string): Promise<void> {
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    await client.query('set local role parley_books')
    await client.query(statement)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

const transfer = (values: string) =>
  `insert into ledger_transfer (id, user_id, kind, debit, credit, amount, balance_after, idem_key, cause)
   values (nextval('ledger_transfer_id'), '${userId}', 'adjust', ${values}, '${randomUUID()}', 'by hand')`

describe("the database's guards of the books", () => {
  test.each([
    ['of 0 credits', `'promo', 'wallet', 0, 7`, 'ledger_transfer_moves'],
    ['of negative credits', `'promo', 'wallet', -1, 6`, 'ledger_transfer_moves'],
    ['from an account to itself', `'wallet', 'wallet', 1, 7`, 'ledger_transfer_moves'],
    ['of fractional credits', `'promo', 'wallet', '1.5', 8`, 'bigint'],
  ])('refuse a transfer %s, also from the books', async (_, values, reason) => {
    await expect(asTheBooks(transfer(values))).rejects.toThrow(reason)
  })

  test('refuse a second transfer under the key of the first, also from the books', async () => {
    const again = `insert into ledger_transfer (id, user_id, kind, debit, credit, amount, balance_after, idem_key, cause)
      select nextval('ledger_transfer_id'), user_id, kind, debit, credit, amount, balance_after, idem_key, cause
      from ledger_transfer where idem_key = 'call:${callId}'`
    await expect(asTheBooks(again)).rejects.toThrow('ledger_transfer_idem_key')
  })

  test('refuse a wallet that has less than it holds, and a debt that is a credit, also from the books', async () => {
    await withTx(database.db, (tx) =>
      hold(tx, { userId, callId: randomUUID(), wantedCredits: 6, expiresAt: new Date() }),
    )
    const change = (what: string, kind: string) =>
      asTheBooks(`update ledger_account set ${what} where id = '${kind}:${userId}'`)
    for (const [what, kind] of [
      ['posted = 5', 'wallet'],
      ['posted = -1, held = 0', 'wallet'],
      ['held = 8', 'wallet'],
      ['held = -1', 'wallet'],
      ['posted = 1', 'debt'],
      ['held = 1', 'debt'],
    ] as const)
      await expect(change(what, kind)).rejects.toThrow('ledger_account_balance')
  })

  test.each([
    `update ledger_transfer set amount = amount * 2`,
    `update ledger_transfer set amount = 1 where false`,
    `delete from ledger_transfer`,
    `truncate ledger_transfer`,
    `delete from hold`,
    `truncate hold`,
    `delete from ledger_account`,
    `truncate ledger_account`,
  ])('refuse to change the past: %s', async (statement) => {
    await expect(database.pool.query(statement)).rejects.toThrow('the books are only added to')
    await expect(asTheBooks(statement)).rejects.toThrow('permission denied')
  })

  test.each([
    `update ledger_account set posted = posted + 100 where kind = 'wallet'`,
    `update ledger_account set held = 0`,
    `insert into hold (call_id, user_id, wanted_credits, credits, expires_at) values ('new', 'ada', 1, 1, now())`,
    `update hold set state = 'active', connected_seconds = null, charged_credits = null, settled_at = null`,
    `insert into ledger_transfer (id, user_id, kind, debit, credit, amount, balance_after, idem_key, cause)
     values (1, 'ada', 'adjust', 'promo', 'wallet', 100, 107, 'gift', 'by hand')`,
  ])('refuse whoever is not a function of the books: %s', async (statement) => {
    await expect(database.pool.query(statement)).rejects.toThrow('only the functions of the books write here')
  })

  test('refuse an account with a balance from the start', async () => {
    const rich = `insert into ledger_account (id, kind, user_id, posted) values ('wallet:rich', 'wallet', 'rich', 100)`
    await expect(database.pool.query(rich)).rejects.toThrow('only the functions of the books move an account')
  })

  test.each([
    ['of an unknown kind', `'bank:00', 'bank', null`],
    ['of a user without the user', `'wallet:nobody', 'wallet', null`],
    ['of the house', `'sales:00', 'sales', null`],
    ["whose id has another user's name", `'wallet:ada', 'wallet', 'eve'`],
  ])('refuse an account %s', async (_, values) => {
    const open = database.pool.query(`insert into ledger_account (id, kind, user_id) values (${values})`)
    await expect(open).rejects.toThrow(/There is no account|ledger_account_balance/)
  })

  test.each([
    `update ledger_account set kind = 'usage', user_id = null where kind = 'debt'`,
    `update ledger_account set user_id = 'eve' where kind = 'wallet'`,
    `update ledger_account set id = 'wallet:eve' where kind = 'wallet'`,
  ])('refuse a new identity of an account: %s', async (statement) => {
    await expect(asTheBooks(statement)).rejects.toThrow('UPDATE of ledger_account is refused')
  })

  test('refuse a hold of 0 credits, beyond what is wanted or settled by half, also from the books', async () => {
    const place = (values: string) =>
      asTheBooks(`insert into hold (call_id, user_id, wanted_credits, credits, expires_at, state, connected_seconds,
        charged_credits, settled_at) values ('${randomUUID()}', '${userId}', 9, ${values})`)
    for (const values of [
      `0, now(), 'active', null, null, null`,
      `10, now(), 'active', null, null, null`,
      `3, now(), 'active', 60, null, null`,
      `3, now(), 'settled', 60, 4, now()`,
      `3, now(), 'settled', 60, -1, now()`,
      `3, now(), 'settled', -1, 0, now()`,
      `3, now(), 'settled', null, 1, now()`,
      `3, now(), 'settled', 60, null, now()`,
      `3, now(), 'settled', 60, 1, null`,
      `3, now(), 'lost', null, null, null`,
      `3, now(), 'active', 60, 1, now()`,
    ])
      await expect(place(values)).rejects.toThrow('hold_settled')
  })

  test.each(['credits = 1', 'wanted_credits = 9', `user_id = 'eve'`, `call_id = 'another'`])(
    'refuse to resize or move a hold, also from the books: %s',
    async (what) => {
      await expect(asTheBooks(`update hold set ${what} where call_id = '${callId}'`)).rejects.toThrow('keeps its size')
    },
  )

  test('answer an event in the form of before so that its transaction is tried again', async () => {
    for (const table of ['ledger_tx (id)', 'ledger_entry (id)'])
      await expect(database.pool.query(`insert into ${table} values (1)`)).rejects.toMatchObject({ code: '40001' })
  })

  test('leave the balance unchanged after refusals', async () => {
    expect(await balance(database.db, userId)).toEqual({ posted: 7, held: 0, available: 7, debt: 0 })
    await checkBooks(database.db)
  })
})

test('an event of several accounts is several transfers, the first of which bears its key', async () => {
  const key: `pi:${string}` = `pi:${randomUUID()}`
  const refund: `re:${string}` = `re:${randomUUID()}`
  await withTx(database.db, async (tx) => {
    await grant(tx, { userId, kind: 'purchase', key, credits: 25, bonusCredits: 5, cause: 'Credits bought' })
    await hold(tx, { userId, callId: randomUUID(), wantedCredits: 10, expiresAt: new Date() })
    await clawBack(tx, { userId, key: refund, credits: 25, bonusCredits: 5, cause: 'Refund' })
  })
  const { rows } = await database.pool.query<{ line: string }>(
    `select concat_ws(' ', p.part, p.debit, p.credit, p.amount, p.balance_after, p.idem_key) as line
     from ledger_transfer t join ledger_transfer p on p.id = t.id where t.idem_key = any($1) order by p.id, p.part`,
    [[key, refund]],
  )
  expect(rows.map(({ line }) => line)).toEqual([
    `1 sales wallet 25 37 ${key}`,
    '2 promo wallet 5 37',
    `1 wallet sales 25 10 ${refund}`,
    '2 wallet promo 2 10',
    '3 debt promo 3 10',
  ])
  await checkBooks(database.db)
})

describe('checkBooks', () => {
  let copy: Database
  beforeAll(async () => {
    copy = await testDatabase()
    await withTx(copy.db, async (tx) => {
      await openWallet(tx, 'ada')
      await hold(tx, { userId: 'ada', callId: 'call-1', wantedCredits: 3, expiresAt: new Date() })
      await settle(tx, { callId: 'call-1', connectedSeconds: 180 })
    })
    await checkBooks(copy.db)
  })
  afterAll(() => copy.close())

  /** Runs checkBooks on books that are broken with their guards off, and undoes that. Returns the complaint. */
  async function brokenBy(...statements: string[]): Promise<string> {
    let complaint = ''
    const undone = copy.db.transaction(async (tx) => {
      for (const table of ['ledger_account', 'ledger_transfer', 'hold'])
        await tx.execute(`alter table ${table} disable trigger user`)
      for (const check of [
        'ledger_transfer drop constraint ledger_transfer_moves',
        'ledger_account drop constraint ledger_account_balance',
      ])
        await tx.execute(`alter table ${check}`)
      for (const statement of statements) await tx.execute(statement)
      complaint = await checkBooks(tx).then(() => '', String)
      // In the smallest pieces it finds the same.
      expect(await checkBooks(tx, { rows: 1, transfers: 1 }).then(() => '', String)).toBe(complaint)
      tx.rollback()
    })
    await expect(undone).rejects.toThrow(TransactionRollbackError)
    return complaint
  }

  test('names a transfer of other credits and its account', async () => {
    const complaint = await brokenBy(`update ledger_transfer set amount = 4 where kind = 'settle'`)
    expect(complaint).toContain('wallet:ada has 7, its entries sum to 6')
    expect(complaint).toContain('All accounts together sum to 0: they sum to 1.')
    expect(complaint).toContain('call call-1 held 3 and was to pay 3, the books charged 4')
  })

  test.each([
    ['of 0 credits', 'amount = 0'],
    ['from an account to itself', "credit = 'wallet'"],
    ['to an unknown account', "credit = 'bank'"],
    ['of an unknown kind', "kind = 'bonus'"],
    ['without the first part', 'part = 2'],
    ['without a key', 'idem_key = null'],
  ])('names an event %s', async (_, change) => {
    const complaint = await brokenBy(`update ledger_transfer set ${change} where kind = 'settle'`)
    expect(complaint).toMatch(/Every event has its transfers in order.*: event \d+ \((call:call-1)?\) has 1 transfers/)
  })

  test('names a transfer whose balance is not what the entries sum to', async () => {
    const complaint = await brokenBy(`update ledger_transfer set balance_after = 9 where kind = 'settle'`)
    expect(complaint).toMatch(/wallet:ada has 9 after event \d+, the entries sum to 7/)
  })

  test('names accounts that do not sum to 0', async () => {
    const complaint = await brokenBy(`update ledger_account set posted = 8 where id = 'wallet:ada'`)
    expect(complaint).toContain('All accounts together sum to 0: they sum to 1.')
  })

  test('names a wallet with held credits but no hold', async () => {
    const complaint = await brokenBy(`update ledger_account set held = 2 where id = 'wallet:ada'`)
    expect(complaint).toContain('wallet:ada holds 2, its active holds sum to 0')
  })

  test('names an overdrawn wallet', async () => {
    const complaint = await brokenBy(`update ledger_account set held = 8 where id = 'wallet:ada'`)
    expect(complaint).toContain('wallet:ada has posted 7 and holds 8')
  })

  test('names a user with both a debt and credits', async () => {
    const complaint = await brokenBy(`update ledger_account set posted = -2 where id = 'debt:ada'`)
    expect(complaint).toContain('ada owes 2 and could spend 7')
  })

  test('names a call charged twice and a call not charged', async () => {
    const twice = await brokenBy(
      `insert into ledger_transfer (id, user_id, kind, debit, credit, amount, balance_after, idem_key, cause, call_id)
       select max(id) + 1, 'ada', 'settle', 'wallet', 'usage', 1, 6, 'again', 'x', 'call-1' from ledger_transfer`,
    )
    expect(twice).toMatch(/under the key of that call: event \d+ \(again\) charges call call-1/)
    const never = await brokenBy(`delete from ledger_transfer where kind = 'settle'`)
    expect(never).toContain('call call-1 held 3 and was to pay 3, the books charged 0')
  })
})
