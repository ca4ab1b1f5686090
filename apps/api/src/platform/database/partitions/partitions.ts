import { sql } from 'drizzle-orm'
import type { Db } from '../../db.ts'
import type { Run } from '../../rounds/rounds.ts'

// Tables in partitions by month. Each has a default partition (`…_rest`), so that no row is ever refused.

/** Made ahead, so that a worker may be away for so long. */
const MONTHS_AHEAD = 3
/** Months of rows in a default partition that get a partition of their own in one run. */
const MOVED_AT_ONCE = 12

export async function partitionedTables(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(
    sql`select relname as name from pg_class where relkind = 'p' and relnamespace = current_schema()::regnamespace order by 1`,
  )
  return rows.map(({ name }) => name)
}

/** Makes the partitions of the months to come, and of those whose rows are in a default partition. */
export async function addPartitions(db: Db, run?: Run): Promise<void> {
  for (const table of await partitionedTables(db)) {
    const months = sql`select date_trunc('month', now() at time zone 'UTC') + make_interval(months => n) as month
      from generate_series(0, ${MONTHS_AHEAD}::int) n`
    const { rows } = await db.execute<{ month: string }>(
      sql`select month::date::text as month from (${months}) ahead union (${monthsLeft(table, await keyOf(db, table))}) order by 1`,
    )
    // One transaction each: making one locks the default partition.
    for (const { month } of rows) {
      run?.check()
      await db.execute(sql`select add_month_partition(${table}, ${month}::date)`)
    }
  }
}

/** Column by which a table is partitioned. */
export async function keyOf(db: Db, table: string): Promise<string> {
  const { rows } = await db.execute<{ key: string }>(sql`
    select a.attname as key from pg_partitioned_table p
    join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
    where p.partrelid = quote_ident(${table})::regclass`)
  const [row] = rows
  if (!row) throw new Error(`${table} has no partitions.`)
  return row.key
}

function monthsLeft(table: string, key: string) {
  const rest = sql.identifier(`${table}_rest`)
  return sql`select distinct date_trunc('month', ${sql.identifier(key)} at time zone 'UTC')::date::text from ${rest} limit ${MOVED_AT_ONCE}`
}
