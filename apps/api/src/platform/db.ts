import { DrizzleQueryError } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'

const STATEMENT_TIMEOUT_MS = 30_000
const CONNECT_TIMEOUT_MS = 10_000
/** A connection is a process that has to begin: a minute without a request ends it, and no breath between two. */
const IDLE_TIMEOUT_MS = 60_000

export type Db = ReturnType<typeof connect>['db']
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]
/** For reads that may run inside or outside a transaction. */
export type Reader = Db | Tx

export interface Database {
  readonly db: Db
  readonly pool: pg.Pool
  readonly url: string
  /** The server itself, where `url` is a pooler's: for migrations, LISTEN and locks of a session. */
  readonly directUrl: string
  close(): Promise<void>
}

/** Every statement here is short: compiling one takes longer than running it. */
export const SESSION_SETTINGS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
  jit: 'off',
} as const

/** A pooler refuses settings of a session: `npm run migrate` makes them those of the role. */
function connect(url: string, poolSize: number, isPooled: boolean) {
  const { jit, ...timeouts } = SESSION_SETTINGS
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    application_name: 'parley',
    ...(isPooled ? {} : { ...timeouts, options: `-c jit=${jit}` }),
  })
  return { pool, db: drizzle({ client: pool }) }
}

/** Connections are made when first used. `onError` hears of idle connections that the server closed. */
export function createDatabase(
  url: string,
  options: { poolSize?: number; directUrl?: string | undefined; onError?: (error: Error) => void } = {},
): Database {
  const { directUrl = url } = options
  const { pool, db } = connect(url, options.poolSize ?? 10, url !== directUrl)
  if (url !== directUrl) pool.on('connect', forgetNames)
  // Errors of connections are expected while the pool ends.
  pool.on('error', (error) => (pool.ending ? undefined : options.onError?.(error)))
  // A broken connection fails the next query of its user; an error event without a listener would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return { db, pool, url, directUrl, close: () => pool.end() }
}

/** Named statements belong to a session, which a pooler in transaction mode gives to another after each transaction. */
function forgetNames(client: pg.PoolClient): void {
  const send: unknown = Reflect.get(client, 'query')
  if (typeof send !== 'function') return
  Reflect.set(client, 'query', (query: unknown, ...more: unknown[]): unknown => {
    const isNamed = typeof query === 'object' && query !== null && 'name' in query && !('submit' in query)
    const answer: unknown = Reflect.apply(send, client, [isNamed ? { ...query, name: undefined } : query, ...more])
    return answer
  })
}

const RETRIES = 5
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'

/** Runs `work` in one transaction and runs it again, a bounded number of times, when the database asks for that. */
export async function withTx<T>(db: Pick<Db, 'transaction'>, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(work)
    } catch (error) {
      const state = sqlState(error)
      if (attempt >= RETRIES || (state !== SERIALIZATION_FAILURE && state !== DEADLOCK)) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt))
    }
  }
}

/** PostgreSQL's five-character code of an error, through drizzle's wrapping; undefined for other errors. */
export function sqlState(error: unknown): string | undefined {
  const cause = error instanceof DrizzleQueryError ? error.cause : error
  return cause instanceof pg.DatabaseError ? cause.code : undefined
}
