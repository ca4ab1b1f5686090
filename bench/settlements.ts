import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkBooks, LEDGER_SQL, settle } from '../apps/api/src/credits/index.ts'
import { createDatabase, type Database } from '../apps/api/src/platform/db.ts'
import { migrateDatabase } from '../apps/api/src/platform/database/migrate.ts'
import { startEmbeddedPostgres } from '../apps/api/src/platform/database/embedded.ts'
import { goFirst } from './voice/ladder.ts'

// Settlements per second, beside the minimum: one bare UPDATE of one row, committed.

const COUNT = 10_000
const CONNECTIONS = 10
/** Both are measured alternately, so that load slows both. */
const SLICES = 20

/** Prepared, as a settlement is. */
const BARE = { name: 'bare', text: 'update bare set credits = credits - 2 where id = $1' }

// PostgreSQL, started below, inherits the priority.
goFirst()
const dir = await mkdtemp(join(tmpdir(), 'parley-bench-'))
const postgres = await startEmbeddedPostgres(dir)
const database = createDatabase(postgres.url, { poolSize: CONNECTIONS })
try {
  await migrateDatabase(database, { replayed: [LEDGER_SQL] })
  await database.pool.query('create table bare (id text primary key, credits bigint not null) with (fillfactor = 50)')
  // Many wallets first: PostgreSQL plans by the table size it finds, and real books are large.
  for (const wallets of [COUNT, 1]) process.stdout.write(`${await compare(database, wallets)}\n`)
  await checkBooks(database.db)
} finally {
  await database.close()
  await postgres.stop()
  await rm(dir, { recursive: true, force: true })
}

async function compare({ db, pool }: Database, wallets: number): Promise<string> {
  const users = Array.from({ length: wallets }, () => randomUUID())
  const calls = Array.from({ length: COUNT }, (_, index) => ({
    callId: randomUUID(),
    userId: users[index % wallets] ?? '',
  }))
  await prepare({ pool }, users, calls)
  const elapsedMs = { settled: 0, bare: 0 }
  for (let slice = 0; slice < SLICES; slice++) {
    const some = calls.slice((slice * COUNT) / SLICES, ((slice + 1) * COUNT) / SLICES)
    elapsedMs.bare += await timed(some, ({ userId }) => pool.query({ ...BARE, values: [userId] }))
    elapsedMs.settled += await timed(some, ({ callId }) => settle(db, { callId, connectedSeconds: 61 }))
  }
  const perSecond = (ms: number) => ((COUNT * 1000) / ms).toFixed(0)
  const ratio = (elapsedMs.bare / elapsedMs.settled).toFixed(2)
  return `${COUNT} settlements over ${wallets} wallets: ${perSecond(elapsedMs.settled)} a second; bare UPDATEs: ${perSecond(elapsedMs.bare)} a second; ratio ${ratio}`
}

/** A wallet with enough credits per user, and a held call per settlement. */
async function prepare(
  { pool }: Pick<Database, 'pool'>,
  users: string[],
  calls: readonly { callId: string; userId: string }[],
): Promise<void> {
  const [callIds, owners] = [calls.map(({ callId }) => callId), calls.map(({ userId }) => userId)]
  await pool.query('insert into bare select unnest($1::text[]), 1000000', [users])
  await pool.query(
    `insert into ledger_account (id, kind, user_id) select kind || ':' || person, kind, person from unnest($1::text[]) as person, unnest(array['wallet', 'debt']) as kind`,
    [users],
  )
  await pool.query(
    `select books_move(person, 'grant', 'signup:' || person, 'x', 'For the measurement', 0, $2, 0, false) from unnest($1::text[]) as person`,
    [users, (2 * COUNT) / users.length],
  )
  await pool.query(
    `select books_hold(call, person, 2, now()) from unnest($1::text[], $2::text[]) as calls (call, person)`,
    [callIds, owners],
  )
  await pool.query('vacuum analyze')
}

async function timed<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  const queue = items.values()
  const connections = Array.from({ length: CONNECTIONS }, async () => {
    for (const item of queue) await work(item)
  })
  await Promise.all(connections)
  return performance.now() - startedAt
}
