import { eq, sql } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../db.ts'
import { passedOver } from '../schema.ts'
import { testDatabase } from '../testing.ts'
import { eachAlone, forgetPassedOver, isNotPassedOver } from './each-alone.ts'

const TASK = 'test.accounts'
const ACCOUNTS = ['a', 'b', 'c', 'd', 'e']
let database: Database

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

/** A round over all accounts that are not passed over. */
async function round(failing: readonly string[], atOnce = 1): Promise<string[]> {
  const { db } = database
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from unnest(${sql.param(ACCOUNTS)}::text[]) as account (id)
      where ${isNotPassedOver(TASK, sql`account.id`)} order by id`,
  )
  const done: string[] = []
  await eachAlone({
    room: { db, log: pino({ level: 'silent' }) },
    task: TASK,
    items: rows.map(({ id }) => id),
    subjectOf: (id) => id,
    work: async (id) => {
      if (failing.includes(id)) throw Object.assign(new Error('of ada@example.com'), { code: 'ECARD' })
      done.push(id)
    },
    atOnce,
  })
  return done
}

const backOffOf = async (subject: string) => {
  const seconds = sql<number>`round(extract(epoch from ${passedOver.retryAt} - now()))::int`
  const { failures, errorKind } = passedOver
  const [row] = await database.db
    .select({ failures, errorKind, seconds })
    .from(passedOver)
    .where(eq(passedOver.subject, subject))
  return row
}
const endBackOff = () => database.db.update(passedOver).set({ retryAt: sql`now()` })

test('a failing account is passed over with a doubling back-off while all others are served', async () => {
  expect(await round(['b', 'd'], 2)).toEqual(['a', 'c', 'e'])
  expect(await backOffOf('b')).toEqual({ failures: 1, errorKind: 'ECARD', seconds: 30 })
  // Neither fills the next round.
  expect(await round([])).toEqual(['a', 'c', 'e'])
  await endBackOff()
  expect(await round(['b'])).toEqual(['a', 'c', 'd', 'e'])
  expect(await backOffOf('b')).toEqual({ failures: 2, errorKind: 'ECARD', seconds: 60 })
  expect(await backOffOf('d')).toBeUndefined()
  await database.db.update(passedOver).set({ failures: 1000, retryAt: sql`now()` })
  await round(['b'])
  expect(await backOffOf('b')).toMatchObject({ failures: 1001, seconds: 6 * 3600 })
  await endBackOff()
  expect(await round([])).toEqual(ACCOUNTS)
  expect(await backOffOf('b')).toBeUndefined()
})

test('what nobody tries any more is forgotten after two days', async () => {
  await database.db
    .insert(passedOver)
    .values({ task: TASK, subject: 'gone', retryAt: sql`now() - interval '49 hours'`, errorKind: 'Error' })
  await database.db.insert(passedOver).values({ task: TASK, subject: 'new', retryAt: sql`now()`, errorKind: 'Error' })
  await forgetPassedOver(database.db)
  expect(await backOffOf('gone')).toBeUndefined()
  expect(await backOffOf('new')).toBeDefined()
})

test('a run that is over in the middle of an item passes nothing over, and ends when its other items have', async () => {
  const over = new AbortController()
  const run = { signal: over.signal, check: () => over.signal.throwIfAborted(), confirm: () => Promise.resolve() }
  const done: string[] = []
  const begun = Promise.withResolvers<void>()
  const other = Promise.withResolvers<void>()
  const round = eachAlone({
    room: { db: database.db, log: pino({ level: 'silent' }) },
    task: 'test.over',
    items: ['first', 'other', 'never'],
    subjectOf: (id) => id,
    async work(id) {
      if (id === 'first') {
        await begun.promise
        over.abort(new Error('taken over'))
        setImmediate(other.resolve)
        run.check()
      }
      begun.resolve()
      await other.promise
      done.push(id)
    },
    atOnce: 2,
    run,
  })
  await expect(round).rejects.toThrow('taken over')
  expect(done).toEqual(['other'])
  expect(await database.db.$count(passedOver, eq(passedOver.task, 'test.over'))).toBe(0)
})
