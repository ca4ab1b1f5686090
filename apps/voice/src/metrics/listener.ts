import fastify, { type FastifyInstance } from 'fastify'
import type { VoiceMetrics } from './metrics.ts'

/** Serves `GET /metrics` on a port of its own: what it tells is for the operator alone. */
export function metricsListener(metrics: VoiceMetrics): FastifyInstance {
  const server = fastify({ logger: false, forceCloseConnections: true, requestTimeout: 10_000 })
  server.get('/metrics', async (_, reply) => reply.type(metrics.contentType).send(await metrics.text()))
  return server
}
