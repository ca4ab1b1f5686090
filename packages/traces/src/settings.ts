import { z } from 'zod'

/** The names that OpenTelemetry has for them. The exporter itself reads others: OTEL_EXPORTER_OTLP_HEADERS and TLS. */
export const traceVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .optional(z.url({ protocol: /^https?$/, error: 'must be an address such as http://collector:4318' }))
    .meta({
      description:
        'where traces go by OTLP/HTTP, such as `http://collector:4318`; OTEL_EXPORTER_OTLP_HEADERS is sent along',
      unset: 'no traces',
    }),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .meta({ description: 'share of the traces that is kept, 0 to 1; a call is kept as a whole' }),
} as const

export interface TraceSettings {
  /** Without a slash at its end. */
  readonly endpoint: string
  /** Of the traces that begin here. */
  readonly share: number
}

export interface TraceOptions extends TraceSettings {
  /** Such as `parley-api`. */
  readonly service: string
  readonly version: string
  /** Tells the processes of one service apart. */
  readonly instance: string
  /** Told of spans that could not be exported, at most once a minute. */
  readonly onLost?: (lost: number) => void
  /** How long spans are gathered for one request. */
  readonly gatherMs?: number
}

/** undefined: no traces. */
export function traceSettings(env: {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined
  readonly OTEL_TRACES_SAMPLER_ARG: number
}): TraceSettings | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: share } = env
  return endpoint === undefined ? undefined : { endpoint: endpoint.replace(/\/+$/, ''), share }
}
