import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { type Database, withTx } from '../../platform/db.ts'
import { migrateDatabase, MIGRATIONS } from '../../platform/database/migrate.ts'
import { readReplay } from '../../platform/database/replay.ts'
import { paymentRefund, payment } from '../schema.ts'
import { clawBack, grant, hold, openWallet, settle } from './ledger.ts'
import { LEDGER_SQL } from './sql.ts'

/** The first migration of the versions that replay the ledger's SQL. */
const FIRST_REPLAY = '_replayed_sql'

/** Brings an empty database to where it was before a migration: where the last version left it without SQL files. */
export async function migrateToBefore(database: Database, end = FIRST_REPLAY): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-migrations-'))
  const names = (await readdir(MIGRATIONS)).toSorted()
  const first = names.findIndex((name) => name.endsWith(end))
  if (first === -1) throw new Error(`No migration ends with ${end}.`)
  for (const name of names.slice(0, first)) await cp(join(MIGRATIONS, name), join(folder, name), { recursive: true })
  await migrateDatabase(database, { folder })
  await rm(folder, { recursive: true })
}

/** Makes the books transfers, and lets something happen while that migration has all its locks. */
export async function inTransfers<T>(database: Database, meanwhile: () => Promise<T>): Promise<T> {
  const migration = readMigrationFiles({ migrationsFolder: MIGRATIONS }).find(({ name }) =>
    name.endsWith('_ledger_in_transfers'),
  )
  if (!migration) throw new Error('There is no such migration.')
  const { sql, hash, folderMillis, name } = migration
  const note = `insert into drizzle.__drizzle_migrations (hash, created_at, name) values ('${hash}', ${folderMillis}, '${name}')`
  return uncommitted(database, [...sql, note], meanwhile)
}

/** Replays the ledger's SQL, and lets something happen while that has all its locks. */
export async function inReplay<T>(database: Database, meanwhile: () => Promise<T>): Promise<T> {
  const { files } = await readReplay(LEDGER_SQL)
  return uncommitted(
    database,
    files.map(({ text }) => text),
    meanwhile,
  )
}

async function uncommitted<T>({ pool }: Database, sql: readonly string[], meanwhile: () => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    for (const statement of sql) await client.query(statement)
    const result = await meanwhile()
    await client.query('commit')
    return result
  } finally {
    client.release()
  }
}

/**
 * Two people with something of all that the books know: free credits, a purchase, a refund that leaves a debt, a call
 * that was charged and one under way.
 */
export async function fillBooks({ db, pool }: Database): Promise<{ caller: string; debtor: string; callId: string }> {
  const [caller, debtor] = [randomUUID(), randomUUID()]
  const [callId, ended, spent] = [randomUUID(), randomUUID(), randomUUID()]
  const order = randomUUID()
  const intentId = `pi_${order}`
  const refundId = `re_${order}`
  await pool.query(
    `insert into "user" (id, name, email) select id, 'Ada Lovelace', id || '@example.com' from unnest($1::text[]) id`,
    [[caller, debtor]],
  )
  await withTx(db, async (tx) => {
    for (const userId of [caller, debtor]) await openWallet(tx, userId)
    const expiresAt = new Date(Date.now() + 3_600_000)
    await hold(tx, { userId: caller, callId: ended, wantedCredits: 5, expiresAt })
    await settle(tx, { callId: ended, connectedSeconds: 121 })
    await hold(tx, { userId: caller, callId, wantedCredits: 4, expiresAt })
    const bought = { credits: 100, bonusCredits: 10 }
    const money = { amountCents: 2000, capturedCents: 2000, returnedCents: 2000 }
    const taken = { takenCredits: 100, takenBonusCredits: 10 }
    const paid = { status: 'succeeded', paidAt: new Date() } as const
    await tx
      .insert(payment)
      .values({ id: order, intentId, userId: debtor, packageId: 'light', ...bought, ...money, ...taken, ...paid })
    await tx.insert(paymentRefund).values({ id: refundId, orderId: order, cents: 2000, status: 'standing' })
    await grant(tx, { userId: debtor, kind: 'purchase', key: `pi:${intentId}`, ...bought, cause: 'A package' })
    await hold(tx, { userId: debtor, callId: spent, wantedCredits: 50, expiresAt })
    await settle(tx, { callId: spent, connectedSeconds: 3000 })
    await clawBack(tx, { userId: debtor, key: `re:${refundId}`, ...bought, cause: 'Refund' })
  })
  return { caller, debtor, callId }
}

/** Every row of the books and of the money, as text, as the version before the transfers read it. */
export async function everyRow({ pool }: Database): Promise<Record<string, unknown[]>> {
  const reads = {
    user: 'select * from "user"',
    ledger_account: 'select * from ledger_account where user_id is not null',
    ledger_tx: 'select id, kind, idem_key, cause, call_id, at from ledger_tx where idem_key is not null',
    ledger_entry: `select tx_id, account_id, sum(e.credits)::bigint as credits
      from ledger_entry e join ledger_tx t on t.id = e.tx_id where account_id ~ '^(wallet|debt):' group by tx_id, account_id`,
    hold: 'select * from hold',
    low_balance: 'select * from low_balance',
    payment: 'select * from payment',
    payment_refund: 'select * from payment_refund',
  }
  const rows = Object.entries(reads).map(async ([table, read]) => {
    const { rows: found } = await pool.query<{ row: unknown }>(
      `select to_jsonb(t)::text as row from (${read}) t order by 1`,
    )
    return [table, found.map(({ row }) => row)] as const
  })
  return Object.fromEntries(await Promise.all(rows))
}
