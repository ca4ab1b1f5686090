import { eq, type SQL, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { type Db, withTx } from '../../db.ts'
import type { FileStore } from '../../files.ts'
import type { Run } from '../../rounds/rounds.ts'
import { partitionArchive } from '../../schema.ts'
import { archive, forgetArchives, type Month } from './archive.ts'
import { deletePiece } from '../pieces.ts'
import { keyOf } from './partitions.ts'

/** How long a table in partitions keeps its rows: a month goes when its last day is so old. */
export interface Retention {
  readonly table: string
  readonly days: number
  /** What is archived of each row, `part`, as JSON; all of it without this. */
  readonly row?: SQL
}

interface Room {
  readonly db: Db
  readonly files: FileStore
  readonly log: Logger
}

/** A partition is taken away under a lock that everybody waits behind. */
const LOCK_WAIT_MS = 2000
const ROWS_AT_ONCE = 5000

/** Takes away the months that are over, of each table; with `archiveDays`, each is kept as a file for so long. */
export async function retire(
  room: Room,
  { kept, archiveDays, run }: { readonly kept: readonly Retention[]; readonly archiveDays: number; readonly run?: Run },
): Promise<void> {
  for (const retention of kept) {
    for (const month of await monthsOver(room.db, retention)) {
      run?.check()
      if (archiveDays > 0) await archiveOnce(room, month, { row: retention.row, run })
      await takeAway(room.db, month)
      room.log.info({ partition: month.name, archived: archiveDays > 0 }, 'partition dropped')
    }
    await deleteOld(room.db, retention, run)
  }
  await forgetArchives(room, archiveDays)
}

async function monthsOver(db: Db, { table, days }: Retention): Promise<Month[]> {
  const { rows } = await db.execute<{ name: string; month: string }>(sql`
    with parts as (
      select c.relname as name, to_date(right(c.relname, 7), 'YYYY_MM') as month
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = quote_ident(${table})::regclass and c.relname ~ ${`^${table}_\\d{4}_\\d{2}$`})
    select p.name, p.month::text from parts p left join ${partitionArchive} a on a.name = p.name
    where (p.month + interval '1 month') at time zone 'UTC' < now() - make_interval(days => ${days})
      and coalesce(a.restored_until < now(), true)
    order by p.month`)
  return rows.map(({ name, month }) => ({ table, name, month }))
}

/** One that was restored has its archive. */
async function archiveOnce(
  room: Room,
  month: Month,
  options: { readonly row: SQL | undefined; readonly run: Run | undefined },
): Promise<void> {
  const [done] = await room.db.select().from(partitionArchive).where(eq(partitionArchive.name, month.name))
  if (!done) await archive(room, month, options)
}

async function takeAway(db: Db, { table, name }: Month): Promise<void> {
  await withTx(db, async (tx) => {
    await tx.execute(sql.raw(`set local lock_timeout = ${LOCK_WAIT_MS}`))
    await tx.execute(sql`alter table ${sql.identifier(table)} detach partition ${sql.identifier(name)}`)
    await tx.execute(sql`drop table ${sql.identifier(name)}`)
  })
}

/** Rows of no month: those of before there were partitions, and of the default one. */
async function deleteOld(db: Db, { table, days }: Retention, run?: Run): Promise<void> {
  const old = sql`${sql.identifier(await keyOf(db, table))} < now() - make_interval(days => ${days})`
  const { rows } = await db.execute<{ name: string }>(sql`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = quote_ident(${table})::regclass and c.relname in (${`${table}_before`}, ${`${table}_rest`})`)
  for (const { name } of rows) {
    while ((await deletePiece(db, name, old, ROWS_AT_ONCE)) >= ROWS_AT_ONCE) run?.check()
  }
}
