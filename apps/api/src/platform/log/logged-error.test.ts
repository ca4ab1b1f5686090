import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type FastifyBaseLogger, fastify as createFastify } from 'fastify'
import { createBus } from '../bus.ts'
import type { Database, Db } from '../db.ts'
import { AppError } from '../errors.ts'
import { sendError } from '../http.ts'
import { createJobs, defineJob } from '../jobs.ts'
import { createLog } from './log.ts'
import { testDatabase } from '../testing.ts'

const PHONE = '+12025550142'
/** Spoken words may look like a stack trace. */
const SAID = `Call me back\n    at ${PHONE}\n    at home (${PHONE}:1:2), "really"`

const lines: string[] = []
const log = createLog('info', { write: (line) => void lines.push(line) })
let database: Database
let db: Db

beforeAll(async () => {
  database = await testDatabase()
  // With the values in its errors, drizzle's worst case.
  db = drizzle({ client: database.pool, paramsInErrors: true })
  await db.execute(sql`create table planted (phone text primary key, said text check (said <> ''), age integer)`)
  await db.execute(sql`insert into planted values (${PHONE}, 'Hello')`)
})
afterAll(() => database.close())
afterEach(() => void lines.splice(0))

const errorOf = (work: PromiseLike<unknown>): Promise<Error> =>
  Promise.resolve(work).then(
    () => expect.fail('It came through.'),
    (error: unknown) => error as Error,
  )
const violation = () => db.execute(sql`insert into planted (phone, said) values (${PHONE}, ${SAID})`)

const FAILURES: readonly [string, () => PromiseLike<unknown>, { code: string; kept: string }][] = [
  ['a duplicate key', violation, { code: '23505', kept: 'planted_pkey' }],
  [
    'a row that a check refuses',
    () => db.execute(sql`update planted set said = '' where phone = ${PHONE}`),
    { code: '23514', kept: 'planted_said_check' },
  ],
  [
    'a value of another type',
    () => db.execute(sql`insert into planted (phone, age) values ('1', ${PHONE})`),
    { code: '22', kept: 'out of range for type integer' },
  ],
]

/** The ways in which an error gets into the log. */
const WAYS: readonly [string, (error: Error) => void][] = [
  ['with a sentence', (error) => log.error({ err: error }, 'failed')],
  ['without a sentence', (error) => log.error({ err: error })],
  ['as the only argument', (error) => log.error(error)],
  ['with its own message for a sentence', (error) => log.error({ err: error }, error.message)],
  ['with its own message put in', (error) => log.error({ err: error }, 'It said: %s', error.message)],
  ['under another name, further down', (error) => log.error({ more: { problem: error } }, 'failed')],
  ['as a cause', (error) => log.error({ err: new AppError('internal', 'It broke.', { cause: error }) }, 'failed')],
  ['as one of many', (error) => log.error({ err: new AggregateError([error], 'They broke.') }, 'failed')],
  ['by a child logger', (error) => log.child({ room: 'calls' }).error({ err: error }, 'failed')],
]

describe.each(FAILURES)('a query that fails by %s', (_, fail, { code, kept }) => {
  test.each(WAYS)('logged %s, hides its values', async (_way, write) => {
    write(await errorOf(fail()))
    const line = lines.join('')
    expect(line).not.toContain(PHONE)
    expect(line).not.toMatch(/Call me back|params/)
    const useful = ['DrizzleQueryError', `"code":"${code}`, kept, /Failed query: \w+ /, '$1', 'logged-error.test.ts:']
    for (const part of useful) expect(line).toMatch(part)
  })
})

test('a request that fails in the database is logged without its values', async () => {
  const loggerInstance: FastifyBaseLogger = log
  const fastify = createFastify({ loggerInstance })
  fastify.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  fastify.get('/breaks', () => violation())
  expect((await fastify.inject('/breaks')).statusCode).toBe(500)
  const line = lines.find((each) => each.includes('request failed')) ?? ''
  expect(line).not.toContain(PHONE)
  expect(JSON.parse(line)).toMatchObject({
    msg: 'request failed',
    err: {
      type: 'DrizzleQueryError',
      message: expect.stringContaining('$1'),
      cause: { code: '23505', constraint: 'planted_pkey' },
    },
  })
})

test("JSON syntax errors and extra fields of a vendor's error are logged without values", () => {
  for (const text of [`Hello ${PHONE}`, `{"said":"${PHONE}`]) {
    try {
      JSON.parse(text)
    } catch (error) {
      log.error({ err: error }, 'unread')
    }
  }
  const vendors = Object.assign(new Error('It was refused.'), { code: 'E7', request: { to: PHONE }, detail: PHONE })
  log.error({ err: vendors }, 'refused')
  expect(lines.join('')).not.toContain(PHONE)
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({
    err: { message: 'It was refused.', code: 'E7', stack: expect.stringContaining('.test.ts:') },
  })
})

test('the stored error of a failed job has no values', async () => {
  const silent = pino({ level: 'silent' })
  const jobs = createJobs({ database, bus: createBus(undefined, silent), log: silent })
  const tried = new Promise<void>((resolve) => {
    jobs.work(defineJob<{ n: number }>('test.breaks'), async () => {
      setImmediate(resolve)
      await violation()
    })
  })
  await jobs.start()
  await db.transaction((tx) => jobs.enqueue(tx, defineJob<{ n: number }>('test.breaks'), { n: 1 }, { key: '1' }))
  await tried
  await jobs.stop()
  const { rows } = await db.execute<{ output: string }>(
    sql`select output::text from jobs.job where name = 'test.breaks'`,
  )
  expect(rows[0]?.output).toContain('Failed query: insert into planted')
  expect(rows[0]?.output).not.toContain(PHONE)
})
