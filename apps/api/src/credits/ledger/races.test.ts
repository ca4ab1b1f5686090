import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type Database, type Tx, withTx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { testDatabase } from '../../platform/testing.ts'
import { balance, clawBack, grant, hold, openWallet, settle, settleMany } from '../index.ts'
import { checkBooks } from './check.ts'

const expiresAt = new Date(Date.now() + 3_600_000)
let suite: Database
/** Ten connections, all in use in every race. */
let database: Database

beforeAll(async () => {
  suite = await testDatabase()
  database = createDatabase(suite.url, { poolSize: 10 })
})
afterAll(async () => {
  await database.close()
  await suite.close()
})

function inTx<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  return withTx(database.db, work)
}

/** The answer of each request, or the code of its AppError. Another error is thrown. */
async function race<T>(requests: readonly (() => Promise<T>)[]): Promise<(T | string)[]> {
  return Promise.all(
    requests.map(async (request) => {
      try {
        return await request()
      } catch (error) {
        if (error instanceof AppError) return error.code
        throw error
      }
    }),
  )
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

async function newUser(purchasedCredits = 0): Promise<string> {
  const userId = randomUUID()
  await inTx(async (tx) => {
    await openWallet(tx, userId)
    if (purchasedCredits > 0) await buy(tx, userId, `pi:${randomUUID()}`, purchasedCredits)
  })
  return userId
}

function buy(tx: Tx, userId: string, key: `pi:${string}`, credits: number) {
  return grant(tx, { userId, kind: 'purchase', key, credits, cause: 'Credits bought' })
}

test('200 parallel requests on one wallet add up', async () => {
  const userId = await newUser(190)
  const running = times(50, () => randomUUID())
  for (const callId of running) await inTx((tx) => hold(tx, { userId, callId, wantedCredits: 3, expiresAt }))
  const bought = times(40, (): `pi:${string}` => `pi:${randomUUID()}`)
  const refunds = times(10, (): `re:${string}` => `re:${randomUUID()}`)

  const settles = running.map(
    (callId, index) => () => inTx((tx) => settle(tx, { callId, connectedSeconds: index * 5 })),
  )
  const buys = bought.map((key) => () => inTx((tx) => buy(tx, userId, key, 2)))
  const holds = times(
    30,
    (index) => () => inTx((tx) => hold(tx, { userId, callId: `${userId}-${index}`, wantedCredits: 1, expiresAt })),
  )
  const takes = refunds.map((key) => () => inTx((tx) => clawBack(tx, { userId, key, credits: 1, cause: 'Refund' })))
  const repeats = [...settles.slice(0, 30), ...buys.slice(0, 30), ...takes]
  const requests = [...settles, ...buys, ...holds, ...takes, ...repeats].sort((one, other) => hash(one) - hash(other))
  expect(requests).toHaveLength(200)
  const answers = await race<{ repeated: boolean }>(requests)

  expect(answers.filter((answer) => typeof answer === 'string')).toEqual([])
  expect(answers.filter((answer) => typeof answer === 'object' && answer.repeated)).toHaveLength(repeats.length)
  const charged = running.reduce((sum, _, index) => sum + Math.min(3, Math.ceil((index * 5) / 60)), 0)
  const posted = 200 + 40 * 2 - charged - 10
  expect(await balance(database.db, userId)).toEqual({ posted, held: 30, available: posted - 30, debt: 0 })
  await checkBooks(database.db)
})

test('200 parallel requests on 20 wallets add up without a deadlock', async () => {
  const users = await Promise.all(times(20, () => newUser()))
  const requests = users.flatMap((userId) => [
    () => inTx((tx) => hold(tx, { userId, callId: userId, wantedCredits: 2, expiresAt })),
    ...times(5, (index) => () => inTx((tx) => buy(tx, userId, `pi:${userId}-${index}`, 3))),
    ...times(
      4,
      (index) => () =>
        inTx((tx) => clawBack(tx, { userId, key: `re:${userId}-${index}`, credits: 1, cause: 'Refund' })),
    ),
  ])
  const answers = await race<{ repeated: boolean }>(requests.sort((one, other) => hash(one) - hash(other)))
  expect(answers.filter((answer) => typeof answer === 'string')).toEqual([])
  const balances = await Promise.all(users.map((userId) => balance(database.db, userId)))
  expect(balances).toEqual(users.map(() => ({ posted: 21, held: 2, available: 19, debt: 0 })))
  await checkBooks(database.db)
})

test('of 50 parallel holds on the last 10 credits, 10 succeed', async () => {
  const userId = await newUser()
  const answers = await race(
    times(50, () => () => inTx((tx) => hold(tx, { userId, callId: randomUUID(), wantedCredits: 1, expiresAt }))),
  )
  expect(answers.filter((answer) => answer === 'insufficient_credits')).toHaveLength(40)
  expect(await balance(database.db, userId)).toEqual({ posted: 10, held: 10, available: 0, debt: 0 })
  await checkBooks(database.db)
})

test('parallel settlements of a call charge it once', async () => {
  const userId = await newUser()
  const callId = randomUUID()
  await inTx((tx) => hold(tx, { userId, callId, wantedCredits: 5, expiresAt }))
  const answers = await race(times(10, () => () => inTx((tx) => settle(tx, { callId, connectedSeconds: 100 }))))
  expect(answers.filter((answer) => typeof answer === 'object' && !answer.repeated)).toHaveLength(1)
  expect(answers).toEqual(times(10, () => expect.objectContaining({ chargedCredits: 2, available: 8 })))
  await checkBooks(database.db)
})

test('parallel settlements with two durations charge the first and refuse the other', async () => {
  const userId = await newUser()
  const callId = randomUUID()
  await inTx((tx) => hold(tx, { userId, callId, wantedCredits: 5, expiresAt }))
  const answers = await race(
    [60, 240].map((connectedSeconds) => () => inTx((tx) => settle(tx, { callId, connectedSeconds }))),
  )
  expect(answers).toContain('idempotency_mismatch')
  const [charge] = answers.filter((answer) => typeof answer === 'object')
  expect((await balance(database.db, userId)).posted).toBe(10 - (charge?.chargedCredits ?? 0))
  await checkBooks(database.db)
})

test('groups that share calls and wallets, in any order, beside single settlements charge each call once', async () => {
  const users = await Promise.all(times(4, () => newUser(30)))
  const calls = users.flatMap((userId) => times(8, (index) => ({ userId, callId: `${userId}-${index}` })))
  for (const { userId, callId } of calls) await inTx((tx) => hold(tx, { userId, callId, wantedCredits: 3, expiresAt }))
  const ends = calls.map(({ callId }) => ({ callId, connectedSeconds: 61 }))
  const shuffled = () => ends.map((each) => ({ ...each })).sort((one, other) => hash(one) - hash(other))
  const groups = times(8, () => shuffled().slice(0, 16))
  const answers = await race([
    ...groups.map((group) => () => inTx((tx) => settleMany(tx, group))),
    ...ends.map((each) => async () => [await inTx((tx) => settle(tx, each))]),
  ])
  expect(answers.filter((answer) => typeof answer === 'string')).toEqual([])
  const settled = answers.flatMap((answer) => (typeof answer === 'string' ? [] : answer))
  expect(settled.filter(({ repeated }) => !repeated)).toHaveLength(calls.length)
  const balances = await Promise.all(users.map((userId) => balance(database.db, userId)))
  expect(balances).toEqual(users.map(() => ({ posted: 24, held: 0, available: 24, debt: 0 })))
  await checkBooks(database.db)
})

test('parallel grants of a payment credit it once', async () => {
  const userId = await newUser()
  const answers = await race(times(10, () => () => inTx((tx) => buy(tx, userId, `pi:${userId}`, 25))))
  expect(answers.filter((answer) => typeof answer === 'object' && !answer.repeated)).toHaveLength(1)
  expect(await balance(database.db, userId)).toMatchObject({ posted: 35 })
  await checkBooks(database.db)
})

test('a payment granted to two users in parallel is credited to one', async () => {
  const users = [await newUser(), await newUser()]
  const answers = await race(users.map((userId) => () => inTx((tx) => buy(tx, userId, `pi:${users.join('+')}`, 25))))
  expect(answers.filter((answer) => answer === 'idempotency_mismatch')).toHaveLength(1)
  const balances = await Promise.all(users.map((userId) => balance(database.db, userId)))
  expect(balances.reduce((sum, { posted }) => sum + posted, 0)).toBe(45)
  await checkBooks(database.db)
})

test('a wallet opened in parallel gets its free credits once', async () => {
  const userId = randomUUID()
  await race(times(10, () => () => inTx((tx) => openWallet(tx, userId))))
  expect(await balance(database.db, userId)).toMatchObject({ posted: 10 })
  await checkBooks(database.db)
})

let seed = 1
const places = new WeakMap<object, number>()
/** A fixed pseudo-random number of the request, so that every run shuffles alike. */
function hash(request: object): number {
  const place = places.get(request) ?? (seed = (seed * 48_271) % 2_147_483_647)
  places.set(request, place)
  return place
}
