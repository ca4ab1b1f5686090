import { BODY_MAX_BYTES } from '@parley/contract'
import { type FastifyBaseLogger, type FastifyInstance, fastify as createFastify, LogController } from 'fastify'
import type { Context } from './context.ts'
import { endConnectionsAtClose } from './platform/process/closing.ts'
import { AppError } from './platform/errors.ts'
import { inTraceOf, joinTraces, traceRequests } from './platform/requests/traced.ts'
import { ARRIVAL_BOUNDS, endIdleSenders, endRefusedSenders } from './platform/requests/senders.ts'
import { parseJson } from './platform/requests/split-json.ts'
import { answerUnreadable, answerUnroutable } from './platform/requests/unread.ts'

function readJson(body: string): unknown {
  // Some programs begin a text with a byte order mark.
  const text = body.startsWith('\ufeff') ? body.slice(1) : body
  if (text === '') throw new AppError('invalid_json', 'The body is empty; send JSON.')
  return parseJson(text)
}

/**
 * An HTTP server that does not listen yet and bounds what it is sent: the public one and the internal one are made
 * here.
 */
export function createListener(
  { config, log, metrics, traces }: Pick<Context, 'config' | 'log' | 'metrics' | 'traces'>,
  { isInternal = false } = {},
): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = log
  const fastify = createFastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustedProxies.length === 0 ? false : [...config.trustedProxies],
    bodyLimit: BODY_MAX_BYTES,
    ...ARRIVAL_BOUNDS,
    // Connections that are still open while it closes are served; /health tells the load balancer.
    return503OnClosing: false,
    frameworkErrors: answerUnroutable,
    clientErrorHandler: answerUnreadable,
  })
  endIdleSenders(fastify)
  endRefusedSenders(fastify)
  endConnectionsAtClose(fastify)
  // Bodies are JSON; a page of another site can send text/plain without asking first.
  fastify.removeContentTypeParser('text/plain')
  // The framework's own parser does not say what is wrong with a body that it refuses.
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, readJson(String(body)))
    } catch (error) {
      done(error instanceof Error ? error : new AppError('invalid_json', 'The body is not valid JSON.'))
    }
  })
  if (isInternal) joinTraces(fastify, traces)
  else traceRequests(fastify, traces)
  // The route, not the address: that may carry a mail link's token or somebody's id.
  fastify.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request
    metrics.answered({ method, route: routeOptions.url ?? 'none', status: reply.statusCode, ms: reply.elapsedTime })
    const answered = { method, route: routeOptions.url, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }
    inTraceOf(request, () => request.log.info(answered, 'request'))
  })
  return fastify
}
