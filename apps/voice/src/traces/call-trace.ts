import type { FactBody, Stage, Turn } from '@parley/contract'
import { type Attributes, type OpenSpan, type SpanContext, traceparentOf, type Traces } from '@parley/traces'
import type { Logger } from 'pino'

interface CallTraceOptions {
  readonly traces: Traces
  readonly callId: string
  /** The span of the order, which is over at once: what is lost with a node is the turn under way, not the call. */
  readonly order: SpanContext | undefined
  /** Of call time. */
  readonly speed: number
}

/**
 * Spans of one call, made of its facts: the ringing, each turn and the summary, none of them as long as the call. Each
 * is a child of the order's span; a turn is linked to the turn before it.
 */
export class CallTrace {
  readonly #options: CallTraceOptions
  readonly #toldTurns = new Set<number>()
  readonly #stages = new Map<Stage, number>()
  #before: SpanContext | undefined
  #under: OpenSpan | null
  #answeredMs = 0

  constructor(options: CallTraceOptions) {
    this.#options = options
    this.#before = options.order
    this.#under = this.#begin('ring')
  }

  /** Facts carry it to the api. */
  get traceparent(): string | undefined {
    const { order } = this.#options
    return order && traceparentOf(order)
  }

  /** A log whose lines name the trace. */
  logOf(log: Logger): Logger {
    const { order } = this.#options
    return order ? log.child({ traceId: order.traceId }) : log
  }

  took(stage: Stage, delayMs: number): void {
    if (this.#options.order) this.#stages.set(stage, Math.round(delayMs))
  }

  fact(fact: FactBody): void {
    if (!this.#options.order) return
    switch (fact.type) {
      case 'answered':
        this.#answeredMs = Date.now()
        return this.#endUnder()
      case 'turn':
        return fact.turn.endMs === null ? undefined : this.#turn(fact.turn, fact.turn.endMs)
      case 'ended':
        this.#endUnder({ 'parley.end_reason': fact.reason })
        this.#under = this.#begin('summary')
        return
      case 'wrapped_up':
        return this.#endUnder()
      default:
    }
  }

  #turn({ index, speaker, startMs, heard }: Turn, endMs: number): void {
    // Its text may be corrected after its end.
    if (this.#toldTurns.has(index)) return
    this.#toldTurns.add(index)
    const atMs = (callMs: number) => this.#answeredMs + callMs / this.#options.speed
    const attributes = {
      'parley.turn.index': index,
      'parley.turn.speaker': speaker,
      'parley.turn.heard': heard,
      ...(speaker === 'agent' && this.#takeStages()),
    }
    const links = this.#before ? [this.#before] : []
    const span = this.#begin('turn', { links, attributes, startMs: atMs(startMs) })
    span.end(atMs(endMs))
    this.#before = span.context
  }

  /** The delays of the stages that led to this turn of the agent. */
  #takeStages(): Attributes {
    const stages = Object.fromEntries([...this.#stages].map(([stage, ms]) => [`parley.stage.${stage}_ms`, ms]))
    this.#stages.clear()
    return stages
  }

  #begin(name: string, more: { links?: SpanContext[]; attributes?: Attributes; startMs?: number } = {}): OpenSpan {
    const { traces, callId, order } = this.#options
    const attributes = { 'parley.call_id': callId, ...more.attributes }
    return traces.begin(name, { ...more, parent: order ?? null, attributes })
  }

  #endUnder(attributes: Attributes = {}): void {
    this.#under?.add(attributes)
    this.#under?.end()
    this.#under = null
  }
}
