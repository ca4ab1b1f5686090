import { TraceFlags } from '@opentelemetry/api'
import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type Span,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace'

const WAITING_MAX = 4096
const SENT_AT_ONCE = 512
const GATHER_MS = 2000
/** Above the deadline of the exporter, which answers first. */
const PATIENCE_MS = 10_000
const TOLD_EVERY_MS = 60_000

interface QueueOptions {
  readonly exporter: SpanExporter
  readonly gatherMs?: number
  readonly onLost?: (lost: number) => void
}

/** Spans on their way to the exporter: so many at most, and those beyond are counted and dropped. Nobody waits. */
export class BoundedQueue implements SpanProcessor {
  lost = 0
  readonly #batches: BatchSpanProcessor
  readonly #onLost: (lost: number) => void
  #waiting = 0
  #toldAt = -Infinity

  constructor({ exporter, gatherMs = GATHER_MS, onLost = () => undefined }: QueueOptions) {
    this.#onLost = onLost
    this.#batches = new BatchSpanProcessor({
      exporter: {
        export: (spans, done) => exporter.export(spans, (result) => this.#sent(spans.length, result, done)),
        shutdown: () => exporter.shutdown(),
      },
      maxQueueSize: WAITING_MAX,
      maxExportBatchSize: SENT_AT_ONCE,
      scheduledDelayMillis: gatherMs,
      exportTimeoutMillis: PATIENCE_MS,
    })
  }

  onStart(_span: Span): void {}

  onEnd(span: ReadableSpan): void {
    // Not one of the share that is kept: the batches leave it out too.
    if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) return
    if (this.#waiting >= WAITING_MAX) return this.#lose(1)
    this.#waiting++
    this.#batches.onEnd(span)
  }

  forceFlush(): Promise<void> {
    return this.#batches.forceFlush()
  }

  shutdown(): Promise<void> {
    return this.#batches.shutdown()
  }

  #sent(count: number, result: ExportResult, done: (result: ExportResult) => void): void {
    this.#waiting -= count
    if (result.code !== ExportResultCode.SUCCESS) this.#lose(count)
    done(result)
  }

  #lose(count: number): void {
    this.lost += count
    if (performance.now() - this.#toldAt < TOLD_EVERY_MS) return
    this.#toldAt = performance.now()
    this.#onLost(this.lost)
  }
}
