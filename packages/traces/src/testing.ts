import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

// A receiver of OTLP/HTTP in JSON, for tests and benches.

const Value = z.union([
  z.object({ stringValue: z.string() }).transform(({ stringValue }) => stringValue),
  z.object({ intValue: z.coerce.number() }).transform(({ intValue }) => intValue),
  z.object({ doubleValue: z.number() }).transform(({ doubleValue }) => doubleValue),
  z.object({ boolValue: z.boolean() }).transform(({ boolValue }) => boolValue),
  z
    .object({ arrayValue: z.object({ values: z.array(z.object({ stringValue: z.string() })) }) })
    .transform(({ arrayValue }) => arrayValue.values.map(({ stringValue }) => stringValue)),
])
const Attributes = z
  .array(z.object({ key: z.string(), value: Value }))
  .default([])
  .transform((pairs) => Object.fromEntries(pairs.map(({ key, value }) => [key, value])))
const Nanos = z.coerce.bigint().transform((ns) => Number(ns / 1000n) / 1000)
const Id = z.string().regex(/^[0-9a-f]+$/)
const Span = z
  .object({
    name: z.string(),
    traceId: Id.length(32),
    spanId: Id.length(16),
    parentSpanId: z.string().optional(),
    kind: z.number(),
    startTimeUnixNano: Nanos,
    endTimeUnixNano: Nanos,
    links: z.array(z.object({ traceId: Id, spanId: Id })).default([]),
    status: z.object({ code: z.number().default(0) }).default({ code: 0 }),
    attributes: Attributes,
  })
  .transform(({ startTimeUnixNano, endTimeUnixNano, ...span }) => ({
    ...span,
    startMs: startTimeUnixNano,
    endMs: endTimeUnixNano,
  }))
const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(Span) })),
    }),
  ),
})

export type ReceivedSpan = z.output<typeof Span> & { readonly service: string }

export interface OtlpReceiver {
  /** OTEL_EXPORTER_OTLP_ENDPOINT */
  readonly url: string
  readonly spans: readonly ReceivedSpan[]
  /** Everything that was sent, as it came. */
  readonly bodies: readonly string[]
  readonly requests: number
  /** silent: it takes the request and never answers. */
  behave(as: 'well' | 'silent' | 'broken'): void
  close(): Promise<void>
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = []
  const bodies: string[] = []
  let requests = 0
  let behaviour: Parameters<OtlpReceiver['behave']>[0] = 'well'
  const server = createServer((request, response) => {
    requests++
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => void chunks.push(chunk))
    request.on('end', () => {
      if (behaviour === 'silent') return
      if (behaviour === 'broken' || request.url !== '/v1/traces') return void response.writeHead(400).end()
      const body = Buffer.concat(chunks).toString('utf8')
      bodies.push(body)
      spans.push(...spansIn(body))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  // Cast: a server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    bodies,
    get requests() {
      return requests
    },
    behave: (as) => void (behaviour = as),
    close: () => {
      server.closeAllConnections()
      return new Promise((done) => void server.close(() => done()))
    },
  }
}

function spansIn(body: string): ReceivedSpan[] {
  return Export.parse(JSON.parse(body)).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map((span) => ({ ...span, service: String(resource.attributes['service.name']) })),
    ),
  )
}
