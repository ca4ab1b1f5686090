import { createServer } from 'node:http'
import { type ErrorReply, type Liveness, PROBE_PATHS, type Readiness } from '@parley/contract'
import type { Config } from './config.ts'

const RETRY_AFTER_SECONDS = 5

/**
 * Answers on the api's port while it waits for its database or a migration: alive, not ready. Not with port 0, which no
 * client knows yet.
 */
export async function answerWhileStarting({ host, port }: Pick<Config, 'host' | 'port'>): Promise<() => Promise<void>> {
  if (port === 0) return () => Promise.resolve()
  const server = createServer(({ url = '' }, response) => {
    const path = url.split('?')[0]
    const [status, body] = answerTo(path)
    response.setHeader('content-type', 'application/json')
    if (status === 503) response.setHeader('retry-after', RETRY_AFTER_SECONDS)
    response.writeHead(status, { connection: 'close' }).end(JSON.stringify(body))
  })
  await new Promise<void>((listening, failed) => server.once('error', failed).listen(port, host, listening))
  return () =>
    new Promise((closed) => {
      server.close(() => closed())
      server.closeAllConnections()
    })
}

function answerTo(path: string | undefined): readonly [number, Liveness | Readiness | ErrorReply] {
  if (path === PROBE_PATHS.livez) return [200, { status: 'ok' }]
  if (path === PROBE_PATHS.readyz) return [503, { status: 'not_ready', reason: 'It is starting.' }]
  return [503, { code: 'unavailable', message: 'The service is starting. Please try again in a moment.' }]
}
