import { sql } from 'drizzle-orm'
import type pg from 'pg'
import { fromDrizzle, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Database, Tx } from './db.ts'
import { isError, messageWithoutValues } from './log/logged-error.ts'

/** A kind of job. Handlers must be idempotent: one job may run more than once. */
export interface JobKind<T extends object> {
  readonly name: string
  readonly retryLimit: number
  readonly retryDelaySeconds: number
  /** A longer run counts as crashed, and the job is retried. */
  readonly expireSeconds: number
  /** Never called; carries the type of the job's data. */
  data?(data: T): void
}

export function defineJob<T extends object>(
  name: string,
  options: { retryLimit?: number; retryDelaySeconds?: number; expireSeconds?: number } = {},
): JobKind<T> {
  return {
    name,
    retryLimit: options.retryLimit ?? 5,
    retryDelaySeconds: options.retryDelaySeconds ?? 2,
    expireSeconds: options.expireSeconds ?? 60,
  }
}

export interface Jobs {
  /** Enqueues in the transaction of the cause. At most one job of a kind waits per key; a second one is dropped. */
  enqueue<T extends object>(
    tx: Tx,
    kind: JobKind<T>,
    data: T,
    options: { key: string; startAfter?: Date; priority?: number },
  ): Promise<void>
  /** Registers the handler; call before start(). `concurrency` is per process. */
  work<T extends object>(
    kind: JobKind<T>,
    handler: (data: T) => Promise<void>,
    options?: { concurrency?: number },
  ): void
  /** Runs `task` at the start and at every interval, on one node at a time, and soon after `soon()` is called. */
  every(name: string, intervalMs: number, task: () => Promise<void>): Repeated
  /** Runs `task` once before anything else of this process; it may enqueue. An error fails the start. */
  first(task: () => Promise<void>): void
  start(): Promise<void>
  /** Waits for running handlers, up to the time given. */
  stop(): Promise<void>
}

/** `soon` requests a run that begins after the call; concurrent requests share one. */
interface Repeated {
  soon(): void
}

const STOP_TIMEOUT_MS = 8000
const POLL_SECONDS = 2
/** With a batch size of 1, pg-boss would not fetch again at once. */
const JOBS_PER_FETCH = 2
const SCHEMA = 'jobs'

/** Delay of the retries of a failed run; after them it waits for its regular turn. */
const REPEAT_AGAIN_MS = 3000
const REPEAT_AGAIN_TIMES = 3

interface Worker {
  readonly kind: JobKind<object>
  readonly run: (data: object) => Promise<void>
  readonly concurrency: number
}

interface Repeat {
  readonly name: string
  readonly intervalMs: number
  readonly task: () => Promise<void>
  running: boolean
  again: boolean
  /** Retries left before the next regular turn. */
  triesLeft: number
  retry: NodeJS.Timeout | undefined
}

export function createJobs(database: Database, log: Logger, poolSize = 4): Jobs {
  const boss = new PgBoss({
    connectionString: database.directUrl,
    schema: SCHEMA,
    max: poolSize,
    useListenNotify: true,
    schedule: false,
  })
  boss.on('error', (error) => log.error({ err: error }, 'jobs'))
  const workers: Worker[] = []
  const firstTasks: (() => Promise<void>)[] = []
  const repeats = createRepeats(database.pool, log)

  return {
    async enqueue(tx, kind, data, options) {
      const { retryLimit, retryDelaySeconds, expireSeconds } = kind
      await boss.send(kind.name, data, {
        db: fromDrizzle(tx, sql),
        singletonKey: options.key,
        retryLimit,
        retryDelay: retryDelaySeconds,
        retryBackoff: true,
        retryDelayMax: 3600,
        expireInSeconds: expireSeconds,
        priority: options.priority ?? 0,
        ...(options.startAfter ? { startAfter: options.startAfter } : {}),
      })
    },
    work(kind, handler, options = {}) {
      // Cast: enqueue() has typed the data of this kind.
      workers.push({
        kind,
        run: (data) => handler(data as Parameters<typeof handler>[0]),
        concurrency: options.concurrency ?? 2,
      })
    },
    every(name, intervalMs, task) {
      return repeats.add(name, intervalMs, task)
    },
    first(task) {
      firstTasks.push(task)
    },
    async start() {
      await boss.start()
      for (const { kind } of workers) await boss.createQueue(kind.name, { notify: true, policy: 'short' })
      for (const task of firstTasks) await task()
      repeats.open()
      for (const worker of workers) await startWorker(boss, worker, log)
      repeats.start()
    },
    async stop() {
      repeats.stop()
      await boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS, close: true })
      await repeats.ended()
    },
  }
}

/** Repeated tasks. `open` permits requested runs, `start` begins regular ones. */
function createRepeats(pool: pg.Pool, log: Logger) {
  const repeats: Repeat[] = []
  const running = new Set<Promise<void>>()
  const timers: NodeJS.Timeout[] = []
  let isOpen = false

  const run = (repeat: Repeat) => {
    const { name, task } = repeat
    repeat.again = repeat.running
    if (repeat.running || !isOpen) return
    repeat.running = true
    clearTimeout(repeat.retry)
    const turn = underLock(pool, name, task).catch((error: unknown) => {
      log.error({ err: error, name }, 'repeated task failed')
      if (!isOpen || repeat.intervalMs <= REPEAT_AGAIN_MS || repeat.triesLeft === 0) return
      repeat.triesLeft -= 1
      repeat.retry = setTimeout(() => run(repeat), REPEAT_AGAIN_MS)
    })
    running.add(turn)
    void turn.finally(() => {
      running.delete(turn)
      repeat.running = false
      if (repeat.again) run(repeat)
    })
  }
  const takeTurn = (repeat: Repeat) => {
    repeat.triesLeft = REPEAT_AGAIN_TIMES
    run(repeat)
  }

  return {
    add(name: string, intervalMs: number, task: () => Promise<void>): Repeated {
      const repeat: Repeat = { name, intervalMs, task, running: false, again: false, triesLeft: 0, retry: undefined }
      repeats.push(repeat)
      return { soon: () => run(repeat) }
    },
    open() {
      isOpen = true
    },
    start() {
      for (const repeat of repeats) {
        takeTurn(repeat)
        timers.push(setInterval(() => takeTurn(repeat), repeat.intervalMs))
      }
    },
    stop() {
      isOpen = false
      for (const timer of timers) clearInterval(timer)
      for (const { retry } of repeats) clearTimeout(retry)
    },
    ended: () => Promise.all(running),
  }
}

async function startWorker(boss: PgBoss, { kind, run, concurrency }: Worker, log: Logger): Promise<void> {
  const options = {
    // A worker waits for its whole fetch, so use many workers with few jobs each: a hanging job delays few others.
    localConcurrency: concurrency,
    batchSize: JOBS_PER_FETCH,
    burstWhenBatchFull: true,
    pollingIntervalSeconds: POLL_SECONDS,
    notifyPollingIntervalSeconds: POLL_SECONDS,
    perJobResults: true as const,
  }
  await boss.work<object, unknown, typeof options>(kind.name, options, async (jobs) => {
    const results = await Promise.all(
      jobs.map(async (job) => {
        try {
          await run(job.data)
          return { id: job.id, status: 'completed' as const }
        } catch (error) {
          log.warn({ err: error, job: kind.name, id: job.id }, 'job failed')
          return {
            id: job.id,
            status: 'failed' as const,
            output: { message: isError(error) ? messageWithoutValues(error) : typeof error },
          }
        }
      }),
    )
    // Completed jobs are deleted, since they may name a deleted user.
    const done = results.flatMap(({ id, status }) => (status === 'completed' ? id : []))
    if (done.length > 0) await boss.deleteJob(kind.name, done)
    return results
  })
}

/** Runs under an advisory lock; other nodes skip this round. */
async function underLock(pool: pg.Pool, name: string, task: () => Promise<void>): Promise<void> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock(hashtext($1)) as locked', [
      name,
    ])
    if (!rows[0]?.locked) return
    try {
      await task()
    } finally {
      await client.query('select pg_advisory_unlock(hashtext($1))', [name])
    }
  } finally {
    client.release()
  }
}
