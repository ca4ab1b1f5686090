import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { fromDrizzle, PgBoss } from 'pg-boss'
import { activeTraceparent, NO_TRACES, readTraceparent, type Traces, within } from '@parley/traces'
import type { Logger } from 'pino'
import type { Bus } from './bus.ts'
import type { Database, Tx } from './db.ts'
import { isError, messageWithoutValues } from './log/logged-error.ts'
import { type Repeated, Rounds, type RoundTimes, type Task } from './rounds/rounds.ts'
import type { RoundState } from './rounds/schedule.ts'

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
  /**
   * Enqueues in the transaction of the cause, and in its trace unless another one is given (null: in none). At most one
   * job of a kind waits per key; a second one is dropped. `userId`: whose job it is, for kinds that bound the jobs of one
   * account.
   */
  enqueue<T extends object>(
    tx: Tx,
    kind: JobKind<T>,
    data: T,
    options: { key: string; startAfter?: Date; priority?: number; userId?: string; traceparent?: string | null },
  ): Promise<void>
  /**
   * Registers the handler; call before start(). `concurrency` and `perUser` are per process; `isUrgent`: a job that is
   * tried again, or begins later, does so within two seconds of its time, else within five.
   */
  work<T extends object>(
    kind: JobKind<T>,
    handler: (data: T) => Promise<void>,
    options?: { concurrency?: number; perUser?: number; isUrgent?: boolean },
  ): void
  /** Runs `task` at every interval, on one process of the cluster, and soon after `soon()` is called on any. */
  every(name: string, intervalMs: number, task: Task): Repeated
  /** When each repeated task last ran, and how that ended. */
  rounds(): Promise<RoundState[]>
  /** Runs `task` once before any job of this process; it may enqueue. An error fails the start. */
  first(task: () => Promise<void>): void
  start(): Promise<void>
  /** Waits for running handlers, up to the time given. */
  stop(): Promise<void>
}

const STOP_TIMEOUT_MS = 8000
const POLL_SECONDS = 2
/** Where a notification tells of a new job, only what begins later, or failed, is found by polling. */
const NOTIFIED_POLL_SECONDS = 5
/** With a batch size of 1, pg-boss would not fetch again at once. */
const JOBS_PER_FETCH = 2
const SCHEMA = 'jobs'

interface Worker {
  readonly kind: JobKind<object>
  readonly run: (data: object) => Promise<void>
  readonly concurrency: number
  /** Jobs of one account at once; undefined: as many as there are workers. */
  readonly perUser: number | undefined
  readonly isUrgent: boolean
}

interface Given {
  readonly database: Database
  readonly bus: Bus
  readonly log: Logger
  readonly traces?: Traces
  /** No other process uses the database. */
  readonly isAlone?: boolean
  /** false: this process only enqueues jobs and requests runs, for others to do. */
  readonly isRunner?: boolean
  /** Connections of the queue. */
  readonly poolSize?: number
  readonly times?: Partial<RoundTimes>
  /** How long a stop waits for running jobs. */
  readonly stopTimeoutMs?: number
}

function enqueuing(boss: PgBoss): Jobs['enqueue'] {
  return async (tx, kind, data, options) => {
    const { retryLimit, retryDelaySeconds, expireSeconds } = kind
    await boss.send(kind.name, inTrace(data, options.traceparent), {
      db: fromDrizzle(tx, sql),
      singletonKey: options.key,
      retryLimit,
      retryDelay: retryDelaySeconds,
      retryBackoff: true,
      retryDelayMax: 3600,
      expireInSeconds: expireSeconds,
      priority: options.priority ?? 0,
      ...(options.startAfter ? { startAfter: options.startAfter } : {}),
      ...(options.userId === undefined ? {} : { group: { id: groupOf(options.userId) } }),
    })
  }
}

export function createJobs({
  database,
  bus,
  log,
  traces = NO_TRACES,
  isAlone = false,
  isRunner = true,
  poolSize = 4,
  times = {},
  stopTimeoutMs = STOP_TIMEOUT_MS,
}: Given): Jobs {
  const boss = new PgBoss({
    connectionString: database.directUrl,
    schema: SCHEMA,
    max: poolSize,
    useListenNotify: isRunner,
    supervise: isRunner,
    schedule: false,
  })
  boss.on('error', (error) => log.error({ err: error }, 'jobs'))
  const workers: Worker[] = []
  const firstTasks: (() => Promise<void>)[] = []
  const rounds = new Rounds({ db: database.db, bus, log, isAlone, times })

  return {
    enqueue: enqueuing(boss),
    work(kind, handler, options = {}) {
      // Cast: enqueue() has typed the data of this kind.
      workers.push({
        kind,
        run: (data) => handler(data as Parameters<typeof handler>[0]),
        concurrency: options.concurrency ?? 2,
        perUser: options.perUser,
        isUrgent: options.isUrgent ?? false,
      })
    },
    every(name, intervalMs, task) {
      return rounds.add(name, intervalMs, task)
    },
    rounds: () => rounds.states(),
    first(task) {
      firstTasks.push(task)
    },
    async start() {
      await boss.start()
      for (const { kind } of workers) await boss.createQueue(kind.name, { notify: true, policy: 'short' })
      if (!isRunner) return rounds.open()
      for (const task of firstTasks) await task()
      await rounds.open()
      for (const worker of workers) await startWorker(boss, worker, { log, traces })
      await rounds.start()
    },
    async stop() {
      const ended = rounds.stop()
      const limit = Promise.withResolvers<void>()
      const timer = setTimeout(limit.resolve, stopTimeoutMs)
      // Waits for their jobs; pg-boss itself would look every half second whether they are done.
      await Promise.race([limit.promise, Promise.all(workers.map(({ kind }) => boss.offWork(kind.name)))])
      clearTimeout(timer)
      // Jobs that still run are failed, and tried again.
      await boss.stop({ graceful: false, close: true })
      await ended
    },
  }
}

/** Names nobody: a waiting job outlives an account that is deleted. */
function groupOf(userId: string): string {
  return createHash('sha256').update(userId).digest('base64url')
}

async function startWorker(
  boss: PgBoss,
  { kind, run, concurrency, perUser, isUrgent }: Worker,
  { log, traces }: { readonly log: Logger; readonly traces: Traces },
): Promise<void> {
  const options = {
    // A worker waits for its whole fetch, so use many workers with few jobs each: a hanging job delays few others.
    localConcurrency: concurrency,
    ...(perUser === undefined ? {} : { localGroupConcurrency: perUser }),
    batchSize: JOBS_PER_FETCH,
    burstWhenBatchFull: true,
    pollingIntervalSeconds: POLL_SECONDS,
    notifyPollingIntervalSeconds: isUrgent ? POLL_SECONDS : NOTIFIED_POLL_SECONDS,
    perJobResults: true as const,
  }
  await boss.work<object, unknown, typeof options>(kind.name, options, async (jobs) => {
    const results = await Promise.all(
      jobs.map(({ id, data }) => {
        const { parent, attributes, own } = tracedData(kind, data)
        return within(parent, async () => {
          try {
            await traces.run(`job ${kind.name}`, { kind: 'consumer', parent: parent ?? null, attributes }, () =>
              run(own),
            )
            return { id, status: 'completed' as const }
          } catch (error) {
            log.warn({ err: error, job: kind.name, id }, 'job failed')
            const output = { message: isError(error) ? messageWithoutValues(error) : typeof error }
            return { id, status: 'failed' as const, output }
          }
        })
      }),
    )
    // Completed jobs are deleted, since they may name a deleted user.
    const done = results.flatMap(({ id, status }) => (status === 'completed' ? id : []))
    if (done.length > 0) await boss.deleteJob(kind.name, done)
    return results
  })
}

/** The data of a job with the trace that it is enqueued in: the one given, else the active one. */
function inTrace(data: object, given: string | null | undefined): object {
  const traceparent = given === undefined ? activeTraceparent() : given
  return traceparent ? { ...data, traceparent } : data
}

/** The data of a job without the trace that it was enqueued in. */
function tracedData({ name }: JobKind<object>, data: object) {
  const { traceparent, ...own }: { readonly traceparent?: unknown; readonly callId?: unknown } = data
  const attributes = { 'parley.job': name, ...(typeof own.callId === 'string' && { 'parley.call_id': own.callId }) }
  return { parent: readTraceparent(traceparent), attributes, own }
}
