import { type Link, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace'
import { activeSpan, within } from './active.ts'
import { BoundedQueue } from './bounded-queue.ts'
import type { TraceOptions } from './settings.ts'
import type { OpenSpan, SpanOptions, Traces } from './traces.ts'

const KINDS = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER } as const
const EXPORT_DEADLINE_MS = 5000
const CLOSE_DEADLINE_MS = 2000

/**
 * The provider is ours alone and never the global one: libraries that look for that (models, sign-in, SQL) would add
 * spans with what was said and who said it.
 */
export function exportedTraces(settings: TraceOptions): Traces {
  const { endpoint, share, service, version, instance } = settings
  const queue = new BoundedQueue({
    exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: EXPORT_DEADLINE_MS }),
    ...(settings.gatherMs !== undefined && { gatherMs: settings.gatherMs }),
    ...(settings.onLost && { onLost: settings.onLost }),
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': service,
      'service.version': version,
      'service.instance.id': instance,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [queue],
  })
  const tracer = provider.getTracer('parley')
  let closed: Promise<void> | undefined

  const begin = (name: string, options: SpanOptions = {}): OpenSpan => {
    const { kind, links = [], attributes = {}, startMs } = options
    const parent = options.parent === undefined ? activeSpan() : options.parent
    const span = tracer.startSpan(
      name,
      {
        kind: kind ? KINDS[kind] : SpanKind.INTERNAL,
        links: links.map((context): Link => ({ context })),
        attributes: { ...attributes },
        ...(startMs !== undefined && { startTime: new Date(startMs) }),
      },
      parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT,
    )
    return {
      context: span.spanContext(),
      add: (more) => void span.setAttributes({ ...more }),
      fail(error) {
        span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', kindOf(error))
      },
      end: (atMs) => span.end(atMs === undefined ? undefined : new Date(atMs)),
    }
  }

  return {
    isOn: true,
    get lost() {
      return queue.lost
    },
    begin,
    async run(name, options, work) {
      const span = begin(name, options)
      try {
        return await within(span.context, work)
      } catch (error) {
        span.fail(error)
        throw error
      } finally {
        span.end()
      }
    },
    close() {
      const late = new Promise<void>((done) => void setTimeout(done, CLOSE_DEADLINE_MS).unref())
      closed ??= Promise.race([provider.shutdown().catch(() => undefined), late])
      return closed
    },
  }
}

/** A closed code of ours, of PostgreSQL or of the system. */
const CODE = /^(?:[A-Za-z_]{2,40}|[0-9A-Z]{5})$/

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const code: unknown = Reflect.get(error, 'code')
  return typeof code === 'string' && CODE.test(code) ? code : error.name
}
