import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { creditsRoutes } from '@parley/contract'
import { sql } from 'drizzle-orm'
import { audit, AUDIT_KEPT } from './consent/index.ts'
import { createDatabase, type Database, withTx } from './platform/db.ts'
import { addPartitions } from './platform/database/partitions/partitions.ts'
import { retire } from './platform/database/partitions/retention.ts'
import { testDatabase } from './platform/testing.ts'
import { openRunningDatabase, operate, USAGE } from './ops.ts'
import { checkBooks, createTestApp, type TestApp } from './testing.ts'

let app: TestApp
let database: Database

beforeAll(async () => {
  app = await createTestApp()
  database = createDatabase(app.context.database.url, { poolSize: 1 })
})
afterAll(async () => {
  await checkBooks(app.context.db)
  await database.close()
  await app.close()
})

const run = (...args: string[]) => operate(database, args)

/** Writes a wrong row past the triggers, as disk damage or a superuser would. */
async function withoutTriggers({ pool }: Database, statement: string, values: readonly unknown[]): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('set local session_replication_role = replica')
    await client.query(statement, [...values])
    await client.query('commit')
  } finally {
    client.release()
  }
}

describe('operate', () => {
  test('adds and takes credits with a reason that the statement shows', async () => {
    const { client, user } = await app.signUp()
    expect(
      await run('credits', 'adjust', user.email.toUpperCase(), '5', '--key', 'a1', '--reason', 'Sorry for the outage'),
    ).toContain('can spend 15 credits now')
    expect(await run('credits', 'adjust', user.email, '-15', '--key', 'a2', '--reason', 'A mistake')).toContain(
      'can spend 0 credits now',
    )
    const { data } = await client.request(creditsRoutes.statement, { params: { id: user.id } })
    expect(data.map(({ credits, cause }) => [credits, cause])).toEqual([
      [-15, 'A mistake'],
      [5, 'Sorry for the outage'],
      [10, 'Free credits for a new account'],
    ])
    await expect(run('credits', 'adjust', user.email, '-1', '--key', 'a3', '--reason', 'Too much')).rejects.toThrow(
      'There are only 0 credits to take.',
    )
    for (const amount of ['9007199254740991', '-1000001', '1e3', '1.5', '0', '']) {
      await expect(run('credits', 'adjust', user.email, amount, '--reason', 'A slip')).rejects.toThrow(
        /no number of credits|At most 1000000 credits/,
      )
    }
    const shown = await run('credits', 'show', user.email)
    expect(shown).toContain('can spend 0 credits, holds 0 in calls and owes 0.')
    expect(shown).toMatch(/ +-15 +0 {2}A mistake/)
  })

  test('adjusts once for each key, and refuses another adjustment under it', async () => {
    const { user } = await app.signUp()
    const adjust = (...args: string[]) => run('credits', 'adjust', user.email, ...args)
    const outcomes = [
      await adjust('5', '--key', 'ticket-7', '--reason', 'Sorry'),
      await adjust('5', '--key', 'ticket-7', '--reason', 'Sorry'),
    ]
    expect(outcomes).toEqual([
      `${user.email} can spend 15 credits now.`,
      `This was done before under the key ticket-7; nothing was changed. ${user.email} can spend 15 credits now.`,
    ])
    const { user: other } = await app.signUp()
    for (const changed of [
      adjust('6', '--key', 'ticket-7', '--reason', 'Sorry'),
      adjust('5', '--key', 'ticket-7', '--reason', 'Another reason'),
      run('credits', 'adjust', other.email, '5', '--key', 'ticket-7', '--reason', 'Sorry'),
    ])
      await expect(changed).rejects.toThrow('Another request was made before under the key adjust:ticket-7.')
    for (const key of [[], ['--key', ''], ['--key', 'two words']])
      await expect(adjust('5', '--reason', 'Sorry', ...key)).rejects.toThrow('Name the adjustment with --key')
    expect(await run('credits', 'show', user.email)).toContain('can spend 15 credits')
  })

  test('checks the books and lists each rule that a row breaks', async () => {
    const { user } = await app.signUp()
    expect(await run('books', 'check')).toMatch(/^The books are right\.\nok {6}Every event has its transfers/)
    const breakWallet = (by: number) =>
      withoutTriggers(database, 'update ledger_account set posted = posted + $2 where user_id = $1 and kind = $3', [
        user.id,
        by,
        'wallet',
      ])
    await breakWallet(3)
    const report = await run('books', 'check').catch((error: unknown) => String(error))
    await breakWallet(-3)
    expect(report).toContain('The books are wrong.')
    expect(report).toContain('BROKEN  All accounts together sum to 0\n        they sum to 3')
    expect(report).toContain('BROKEN  An account has posted what its entries sum to')
    expect(report).toContain('ok      A wallet holds what its active holds sum to')
    expect(await run('books', 'check')).toContain('The books are right.')
  })

  test('checks the books of the replica when asked', async () => {
    const replica = await testDatabase()
    const { database: found, places } = await openRunningDatabase({
      DATABASE_URL: app.context.database.url,
      DATABASE_REPLICA_URL: replica.url,
    })
    const check = () => operate(found, ['books', 'check', '--replica'], places)
    expect(await check()).toContain('The books are right.')
    const lost = `insert into ledger_account (id, kind, user_id, posted) values ('wallet:lost', 'wallet', 'lost', 4)`
    await withoutTriggers(replica, lost, [])
    await expect(check()).rejects.toThrow('wallet:lost has 4, its entries sum to 0')
    expect(await run('books', 'check')).toContain('The books are right.')
    await expect(run('books', 'check', '--replica')).rejects.toThrow('Set DATABASE_REPLICA_URL')
    await found.close()
    await replica.close()
  })

  test('switches dialing off and on', async () => {
    const switchOf = async () =>
      (await database.pool.query<{ on: boolean; reason: string | null }>('select "on", reason from dialing_switch'))
        .rows[0]
    expect(await run('dialing', 'off', '--reason', 'The carrier is down')).toBe(
      'No new call is dialed. Calls that run go on.',
    )
    expect(await switchOf()).toEqual({ on: false, reason: 'The carrier is down' })
    expect(await run('dialing', 'on')).toBe('New calls are dialed again.')
    expect(await switchOf()).toEqual({ on: true, reason: null })
  })

  test("adds and removes numbers of the operator's do-not-call list", async () => {
    const listed = async () =>
      (await database.pool.query<{ phone: string }>('select phone from platform_do_not_call order by phone')).rows
    expect(await run('do-not-call', 'add', '+12025550120', '+12025550121', '--reason', 'A letter')).toContain(
      'Nobody here calls +12025550120',
    )
    expect(await run('do-not-call', 'remove', '+12025550120')).toContain('may be called again')
    expect(await listed()).toEqual([{ phone: '+12025550121' }])
  })

  test('adds and removes verified numbers of a user', async () => {
    const { user } = await app.signUp()
    const verified = async () =>
      (await database.pool.query<{ phone: string }>('select phone from verified_number')).rows
    expect(await run('verified', 'add', user.email, '+12025550122', '+12025550123')).toContain(
      'may call +12025550122, +12025550123',
    )
    expect(await run('verified', 'remove', user.email, '+12025550122')).toContain('may not call +12025550122')
    expect(await verified()).toEqual([{ phone: '+12025550123' }])
    await expect(run('verified', 'add', user.email, '555')).rejects.toThrow('"555" is no phone number')
  })

  test('assigns numbers of the carrier, lists them and takes them back', async () => {
    const [{ user }, other] = [await app.signUp(), await app.signUp()]
    expect(await run('caller-numbers', 'list', user.email)).toContain("calls from the carrier's own number")
    expect(await run('caller-numbers', 'add', user.email, '+12025550131', '+12025550130')).toBe(
      `${user.email} may call from +12025550131, +12025550130.`,
    )
    expect(await run('caller-numbers', 'list', user.email)).toMatch(
      /^\+1202555013\d {2}owned\n\+1202555013\d {2}owned$/,
    )
    await expect(run('caller-numbers', 'add', other.user.email, '+12025550130')).rejects.toThrow(
      '+12025550130 is assigned to another account.',
    )
    expect(await run('caller-numbers', 'remove', user.email, '+12025550130')).toContain('no longer calls from')
    await expect(run('caller-numbers', 'remove', user.email, '+12025550130')).rejects.toThrow('is not assigned')
    expect(await run('caller-numbers', 'add', other.user.email, '+12025550130')).toContain('may call from')
    await expect(run('caller-numbers', 'add', user.email, '555')).rejects.toThrow('"555" is no phone number')
    await expect(run('caller-numbers', 'add', user.email)).rejects.toThrow(USAGE)
  })

  test.each([
    [['do-not-call', 'add', '555'], '"555" is no phone number'],
    [[], USAGE],
    [['credits', 'adjust', 'ada@example.com'], USAGE],
    [['dialing', 'maybe'], USAGE],
    [['credits', 'adjust', 'ada@example.com', 'five', '--reason', 'x'], '"five" is no number of credits.'],
    [['credits', 'adjust', 'ada@example.com', '5'], 'Say why, with --reason'],
    [['credits', 'show', 'nobody@example.com'], 'Nobody has the address nobody@example.com.'],
  ])('refuses %j with the reason', async (args, sentence) => {
    await expect(run(...args)).rejects.toThrow(sentence)
  })

  test('refuses without a running product, and a backup of DATABASE_URL', async () => {
    await expect(openRunningDatabase({ DATA_DIR: '/tmp/no-parley-here' })).rejects.toThrow(
      'No product is running on /tmp/no-parley-here.',
    )
    const { database: found, places } = await openRunningDatabase({ DATABASE_URL: app.context.database.url })
    await expect(operate(found, ['backup'], places)).rejects.toThrow(
      'The database of DATABASE_URL is backed up by its server',
    )
    await found.close()
  })
})

test('lists archived months and brings one back', async () => {
  const { user } = await app.signUp()
  const { db, files, log } = app.context
  // The first partition has all of before; here the month gets its own.
  await db.execute(sql`alter table consent_audit detach partition consent_audit_before`)
  await withTx(db, (tx) =>
    audit(tx, { userId: user.id, kind: 'dialed', phone: '+12025550177', at: new Date('2022-03-15T12:00:00Z') }),
  )
  await addPartitions(db)
  expect(await run('archive', 'list')).toBe('No month is archived.')
  await retire({ db, files, log }, { kept: [AUDIT_KEPT], archiveDays: 30 })
  const dialed = async () => {
    const found = await db.execute<{ n: number }>(
      sql`select count(*)::int as n from consent_audit where phone = '+12025550177'`,
    )
    return found.rows[0]?.n
  }
  expect(await dialed()).toBe(0)
  expect(await run('archive', 'list')).toMatch(/^consent_audit_2022_03  1 rows  \d+ bytes  archived /)
  const withFiles = (...args: string[]) => operate(database, args, { files })
  await expect(withFiles('archive', 'restore', '2022-04')).rejects.toThrow('Nothing of 2022-04 is archived.')
  await expect(withFiles('archive', 'restore', '2022-03', '--days', '0')).rejects.toThrow('--days')
  await expect(run('archive', 'restore', '2022-03')).rejects.toThrow('set S3_BUCKET or DATA_DIR')
  expect(await withFiles('archive', 'restore', '2022-03')).toBe(
    'consent_audit has 1 rows of 2022-03 again, for 7 days.',
  )
  expect(await dialed()).toBe(1)
  expect(await run('archive', 'list')).toMatch(/restored until/)
})
