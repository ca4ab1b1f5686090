import { Redis } from 'ioredis'
import type pg from 'pg'
import { isDatabaseAway } from '../database/away.ts'
import { sqlState } from '../db.ts'
import { errnoOf } from '../data/filesystem.ts'

// What stops a start, in a sentence that names the variable and what can be done. Passwords are never in it.

/** Below it, parts of the schema cannot be made. */
const POSTGRES_MIN = 15
const REDIS_WAIT_MS = 5000
const WITHOUT_DATABASE_URL = 'or remove DATABASE_URL to use the embedded database'

/** Throws for a server that is too old. */
export async function checkServerVersion(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ major: number }>(
    "select current_setting('server_version_num')::int / 10000 as major",
  )
  const major = rows[0]?.major ?? 0
  if (major >= POSTGRES_MIN) return
  throw new Error(
    `DATABASE_URL leads to PostgreSQL ${major}, and Parley needs ${POSTGRES_MIN} or newer. Upgrade it, ${WITHOUT_DATABASE_URL}.`,
  )
}

/** What is wrong with the server of DATABASE_URL, where that is why the start failed. */
export function databaseFailure(databaseUrl: string, error: unknown): Error | undefined {
  const { host, username, pathname } = new URL(databaseUrl)
  const database = decodeURIComponent(pathname.slice(1))
  const because = (what: string) => new Error(`DATABASE_URL: ${what}, ${WITHOUT_DATABASE_URL}.`, { cause: error })
  const code = sqlState(error) ?? errnoOf(error)
  switch (code) {
    case '28P01':
    case '28000':
      return because(
        `PostgreSQL at ${host} does not let "${decodeURIComponent(username)}" in with this password. Correct the address`,
      )
    case '3D000':
      return because(
        `PostgreSQL at ${host} has no database "${database}". Create it ("create database"), correct the address`,
      )
    case '42501':
      return because(
        `"${decodeURIComponent(username)}" may not create tables in "${database}" at ${host}. Give it that right`,
      )
  }
  if (!isDatabaseAway(error)) return undefined
  return because(`no PostgreSQL answers at ${host}${code === '' ? '' : ` (${code})`}. Start it, correct the address`)
}

/** Throws when no Redis answers: a product whose nodes do not hear of each other would look as if it worked. */
export async function checkRedis(url: string, waitMs = REDIS_WAIT_MS): Promise<void> {
  const options = {
    lazyConnect: true,
    connectTimeout: waitMs,
    commandTimeout: waitMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  }
  const client = new Redis(url, options)
  let why = ''
  client.on('error', (error: Error) => (why = errnoOf(error) || error.message))
  try {
    await client.connect()
    await client.ping()
  } catch (error) {
    const { host } = new URL(url)
    const reason = why || (error instanceof Error ? error.message : '')
    throw new Error(
      `REDIS_URL: no Redis answers at ${host} (${reason}). Start it, correct the address, or remove REDIS_URL to do without.`,
      { cause: error },
    )
  } finally {
    client.disconnect()
  }
}
