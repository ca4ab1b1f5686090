import { systemRoutes } from '@parley/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from './context.ts'
import { readinessOf } from './health.ts'
import { createListener } from './listener.ts'
import { notFound } from './platform/errors.ts'
import { createRouter, type Router } from './platform/http.ts'

/** Whether the process lives, and whether it can be sent work. Returns whether it is stopping. */
export function registerProbes({ fastify, route }: Router, context: Pick<Context, 'db'>): () => boolean {
  let draining = false
  fastify.addHook('preClose', async () => void (draining = true))
  route(systemRoutes.livez, () => ({ status: 'ok' as const }))
  route(systemRoutes.readyz, async ({ reply }) => {
    const readiness = await readinessOf(context, draining)
    reply.code(readiness.status === 'ready' ? 200 : 503)
    return readiness
  })
  return () => draining
}

/** A worker as an HTTP server that does not listen yet: it answers probes alone. */
export function createWorkerApp(context: Context): FastifyInstance {
  const fastify = createListener(context)
  const router = createRouter(fastify, {
    authenticate: () => Promise.resolve(null),
    allowedOrigins: new Set(),
    serviceKeys: context.config.voice.keys,
  })
  fastify.setNotFoundHandler(() => {
    throw notFound('The address')
  })
  registerProbes(router, context)
  return fastify
}
