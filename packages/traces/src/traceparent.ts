/** What a span is known by elsewhere. */
export interface SpanContext {
  readonly traceId: string
  readonly spanId: string
  /** 1: it is kept. */
  readonly traceFlags: number
  readonly isRemote?: boolean
}

/** Of W3C Trace Context. */
export const TRACEPARENT_HEADER = 'traceparent'

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/
const NOTHING = /^0+$/

export function traceparentOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}

/** undefined for none, and for one that cannot be read. */
export function readTraceparent(text: unknown): SpanContext | undefined {
  if (typeof text !== 'string') return undefined
  const [, version, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(text) ?? []
  if (version === undefined || version === 'ff' || NOTHING.test(traceId) || NOTHING.test(spanId)) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
}
