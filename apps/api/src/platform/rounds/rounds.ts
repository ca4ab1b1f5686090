import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Bus } from '../bus.ts'
import type { Db, Tx } from '../db.ts'
import { kindOf } from './error-kind.ts'
import {
  type Claim,
  claimDue,
  giveBack,
  type Interval,
  isHeld,
  markDue,
  noteFailure,
  noteSuccess,
  prolong,
  readStates,
  register,
  releaseAll,
  type RoundState,
} from './schedule.ts'

/** A run of a repeated task, as its task sees it. */
export interface Run {
  /** Aborted when the run has lost its lease or the process stops. */
  readonly signal: AbortSignal
  /** Throws when another process may have taken the task over, or this one stops: call it before each piece of work. */
  check(): void
  /** The same, sure until the transaction ends. */
  confirm(tx: Tx): Promise<void>
}

export type Task = (run: Run) => Promise<void>

/** `soon` requests a run that begins after the call, on whichever node; concurrent requests share one. */
export interface Repeated {
  soon(): void
}

export interface RoundTimes {
  readonly leaseMs: number
  readonly heartbeatMs: number
  /** The longest time between two looks at the schedule. */
  readonly pollMs: number
  /** A longer run is given up, so that another process can take over. */
  readonly longestRunMs: number
}

const TIMES: RoundTimes = { leaseMs: 10_000, heartbeatMs: 2000, pollMs: 1000, longestRunMs: 15 * 60_000 }
const STOP_TIMEOUT_MS = 8000
const TOPIC = 'rounds'

/** The run must do nothing more. */
class RunOver extends Error {}

/** A run of this process. Its lease is counted from before the heartbeat that was answered, by the clock of here. */
class OwnRun implements Run {
  readonly claim: Claim
  readonly #db: Db
  readonly #leaseMs: number
  readonly #over = new AbortController()
  readonly startedAt: number
  renewedAt: number

  constructor(db: Db, claim: Claim, claimedAt: number, leaseMs: number) {
    this.claim = claim
    this.#db = db
    this.#leaseMs = leaseMs
    this.startedAt = claimedAt
    this.renewedAt = claimedAt
  }

  get signal(): AbortSignal {
    return this.#over.signal
  }

  /** A process that was stopped and goes on finds its lease lapsed before any heartbeat says so. */
  get hasLapsed(): boolean {
    return performance.now() - this.renewedAt > this.#leaseMs
  }

  check(): void {
    if (this.hasLapsed) this.end('The lease of the run has lapsed.')
    this.signal.throwIfAborted()
  }

  async confirm(tx: Tx): Promise<void> {
    this.check()
    if (!(await isHeld(tx, this.claim))) this.end('Another process has taken the task over.')
    this.signal.throwIfAborted()
  }

  end(why: string): void {
    this.#over.abort(new RunOver(why))
  }

  async work(task: Task): Promise<void> {
    // Too late for it: this process stops.
    this.check()
    await task(this)
    await noteSuccess(this.#db, this.claim)
  }
}

interface Given {
  readonly db: Db
  readonly bus: Bus
  readonly log: Logger
  /** No other process uses the database: what an earlier one held is free at once. */
  readonly isAlone?: boolean
  readonly times?: Partial<RoundTimes>
}

/** Repeated tasks: each runs on one process of the cluster at a time, by the schedule in the database. */
export class Rounds {
  readonly #db: Db
  readonly #bus: Bus
  readonly #log: Logger
  readonly #isAlone: boolean
  readonly #times: RoundTimes
  readonly #owner = randomUUID()
  readonly #tasks = new Map<string, Interval & { readonly task: Task }>()
  readonly #running = new Map<string, OwnRun>()
  readonly #ended = new Set<Promise<void>>()
  /** Marks under way; true: another was requested meanwhile. */
  readonly #marks = new Map<string, boolean>()
  #isOpen = false
  #wake = Promise.withResolvers<void>()
  #looking = Promise.resolve()
  #beats: NodeJS.Timeout | undefined
  #isBeating = false
  #unsubscribe: () => void = () => undefined

  constructor({ db, bus, log, isAlone = false, times }: Given) {
    this.#db = db
    this.#bus = bus
    this.#log = log
    this.#isAlone = isAlone
    this.#times = { ...TIMES, ...times }
  }

  add(name: string, intervalMs: number, task: Task): Repeated {
    this.#tasks.set(name, { name, intervalMs, task })
    return { soon: () => this.#mark(name) }
  }

  /** Registers the tasks; from now on runs can be requested. */
  async open(): Promise<void> {
    await register(this.#db, [...this.#tasks.values()])
    this.#isOpen = true
  }

  /** Takes part in running the tasks. */
  async start(): Promise<void> {
    if (this.#isAlone) await releaseAll(this.#db)
    this.#unsubscribe = this.#bus.subscribe(TOPIC, () => this.#wake.resolve())
    this.#beats = setInterval(() => void this.#beat(), this.#times.heartbeatMs)
    this.#looking = this.#look()
  }

  /** Waits for runs under way, up to a limit; they are told to end. */
  async stop(): Promise<void> {
    this.#isOpen = false
    this.#unsubscribe()
    this.#wake.resolve()
    for (const run of this.#running.values()) run.end('The process stops.')
    const limit = Promise.withResolvers<void>()
    const timer = setTimeout(limit.resolve, STOP_TIMEOUT_MS)
    await Promise.race([limit.promise, Promise.all([this.#looking, ...this.#ended])])
    clearTimeout(timer)
    clearInterval(this.#beats)
  }

  states(): Promise<RoundState[]> {
    return readStates(this.#db)
  }

  async #look(): Promise<void> {
    const { pollMs, leaseMs } = this.#times
    while (this.#isOpen) {
      this.#wake = Promise.withResolvers()
      let waitMs = pollMs
      try {
        const names = this.#free()
        const claimedAt = performance.now()
        const { claims, nextInMs } = await claimDue(this.#db, { names, owner: this.#owner, leaseMs })
        for (const claim of claims) this.#begin(claim, claimedAt)
        waitMs = Math.min(waitMs, nextInMs ?? pollMs)
      } catch (error) {
        if (this.#isOpen) this.#log.warn({ err: error }, 'the schedule of repeated tasks was not read')
      }
      const timer = setTimeout(this.#wake.resolve, Math.max(1, waitMs))
      await this.#wake.promise
      clearTimeout(timer)
    }
  }

  #free(): string[] {
    return [...this.#tasks.keys()].filter((name) => !this.#running.has(name))
  }

  #begin(claim: Claim, claimedAt: number): void {
    const { name } = claim
    const task = this.#tasks.get(name)
    if (!task) return
    const run = new OwnRun(this.#db, claim, claimedAt, this.#times.leaseMs)
    this.#running.set(name, run)
    if (!this.#isOpen) run.end('The process stops.')
    const ended = run
      .work(task.task)
      .catch((error: unknown) => this.#failed(run, error))
      .catch((error: unknown) => this.#log.warn({ err: error, name }, 'end of a repeated task not noted'))
      .finally(() => {
        this.#ended.delete(ended)
        this.#running.delete(name)
        this.#wake.resolve()
      })
    this.#ended.add(ended)
  }

  async #failed(run: OwnRun, error: unknown): Promise<void> {
    const { claim, signal } = run
    if (error instanceof RunOver || signal.aborted) {
      this.#log.info({ name: claim.name, reason: String(signal.reason) }, 'repeated task ended early')
      return giveBack(this.#db, claim)
    }
    this.#log.error({ err: error, name: claim.name }, 'repeated task failed')
    await noteFailure(this.#db, claim, kindOf(error))
  }

  async #beat(): Promise<void> {
    const { longestRunMs, leaseMs } = this.#times
    if (this.#isBeating) return
    const now = performance.now()
    // A run that does not end here is never begun here again; another process takes over.
    const runs = [...this.#running.values()].filter((run) => {
      if (!run.signal.aborted && run.hasLapsed) run.end('The lease of the run has lapsed.')
      if (!run.signal.aborted && now - run.startedAt > longestRunMs) {
        this.#log.error({ name: run.claim.name }, 'repeated task takes too long; it is given up')
        run.end('The run took too long.')
      }
      return !run.signal.aborted
    })
    if (runs.length === 0) return
    this.#isBeating = true
    try {
      const held = await prolong(
        this.#db,
        runs.map(({ claim }) => claim),
        leaseMs,
      )
      for (const run of runs) {
        if (held.has(run.claim.name)) run.renewedAt = now
        else run.end('Another process has taken the task over.')
      }
    } catch (error) {
      this.#log.warn({ err: error }, 'leases of repeated tasks were not prolonged')
    } finally {
      this.#isBeating = false
    }
  }

  #mark(name: string): void {
    if (!this.#isOpen) return
    if (this.#marks.has(name)) return void this.#marks.set(name, true)
    this.#marks.set(name, false)
    void markDue(this.#db, name)
      .then(() => this.#bus.publish(TOPIC, { name }))
      .catch((error: unknown) => this.#log.warn({ err: error, name }, 'run of a repeated task not requested'))
      .finally(() => {
        const isWanted = this.#marks.get(name)
        this.#marks.delete(name)
        this.#wake.resolve()
        if (isWanted === true) this.#mark(name)
      })
  }
}
