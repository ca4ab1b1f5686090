import { sql } from 'drizzle-orm'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createBus } from './bus.ts'
import { type Database, withTx } from './db.ts'
import { AppError } from './errors.ts'
import { once } from './requests/idempotency.ts'
import { createJobs, defineJob, type Jobs } from './jobs.ts'
import { createLog } from './log/log.ts'
import { decodeCursor, encodeCursor, inRowOrder, newestFirst, newestFirstById } from './pages.ts'
import { testDatabase } from './testing.ts'

const silent = pino({ level: 'silent' })
const greet = defineJob<{ name: string }>('test.greet', { retryDelaySeconds: 1 })
let database: Database
let jobs: Jobs
const greeted: string[] = []
const waiting = new Map<string, () => void>()

function untilGreeted(name: string): Promise<void> {
  return new Promise((resolve) => waiting.set(name, resolve))
}

beforeAll(async () => {
  database = await testDatabase()
  jobs = createJobs({ database, bus: createBus(undefined, silent), log: silent })
  jobs.work(greet, async ({ name }) => {
    greeted.push(name)
    if (name === 'fails once' && greeted.filter((each) => each === name).length === 1) throw new Error('not yet')
    waiting.get(name)?.()
  })
  await jobs.start()
})

afterAll(async () => {
  await jobs.stop()
  await database.close()
})

test('a broken pool connection fails its own query only', async () => {
  const client = await database.pool.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const ended = new Promise((resolve) => client.once('end', resolve))
  await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
  await ended
  await expect(client.query('select 1')).rejects.toThrow('connection')
  client.release()
  expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

describe('jobs', () => {
  test('run after the transaction that enqueued them commits', async () => {
    const done = untilGreeted('Ada')
    await withTx(database.db, (tx) => jobs.enqueue(tx, greet, { name: 'Ada' }, { key: 'Ada' }))
    await done
    expect(greeted).toContain('Ada')
  })

  test('are dropped when the transaction is rolled back', async () => {
    const undone = withTx(database.db, async (tx) => {
      await jobs.enqueue(tx, greet, { name: 'nobody' }, { key: 'nobody' })
      throw new Error('changed our mind')
    })
    await expect(undone).rejects.toThrow('changed our mind')
    const done = untilGreeted('after')
    await withTx(database.db, (tx) => jobs.enqueue(tx, greet, { name: 'after' }, { key: 'after' }))
    await done
    expect(greeted).not.toContain('nobody')
  })

  test('are retried when the handler fails', async () => {
    const done = untilGreeted('fails once')
    await withTx(database.db, (tx) => jobs.enqueue(tx, greet, { name: 'fails once' }, { key: 'fails once' }))
    await done
    expect(greeted.filter((name) => name === 'fails once')).toHaveLength(2)
  }, 90_000)
})

describe('a stop of the jobs', () => {
  const slow = defineJob<object>('test.slow', { retryDelaySeconds: 1 })

  /** A queue with one running job. */
  async function withRunningJob(stopTimeoutMs?: number) {
    const begun = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    const stopped = { within: undefined as 'a running job' | 'none' | undefined }
    const own = createJobs({
      database,
      bus: createBus(undefined, silent),
      log: silent,
      ...(stopTimeoutMs && { stopTimeoutMs }),
    })
    let isRunning = false
    own.work(slow, async () => {
      isRunning = true
      begun.resolve()
      await end.promise
      isRunning = false
    })
    await own.start()
    await withTx(database.db, (tx) => own.enqueue(tx, slow, {}, { key: 'slow' }))
    await begun.promise
    const stop = own.stop().then(() => void (stopped.within = isRunning ? 'a running job' : 'none'))
    return { stop, stopped, end: end.resolve }
  }
  const states = async () =>
    (await database.pool.query<{ state: string }>(`select state from jobs.job where name = 'test.slow'`)).rows

  test('waits for the job that runs', async () => {
    const { stop, stopped, end } = await withRunningJob()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(stopped.within).toBeUndefined()
    end()
    await stop
    expect(stopped.within).toBe('none')
    expect(await states()).toEqual([])
  })

  test('leaves a job that takes too long to be tried again', async () => {
    const { stop, stopped, end } = await withRunningJob(100)
    await stop
    expect(stopped.within).toBe('a running job')
    expect(await states()).toEqual([{ state: 'retry' }])
    end()
  })
})

describe('idempotency', () => {
  const asked = { userId: 'u1', routeId: 'placeCall', key: 'k1' }

  test('repeats the first answer, works once and refuses another body', async () => {
    let worked = 0
    const run = (body: unknown) =>
      withTx(database.db, (tx) => once(tx, { ...asked, body }, async () => ({ count: ++worked })))
    const [first, second] = await Promise.all([run({ a: 1, b: 2 }), run({ b: 2, a: 1 })])
    expect([first, second]).toEqual([{ count: 1 }, { count: 1 }])
    await expect(run({ a: 2 })).rejects.toMatchObject({ code: 'idempotency_mismatch' })
  })

  test('frees the key when the work fails', async () => {
    const run = (fails: boolean) =>
      withTx(database.db, (tx) =>
        once(tx, { ...asked, key: 'k2', body: {} }, async () => {
          if (fails) throw new AppError('insufficient_credits', 'No credits.')
          return 'done'
        }),
      )
    await expect(run(true)).rejects.toThrow('No credits.')
    await expect(run(false)).resolves.toBe('done')
  })
})

describe('bus', () => {
  test('a failing listener affects neither the publisher nor other listeners', async () => {
    const bus = createBus(undefined, silent)
    const heard: unknown[] = []
    bus.subscribe('user:1', () => {
      throw new Error('a page that is gone')
    })
    bus.subscribe('user:1', (message) => heard.push(message))
    bus.publish('user:1', 1)
    expect(heard).toEqual([1])
    await bus.close()
  })

  const redisUrl = process.env['REDIS_URL']

  test.runIf(redisUrl)('ignores messages in Redis that are not JSON', async () => {
    const [bus, other] = [createBus(redisUrl, silent), new Redis(redisUrl ?? '')]
    const heard = new Promise((resolve) => bus.subscribe('user:2', resolve))
    const publishing = setInterval(() => {
      void other.publish('parley:user:2', 'no JSON').then(() => bus.publish('user:2', 1))
    }, 20)
    expect(await heard).toBe(1)
    clearInterval(publishing)
    await Promise.all([bus.close(), other.quit()])
  })

  test.each([['in process', undefined] as const, ...(redisUrl ? [['over Redis', redisUrl] as const] : [])])(
    'fans out %s',
    async (_, url) => {
      const [here, there] = [createBus(url, silent), createBus(url, silent)]
      const listening = url === undefined ? here : there
      const heard = new Promise((resolve) => listening.subscribe('user:1', resolve))
      const publishing = setInterval(() => here.publish('user:1', { type: 'hello' }), 20)
      expect(await heard).toEqual({ type: 'hello' })
      clearInterval(publishing)
      await Promise.all([here.close(), there.close()])
    },
  )
})

test('the log hides secrets and personal data', () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  log.info({ calleePii: '+12025550100', nested: { password: 'hunter2', room: 'calls' } }, 'placed')
  expect(lines.join('')).toContain('calls')
  expect(lines.join('')).not.toMatch(/2025550100|hunter2/)
})

test('a cursor decodes to the same value, and an invalid one is refused', () => {
  const cursor = { at: new Date('2026-01-02T03:04:05.678Z'), id: 'abc' }
  expect(decodeCursor(encodeCursor(cursor))).toEqual(cursor)
  expect(() => decodeCursor('nonsense')).toThrow(AppError)
})

describe('pages', () => {
  const at = new Date('2026-01-02T03:04:05.678Z')
  const column = sql`id`
  const foreign = encodeCursor({ at, id: 'abc' })

  test.each([
    { rows: 2, shown: 2, next: null },
    { rows: 3, shown: 2, next: { at, id: 'row-1' } },
  ])('$rows rows for a page of 2: shows $shown of them, the next page begins at $next', ({ rows, shown, next }) => {
    const { limit, page } = newestFirst({ limit: 2 }, { at: column, id: column })
    expect(limit).toBe(3)
    const given = Array.from({ length: rows }, (_, row) => ({ id: `row-${row}`, createdAt: at }))
    const { items, total, nextCursor } = page(given, 7)
    expect({ items, total }).toEqual({ items: given.slice(0, shown), total: 7 })
    expect(decodeCursor(nextCursor ?? undefined) ?? null).toEqual(next)
  })

  test('a list without rows has no next page', () => {
    expect(newestFirstById({ limit: 2 }, column).page([], 0)).toEqual({ items: [], total: 0, nextCursor: null })
  })

  test('lists in the order of numbers refuse the cursor of a list that has none', () => {
    const query = { limit: 2, cursor: foreign }
    expect(() => newestFirstById(query, column)).toThrow('The cursor belongs to another list.')
    expect(() => inRowOrder(query, column, at)).toThrow('The cursor is not one that a list gave')
    const beyond = { limit: 2, cursor: encodeCursor({ at, id: String(2 ** 31) }) }
    expect(() => inRowOrder(beyond, column, at)).toThrow('The cursor is not one that a list gave')
  })
})
