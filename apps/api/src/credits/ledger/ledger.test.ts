import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Database, type Tx, withTx } from '../../platform/db.ts'
import { testDatabase } from '../../platform/testing.ts'
import {
  balance,
  balanceMessage,
  clawBack,
  grant,
  hold,
  listExpiredHolds,
  openWallet,
  settle,
  settleMany,
  statement,
} from '../index.ts'
import { encodeCursor } from '../../platform/pages.ts'
import { checkBooks } from './check.ts'
import { allMovements, movements } from './statement.ts'

const soon = new Date(Date.now() + 3_600_000)
let database: Database

beforeAll(async () => {
  database = await testDatabase()
})
afterEach(() => checkBooks(database.db))
afterAll(() => database.close())

function inTx<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  return withTx(database.db, work)
}

async function newUser(): Promise<string> {
  const userId = randomUUID()
  await inTx((tx) => openWallet(tx, userId))
  return userId
}

function buy(userId: string, key: `pi:${string}`, credits: number, bonusCredits = 0) {
  return inTx((tx) => grant(tx, { userId, kind: 'purchase', key, credits, bonusCredits, cause: 'Credits bought' }))
}

async function placeCall(userId: string, wantedCredits: number, expiresAt = soon) {
  const callId = randomUUID()
  const held = await inTx((tx) => hold(tx, { userId, callId, wantedCredits, expiresAt }))
  return { callId, ...held }
}

function end(callId: string, connectedSeconds: number) {
  return inTx((tx) => settle(tx, { callId, connectedSeconds }))
}

function refund(userId: string, key: `re:${string}`, credits: number, bonusCredits = 0) {
  return inTx((tx) => clawBack(tx, { userId, key, credits, bonusCredits, cause: 'Refund' }))
}

const now = (userId: string) => balance(database.db, userId)
const key = <P extends string>(prefix: P): `${P}:${string}` => `${prefix}:${randomUUID()}`

describe('a wallet', () => {
  test('opens with 10 free credits, once', async () => {
    const userId = randomUUID()
    expect(await inTx((tx) => openWallet(tx, userId))).toEqual({ repeated: false, available: 10 })
    expect(await inTx((tx) => openWallet(tx, userId))).toEqual({ repeated: true, available: 10 })
    expect(await now(userId)).toEqual({ posted: 10, held: 0, available: 10, debt: 0 })
  })

  test('balance of an unknown user and settling without a hold throw', async () => {
    await expect(now(randomUUID())).rejects.toThrow('has no wallet')
    await expect(end(randomUUID(), 60)).rejects.toThrow('no such hold')
  })

  test('balanceMessage has the balance as text', () => {
    expect(balanceMessage(7)).toEqual({ type: 'credits', creditBalance: '7' })
  })
})

describe('a purchase', () => {
  test('adds credits and bonus once per payment key, and refuses another body under it', async () => {
    const userId = await newUser()
    const payment = key('pi')
    expect(await buy(userId, payment, 25, 5)).toEqual({ repeated: false, available: 40 })
    expect(await buy(userId, payment, 25, 5)).toEqual({ repeated: true, available: 40 })
    await expect(buy(userId, payment, 75, 25)).rejects.toMatchObject({ code: 'idempotency_mismatch' })
    await expect(buy(await newUser(), payment, 25, 5)).rejects.toMatchObject({ code: 'idempotency_mismatch' })
    expect(await now(userId)).toMatchObject({ posted: 40 })
  })

  test.each([0, -5, 1.5, Number.NaN])('of %s credits is refused', async (credits) => {
    const userId = await newUser()
    await expect(buy(userId, key('pi'), credits)).rejects.toThrow(RangeError)
  })
})

describe('a call', () => {
  test('holds the wanted credits or all available ones', async () => {
    const userId = await newUser()
    expect(await placeCall(userId, 4)).toMatchObject({ credits: 4, available: 6 })
    expect(await placeCall(userId, 30)).toMatchObject({ credits: 6, available: 0 })
    await expect(placeCall(userId, 1)).rejects.toMatchObject({
      code: 'insufficient_credits',
      message: 'All your 10 credits are reserved by calls in progress. What they do not use comes back when they end.',
    })
    expect(await now(userId)).toEqual({ posted: 10, held: 10, available: 0, debt: 0 })
  })

  test('placed twice holds once', async () => {
    const userId = await newUser()
    const request = { userId, callId: randomUUID(), wantedCredits: 20, expiresAt: soon }
    expect(await inTx((tx) => hold(tx, request))).toEqual({ repeated: false, credits: 10, available: 0 })
    expect(await inTx((tx) => hold(tx, request))).toEqual({ repeated: true, credits: 10, available: 0 })
    const other = inTx((tx) => hold(tx, { ...request, wantedCredits: 21 }))
    await expect(other).rejects.toMatchObject({ code: 'idempotency_mismatch' })
  })

  test.each([
    [0, 0],
    [1, 1],
    [60, 1],
    [61, 2],
    [300, 5],
    [301, 5],
    [4000, 5],
  ])('of %s connected seconds costs %s of the 5 credits held', async (connectedSeconds, charged) => {
    const userId = await newUser()
    const { callId } = await placeCall(userId, 5)
    expect(await end(callId, connectedSeconds)).toEqual({
      repeated: false,
      chargedCredits: charged,
      available: 10 - charged,
    })
    expect(await end(callId, connectedSeconds)).toEqual({
      repeated: true,
      chargedCredits: charged,
      available: 10 - charged,
    })
    await expect(end(callId, connectedSeconds + 1)).rejects.toMatchObject({ code: 'idempotency_mismatch' })
    expect(await now(userId)).toEqual({ posted: 10 - charged, held: 0, available: 10 - charged, debt: 0 })
  })

  test('without facts is listed after its hold expires, oldest first', async () => {
    const userId = await newUser()
    const overdue = await placeCall(userId, 1, new Date('2020-01-02T00:00:00Z'))
    const older = await placeCall(userId, 1, new Date('2020-01-01T00:00:00Z'))
    const ended = await placeCall(userId, 1, new Date('2020-01-01T00:00:00Z'))
    await placeCall(userId, 1)
    await end(ended.callId, 0)
    const mine = async (at: string) => {
      const expired = await listExpiredHolds(database.db, new Date(at))
      return expired.filter((each) => each.userId === userId).map(({ callId }) => callId)
    }
    expect(await mine('2020-01-03T00:00:00Z')).toEqual([older.callId, overdue.callId])
    expect(await mine('2020-01-01T12:00:00Z')).toEqual([older.callId])
    await end(older.callId, 0)
    expect(await mine('2020-01-01T12:00:00Z')).toEqual([])
  })
})

describe('calls that end together', () => {
  /** A user who owes, one who falls below 3 credits with two calls, and one whose call was not answered. */
  async function threeUsers() {
    const [debtor, low, free] = [await newUser(), await newUser(), await newUser()]
    const calls = [
      await placeCall(debtor, 10),
      await placeCall(low, 4),
      await placeCall(low, 5),
      await placeCall(free, 3),
    ]
    await refund(debtor, key('re'), 6)
    const seconds = [61, 240, 245, 0]
    const settlements = calls.map(({ callId }, index) => ({ callId, connectedSeconds: seconds[index]! }))
    return { users: [debtor, low, free], settlements }
  }
  const outcomeOf = async (users: readonly string[]) => ({
    balances: await Promise.all(users.map(now)),
    statements: await Promise.all(
      users.map(async (userId) =>
        (await statement(database.db, userId, { limit: 50 })).items.map(({ kind, credits, balance: after, cause }) =>
          [kind, credits, after, cause].join(' '),
        ),
      ),
    ),
    low: (
      await database.pool.query<{ place: number }>(
        'select array_position($1::text[], user_id) as place from low_balance where user_id = any($1) order by 1',
        [users],
      )
    ).rows.map(({ place }) => place),
  })

  test('are charged as one by one: credits, statements, repaid debts and low balances are the same', async () => {
    const alone = await threeUsers()
    const together = await threeUsers()
    for (const { callId, connectedSeconds } of alone.settlements) await end(callId, connectedSeconds)
    const answers = await inTx((tx) => settleMany(tx, together.settlements))
    expect(answers).toEqual([
      { repeated: false, chargedCredits: 2, available: 2 },
      { repeated: false, chargedCredits: 4, available: 1 },
      { repeated: false, chargedCredits: 5, available: 1 },
      { repeated: false, chargedCredits: 0, available: 10 },
    ])
    const outcome = await outcomeOf(together.users)
    expect(outcome.low).toEqual([1, 2])
    const inAnyOrder = ({ balances, statements, low }: typeof outcome) => ({
      balances,
      low,
      lengths: statements.map(({ length }) => length),
    })
    expect(inAnyOrder(outcome)).toEqual(inAnyOrder(await outcomeOf(alone.users)))
    expect(outcome.statements[0]).toEqual((await outcomeOf(alone.users)).statements[0])
  })

  test('answer repeats, and are refused as a whole when one of them is unknown or has other seconds', async () => {
    const userId = await newUser()
    const [first, second] = [await placeCall(userId, 2), await placeCall(userId, 2)]
    await end(first.callId, 60)
    const group = (...calls: readonly (readonly [string, number])[]) =>
      inTx((tx) =>
        settleMany(
          tx,
          calls.map(([callId, connectedSeconds]) => ({ callId, connectedSeconds })),
        ),
      )
    await expect(group([second.callId, 60], [randomUUID(), 60])).rejects.toThrow('no such hold')
    await expect(group([second.callId, 60], [first.callId, 61])).rejects.toMatchObject({ code: 'idempotency_mismatch' })
    await expect(group([second.callId, 60], [second.callId, 60])).rejects.toThrow(RangeError)
    expect(await now(userId)).toMatchObject({ posted: 9, held: 2 })
    expect(await group([second.callId, 60], [first.callId, 60])).toEqual([
      { repeated: false, chargedCredits: 1, available: 8 },
      { repeated: true, chargedCredits: 1, available: 8 },
    ])
    expect(await group()).toEqual([])
  })
})

describe('a refund', () => {
  test('takes the available credits; the rest is a debt that blocks calls and is repaid first', async () => {
    const userId = await newUser()
    await buy(userId, key('pi'), 10)
    const { callId } = await placeCall(userId, 17)
    const refundKey = key('re')
    expect(await refund(userId, refundKey, 8, 2)).toEqual({ repeated: false, available: 0 })
    expect(await refund(userId, refundKey, 8, 2)).toEqual({ repeated: true, available: 0 })
    expect(await now(userId)).toEqual({ posted: 17, held: 17, available: 0, debt: 7 })
    await expect(placeCall(userId, 1)).rejects.toMatchObject({ code: 'debt_outstanding' })

    expect(await end(callId, 14 * 60)).toMatchObject({ chargedCredits: 14, available: 0 })
    expect(await now(userId)).toEqual({ posted: 0, held: 0, available: 0, debt: 4 })
    expect(await buy(userId, key('pi'), 3)).toEqual({ repeated: false, available: 0 })
    expect(await buy(userId, key('pi'), 10)).toEqual({ repeated: false, available: 9 })
    expect(await now(userId)).toEqual({ posted: 9, held: 0, available: 9, debt: 0 })
  })

  test('of available credits leaves no debt', async () => {
    const userId = await newUser()
    await buy(userId, key('pi'), 25, 5)
    expect(await refund(userId, key('re'), 25, 5)).toEqual({ repeated: false, available: 10 })
    expect(await now(userId)).toEqual({ posted: 10, held: 0, available: 10, debt: 0 })
  })
})

describe('the statement', () => {
  test('lists every event with its cause and the balance after it, newest first', async () => {
    const userId = await newUser()
    await buy(userId, key('pi'), 10)
    const { callId } = await placeCall(userId, 20)
    await refund(userId, key('re'), 3)
    await end(callId, 95)
    const { items, total, nextCursor } = await statement(database.db, userId, { limit: 50 })
    expect(items).toMatchObject([
      { kind: 'repay', credits: -3, balance: 15, cause: 'Credits owed after a refund', callId: null },
      { kind: 'settle', credits: -2, balance: 18, cause: 'Call of 1m 35s', callId },
      { kind: 'clawback', credits: 0, balance: 20, cause: 'Refund (3 owed)' },
      { kind: 'purchase', credits: 10, balance: 20, cause: 'Credits bought' },
      { kind: 'grant', credits: 10, balance: 10, cause: 'Free credits for a new account' },
    ])
    expect({ total, nextCursor }).toEqual({ total: 5, nextCursor: null })
  })

  test('is paged without gaps while events are added', async () => {
    const userId = await newUser()
    for (let index = 1; index <= 4; index++) await buy(userId, key('pi'), index)
    const first = await statement(database.db, userId, { limit: 2 })
    await buy(userId, key('pi'), 99)
    const second = await statement(database.db, userId, { limit: 2, cursor: first.nextCursor ?? undefined })
    const third = await statement(database.db, userId, { limit: 2, cursor: second.nextCursor ?? undefined })
    expect([...first.items, ...second.items, ...third.items].map(({ balance: after }) => after)).toEqual([
      20, 16, 13, 11, 10,
    ])
    expect(third.nextCursor).toBeNull()
    await expect(statement(database.db, userId, { limit: 2, cursor: 'x' })).rejects.toMatchObject({
      code: 'invalid_input',
      field: 'cursor',
    })
  })
  test('reads as many rows for its last page as for its first, however long it is', async () => {
    const userId = await newUser()
    for (let from = 1; from <= 1500; from += 500) {
      await database.pool.query(
        `select books_move($1, 'grant', 'signup:' || $1 || n, 'x', 'One more', 0, 1, 0, false)
         from generate_series($2::int, $2::int + 499) n`,
        [userId, from],
      )
    }
    await database.pool.query('analyze ledger_transfer')
    const { items } = await statement(database.db, userId, { limit: 100 })
    const page = { limit: 100, cursor: encodeCursor({ at: new Date(), id: items.at(-1)?.id ?? '' }) }
    expect(await rowsRead((tx) => movements(tx, userId, { limit: 100 }))).toBeLessThanOrEqual(3 * 101)
    expect(await rowsRead((tx) => movements(tx, userId, page))).toBeLessThanOrEqual(3 * 101)
    const all: number[] = []
    for await (const some of allMovements(database.db, userId)) all.push(...some.map(({ balance: after }) => after))
    expect(all).toEqual(Array.from({ length: 1501 }, (_, index) => 1510 - index))
  })
})

/** Rows of the books that the database fetched for some work. */
function rowsRead(work: (tx: Tx) => Promise<unknown>): Promise<number> {
  return inTx(async (tx) => {
    const fetched = async () => {
      const { rows } = await tx.execute<{ fetched: string }>(
        sql`select sum(seq_tup_read + idx_tup_fetch) as fetched from pg_stat_xact_user_tables where relname like 'ledger%'`,
      )
      return Number(rows[0]?.fetched)
    }
    // So few rows are scanned more cheaply; the plan of a large table is asked for.
    await tx.execute(sql`set local enable_seqscan = off`)
    const before = await fetched()
    await work(tx)
    return (await fetched()) - before
  })
}
