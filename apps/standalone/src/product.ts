import { readConfig, startServer } from '@parley/api'
import { buildWeb } from './build-web.ts'
import type { StandaloneConfig } from './config.ts'
import { ensureDemoUser } from './demo.ts'
import { addOutboxPages } from './outbox-pages.ts'
import { type EmbeddedPayments, startPayments } from './payments/start.ts'
import { keepSecrets, type Secrets } from './secrets.ts'
import { startVoice } from './voice-process.ts'

export interface Product {
  readonly url: string
  /** What is embedded and what is real, a line each. */
  readonly parts: readonly string[]
  close(): Promise<void>
}

const HOST = '127.0.0.1'

/** The whole product on this machine. Throws one sentence that helps when a part cannot start. */
export async function startProduct(config: StandaloneConfig, say: (line: string) => void): Promise<Product> {
  const secrets = await keepSecrets(config.dataDir)
  const webDir = await buildWeb(say)
  // What has started, the last first: so it is closed, at the end or when the next part cannot start.
  const started: (() => Promise<void>)[] = []
  const close = async () => {
    for (const stop of started.splice(0)) await stop()
  }
  try {
    const payments = await startEmbeddedPayments(config, secrets)
    if (payments) started.unshift(() => payments.sandbox.close())
    const apiConfig = readConfig({ ...apiEnvironment(config, secrets, webDir), ...payments?.environment })
    const voice = await startVoice(voiceEnvironment(config, secrets), say)
    started.unshift(() => voice.stop())
    const api = await startServer(apiConfig, {
      extend(fastify, { mailer }) {
        if (mailer.kind === 'outbox') addOutboxPages(fastify, () => mailer.list())
      },
    })
    // The voice service still has facts to tell as it stops.
    started.splice(1, 0, () => api.close())
    await ensureDemoUser(api.context)
    return { url: config.publicUrl, parts: partsOf(config, apiConfig), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function startEmbeddedPayments(config: StandaloneConfig, secrets: Secrets): Promise<EmbeddedPayments | undefined> {
  const { paymentsPort: port, dataDir, publicUrl } = config
  if (port === undefined) return undefined
  return startPayments({ port, dataDir, publicUrl, apiUrl: `http://${HOST}:${config.port}`, secret: secrets.auth })
}

function voiceEnvironment(config: StandaloneConfig, secrets: Secrets): NodeJS.ProcessEnv {
  return {
    ...config.environment,
    HOST,
    VOICE_PORT: String(config.voicePort),
    API_URL: `http://${HOST}:${config.port}`,
    VOICE_SECRET: secrets.voice,
    SANDBOX_SPEED: String(config.speed),
    LOG_LEVEL: config.logLevel,
    DATA_DIR: config.dataDir,
  }
}

function apiEnvironment(config: StandaloneConfig, secrets: Secrets, webDir: string): NodeJS.ProcessEnv {
  return {
    ...config.environment,
    PORT: String(config.port),
    PUBLIC_URL: config.publicUrl,
    DATA_DIR: config.dataDir,
    VOICE_URL: `http://${HOST}:${config.voicePort}`,
    VOICE_SECRET: secrets.voice,
    AUTH_SECRET: secrets.auth,
    WEB_DIR: webDir,
    LOG_LEVEL: config.logLevel,
  }
}

function partsOf(config: StandaloneConfig, api: ReturnType<typeof readConfig>): string[] {
  const local = new URL(config.publicUrl).origin
  return [
    `database   ${api.databaseUrl === undefined ? `embedded PostgreSQL in ${config.dataDir}` : 'PostgreSQL of DATABASE_URL'}`,
    `live bus   ${api.redisUrl === undefined ? 'in this process' : 'Redis of REDIS_URL'}`,
    `mail       ${api.mail.kind === 'outbox' ? `local outbox, ${local}/dev/outbox` : 'SMTP server of SMTP_URL'}`,
    `recordings ${api.s3 === undefined ? `files in ${config.dataDir}` : `S3 bucket ${api.s3.bucket}`}`,
    `payments   ${api.payments.kind === 'sandbox' ? `sandbox at ${api.payments.apiBase}: pay with 4242 4242 4242 4242` : 'Stripe'}`,
    `carrier    ${config.simulated ? `simulated network${config.speed === 1 ? '' : `, ${config.speed} times as fast`}` : api.voice.carrier}`,
    `mind       ${api.voice.mind === 'scripted' ? 'scripted: an offline agent without a language model' : api.voice.mind}`,
    `voice      http://${HOST}:${config.voicePort}/health`,
  ]
}
