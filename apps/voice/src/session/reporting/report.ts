import { Fact, FACTS_PER_REPORT_MAX, type FactBody, type FactType } from '@parley/contract'
import type { Logger } from 'pino'
import type { Clock } from '@parley/voice-ports'
import { postFacts, type Recipient } from './post.ts'
import type { FactStore } from './store.ts'

export interface ReportOptions extends Recipient {
  readonly clock: Clock
  readonly log: Logger
  readonly store: FactStore
  /** What an earlier process kept: numbered without gaps after `taken`, and already in the store. */
  readonly left?: { readonly facts: readonly Fact[]; readonly taken: number }
  readonly pace?: Partial<ReportPace>
  /** Each fact, as it is added. */
  readonly onFact?: (fact: FactBody) => void
}

/** Wall-clock times: the api does not follow call time. */
interface ReportPace {
  /** Facts within this time share a write and a request. */
  readonly gatherMs: number
  readonly firstRetryMs: number
  readonly longestRetryMs: number
  readonly requestTimeoutMs: number
  /** A session waits so long for its facts; they are sent on without it. */
  readonly patienceMs: number
}

const PACE: ReportPace = {
  gatherMs: 50,
  firstRetryMs: 250,
  longestRetryMs: 15_000,
  requestTimeoutMs: 10_000,
  patienceMs: 600_000,
}

/** Above this clock speed nobody can read the transcript live: facts are gathered for longer to save requests. */
const READABLE_SPEED = 20
/** Facts older than this are set aside. */
const KEPT_MS = 7 * 86_400_000
/** Of one call in memory; beyond it only what settles the call is added. */
const UNSENT_MAX = 20_000
/** Written and sent at once. */
const URGENT: readonly FactType[] = ['placed', 'opted_out', 'ended']
/** Never left out. */
const SETTLING: readonly FactType[] = [...URGENT, 'answered', 'wrapped_up']

/**
 * Delivers the facts of one call to the api: numbered, in order, each kept in the store before it is sent and until the
 * api has it. A fact that cannot be sent is set aside, and those after it go on (decision 0041).
 */
export class Report {
  readonly #options: ReportOptions
  readonly #pace: ReportPace
  readonly #startedMs: number
  readonly #log: Logger
  #unsent: Fact[] = []
  #seq = 0
  /** A fact that was written may have been sent and taken, so it is never replaced. */
  #writtenSeq = 0
  #storedSeq = 0
  #sendableSeq = 0
  /** The last number of an earlier process, until the api says what it has; later ones wait for that. */
  #leftSeq: number | null = null
  #writeTimer: NodeJS.Timeout | null = null
  #writeDueAt = 0
  #retryTimer: NodeJS.Timeout | null = null
  #patience: NodeJS.Timeout | null = null
  #writing = false
  #inFlight = false
  #writeFails = false
  #overflowed = false
  #retries = 0
  /** Facts of the next request: fewer while a refused one is searched. */
  #batch = FACTS_PER_REPORT_MAX
  #state: 'open' | 'complete' | 'given_up' | 'stopped' = 'open'
  #empty: (() => void)[] = []

  constructor(options: ReportOptions) {
    const { clock, left } = options
    this.#options = options
    this.#log = options.log.child({ callId: options.callId })
    this.#pace = { ...PACE, gatherMs: PACE.gatherMs * Math.max(1, clock.speed / READABLE_SPEED), ...options.pace }
    this.#startedMs = clock.nowMs() - (left?.facts.at(-1)?.callMs ?? 0)
    if (!left) return
    // At least one, so that the answer says what the api has.
    const unsent = left.facts.filter(({ seq }) => seq > left.taken)
    this.#unsent = unsent.length > 0 ? unsent : left.facts.slice(-1)
    this.#seq = Math.max(left.taken, left.facts.at(-1)?.seq ?? 0)
    this.#leftSeq = this.#writtenSeq = this.#storedSeq = this.#sendableSeq = this.#seq
  }

  add(body: FactBody): void {
    this.#options.onFact?.(body)
    if (this.#state === 'stopped') return
    const given = this.#state === 'given_up'
    if ((given || this.#isFull()) && !SETTLING.includes(body.type)) return
    const last = this.#unsent.at(-1)
    const replaces =
      last !== undefined &&
      last.seq > this.#writtenSeq &&
      body.type === 'turn' &&
      last.type === 'turn' &&
      last.turn.index === body.turn.index
    const seq = replaces ? last.seq : ++this.#seq
    const callMs = Math.round(this.#options.clock.nowMs() - this.#startedMs)
    const fact: Fact = { ...body, seq, at: new Date().toISOString(), callMs }
    if (given) return this.#options.store.setAside([fact], 'The facts before it were given up.')
    if (replaces) this.#unsent[this.#unsent.length - 1] = fact
    else this.#unsent.push(fact)
    if (body.type === 'wrapped_up') this.#state = 'complete'
    this.#writeSoon(URGENT.includes(body.type) ? 0 : this.#pace.gatherMs)
  }

  /** Resolves when all facts were taken or given up, or when they have been in the store for long. */
  flushed(): Promise<void> {
    if (this.#unsent.length === 0) return Promise.resolve()
    const waiting = new Promise<void>((resolve) => this.#empty.push(resolve))
    this.#patience ??= setTimeout(() => this.#settle(), this.#pace.patienceMs).unref()
    void this.#write()
    return waiting
  }

  /** No fact will be added: once the api has all of them, nothing is kept. */
  complete(): void {
    if (this.#state === 'open') this.#state = 'complete'
    if (this.#unsent.length === 0) this.#settle()
  }

  /** Sends no more: what is left stays in the store. */
  stop(): void {
    this.#state = 'stopped'
    for (const timer of [this.#writeTimer, this.#retryTimer]) if (timer) clearTimeout(timer)
    this.#options.store.close()
    this.#settle()
  }

  #isFull(): boolean {
    if (this.#unsent.length < UNSENT_MAX) return false
    if (!this.#overflowed) this.#log.error({ alarm: 'facts_dropped' }, 'too many facts wait for the api')
    return (this.#overflowed = true)
  }

  // Into the store

  #writeSoon(delayMs: number): void {
    if (this.#writing) return
    if (delayMs === 0) return void this.#write()
    const dueAt = performance.now() + delayMs
    if (this.#writeTimer && this.#writeDueAt <= dueAt) return
    if (this.#writeTimer) clearTimeout(this.#writeTimer)
    this.#writeDueAt = dueAt
    this.#writeTimer = setTimeout(() => void this.#write(), delayMs)
  }

  async #write(): Promise<void> {
    if (this.#writeTimer) clearTimeout(this.#writeTimer)
    this.#writeTimer = null
    if (this.#writing || this.#state === 'stopped') return
    this.#writing = true
    // Facts that are added meanwhile are written in the next round; they may be urgent.
    while (this.#storedSeq < this.#seq && this.#state !== 'given_up') {
      const lastSeq = this.#seq
      if (!(await this.#store(lastSeq))) break
      if (this.#seq > lastSeq && !this.#unsent.some(({ seq, type }) => seq > lastSeq && URGENT.includes(type))) break
    }
    this.#writing = false
    if (this.#seq > this.#sendableSeq) this.#writeSoon(this.#pace.gatherMs)
    else if (this.#writeFails && this.#unsent.length > 0) this.#writeSoon(this.#pace.longestRetryMs)
    this.#pump()
  }

  /** Returns whether the facts up to this number are stored. They are sent all the same. */
  async #store(lastSeq: number): Promise<boolean> {
    this.#writtenSeq = lastSeq
    this.#unsent = this.#unsent.map((fact) => (fact.seq > this.#sendableSeq ? this.#checked(fact) : fact))
    const stored = await this.#append(this.#unsent.filter(({ seq }) => seq > this.#storedSeq))
    if (stored) this.#storedSeq = lastSeq
    this.#sendableSeq = lastSeq
    return stored
  }

  async #append(facts: readonly Fact[]): Promise<boolean> {
    try {
      await this.#options.store.append(facts)
      this.#writeFails = false
    } catch (error) {
      if (!this.#writeFails) this.#log.error({ alarm: 'facts_not_stored', err: error }, 'facts are in memory only')
      this.#writeFails = true
    }
    return !this.#writeFails
  }

  #checked(fact: Fact): Fact {
    const { error } = Fact.safeParse(fact)
    if (!error) return fact
    const where = error.issues.map(({ path, code }) => `${path.join('.')}: ${code}`).join(', ')
    this.#options.store.setAside([fact], `It is not as the contract says: ${where}`)
    return standIn(fact)
  }

  // To the api

  #pump(): void {
    if (this.#inFlight || this.#retryTimer || this.#state === 'stopped') return
    void this.#send()
  }

  async #send(): Promise<void> {
    const facts = this.#unsent.slice(0, this.#batch).filter(({ seq }) => seq <= (this.#leftSeq ?? this.#sendableSeq))
    const [first] = facts
    if (!first) return this.#unsent.length === 0 ? this.#settle() : undefined
    this.#inFlight = true
    const answer = await postFacts(this.#options, facts, this.#pace.requestTimeoutMs)
    if (answer.kind === 'taken' && answer.seq >= first.seq) this.#drop(answer.seq)
    else if (answer.kind === 'taken') this.#retry(`The api has only ${answer.seq} facts, and not those before these.`)
    else if (answer.kind === 'later') this.#retry(answer.why)
    else if (answer.kind === 'closed') this.#giveUp(answer.why)
    else if (facts.length > 1) this.#batch = Math.ceil(facts.length / 2)
    else await this.#skip(first, answer.why)
    this.#inFlight = false
    this.#pump()
  }

  #drop(taken: number): void {
    if (this.#leftSeq !== null && taken > this.#leftSeq) this.#renumber(this.#leftSeq, taken)
    this.#leftSeq = null
    this.#unsent = this.#unsent.filter(({ seq }) => seq > taken)
    this.#options.store.taken(taken)
    this.#retries = 0
    this.#batch = Math.min(FACTS_PER_REPORT_MAX, this.#batch * 2)
  }

  /** The earlier process sent facts that it could not write down: their numbers are taken. */
  #renumber(leftSeq: number, taken: number): void {
    this.#log.error({ alarm: 'facts_not_in_file', leftSeq, taken }, 'the api has facts that the file has not')
    const shift = taken - leftSeq
    this.#unsent = this.#unsent.map((fact) => (fact.seq > leftSeq ? { ...fact, seq: fact.seq + shift } : fact))
    this.#seq += shift
    this.#writtenSeq = this.#seq
    this.#storedSeq = this.#sendableSeq = taken
    void this.#write()
  }

  /** The fact alone was refused. */
  async #skip(fact: Fact, why: string): Promise<void> {
    // An api that refuses even this takes nothing.
    if (fact.type === 'dialing') return this.#giveUp(why)
    this.#options.store.setAside([fact], why)
    const skipped = standIn(fact)
    this.#unsent = this.#unsent.map((each) => (each.seq === fact.seq ? skipped : each))
    await this.#append([skipped])
  }

  #retry(why: string): void {
    if (Date.now() - Date.parse(this.#unsent[0]?.at ?? '') > KEPT_MS) return this.#giveUp(why)
    const delayMs = Math.min(this.#pace.longestRetryMs, this.#pace.firstRetryMs * 2 ** Math.min(this.#retries++, 20))
    this.#log.warn({ why, retries: this.#retries, delayMs }, 'facts not taken')
    if (this.#state === 'stopped') return
    this.#retryTimer = setTimeout(
      () => {
        this.#retryTimer = null
        this.#pump()
      },
      // Jitter, so that calls do not retry in step.
      delayMs * (0.5 + Math.random() / 2),
    )
  }

  #giveUp(why: string): void {
    this.#options.store.setAside(this.#unsent, why)
    this.#unsent = []
    this.#state = 'given_up'
  }

  #settle(): void {
    if (this.#patience) clearTimeout(this.#patience)
    this.#patience = null
    if (this.#unsent.length === 0 && (this.#state === 'complete' || this.#state === 'given_up'))
      this.#options.store.done()
    for (const resolve of this.#empty.splice(0)) resolve()
  }
}

/** Takes the number of a fact that cannot be sent: every api ignores that a call is dialed again. */
export function standIn({ seq, at, callMs }: Pick<Fact, 'seq' | 'at' | 'callMs'>): Fact {
  return { seq, at, callMs, type: 'dialing' }
}
