import { systemRoutes } from '@parley/contract'
import { type OpenSpan, readTraceparent, type SpanContext, type Traces, within } from '@parley/traces'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Asked every few seconds by whoever runs the process. */
const PROBES: ReadonlySet<string> = new Set(
  [systemRoutes.livez, systemRoutes.readyz, systemRoutes.health].map(({ path }) => path),
)

const open = new WeakMap<FastifyRequest, OpenSpan>()
const parents = new WeakMap<FastifyRequest, SpanContext>()

/** A span for each request. A stranger's trace is linked and not joined: nobody outside chooses what is kept. */
export function traceRequests(fastify: FastifyInstance, traces: Traces): void {
  if (!traces.isOn) return
  fastify.addHook('onRequest', async (request) => {
    const { method, routeOptions, headers } = request
    const { url: route } = routeOptions
    if (route === undefined || PROBES.has(route)) return
    const caller = readTraceparent(headers.traceparent)
    const attributes = { 'http.request.method': method, 'http.route': route }
    const links = caller ? [caller] : []
    open.set(request, traces.begin(`${method} ${route}`, { kind: 'server', parent: null, links, attributes }))
  })
  fastify.addHook('onResponse', async (request, { statusCode }) => {
    const span = open.get(request)
    span?.add({ 'http.response.status_code': statusCode })
    if (statusCode >= 500) span?.fail(statusCode)
    span?.end()
  })
}

/** Requests of our own services belong to the trace of their call. They are many: what they do may have a span. */
export function joinTraces(fastify: FastifyInstance, traces: Traces): void {
  if (!traces.isOn) return
  fastify.addHook('onRequest', async (request) => {
    const parent = readTraceparent(request.headers.traceparent)
    if (parent) parents.set(request, parent)
  })
}

/** What is logged, enqueued and asked of others by the work belongs to the request. */
export function inTraceOf<T>(request: FastifyRequest, work: () => T): T {
  return within(open.get(request)?.context ?? parents.get(request), work)
}
