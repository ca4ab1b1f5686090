import {
  FACTS_PER_REPORT_MAX,
  FactsTaken,
  pathOf,
  reportFacts,
  type Fact,
  type FactBody,
  type FactReport,
} from '@parley/contract'
import type { Logger } from 'pino'
import type { Clock } from '@parley/voice-ports'

export interface ReportOptions {
  readonly apiUrl: string
  readonly secret: string
  readonly callId: string
  readonly clock: Clock
  readonly log: Logger
  readonly pace?: Partial<ReportPace>
}

/** Wall-clock times: the api does not follow call time. */
interface ReportPace {
  /** Facts within this time share a request. */
  readonly gatherMs: number
  readonly firstRetryMs: number
  readonly longestRetryMs: number
  readonly requestTimeoutMs: number
  /** Without any success for this long the facts are given up. */
  readonly budgetMs: number
}

const PACE: ReportPace = {
  gatherMs: 50,
  firstRetryMs: 250,
  longestRetryMs: 15_000,
  requestTimeoutMs: 10_000,
  budgetMs: 600_000,
}

/** Above this clock speed nobody can read the transcript live: facts are gathered for longer to save requests. */
const READABLE_SPEED = 20

/** Statuses that a retry would not change. */
const REFUSALS: readonly number[] = [400, 404, 409, 410, 413, 415, 422]

/** Delivers the facts of one call to the api: numbered, in order, retried until they are taken. */
export class Report {
  readonly #options: ReportOptions
  readonly #pace: ReportPace
  readonly #startedMs: number
  #unsent: Fact[] = []
  #seq = 0
  /** A fact sent once may have been taken even without an answer, so it is never replaced. */
  #sentSeq = 0
  #timer: NodeJS.Timeout | null = null
  #inFlight = false
  #retries = 0
  #lastSuccessAt = performance.now()
  #givenUp = false
  #empty: (() => void)[] = []

  constructor(options: ReportOptions) {
    this.#options = options
    const gatherMs = PACE.gatherMs * Math.max(1, options.clock.speed / READABLE_SPEED)
    this.#pace = { ...PACE, gatherMs, ...options.pace }
    this.#startedMs = options.clock.nowMs()
  }

  add(body: FactBody): void {
    if (this.#givenUp) return
    if (this.#unsent.length === 0) this.#lastSuccessAt = performance.now()
    const last = this.#unsent.at(-1)
    const replaces =
      last !== undefined &&
      last.seq > this.#sentSeq &&
      body.type === 'turn' &&
      last.type === 'turn' &&
      last.turn.index === body.turn.index
    const seq = replaces ? last.seq : ++this.#seq
    const callMs = Math.round(this.#options.clock.nowMs() - this.#startedMs)
    const fact: Fact = { ...body, seq, at: new Date().toISOString(), callMs }
    if (replaces) this.#unsent[this.#unsent.length - 1] = fact
    else this.#unsent.push(fact)
    this.#schedule(this.#pace.gatherMs)
  }

  /** Resolves when all facts were taken or given up. */
  flushed(): Promise<void> {
    if (this.#unsent.length === 0 || this.#givenUp) return Promise.resolve()
    const waiting = new Promise<void>((resolve) => this.#empty.push(resolve))
    if (!this.#inFlight && this.#retries === 0) this.#now()
    return waiting
  }

  #schedule(delayMs: number): void {
    if (this.#timer || this.#inFlight) return
    this.#timer = setTimeout(() => this.#now(), delayMs)
  }

  #now(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    void this.#send()
  }

  async #send(): Promise<void> {
    const facts = this.#unsent.slice(0, FACTS_PER_REPORT_MAX)
    if (facts.length === 0) return this.#settle()
    this.#inFlight = true
    this.#sentSeq = Math.max(this.#sentSeq, facts.at(-1)?.seq ?? 0)
    const outcome = await this.#post({ facts })
    this.#inFlight = false
    if (outcome.taken !== null) {
      const { taken } = outcome
      this.#unsent = this.#unsent.filter((fact) => fact.seq > taken)
      this.#retries = 0
      this.#lastSuccessAt = performance.now()
      if (this.#unsent.length === 0) this.#settle()
      else this.#schedule(this.#empty.length > 0 ? 0 : this.#pace.gatherMs)
    } else this.#retry(outcome.refused, outcome.why)
  }

  #retry(refused: boolean, why: string): void {
    const { log, callId } = this.#options
    const spentMs = performance.now() - this.#lastSuccessAt
    if (refused || spentMs >= this.#pace.budgetMs) {
      log.error({ callId, why, facts: this.#unsent.length, lastSeq: this.#seq }, 'facts given up')
      this.#givenUp = true
      this.#unsent = []
      return this.#settle()
    }
    const delayMs = Math.min(this.#pace.longestRetryMs, this.#pace.firstRetryMs * 2 ** this.#retries++)
    log.warn({ callId, why, retries: this.#retries, delayMs }, 'facts not taken')
    // Jitter, so that calls do not retry in step.
    this.#schedule(delayMs * (0.5 + Math.random() / 2))
  }

  #settle(): void {
    for (const resolve of this.#empty.splice(0)) resolve()
  }

  async #post(report: FactReport): Promise<{ taken: number } | { taken: null; refused: boolean; why: string }> {
    const { apiUrl, callId, secret } = this.#options
    try {
      const reply = await fetch(new URL(pathOf(reportFacts, { id: callId }), apiUrl), {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
        body: JSON.stringify(report),
        signal: AbortSignal.timeout(this.#pace.requestTimeoutMs),
      })
      const text = await reply.text()
      if (!reply.ok)
        return { taken: null, refused: REFUSALS.includes(reply.status), why: `${reply.status} ${text.slice(0, 200)}` }
      return { taken: FactsTaken.parse(JSON.parse(text)).taken }
    } catch (error) {
      return { taken: null, refused: false, why: String(error) }
    }
  }
}
