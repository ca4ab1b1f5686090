import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type AppOptions, createApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import { type Context, createContext } from './context.ts'
import type { FloorOverrides } from './floor.ts'

export { readConfig } from './config.ts'
export { createContact } from './contacts/index.ts'
export { AppError } from './platform/errors.ts'
export type { Config } from './config.ts'
export type { Context } from './context.ts'

export interface Server {
  /** Where it listens. */
  readonly url: string
  readonly port: number
  readonly context: Context
  /** Stops taking work, lets what runs finish, closes in order. */
  close(): Promise<void>
}

export async function startServer(config: Config, options: AppOptions & { overrides?: FloorOverrides } = {}): Promise<Server> {
  const context = await createContext(config, options.overrides)
  let app: FastifyInstance | undefined
  const close = async () => {
    await app?.close()
    await context.close()
  }
  try {
    app = await createApp(context, options)
    await context.jobs.start()
    await app.listen({ host: config.host, port: config.port })
    const { port } = addressOf(app)
    return { url: `http://${config.host}:${port}`, port, context, close }
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
  const server = await startServer(readConfig())
  server.context.log.info({ url: server.url }, 'listening')
  const stop = () => {
    setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref()
    server.close().then(() => process.exit(0), fail)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
}

function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

if (import.meta.main) main().catch(fail)
