import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Database, withTx } from '../../platform/db.ts'
import { testDatabase } from '../../platform/testing.ts'
import { balance, grant, hold, openWallet, settle } from '../index.ts'
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

async function inOneTransaction(work: (client: PoolClient) => Promise<void>): Promise<void> {
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    await work(client)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

/** Writes an event by hand, past the room's own code. */
function write(legs: readonly (readonly [account: string, credits: number])[]): Promise<void> {
  return inOneTransaction(async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `insert into ledger_tx (kind, idem_key, body_hash, cause) values ('adjust', $1, 'x', 'by hand') returning id`,
      [randomUUID()],
    )
    for (const [account, credits] of legs) {
      await client.query(
        `insert into ledger_entry (tx_id, account_id, credits, balance_after)
         select $1, $2, $3, (
           select w.posted + case a.kind when 'wallet' then $3::bigint else 0 end from ledger_account w
           join ledger_account a on a.user_id = w.user_id where w.kind = 'wallet' and a.id = $2)`,
        [rows[0]?.id, account, credits],
      )
    }
  })
}

describe("the database's guards of the books", () => {
  test.each<[string, readonly (readonly [string, number])[], string]>([
    [
      'whose legs do not sum to 0',
      [
        ['promo:00', -5],
        ['usage:00', 4],
      ],
      'has 2 legs that sum to -1',
    ],
    ['with one leg', [['promo:00', -5]], 'has 1 legs'],
    ['with no leg', [], 'has 0 legs'],
    [
      'with a leg of 0 credits',
      [
        ['promo:00', 0],
        ['usage:00', 0],
      ],
      'a leg moves something',
    ],
    [
      'on an unknown account',
      [
        ['wallet:nobody', 1],
        ['promo:00', -1],
      ],
      'account_id',
    ],
    [
      'with two legs on one account',
      [
        ['promo:00', 1],
        ['promo:00', -1],
      ],
      'ledger_entry_tx_account',
    ],
    [
      'of fractional credits',
      [
        ['promo:00', 1.5],
        ['usage:00', -1.5],
      ],
      'bigint',
    ],
  ])('refuse an event %s', async (_, legs, reason) => {
    await expect(write(legs)).rejects.toThrow(reason)
  })

  test.each(['bonus', 'settle'])('refuse an event of the kind "%s" without a call', async (kind) => {
    const event = inOneTransaction(async (client) => {
      await client.query(`insert into ledger_tx (kind, idem_key, body_hash, cause) values ($1, $2, 'x', 'by hand')`, [
        kind,
        randomUUID(),
      ])
      await client.query(
        `insert into ledger_entry (tx_id, account_id, credits) select max(id), unnest(array['promo:00', 'usage:00']), unnest(array[-1, 1]) from ledger_tx`,
      )
    })
    await expect(event).rejects.toThrow('there is no such kind, or it names no call')
  })

  test('refuse an event that overdraws a wallet or its held credits', async () => {
    await expect(
      write([
        [`wallet:${userId}`, -8],
        ['usage:00', 8],
      ]),
    ).rejects.toThrow('a wallet keeps what it holds')
    await withTx(database.db, (tx) =>
      hold(tx, { userId, callId: randomUUID(), wantedCredits: 6, expiresAt: new Date() }),
    )
    await expect(
      write([
        [`wallet:${userId}`, -2],
        ['usage:00', 2],
      ]),
    ).rejects.toThrow('a wallet keeps what it holds')
  })

  test('refuse a debt above 0', async () => {
    await expect(
      write([
        [`debt:${userId}`, 1],
        ['promo:00', -1],
      ]),
    ).rejects.toThrow('a debt is never a credit')
  })

  test.each([
    ['no balance after it', 'wallet', 'null', 'names the balance after it'],
    ['another balance after it', 'wallet', '7', 'the balance after it is the one named'],
    ['a balance after it', 'promo', '12', 'the balance after it is the one named'],
  ])('refuse a leg that names %s on an account of the kind "%s"', async (_, kind, after, reason) => {
    const account = kind === 'wallet' ? `wallet:${userId}` : 'promo:00'
    const wrong = inOneTransaction(async (client) => {
      const { rows } = await client.query<{ id: string }>(
        `insert into ledger_tx (kind, idem_key, body_hash, cause) values ('adjust', $1, 'x', 'x') returning id`,
        [randomUUID()],
      )
      await client.query(
        `insert into ledger_entry (tx_id, account_id, credits, balance_after) values ($1, $2, 5, ${after})`,
        [rows[0]?.id, account],
      )
    })
    await expect(wrong).rejects.toThrow(reason)
  })

  test('refuse a leg added later to a balanced event', async () => {
    const late = database.pool.query(
      `insert into ledger_entry (tx_id, account_id, credits) select max(id), 'writeoff:00', 1 from ledger_tx`,
    )
    await expect(late).rejects.toThrow('takes no more legs')
  })

  test.each([
    `update ledger_entry set credits = credits * 2`,
    `update ledger_entry set credits = 1 where false`,
    `delete from ledger_entry`,
    `truncate ledger_entry`,
    `update ledger_tx set cause = 'another'`,
    `delete from ledger_tx`,
    `truncate ledger_tx, ledger_entry`,
    `delete from hold`,
    `truncate hold`,
    `delete from ledger_account`,
    `truncate ledger_account, ledger_entry`,
  ])('refuse to change the past: %s', async (statement) => {
    await expect(database.pool.query(statement)).rejects.toThrow('the books are only added to')
  })

  test.each([
    `update ledger_account set posted = posted + 100 where kind = 'wallet'`,
    `update ledger_account set held = 0`,
    `insert into ledger_account (id, kind, user_id, posted) values ('wallet:rich', 'wallet', 'rich', 100)`,
  ])('refuse a balance without an entry: %s', async (statement) => {
    await expect(database.pool.query(statement)).rejects.toThrow('only entries and holds move an account')
  })

  test.each([
    ['of an unknown kind', `'bank:00', 'bank', null`],
    ['of a user without the user', `'wallet:nobody', 'wallet', null`],
    ['of the house with a user', `'sales:ada', 'sales', 'ada'`],
    ["whose id has another user's name", `'wallet:ada', 'wallet', 'eve'`],
  ])('refuse an account %s', async (_, values) => {
    const open = database.pool.query(`insert into ledger_account (id, kind, user_id) values (${values})`)
    await expect(open).rejects.toThrow('There is no account')
  })

  test.each([
    `update ledger_account set kind = 'usage', user_id = null where kind = 'debt'`,
    `update ledger_account set user_id = 'eve' where kind = 'wallet'`,
    `update ledger_account set id = 'wallet:eve' where kind = 'wallet'`,
  ])('refuse a new identity of an account: %s', async (statement) => {
    await expect(database.pool.query(statement)).rejects.toThrow('UPDATE of ledger_account is refused')
  })

  test('refuse a hold beyond the balance, of 0 credits, without a wallet or settled from the start', async () => {
    const place = (values: string) =>
      database.pool.query(`insert into hold (call_id, user_id, wanted_credits, credits, expires_at) values (${values})`)
    await expect(place(`'${randomUUID()}', '${userId}', 9, 8, now()`)).rejects.toThrow('has less than that')
    for (const credits of [0, 10]) {
      await expect(place(`'${randomUUID()}', '${userId}', 9, ${credits}, now()`)).rejects.toThrow(
        'must be of 1 to the 9 credits',
      )
    }
    await expect(place(`'${randomUUID()}', '${randomUUID()}', 1, 1, now()`)).rejects.toThrow('has no wallet')
    const settled = `insert into hold (call_id, user_id, wanted_credits, credits, expires_at, state, connected_seconds, charged_credits, settled_at)
      values ('${randomUUID()}', '${userId}', 1, 1, now(), 'settled', 0, 0, now())`
    await expect(database.pool.query(settled)).rejects.toThrow('must begin active')
  })

  test('refuse to reopen, charge or change a settled hold', async () => {
    const change = (what: string) => database.pool.query(`update hold set ${what} where call_id = $1`, [callId])
    const reopened = `state = 'active', connected_seconds = null, charged_credits = null, settled_at = null`
    await expect(change(reopened)).rejects.toThrow('is settled once')
    await expect(change('charged_credits = 0')).rejects.toThrow('is settled once')
    for (const state of ['active', 'settled', 'lost'])
      await expect(change(`state = '${state}'`)).rejects.toThrow('is settled once')
  })

  test('refuse to resize or move a hold, or to settle it beyond its size, below 0 or incompletely', async () => {
    const active = randomUUID()
    await withTx(database.db, (tx) => hold(tx, { userId, callId: active, wantedCredits: 3, expiresAt: new Date() }))
    const change = (what: string) => database.pool.query(`update hold set ${what} where call_id = $1`, [active])
    for (const what of ['credits = 1', 'wanted_credits = 9', `user_id = 'eve'`, `call_id = 'another'`]) {
      await expect(change(what)).rejects.toThrow('keeps its size')
    }
    const settled = (seconds: string, charged: string, at = 'now()') =>
      change(`state = 'settled', connected_seconds = ${seconds}, charged_credits = ${charged}, settled_at = ${at}`)
    const halves = [
      settled('60', '4'),
      settled('60', '-1'),
      settled('-1', '0'),
      settled('null', '1'),
      settled('60', 'null'),
      settled('60', '1', 'null'),
      change(`state = 'lost'`),
      change(`connected_seconds = 60`),
    ]
    await Promise.all(
      halves.map((half) => expect(half).rejects.toThrow('is settled with its seconds and a charge of 0 to 3 credits')),
    )
  })

  test('leave the balance unchanged after refusals', async () => {
    expect(await balance(database.db, userId)).toEqual({ posted: 7, held: 0, available: 7, debt: 0 })
    await checkBooks(database.db)
  })
})

test('grant writes the legs of an event wallet first, then in the order of accounts', async () => {
  const key: `pi:${string}` = `pi:${randomUUID()}`
  await withTx(database.db, (tx) =>
    grant(tx, { userId, kind: 'purchase', key, credits: 25, bonusCredits: 5, cause: 'Credits bought' }),
  )
  const { rows } = await database.pool.query<{ leg: string }>(
    `select split_part(account_id, ':', 1) || ' ' || credits as leg from ledger_entry e
     join ledger_tx t on t.id = e.tx_id where t.idem_key = $1 order by e.id`,
    [key],
  )
  expect(rows.map(({ leg }) => leg)).toEqual(['wallet 30', 'promo -5', 'sales -25'])
})

describe('checkBooks', () => {
  /** Runs checkBooks on a copy that is broken with its guards off. Returns the complaint. */
  async function brokenBy(...statements: string[]): Promise<string> {
    const copy = await testDatabase()
    try {
      await withTx(copy.db, async (tx) => {
        await openWallet(tx, 'ada')
        await hold(tx, { userId: 'ada', callId: 'call-1', wantedCredits: 3, expiresAt: new Date() })
        await settle(tx, { callId: 'call-1', connectedSeconds: 180 })
      })
      await checkBooks(copy.db)
      for (const table of ['ledger_account', 'ledger_tx', 'ledger_entry', 'hold'])
        await copy.pool.query(`alter table ${table} disable trigger user`)
      for (const statement of statements) await copy.pool.query(statement)
      const complaint = await checkBooks(copy.db).then(() => '', String)
      // In the smallest pieces it finds the same.
      expect(await checkBooks(copy.db, { rows: 1, legs: 1 }).then(() => '', String)).toBe(complaint)
      return complaint
    } finally {
      await copy.close()
    }
  }

  test('names an unbalanced event and its account', async () => {
    const complaint = await brokenBy(
      `update ledger_entry set credits = -4 where account_id = 'wallet:ada' and credits < 0`,
    )
    expect(complaint).toContain('(call:call-1) has 2 legs that sum to -1')
    expect(complaint).toContain('wallet:ada has 7, its entries sum to 6')
    expect(complaint).toContain('call call-1 held 3 and was to pay 3, the books charged 4')
  })

  test('names a leg whose balance is not what the entries sum to', async () => {
    const complaint = await brokenBy(
      `update ledger_entry set balance_after = 9 where account_id = 'wallet:ada' and credits < 0`,
    )
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
      `insert into ledger_tx (kind, idem_key, body_hash, cause, call_id) values ('settle', 'again', 'x', 'x', 'call-1')`,
      `insert into ledger_entry (tx_id, account_id, credits) select max(id), unnest(array['wallet:ada', 'usage:00']), unnest(array[-1, 1]) from ledger_tx`,
    )
    expect(twice).toMatch(/under the key of that call: event \d+ \(again\) charges call call-1/)
    const never = await brokenBy(
      `delete from ledger_entry where account_id like 'usage%' or credits < 0 and account_id = 'wallet:ada'`,
    )
    expect(never).toContain('call call-1 held 3 and was to pay 3, the books charged 0')
  })
})
