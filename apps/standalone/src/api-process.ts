import { createLog, guardProcess, isLoopback, readConfig, startServer } from '@parley/api'
import { readStandaloneConfig, type StandaloneConfig } from './config.ts'
import { ensureDemoUser, retireDemoUser } from './demo.ts'
import { DEMO } from './demo-user.ts'
import { addOutboxPages } from './outbox-pages.ts'
import { voiceParts } from './voice-parts.ts'
import { type EmbeddedPayments, startPayments } from '@parley/sandbox'

// The api with its embedded components, in a process that main.ts starts and restarts.

/** Less than the supervisor waits. */
const STOP_DEADLINE_MS = 20_000
const HOST = '127.0.0.1'

interface Running {
  readonly components: readonly string[]
  close(): Promise<void>
}

async function start(config: StandaloneConfig, signal: AbortSignal): Promise<Running> {
  // Behind a proxy every request comes from this machine: only PUBLIC_URL says who can reach it.
  const own = isLoopback(new URL(config.publicUrl).hostname)
  // Close functions of the started components, the last first.
  const started: (() => Promise<void>)[] = []
  const close = async () => {
    for (const stop of started.splice(0)) await stop()
  }
  try {
    const payments = await startEmbeddedPayments(config)
    if (payments) started.unshift(() => payments.sandbox.close())
    const apiConfig = readConfig({ ...config.environment, ...payments?.environment })
    guardProcess(createLog(apiConfig.logLevel))
    const api = await startServer(apiConfig, {
      signal,
      prepare: async (context) => (own ? ensureDemoUser(context) : undefined),
      extend(fastify, context) {
        const { mailer, log } = context
        if (own && mailer.kind === 'outbox') addOutboxPages(fastify, () => mailer.list())
        if (own) return
        const retired = retireDemoUser(context)
        // Requests wait for it, and fail while it fails.
        fastify.addHook('onRequest', () => retired)
        retired.catch((error: unknown) => log.error({ err: error }, 'the demo user could not be locked'))
      },
    })
    started.unshift(() => api.close())
    const demo = own ? [`demo user  ${DEMO.email}, password ${DEMO.password}`] : []
    return { components: [...demo, ...componentsOf(config, apiConfig, own)], close }
  } catch (error) {
    await close()
    throw error
  }
}

async function startEmbeddedPayments(config: StandaloneConfig): Promise<EmbeddedPayments | undefined> {
  const { paymentsPort: port, dataDir, publicUrl } = config
  if (port === undefined) return undefined
  return startPayments({
    port,
    dataDir,
    publicUrl,
    apiUrl: `http://${HOST}:${config.port}`,
    secret: config.environment['AUTH_SECRET'] ?? '',
  })
}

function componentsOf(config: StandaloneConfig, api: ReturnType<typeof readConfig>, own: boolean): string[] {
  const outbox = own
    ? `local outbox, ${new URL(config.publicUrl).origin}/dev/outbox`
    : `kept in ${config.dataDir}; set SMTP_URL to send it`
  return [
    `database   ${api.databaseUrl === undefined ? `embedded PostgreSQL in ${config.dataDir}` : 'PostgreSQL of DATABASE_URL'}`,
    `live bus   ${api.redisUrl === undefined ? 'in this process' : 'Redis of REDIS_URL'}`,
    `mail       ${api.mail.kind === 'outbox' ? outbox : 'SMTP server of SMTP_URL'}`,
    `recordings ${api.s3 === undefined ? `files in ${config.dataDir}` : `S3 bucket ${api.s3.bucket}`}`,
    `payments   ${api.payments.kind === 'sandbox' ? `sandbox at ${api.payments.apiBase}: pay with 4242 4242 4242 4242` : 'Stripe'}`,
    ...voiceParts(config.environment, {
      isSimulated: config.simulated,
      carrier: api.voice.carrier,
      speed: config.speed,
      testNumbers: config.testNumbers,
    }),
    `voice      http://${HOST}:${config.voicePort}/health`,
  ]
}

function tell(
  message: { type: 'listening'; components: readonly string[] } | { type: 'failed'; message: string },
): Promise<void> {
  return new Promise((sent) => (process.connected ? process.send?.(message, () => sent()) : sent()))
}

async function main(): Promise<void> {
  const stopped = new AbortController()
  const starting = start(readStandaloneConfig(), stopped.signal)
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref()
    stopped.abort(new Error('The api was stopped while it started.'))
    void starting
      .then((running) => running.close())
      .then(
        () => process.exit(0),
        () => process.exit(1),
      )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  // The supervisor is gone and could neither restart nor stop this process.
  process.on('disconnect', stop)
  const { components } = await starting
  await tell({ type: 'listening', components })
}

main().catch(async (error: unknown) => {
  await tell({ type: 'failed', message: error instanceof Error ? error.message : String(error) })
  process.exit(1)
})
