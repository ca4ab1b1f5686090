import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkBooks, LEDGER_SQL, openWallet } from '../apps/api/src/credits/index.ts'
import { readStatementCsv } from '../apps/api/src/credits/read.ts'
import { createDatabase, type Database, withTx } from '../apps/api/src/platform/db.ts'
import { migrateDatabase } from '../apps/api/src/platform/database/migrate.ts'
import { startEmbeddedPostgres } from '../apps/api/src/platform/database/embedded.ts'

// Time per row of a statement's CSV, for a short and a long statement.

const LENGTHS = [1000, 50_000]
/** Measured alternately, so that load slows both. */
const ROUNDS = 5

const dir = await mkdtemp(join(tmpdir(), 'parley-bench-'))
const postgres = await startEmbeddedPostgres(dir, { durable: false })
const database = createDatabase(postgres.url)
try {
  await migrateDatabase(database, { replayed: [LEDGER_SQL] })
  for (const events of LENGTHS) await fill(database, events)
  await database.pool.query('vacuum analyze')
  const elapsedMs = new Map<number, number[]>(LENGTHS.map((events) => [events, []]))
  for (let round = 0; round < ROUNDS; round++)
    for (const [events, times] of elapsedMs) times.push(await timed(database, events))
  for (const [events, times] of elapsedMs) {
    const best = Math.min(...times)
    const perRow = ((best * 1000) / events).toFixed(1)
    process.stdout.write(`a statement of ${events} events: ${best.toFixed(0)} ms, ${perRow} µs a row\n`)
  }
  await checkBooks(database.db)
} finally {
  await database.close()
  await postgres.stop()
  await rm(dir, { recursive: true, force: true })
}

function userOf(events: number): string {
  return `user-${events}`
}

/** A user with so many movements; the wallet's opening is one. */
async function fill({ db, pool }: Database, events: number): Promise<void> {
  await withTx(db, (tx) => openWallet(tx, userOf(events)))
  // In pieces: each version of the wallet's row that a transaction makes is read by the next.
  for (let from = 2; from <= events; from += 500) {
    await pool.query(
      `select books_move($1, 'grant', 'signup:' || $1 || n, 'x', 'One more', 0, 1, 0, false) from generate_series($2::int, $3::int) n`,
      [userOf(events), from, Math.min(from + 499, events)],
    )
  }
}

async function timed({ db }: Database, events: number): Promise<number> {
  const startedAt = performance.now()
  let lines = -1
  for await (const text of readStatementCsv(db, userOf(events))) lines += String(text).split('\n').length - 1
  if (lines !== events) throw new Error(`The file of ${events} events has ${lines} lines`)
  return performance.now() - startedAt
}
