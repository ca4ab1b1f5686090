import type { AddressInfo } from 'node:net'
import { CONFIG_EXIT_CODE, ConfigError } from '@parley/contract/environment'
import type { FastifyInstance } from 'fastify'
import { type AppOptions, createApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import { type Context, createContext } from './context.ts'
import type { FloorOverrides } from './floor.ts'
import { createInternalApp } from './internal.ts'
import { createLog } from './platform/log/log.ts'
import { listenForMetrics } from './platform/metrics/listener.ts'
import { guardProcess } from './platform/process/guard.ts'
import { createWorkerApp } from './probes.ts'
import { answerWhileStarting } from './starting.ts'

export { readConfig } from './config.ts'
export { createContact } from './contacts/index.ts'
export { AppError } from './platform/errors.ts'
export { isLoopback } from './platform/requests/hosts.ts'
export { createLog } from './platform/log/log.ts'
export { guardProcess } from './platform/process/guard.ts'
export type { Config } from './config.ts'
export type { Context } from './context.ts'

export interface Server {
  /** Where it listens. */
  readonly url: string
  readonly port: number
  /** Where the voice service reaches it; empty for a worker, which it does not reach. */
  readonly internalUrl: string
  /** Where its metrics are read; undefined: nowhere. */
  readonly metricsUrl: string | undefined
  readonly context: Context
  /** Stops taking work, lets what runs finish, closes in order. */
  close(): Promise<void>
}

interface ServerOptions extends AppOptions {
  readonly overrides?: FloorOverrides
  /** Aborts the wait for an unreachable database. */
  readonly signal?: AbortSignal
}

export async function startServer(config: Config, options: ServerOptions = {}): Promise<Server> {
  // Close functions of what has started, the last first.
  const begun: (() => Promise<void>)[] = []
  const close = async () => {
    for (const end of begun.splice(0)) await end()
  }
  try {
    const stopAnswering = await answerWhileStarting(config)
    begun.unshift(stopAnswering)
    const context = await createContext(config, options.overrides, options.signal)
    begun.unshift(() => context.close())
    // Facts of calls are the api's: a worker has no internal listener.
    const internal = config.role === 'worker' ? undefined : await createInternalApp(context)
    if (internal) begun.unshift(() => internal.close())
    const app = config.role === 'worker' ? createWorkerApp(context) : await createApp(context, options)
    begun.unshift(() => app.close())
    await context.jobs.start()
    await options.prepare?.(context)
    await internal?.listen(config.internal)
    const figures = config.metrics && (await listenForMetrics(context.metrics, config.metrics))
    if (figures) begun.unshift(() => figures.close())
    await stopAnswering()
    await app.listen({ host: config.host, port: config.port })
    const { port } = addressOf(app)
    const internalUrl = internal ? `http://${config.internal.host}:${addressOf(internal).port}` : ''
    const metricsUrl = figures && `http://${config.metrics?.host}:${figures.port}/metrics`
    return { url: `http://${config.host}:${port}`, port, internalUrl, metricsUrl, context, close }
  } catch (error) {
    await close()
    throw error
  }
}

function addressOf(app: FastifyInstance): AddressInfo {
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port.')
  return address
}

const STOP_DEADLINE_MS = 20_000

async function main(): Promise<void> {
  const config = readConfig()
  guardProcess(createLog(config.logLevel))
  const server = await startServer(config)
  const stop = () => {
    setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref()
    server.close().then(() => process.exit(0), fail)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  // Logged last: a reader of this line may stop the server at once.
  server.context.log.info({ url: server.url, role: config.role }, 'listening')
}

function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(error instanceof ConfigError ? CONFIG_EXIT_CODE : 1)
}

if (import.meta.main) main().catch(fail)
