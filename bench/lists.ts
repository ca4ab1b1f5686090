import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { Pacer } from '../apps/api/src/batches/pacing/pacer.ts'
import { conclude } from '../apps/api/src/calls/facts.ts'
import { lockCall } from '../apps/api/src/calls/read.ts'
import { LEDGER_SQL, openWallet } from '../apps/api/src/credits/index.ts'
import { startEmbeddedPostgres } from '../apps/api/src/platform/database/embedded.ts'
import { migrateDatabase } from '../apps/api/src/platform/database/migrate.ts'
import { createDatabase, type Database, withTx } from '../apps/api/src/platform/db.ts'
import { type Context, readConfig, startServer } from '../apps/api/src/server.ts'
import { goFirst } from './voice/ladder.ts'

// Running lists: how many looks a second, how late the latest is, and how many statements one costs.

const { values } = parseArgs({
  options: {
    lists: { type: 'string', default: '10000' },
    accounts: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '60' },
  },
})
const LISTS = Number(values.lists)
const ACCOUNTS = Number(values.accounts)
const SECONDS = Number(values.seconds)
const CONTACTS = 20
const CAPACITY = 400
/** From the placing to the end, which is "no answer". */
const CALL_MS = 10_000
const ENDED_AT_ONCE = 4
const ROUND_EVERY_MS = 1000
const SAMPLED_EVERY_MS = 250
const BARE_MS = 3000
const SECRET = 'a-bench-secret-of-thirty-two-characters'

/** Of the running lists that are due: the age in seconds of the one that waits longest for its look. */
const OLDEST = `select coalesce(extract(epoch from now() - min(look_at)), 0)::float8 as seconds from batch
  where status = 'running' and look_at <= now()`

// PostgreSQL, started below, inherits the priority.
goFirst()
const dir = await mkdtemp(join(tmpdir(), 'parley-bench-'))
const postgres = await startEmbeddedPostgres(dir)
const voice = await startVoiceStandIn()
try {
  const database = createDatabase(postgres.url, { poolSize: 10 })
  await migrateDatabase(database, { replayed: [LEDGER_SQL] })
  await prepare(database)
  await database.close()
  const api = await startServer(
    readConfig({
      PORT: '0',
      // No rounds but those below.
      PARLEY_ROLE: 'api',
      DATABASE_URL: postgres.url,
      DATA_DIR: dir,
      CALLING_HOURS: 'off',
      LIVE_CALLS_PER_ACCOUNT: '5',
      CALLS_PER_HOUR: '1000',
      VOICE_URL: voice.url,
      VOICE_SECRET: SECRET,
      AUTH_SECRET: SECRET,
      LOG_LEVEL: 'silent',
    }),
  )
  await lookAtAll(api.context)
  await keepRunning(api.context)
  await api.close()
} finally {
  await postgres.stop()
  voice.close()
  await rm(dir, { recursive: true, force: true })
}

/** Every list is due, and no call has room: the looks alone. */
async function lookAtAll(context: Context): Promise<void> {
  const { pool } = context.database
  const { rows: ids } = await pool.query<{ id: string }>('select id from batch limit 1000')
  const bare = await perSecond(BARE_MS, (at) =>
    pool.query('select * from batch where id = $1', [ids[at % ids.length]?.id]),
  )
  voice.calls = CAPACITY
  const counting = countStatements()
  const startedAt = performance.now()
  await new Pacer(context.batches).round()
  const ms = performance.now() - startedAt
  const { statements, looks } = counting.end()
  const each = (looks * 1000) / ms
  console.log(
    `${LISTS} lists of ${ACCOUNTS} accounts, all due: ${looks} looks in ${(ms / 1000).toFixed(1)} s, ` +
      `${each.toFixed(0)} a second, ` +
      `${(statements / looks).toFixed(3)} statements a list; a bare read of one list: ${bare.toFixed(0)} a second; ` +
      `ratio ${(each / bare).toFixed(2)}`,
  )
}

/** The lists dial; every call ends after a while and is followed by the next. */
async function keepRunning(context: Context): Promise<void> {
  const { pool } = context.database
  voice.calls = 0
  let isOver = false
  let wake = Promise.withResolvers<void>()
  const nudge = () => wake.resolve()
  const counting = countStatements()
  const samples: number[] = []
  const sampling = (async () => {
    while (!isOver) {
      const { rows } = await pool.query<{ seconds: number }>(OLDEST)
      samples.push(rows[0]?.seconds ?? 0)
      await pause(SAMPLED_EVERY_MS)
    }
  })()
  let ended = 0
  const ending = (async () => {
    while (!isOver) {
      ended += await endCalls(context, nudge)
      await pause(SAMPLED_EVERY_MS)
    }
  })()
  const pacer = new Pacer({ ...context.batches, nudge })
  const until = performance.now() + SECONDS * 1000
  let rounds = 0
  let longestMs = 0
  while (performance.now() < until) {
    wake = Promise.withResolvers()
    const startedAt = performance.now()
    await pacer.round()
    rounds++
    longestMs = Math.max(longestMs, performance.now() - startedAt)
    await Promise.race([wake.promise, pause(Math.max(0, startedAt + ROUND_EVERY_MS - performance.now()))])
  }
  isOver = true
  await Promise.all([sampling, ending])
  const { looks } = counting.end()
  const sorted = samples.toSorted((a, b) => a - b)
  const at = (part: number) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(1)
  const { rows } = await pool.query<{ calls: number }>('select count(*)::int as calls from call')
  console.log(
    `${SECONDS} s with ${CAPACITY} places: ${rows[0]?.calls} calls begun, ${ended} ended; ` +
      `${(looks / SECONDS).toFixed(0)} looks a second in ` +
      `${rounds} rounds, the longest ${(longestMs / 1000).toFixed(1)} s; ` +
      `the oldest look was due for ${at(0.5)} s (median), ${at(1)} s at most`,
  )
}

/** Ends the calls that have lasted long enough as unanswered. Returns how many. */
async function endCalls({ calls, database }: Context, nudge: () => void): Promise<number> {
  const { rows } = await database.pool.query<{ id: string }>(
    `select id from call where completed_at is null and created_at < now() - $1 * interval '1 ms' limit 100`,
    [CALL_MS],
  )
  const left = rows.values()
  const worker = async () => {
    for (const { id } of left)
      await withTx(database.db, async (tx) => {
        const ending = { reason: 'no_answer' as const, message: 'Nobody answered.', at: new Date() }
        await conclude(calls.hooks, tx, await lockCall(tx, id), ending)
      })
  }
  await Promise.all(Array.from({ length: ENDED_AT_ONCE }, worker))
  if (rows.length > 0) nudge()
  return rows.length
}

async function prepare({ db, pool }: Database): Promise<void> {
  await pool.query(
    `insert into "user" (id, name, email, email_verified)
     select 'user-' || n, 'Ada', 'ada-' || n || '@example.com', true from generate_series(0, $1::int - 1) n`,
    [ACCOUNTS],
  )
  for (let at = 0; at < ACCOUNTS; at++) await withTx(db, (tx) => openWallet(tx, `user-${at}`))
  const plan = {
    purpose: 'Ask how the stay was, and whether the guest would come again. '.repeat(8),
    objectives: ['A rating from 1 to 5', 'Whether the guest would come again'],
    mandates: [],
    tone: 'friendly',
    language: 'en',
    maxDurationMinutes: 1,
    liveCalls: null,
    callsPerMinute: 60,
    retries: { attempts: 3, no_answer: 60, busy: 15, voicemail: null, failed: 5 },
  }
  await pool.query(
    `insert into batch (id, user_id, name, status, incoming, plan, places, waiting, created_at, started_at, look_at)
     select 'batch-' || n, 'user-' || n % $2, 'Bench', 'running', false, $3, '["America/New_York"]', $4,
       now(), now(), now()
     from generate_series(0, $1::int - 1) n`,
    [LISTS, ACCOUNTS, JSON.stringify(plan), CONTACTS],
  )
  await pool.query(
    `insert into batch_contact (batch_id, row, phone, callee, context, place, status)
     select 'batch-' || n, r, phone, phone, '{}', 'America/New_York', 'waiting'
     from generate_series(0, $1::int - 1) n, generate_series(0, $2::int - 1) r,
       lateral (select '+1' || (array[212, 305, 415, 512, 617, 702, 808, 907])[1 + n % 8] || 2000000 + n * $2 + r
         as phone) as p`,
    [LISTS, CONTACTS],
  )
  await pool.query('vacuum analyze')
}

/** Counts what this process sends to PostgreSQL, and the lists that are read in a look. */
function countStatements(): { end(): { statements: number; looks: number } } {
  const query: unknown = Reflect.get(pg.Client.prototype, 'query')
  if (typeof query !== 'function') throw new Error('The driver has no query method.')
  let statements = 0
  let looks = 0
  function counting(this: pg.Client, ...args: unknown[]): unknown {
    statements++
    const [first] = args
    const text = typeof first === 'string' ? first : String(Reflect.get(Object(first), 'text') ?? '')
    const isLook = text.includes(`->> 'callsPerMinute'`)
    const count = (result: unknown) => {
      if (isLook) looks += Number(Reflect.get(Object(result), 'rowCount') ?? 0)
    }
    const told = args.map((each) => {
      if (typeof each !== 'function') return each
      return (error: unknown, result: unknown): unknown => {
        count(result)
        return Reflect.apply(each, undefined, [error, result])
      }
    })
    const answer: unknown = Reflect.apply(query as () => unknown, this, told)
    if (answer instanceof Promise) void answer.then(count, () => undefined)
    return answer
  }
  Reflect.set(pg.Client.prototype, 'query', counting)
  return {
    end() {
      Reflect.set(pg.Client.prototype, 'query', query)
      return { statements, looks }
    },
  }
}

async function perSecond(ms: number, work: (at: number) => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  let done = 0
  while (performance.now() - startedAt < ms) await work(done++)
  return (done * 1000) / (performance.now() - startedAt)
}

/** Says how many of its places are taken; nobody sends it an order. */
async function startVoiceStandIn(): Promise<{ url: string; calls: number; close: () => void }> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const names = { carrier: 'simulated', mind: 'scripted' }
    response.end(JSON.stringify({ status: 'ok', calls: standIn.calls, capacity: CAPACITY, ...names }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const standIn = { url: `http://127.0.0.1:${port}`, calls: 0, close: () => void server.close() }
  return standIn
}
