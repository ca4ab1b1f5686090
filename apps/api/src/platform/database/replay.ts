import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import type { Logger } from 'pino'
import { usedByNewer } from './migration-state.ts'
import { ChangeFailed, type LockPatience, withPatience } from './patience.ts'
import { replayedSql } from '../schema.ts'

/** A set of functions and triggers as SQL files; the database runs exactly their text. */
export interface ReplayedSql {
  /** Key under which the database remembers the last replay. */
  readonly name: string
  /** The `*.sql` files are replayed in the order of their names; each must be idempotent. */
  readonly folder: string
  /** From 1; increase it with each change. A program with a lower version than the database's is refused. */
  readonly version: number
}

export interface Replay extends ReplayedSql {
  readonly files: readonly { readonly file: string; readonly text: string }[]
  /** SHA-256 of names and texts, in hexadecimal. */
  readonly hash: string
}

/** Throws if the folder is missing or contains no SQL. */
export async function readReplay(set: ReplayedSql): Promise<Replay> {
  const names = (await readdir(set.folder)).filter((name) => name.endsWith('.sql')).toSorted()
  if (names.length === 0)
    throw new Error(`There is no SQL in ${set.folder}: this Parley is incomplete, install it anew.`)
  const files = await Promise.all(
    names.map(async (file) => ({ file, text: await readFile(join(set.folder, file), 'utf8') })),
  )
  return { ...set, files, hash: createHash('sha256').update(JSON.stringify(files)).digest('hex') }
}

/** Sets that differ from the last replay. Throws if a newer version has replayed its own. */
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

interface Options {
  readonly replays: readonly Replay[]
  readonly patience?: LockPatience | undefined
  readonly log?: Logger | undefined
}

/**
 * Replays all and records it in one transaction. What makes a trigger holds its table until the end, so it may meet a
 * deadlock with other nodes' transactions again and again.
 */
export async function replay(client: pg.Client, { replays, patience, log }: Options): Promise<void> {
  await withPatience(patience, log, (lockTimeoutMs) =>
    drizzle({ client }).transaction(async (tx) => {
      await tx.execute(sql.raw(`set local lock_timeout = ${lockTimeoutMs}`))
      for (const { name, version, hash, files } of replays) {
        for (const { file, text } of files) {
          await tx.execute(sql.raw(text)).catch((error: unknown) => {
            throw new ChangeFailed(`The SQL of ${name}/${file}`, `could not be replayed: ${reasonOf(error)}`, error)
          })
        }
        const entry = { version, hash, replayedAt: sql`now()` }
        await tx
          .insert(replayedSql)
          .values({ name, ...entry })
          .onConflictDoUpdate({ target: replayedSql.name, set: entry })
      }
    }),
  )
}

/** PostgreSQL's message, without the statement that drizzle prepends. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
