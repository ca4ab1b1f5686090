import type { SpanContext } from './traceparent.ts'

/**
 * All that a span may tell, a closed list: ids, counts, times and words of our own. No phone number, name, address or
 * spoken word has a place here, nor the message of an error.
 */
export interface Attributes {
  readonly 'parley.call_id'?: string
  /** What the voice service did with an order. */
  readonly 'parley.order'?: 'taken' | 'known' | 'full' | 'draining'
  readonly 'parley.end_reason'?: string
  /** Types of facts. */
  readonly 'parley.facts'?: string[]
  readonly 'parley.job'?: string
  readonly 'parley.turn.index'?: number
  readonly 'parley.turn.speaker'?: 'agent' | 'user'
  /** false: it was interrupted. */
  readonly 'parley.turn.heard'?: boolean
  readonly [stage: `parley.stage.${string}_ms`]: number
  readonly 'http.request.method'?: string
  /** The pattern, never the address. */
  readonly 'http.route'?: string
  readonly 'http.response.status_code'?: number
}

export interface SpanOptions {
  readonly kind?: 'server' | 'consumer'
  /** undefined: the active span; null: it begins a trace. */
  readonly parent?: SpanContext | null | undefined
  readonly links?: readonly SpanContext[]
  readonly attributes?: Attributes
  /** Wall-clock time; now without it. */
  readonly startMs?: number
}

export interface OpenSpan {
  /** undefined while there are no traces. */
  readonly context: SpanContext | undefined
  add(attributes: Attributes): void
  /** Tells the kind of the error, never its message. */
  fail(error: unknown): void
  /** Wall-clock time; now without it. */
  end(atMs?: number): void
}

export interface Traces {
  readonly isOn: boolean
  /** Spans that were made and could not be exported. */
  readonly lost: number
  begin(name: string, options?: SpanOptions): OpenSpan
  /** A span around some work, which is active meanwhile. */
  run<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T>
  /** Sends what is left, within a short time. */
  close(): Promise<void>
}

const NO_SPAN: OpenSpan = { context: undefined, add: () => undefined, fail: () => undefined, end: () => undefined }

/** Costs a call of a function and nothing else. */
export const NO_TRACES: Traces = {
  isOn: false,
  lost: 0,
  begin: () => NO_SPAN,
  run: (_name, _options, work) => work(),
  close: () => Promise.resolve(),
}
