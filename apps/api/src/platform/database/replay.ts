import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { withTx } from '../db.ts'
import { usedByNewer } from './migration-state.ts'
import { replayedSql } from '../schema.ts'

/** A set of functions and triggers as SQL files: what stands there is what the database runs. */
export interface ReplayedSql {
  /** Under which the database remembers what was last replayed. */
  readonly name: string
  /** Its `*.sql` files are replayed in the order of their names, each of them as often as one likes. */
  readonly folder: string
  /** From 1, one more with each change of a file: a program with a lower version than the database's is refused. */
  readonly version: number
}

export interface Replay extends ReplayedSql {
  readonly files: readonly { readonly file: string; readonly text: string }[]
  /** SHA-256 of the files' names and texts, in hexadecimal. */
  readonly hash: string
}

/** Throws when the folder is missing or has no SQL in it. */
export async function readReplay(set: ReplayedSql): Promise<Replay> {
  const names = (await readdir(set.folder)).filter((name) => name.endsWith('.sql')).toSorted()
  if (names.length === 0)
    throw new Error(`There is no SQL in ${set.folder}: this Parley is incomplete, install it anew.`)
  const files = await Promise.all(
    names.map(async (file) => ({ file, text: await readFile(join(set.folder, file), 'utf8') })),
  )
  return { ...set, files, hash: createHash('sha256').update(JSON.stringify(files)).digest('hex') }
}

/** Those whose files are not what was last replayed. Refuses a database in which a newer version replayed its own. */
export async function pendingReplays(client: pg.Client, sets: readonly ReplayedSql[]): Promise<Replay[]> {
  const { rows: found } = await client.query<{ known: boolean }>(
    "select to_regclass('replayed_sql') is not null as known",
  )
  const last = found[0]?.known === true ? await drizzle({ client }).select().from(replayedSql) : []
  const pending: Replay[] = []
  for (const set of sets) {
    const replay = await readReplay(set)
    const before = last.find(({ name }) => name === set.name)
    if (before && before.version > set.version) {
      const ours = `this version ends with ${set.version}`
      throw usedByNewer(`it has the version ${before.version} of the SQL "${set.name}", and ${ours}`)
    }
    if (before?.version !== set.version || before.hash !== replay.hash) pending.push(replay)
  }
  return pending
}

/** Replays all of them and remembers it, in one transaction: whatever stops it, the database has what it had before. */
export async function replay(client: pg.Client, replays: readonly Replay[]): Promise<void> {
  let at: string | undefined
  try {
    // Other nodes may be at work: where a trigger and their transactions wait for each other, withTx tries again.
    await withTx(drizzle({ client }), async (tx) => {
      for (const { name, version, hash, files } of replays) {
        for (const { file, text } of files) {
          at = `${name}/${file}`
          await tx.execute(sql.raw(text))
        }
        at = undefined
        const entry = { version, hash, replayedAt: sql`now()` }
        await tx
          .insert(replayedSql)
          .values({ name, ...entry })
          .onConflictDoUpdate({ target: replayedSql.name, set: entry })
      }
    })
  } catch (error) {
    if (at === undefined) throw error
    throw new Error(`The SQL of ${at} could not be replayed: ${reasonOf(error)}`, { cause: error })
  }
}

/** What PostgreSQL said, without the statement that drizzle puts before it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
