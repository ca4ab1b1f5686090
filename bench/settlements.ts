import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkBooks, LEDGER_SQL, settle, settleMany } from '../apps/api/src/credits/index.ts'
import { createDatabase, type Database } from '../apps/api/src/platform/db.ts'
import { newRowId } from '../apps/api/src/platform/database/row-ids.ts'
import { migrateDatabase } from '../apps/api/src/platform/database/migrate.ts'
import { startEmbeddedPostgres } from '../apps/api/src/platform/database/embedded.ts'
import { goFirst } from './voice/ladder.ts'

// Settlements per second, one a transaction and 16 a transaction, beside the minimum: one bare UPDATE of one row,
// committed. Each commit waits for the disk.

const COUNT = 9600
const GROUP = 16
const HOLDS_AT_ONCE = 200
/** So that no wallet falls below the limit of a low balance, which is one more row to write. */
const CREDITS_LEFT = 100
const CONNECTIONS = 10
/** All three are measured in turn, so that load slows all. */
const SLICES = 20

/** Prepared, as a settlement is. */
const BARE = { name: 'bare', text: 'update bare set credits = credits - 2 where id = $1' }

// PostgreSQL, started below, inherits the priority.
goFirst()
const dir = await mkdtemp(join(tmpdir(), 'parley-bench-'))
const { values } = parseArgs({ options: { 'commit-ms': { type: 'string', default: '0' } } })
const postgres = await startEmbeddedPostgres(dir)
const database = createDatabase(postgres.url, { poolSize: CONNECTIONS })
try {
  await migrateDatabase(database, { replayed: [LEDGER_SQL] })
  // As on a disk that confirms so late: whoever flushes the log waits before it, for all that commit meanwhile.
  await database.pool.query(`alter system set commit_delay = ${Number(values['commit-ms']) * 1000}`)
  await database.pool.query('alter system set commit_siblings = 0')
  await database.pool.query('select pg_reload_conf()')
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
  // The first half is settled one by one, the second in groups.
  const calls = Array.from({ length: 2 * COUNT }, (_, index) => ({
    callId: newRowId(),
    userId: users[index % wallets] ?? '',
    connectedSeconds: 61,
  }))
  await prepare({ pool }, users, calls)
  const elapsedMs = { bare: 0, single: 0, grouped: 0 }
  for (let slice = 0; slice < SLICES; slice++) {
    const [from, to] = [(slice * COUNT) / SLICES, ((slice + 1) * COUNT) / SLICES]
    const some = calls.slice(from, to)
    const rest = calls.slice(COUNT + from, COUNT + to)
    const groups = Array.from({ length: rest.length / GROUP }, (_, n) => rest.slice(n * GROUP, (n + 1) * GROUP))
    elapsedMs.bare += await timed(some, ({ userId }) => pool.query({ ...BARE, values: [userId] }))
    elapsedMs.single += await timed(some, (call) => settle(db, call))
    elapsedMs.grouped += await timed(groups, (group) => settleMany(db, group))
  }
  const rate = (ms: number) => `${((COUNT * 1000) / ms).toFixed(0)} a second`
  const beside = (ms: number) => `${rate(ms)}, ${(elapsedMs.bare / ms).toFixed(2)} of bare`
  return [
    `${COUNT} bare UPDATEs over ${wallets} wallets: ${rate(elapsedMs.bare)}`,
    `  settlements, one a transaction: ${beside(elapsedMs.single)}`,
    `  settlements, ${GROUP} a transaction: ${beside(elapsedMs.grouped)}`,
  ].join('\n')
}

/** A wallet with enough credits per user, and a held call per settlement. */
async function prepare(
  { pool }: Pick<Database, 'pool'>,
  users: string[],
  calls: readonly { callId: string; userId: string }[],
): Promise<void> {
  await pool.query('insert into bare select unnest($1::text[]), 1000000', [users])
  await pool.query(
    `insert into ledger_account (id, kind, user_id) select kind || ':' || person, kind, person from unnest($1::text[]) as person, unnest(array['wallet', 'debt']) as kind`,
    [users],
  )
  await pool.query(
    `select books_move(person, 'grant', 'signup:' || person, 'x', 'For the measurement', 0, $2, 0, false) from unnest($1::text[]) as person`,
    [users, CREDITS_LEFT + (2 * 2 * COUNT) / users.length],
  )
  // A transaction reads the row versions that it left of a wallet again and again, so it is kept short.
  for (let from = 0; from < calls.length; from += HOLDS_AT_ONCE) {
    const some = calls.slice(from, from + HOLDS_AT_ONCE)
    await pool.query(
      `select books_hold(call, person, 2, now()) from unnest($1::text[], $2::text[]) as calls (call, person)`,
      [some.map(({ callId }) => callId), some.map(({ userId }) => userId)],
    )
  }
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
