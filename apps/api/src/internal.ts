import type { FastifyInstance } from 'fastify'
import { fenceShown, registerNodes, registerVoiceReports } from './calls/index.ts'
import type { Context } from './context.ts'
import { createListener } from './listener.ts'
import { notFound } from './platform/errors.ts'
import { createRouter } from './platform/http.ts'
import { addInternalLimit } from './platform/pages/protection.ts'

/**
 * What the voice service tells the api: a listener of its own, so that no public address leads to it. It does not
 * listen yet.
 */
export async function createInternalApp(context: Context): Promise<FastifyInstance> {
  const { config } = context
  const fastify = createListener(context, { isInternal: true })
  await addInternalLimit(fastify, config.internal.requestsPerMinute)
  const router = createRouter(fastify, {
    authenticate: () => Promise.resolve(null),
    allowedOrigins: new Set(),
    serviceKeys: config.voice.keys,
    showsToken: (request) => fenceShown(config, request) !== undefined,
  })
  fastify.setNotFoundHandler(() => {
    throw notFound('The address')
  })
  registerVoiceReports(router, context.calls)
  registerNodes(router, context.calls)
  return fastify
}
