import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Db, withTx } from '../../db.ts'
import type { FileStore } from '../../files.ts'
import type { Run } from '../../rounds/rounds.ts'
import { archiveKey, partitionArchive } from '../../schema.ts'

// A month of a table as a file. Each account's rows are encrypted under a key of its own, which the database keeps and
// deletes with the account: what an erased account has in archives can be read by nobody.

/** One month of a table in partitions. */
export interface Month {
  readonly table: string
  /** The partition's own name. */
  readonly name: string
  /** Its first day, as YYYY-MM-DD. */
  readonly month: string
}

interface Places {
  readonly db: Db
  readonly files: FileStore
}

const PAGES_AT_ONCE = 100
const FORGOTTEN_AT_ONCE = 100
const KEY_BYTES = 32
const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
const TYPE = 'application/x-ndjson'

const Line = z.object({ user: z.string(), sealed: z.base64() })
const Rows = z.array(z.record(z.string(), z.unknown()))

const fileOf = (name: string) => `archive/${name}.ndjson`

/** Keeps the partition's rows as a file and notes it. `row` is what is kept of each one, as JSON. */
export async function archive(
  { db, files }: Places,
  { table, name, month }: Month,
  { row = sql`to_jsonb(part)`, run }: { readonly row?: SQL | undefined; readonly run?: Run | undefined } = {},
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-archive-'))
  const path = join(folder, name)
  try {
    const rows = await write(db, name, { row, path, run })
    const { size } = await stat(path)
    await files.put(fileOf(name), createReadStream(path), size, TYPE)
    const entry = { table, month, rows, bytes: size, archivedAt: sql`now()` }
    await db
      .insert(partitionArchive)
      .values({ name, ...entry })
      .onConflictDoUpdate({ target: partitionArchive.name, set: entry })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Reads some pages of the table at a time, in their order. Returns the number of rows. */
async function write(
  db: Db,
  name: string,
  { row, path, run }: { readonly row: SQL; readonly path: string; readonly run: Run | undefined },
): Promise<number> {
  const file = await open(path, 'w', 0o600)
  try {
    let total = 0
    const pages = await pagesOf(db, name)
    for (let page = 0; page < pages; page += PAGES_AT_ONCE) {
      run?.check()
      const { rows } = await db.execute<{ user: string; row: unknown }>(sql`
        select part.user_id as user, ${row} as row from ${sql.identifier(name)} as part
        where ctid >= ${`(${page},0)`}::tid and ctid < ${`(${page + PAGES_AT_ONCE},0)`}::tid`)
      const byUser = Map.groupBy(rows, ({ user }) => user)
      const keys = await keysOf(db, [...byUser.keys()])
      for (const [user, own] of byUser) {
        const key = keys.get(user)
        // Erased meanwhile.
        if (!key) continue
        const sealed = await seal(
          key,
          own.map((each) => each.row),
        )
        await file.write(`${JSON.stringify({ user, sealed })}\n`)
        total += own.length
      }
    }
    return total
  } finally {
    await file.close()
  }
}

async function pagesOf(db: Db, name: string): Promise<number> {
  const { rows } = await db.execute<{ pages: number }>(sql`
    select (pg_relation_size(quote_ident(${name})::regclass) / current_setting('block_size')::int)::int as pages`)
  return rows[0]?.pages ?? 0
}

/** Makes those that are missing, for accounts that are there. */
async function keysOf(db: Db, users: readonly string[]): Promise<Map<string, Buffer>> {
  if (users.length === 0) return new Map()
  const made = sql`unnest(${sql.param([...users])}::text[], ${sql.param(users.map(() => newKey()))}::text[])`
  await db.execute(sql`
    insert into ${archiveKey} (user_id, key)
    select made.id, made.key from ${made} as made (id, key) join "user" as person on person.id = made.id
    on conflict do nothing`)
  const rows = await db
    .select()
    .from(archiveKey)
    .where(inArray(archiveKey.userId, [...users]))
  return new Map(rows.map(({ userId, key }) => [userId, Buffer.from(key, 'base64')]))
}

const newKey = () => randomBytes(KEY_BYTES).toString('base64')

async function seal(key: Buffer, rows: readonly unknown[]): Promise<string> {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, iv)
  const sealed = [cipher.update(await promisify(gzip)(JSON.stringify(rows))), cipher.final()]
  return Buffer.concat([iv, ...sealed, cipher.getAuthTag()]).toString('base64')
}

async function unseal(key: Buffer, sealed: string): Promise<z.infer<typeof Rows>> {
  const bytes = Buffer.from(sealed, 'base64')
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  const plain = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()])
  return Rows.parse(JSON.parse((await promisify(gunzip)(plain)).toString()))
}

export type Archived = typeof partitionArchive.$inferSelect

export function listArchives(db: Db): Promise<Archived[]> {
  return db.select().from(partitionArchive).orderBy(partitionArchive.month, partitionArchive.name)
}

/** Makes the partition again, for some days, of what is left of its accounts. Returns the number of rows. */
export async function restore({ db, files }: Places, { name, table, month }: Archived, days: number): Promise<number> {
  const content = await files.read(fileOf(name))
  if (!content) throw new Error(`The archive ${fileOf(name)} is missing.`)
  return withTx(db, async (tx) => {
    await tx
      .update(partitionArchive)
      .set({ restoredUntil: sql`now() + make_interval(days => ${days})` })
      .where(eq(partitionArchive.name, name))
    const { rows } = await tx.execute<{ made: boolean }>(
      sql`select add_month_partition(${table}, ${month}::date) as made`,
    )
    if (rows[0]?.made !== true) throw new Error(`${name} is there.`)
    let total = 0
    for await (const text of createInterface({ input: content })) {
      const { user, sealed } = Line.parse(JSON.parse(text))
      const [kept] = await tx.select().from(archiveKey).where(eq(archiveKey.userId, user)).for('key share')
      if (!kept) continue
      const own = await unseal(Buffer.from(kept.key, 'base64'), sealed)
      const part = sql.identifier(name)
      await tx.execute(sql`
        insert into ${part} select * from jsonb_populate_recordset(null::${part}, ${JSON.stringify(own)}::jsonb)`)
      total += own.length
    }
    return total
  })
}

/** Deletes archives that are older. */
export async function forgetArchives({ db, files }: Places, days: number): Promise<void> {
  const old = sql`${partitionArchive.archivedAt} < now() - make_interval(days => ${days})`
  const due = await db.select().from(partitionArchive).where(old).limit(FORGOTTEN_AT_ONCE)
  for (const { name } of due) {
    await files.remove([fileOf(name)])
    await db.delete(partitionArchive).where(eq(partitionArchive.name, name))
  }
}
