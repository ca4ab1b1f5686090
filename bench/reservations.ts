import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { release, reserve } from '../apps/api/src/calls/nodes/leases.ts'
import { join as joinNode } from '../apps/api/src/calls/nodes/registry.ts'
import { createDatabase, type Database, withTx } from '../apps/api/src/platform/db.ts'
import { startEmbeddedPostgres } from '../apps/api/src/platform/database/embedded.ts'
import { migrateDatabase } from '../apps/api/src/platform/database/migrate.ts'
import { LEDGER_SQL } from '../apps/api/src/credits/index.ts'
import { goFirst } from './voice/ladder.ts'

// Reservations of places on voice nodes: how many are overbooked, unpaced, and how long one takes at half the throughput.

const { values } = parseArgs({ options: { reservations: { type: 'string', default: '1000000' } } })
const COUNT = Number(values.reservations)
const NODES = 16
const CAPACITY = 25
/** Transactions at once, as of several apis. */
const WORKERS = 16
/** Calls of a worker: together they want more places than there are. */
const CALLS_PER_WORKER = 30
/** Reservations whose throughput is measured with every commit on the disk. */
const SYNCED = 20_000
const PACED_SECONDS = 20
const HEARTBEAT_MS = 2000

interface Held {
  readonly callId: string
  readonly nodeId: string
}

// PostgreSQL, started below, inherits the priority.
goFirst()
const dir = await mkdtemp(join(tmpdir(), 'parley-bench-'))
const postgres = await startEmbeddedPostgres(dir)
const database = createDatabase(postgres.url, { poolSize: WORKERS + 2 })
try {
  await migrateDatabase(database, { replayed: [LEDGER_SQL] })
  await prepare(database)
  const beating = setInterval(
    () => void database.pool.query('update voice_node set heartbeat_at = now()'),
    HEARTBEAT_MS,
  )
  // Whether places are overbooked does not depend on when the disk has a commit.
  const quick = createDatabase(`${postgres.url}?options=-c%20synchronous_commit%3Doff`, { poolSize: WORKERS + 2 })
  const { overbooked, full, locked, perSecond: quickly } = await unpaced(quick, COUNT)
  await quick.close()
  process.stdout.write(
    `${COUNT} reservations by ${WORKERS} at once, ${quickly.toFixed(0)} a second: ${overbooked} overbooked; ` +
      `${full} found every place taken, ${locked} every open node locked\n`,
  )
  await database.pool.query('delete from call_lease')
  const { perSecond } = await unpaced(database, SYNCED)
  process.stdout.write(`Each commit on the disk: ${perSecond.toFixed(0)} a second\n`)
  await database.pool.query('delete from call_lease')
  const { p50, p99, bareP99 } = await paced(database, perSecond / 2)
  process.stdout.write(
    `At half of that: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms; a bare committed UPDATE beside it p99 ${bareP99.toFixed(1)} ms\n`,
  )
  clearInterval(beating)
} finally {
  await database.close()
  await postgres.stop()
  await rm(dir, { recursive: true, force: true })
}

async function prepare({ db, pool }: Database): Promise<void> {
  await pool.query(`insert into "user" (id, name, email) values ('u', 'Ada', 'ada@example.com')`)
  await pool.query(
    `insert into call (id, user_id, callee, purpose, objectives, tone, voice_id, max_duration_minutes, context, language, on_behalf_of,
       record, status, phase, stage_at, heard_at, credits_held, created_at)
     select 'call-' || n, 'u', '+12025550100', 'Ask', '[]', 'friendly', 'default', 2, '{}', 'en', 'Ada', false, 'initiated', 'queued', now(),
       now(), 2, now() from generate_series(0, $1::int - 1) n`,
    [WORKERS * CALLS_PER_WORKER],
  )
  await pool.query('create table bare (id int primary key, at timestamptz) with (fillfactor = 50)')
  await pool.query('insert into bare select n, now() from generate_series(0, $1::int - 1) n', [
    WORKERS * CALLS_PER_WORKER,
  ])
  for (let at = 0; at < NODES; at++) {
    const address = `http://n${at}.example:3001`
    const about = { capacity: CAPACITY, version: '1', carrier: 'simulated', mind: 'scripted' }
    await joinNode(db, { nodeId: `n${at}`, bootId: `boot-${at}`, privateUrl: address, mediaUrl: address, ...about })
  }
}

/**
 * Each worker takes and gives back places as fast as it can. A place counts from the commit of its lease until its
 * release is sent, so that the count is never above what the database holds: a count above the capacity is a proof.
 */
async function unpaced({ db, pool }: Database, total: number) {
  const taken = new Map<string, number>()
  let left = total
  let overbooked = 0
  let full = 0
  let locked = 0
  const startedAt = performance.now()
  const watch = setInterval(() => {
    void pool
      .query(`select node_id from call_lease group by node_id having count(*) > $1`, [CAPACITY])
      .then(({ rowCount }) => (overbooked += rowCount ?? 0))
  }, 20)
  await Promise.all(
    Array.from({ length: WORKERS }, async (_, worker) => {
      const free = Array.from({ length: CALLS_PER_WORKER }, (__, at) => `call-${worker * CALLS_PER_WORKER + at}`)
      const held: Held[] = []
      while (left > 0) {
        const callId = free.at(-1)
        if (callId !== undefined && Math.random() < 0.6) {
          const reserved = await withTx(db, (tx) => reserve(tx, { callId, isSingle: true, except: [] }))
          if (reserved === 'locked') {
            locked++
            continue
          }
          if (reserved === 'full') full++
          else {
            left--
            free.pop()
            const { nodeId } = reserved.node
            held.push({ callId, nodeId })
            const now = (taken.get(nodeId) ?? 0) + 1
            taken.set(nodeId, now)
            if (now > CAPACITY) overbooked++
            continue
          }
        }
        const [given] = held.splice(Math.floor(Math.random() * held.length), 1)
        if (!given) continue
        taken.set(given.nodeId, (taken.get(given.nodeId) ?? 0) - 1)
        await withTx(db, (tx) => release(tx, given.callId))
        free.push(given.callId)
      }
    }),
  )
  clearInterval(watch)
  return { perSecond: (total * 1000) / (performance.now() - startedAt), overbooked, full, locked }
}

/** Reservations begin at their times whether or not the earlier ones are done; each is released at once. */
async function paced({ db, pool }: Database, perSecond: number) {
  const reservedMs: number[] = []
  const bareMs: number[] = []
  const startedAt = performance.now()
  const total = Math.floor(perSecond * PACED_SECONDS)
  const under: Promise<void>[] = []
  for (let nth = 0; nth < total; nth++) {
    const dueMs = (nth * 1000) / perSecond
    const waitMs = startedAt + dueMs - performance.now()
    if (waitMs > 1) await new Promise((resolve) => setTimeout(resolve, waitMs))
    const callId = `call-${nth % (WORKERS * CALLS_PER_WORKER)}`
    under.push(
      (async () => {
        // A call of 400 places later has its former place back.
        const beganAt = performance.now()
        await withTx(db, (tx) => reserve(tx, { callId, isSingle: true, except: [] }))
        reservedMs.push(performance.now() - beganAt)
        await withTx(db, (tx) => release(tx, callId))
        if (nth % 20 > 0) return
        const bareAt = performance.now()
        await pool.query('update bare set at = now() where id = $1', [nth % (WORKERS * CALLS_PER_WORKER)])
        bareMs.push(performance.now() - bareAt)
      })(),
    )
  }
  await Promise.all(under)
  const at = (list: readonly number[], share: number) =>
    list.toSorted((a, b) => a - b)[Math.floor(list.length * share)] ?? NaN
  return { p50: at(reservedMs, 0.5), p99: at(reservedMs, 0.99), bareP99: at(bareMs, 0.99) }
}
