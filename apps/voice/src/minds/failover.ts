import { isOptOut } from '@parley/offline-mind'
import type {
  Asked,
  Clock,
  Conclusion,
  EndedCall,
  Mind,
  MindEndReason,
  MindEvent,
  Observation,
} from '@parley/voice-ports'
import type { Logger } from 'pino'
import { z } from 'zod'
import { Circuit } from './circuit.ts'
import { fromFirstClause } from './first-clause.ts'
import { hedgedMind } from './hedged.ts'
import { failureOf, ModelFailure } from './language-model/failure.ts'
import { summaryOfRecord, troubleIn } from './trouble.ts'

export interface FailoverOptions {
  readonly clock: Clock
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Needs no vendor. It leads a call from its beginning, and ends one that a model began. */
  readonly last: Mind
}

interface FailoverCounts {
  asked: number
  /** Failures of a model. */
  failed: number
  /** Replies that were hedged, and those that the second model gave. */
  hedged: number
  wonBySecond: number
  /** Replies that no model gave. */
  lastResort: number
}

export interface FailoverMind extends Mind {
  readonly counts: Readonly<FailoverCounts>
}

/** Later than this in a reply no model is asked again: the session waits 6 s. */
const ASK_WITHIN_MS = 4500
/** A model whose connection broke at once is asked a second time. */
const TRIES_MAX = 2

/**
 * What a model is asked for. Each has a circuit of its own: a vendor that refuses to be asked ahead, or to observe, may
 * well reply. One that does not reply is asked for nothing else.
 */
type Purpose = 'reply' | 'ahead' | 'observe' | 'conclude'

interface Lane {
  readonly mind: Mind
  readonly circuits: Readonly<Record<Purpose, Circuit>>
}

const Memory = z.object({
  /** Whose reply was used last. */
  by: z.enum(['model', 'last']),
  model: z.unknown(),
  last: z.unknown(),
})
type Memory = z.infer<typeof Memory>

/** Asks the next model where one fails before its first clause, two at once where the first is slow, and the last mind. */
export function failoverMind(minds: readonly Mind[], options: FailoverOptions): FailoverMind {
  return new Failover(minds, options)
}

type Tries = Map<Lane, number>

class Failover implements FailoverMind {
  readonly name: string
  readonly counts: FailoverCounts = { asked: 0, failed: 0, hedged: 0, wonBySecond: 0, lastResort: 0 }
  readonly #lanes: readonly Lane[]
  readonly #options: FailoverOptions

  constructor(minds: readonly Mind[], options: FailoverOptions) {
    this.name = minds.map(({ name }) => name).join(', else ')
    const circuit = () => new Circuit(options.clock)
    this.#lanes = minds.map((mind) => {
      const circuits = { reply: circuit(), ahead: circuit(), observe: circuit(), conclude: circuit() }
      return { mind, circuits }
    })
    this.#options = options
  }

  async *respond(asked: Asked, signal: AbortSignal): AsyncGenerator<MindEvent> {
    const { clock, log, last } = this.#options
    this.counts.asked++
    const memory = Memory.safeParse(asked.memory).data ?? null
    const untilMs = clock.nowMs() + ASK_WITHIN_MS
    const tries: Tries = new Map()
    let failure: unknown = new ModelFailure('broken', 'No model is asked ahead now.')
    while (!signal.aborted && clock.nowMs() < untilMs) {
      const reply = this.#attempt(tries, { ...asked, memory: memory?.model }, signal)
      if (!reply) break
      let hasBegun = false
      try {
        for await (const event of fromFirstClause(reply, clock, () => (hasBegun = true)))
          yield remembering(event, { by: 'model', last: null })
        return
      } catch (error) {
        // The session speaks what there was.
        if (hasBegun) throw error
        failure = error
      }
    }
    if (signal.aborted) return
    // The session asks again at the end of the turn: the last resort would end a call for words that are not needed yet.
    if (asked.ahead) throw failure
    this.counts.lastResort++
    log.error({ mind: last.name, cue: asked.cue.type }, 'no model answers: the last resort speaks')
    yield* this.#lastResort(asked, memory, signal)
  }

  async *observe(asked: Asked, signal: AbortSignal): AsyncGenerator<Observation> {
    for (const lane of this.#closed('observe')) {
      if (signal.aborted) return
      try {
        yield* lane.mind.observe?.(asked, signal) ?? []
        if (!signal.aborted) lane.circuits.observe.worked()
        return
      } catch (error) {
        if (signal.aborted) return
        this.#note(lane, 'observe', error)
      }
    }
    if (!signal.aborted) yield* this.#options.last.observe?.(asked, signal) ?? []
  }

  async conclude(ended: EndedCall, signal: AbortSignal): Promise<Conclusion> {
    const { log, last } = this.#options
    const memory = Memory.safeParse(ended.memory).data ?? null
    for (const lane of this.#closed('conclude')) {
      try {
        const conclusion = await lane.mind.conclude({ ...ended, memory: memory?.model }, signal)
        lane.circuits.conclude.worked()
        return conclusion
      } catch (error) {
        if (signal.aborted) throw error
        this.#note(lane, 'conclude', error)
      }
    }
    log.error({ mind: last.name }, 'no model concludes: the record does')
    const outcomes = recordOf(ended)
    // What the last mind led itself it remembers, and nobody else has a record of it.
    const isRecorded = memory === null ? outcomes.some(({ status }) => status !== 'open') : memory.by === 'model'
    if (!isRecorded) return last.conclude({ ...ended, memory: memory?.last }, signal)
    return { outcomes, summary: summaryOfRecord(ended, outcomes) }
  }

  /** Models that are not skipped. */
  #closed(purpose: Purpose): Lane[] {
    return this.#lanes.filter(({ circuits }) => !circuits.reply.isOpen && !circuits[purpose].isOpen)
  }

  #attempt(tries: Tries, asked: Asked, signal: AbortSignal): AsyncIterable<MindEvent> | null {
    const purpose = asked.ahead ? 'ahead' : 'reply'
    const left = this.#closed(purpose).filter((lane) => (tries.get(lane) ?? 0) < TRIES_MAX)
    const [first, second] = left.toSorted((a, b) => (tries.get(a) ?? 0) - (tries.get(b) ?? 0))
    if (!first) return null
    const main = this.#watched(first, purpose, tries)
    return second && !tries.has(first) && !tries.has(second)
      ? this.#hedged([main, this.#watched(second, purpose, tries)], asked, signal)
      : main.respond(asked, signal)
  }

  async *#hedged(pair: readonly [Mind, Mind], asked: Asked, signal: AbortSignal): AsyncGenerator<MindEvent> {
    const mind = hedgedMind(pair, { clock: this.#options.clock })
    try {
      yield* mind.respond(asked, signal)
    } finally {
      this.counts.hedged += mind.counts.hedged
      this.counts.wonBySecond += mind.counts.wonBySecond
    }
  }

  /** The lane's mind; how it fares is noted. */
  #watched(lane: Lane, purpose: Purpose, tries: Tries): Mind {
    const note = (error: unknown) => this.#note(lane, purpose, error)
    return {
      name: lane.mind.name,
      conclude: (ended, signal) => lane.mind.conclude(ended, signal),
      async *respond(asked, signal) {
        tries.set(lane, (tries.get(lane) ?? 0) + 1)
        try {
          yield* lane.mind.respond(asked, signal)
          if (signal.aborted) return
          lane.circuits[purpose].worked()
          // What was asked ahead shows as well that the model replies.
          lane.circuits.reply.worked()
        } catch (error) {
          if (signal.aborted) return
          note(error)
          // What takes its time takes it again, and what is refused stays so.
          if (['late', 'refused', 'busy'].includes(failureOf(error).kind)) tries.set(lane, TRIES_MAX)
          throw error
        }
      },
    }
  }

  #note({ mind, circuits }: Lane, purpose: Purpose, error: unknown): void {
    const failure = failureOf(error)
    circuits[purpose].failed(failure)
    this.counts.failed++
    const { kind, status, retryAfterMs, message } = failure
    const { isOpen: skipped } = circuits[purpose]
    this.#options.log.warn(
      { mind: mind.name, purpose, kind, status, retryAfterMs, skipped },
      `model failed: ${message}`,
    )
  }

  async *#lastResort(asked: Asked, memory: Memory | null, signal: AbortSignal): AsyncGenerator<MindEvent> {
    if (!canLead(asked, memory)) {
      yield* ending(asked)
      return
    }
    for await (const event of this.#options.last.respond({ ...asked, memory: memory?.last }, signal))
      yield remembering(event, { by: 'last', model: memory?.model ?? null })
  }
}

/** Both kinds of memory stand side by side; `kept` says whose this event's is, and holds the other's. */
function remembering(event: MindEvent, kept: Partial<Memory> & Pick<Memory, 'by'>): MindEvent {
  return event.type === 'memory' ? { type: 'memory', memory: { ...kept, [kept.by]: event.memory } } : event
}

const CUES_OF_THEIR_OWN: readonly Asked['cue']['type'][] = ['opening', 'voicemail', 'menu', 'screening']

/** Whether the last mind can answer without what a model has said before: it knows only what it led itself. */
function canLead({ cue, turns }: Asked, memory: Memory | null): boolean {
  if (memory?.by === 'last' || CUES_OF_THEIR_OWN.includes(cue.type)) return true
  if (cue.type === 'heard' && isOptOut(cue.text)) return true
  // Nothing but the disclosure was said.
  return memory === null && turns.filter(({ speaker }) => speaker === 'agent').length <= 1
}

/** The truth, and the end: to begin anew would ask for what is agreed already. */
function* ending({ cue, language }: Asked): Generator<MindEvent> {
  const reason: MindEndReason = cue.type === 'time_nearly_up' ? 'time_limit' : 'agent_closed'
  yield { type: 'say', text: troubleIn(language) }
  yield { type: 'hang_up', reason }
  yield { type: 'memory', memory: { by: 'model', model: null, last: null } satisfies Memory }
}

/** What observers and replies have found, one for each objective. */
function recordOf({ order, outcomes, turns }: EndedCall): Conclusion['outcomes'] {
  const spoke = turns.some(({ speaker }) => speaker === 'user')
  return order.objectives.map((objective, index) => {
    const known = spoke ? outcomes[index] : undefined
    return known?.objective === objective ? known : { objective, status: 'open', quote: null, turn: null }
  })
}
