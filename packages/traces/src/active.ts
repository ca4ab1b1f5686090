import { AsyncLocalStorage } from 'node:async_hooks'
import { type SpanContext, traceparentOf } from './traceparent.ts'

/** The span that the running work belongs to: what it logs, enqueues and asks others for carries it. */
const active = new AsyncLocalStorage<SpanContext>()

export function within<T>(span: SpanContext | undefined, work: () => T): T {
  return span ? active.run(span, work) : work()
}

export function activeSpan(): SpanContext | undefined {
  return active.getStore()
}

export function activeTraceId(): string | undefined {
  return active.getStore()?.traceId
}

export function activeTraceparent(): string | undefined {
  const span = active.getStore()
  return span && traceparentOf(span)
}
