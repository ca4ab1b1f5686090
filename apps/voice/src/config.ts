import { join } from 'node:path'
import { z } from 'zod'

const port = z.coerce.number().int().min(0).max(65535)

const Environment = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).catch('development'),
  PORT: port.default(3000),
  VOICE_PORT: port.optional(),
  HOST: z.string().min(1).optional(),
  API_URL: z.url({ protocol: /^https?$/ }).optional(),
  VOICE_SECRET: z.string().min(16, 'VOICE_SECRET must be the secret of at least 16 characters that api and voice share.'),
  CARRIER: z.enum(['simulated', 'twilio', 'sip']).default('simulated'),
  MIND: z.enum(['scripted', 'language-model', 'realtime']).default('scripted'),
  SANDBOX_SPEED: z.coerce.number().min(1).max(100).default(1),
  CAPACITY: z.coerce.number().int().min(1).max(10_000).default(200),
  DATA_DIR: z.string().min(1).default('.data'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})

export interface Config {
  readonly host: string
  readonly port: number
  readonly apiUrl: string
  readonly secret: string
  readonly carrier: 'simulated'
  readonly mind: 'scripted'
  readonly clockSpeed: number
  readonly capacity: number
  /** Where recordings are written until the api has them. */
  readonly spoolDir: string
  readonly logLevel: string
}

/** What stops a start; its message is for the operator. */
export class ConfigError extends Error {}

export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const filled = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const read = Environment.safeParse(filled)
  if (!read.success) throw new ConfigError(read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'))
  const { data } = read
  if (data.CARRIER !== 'simulated') throw new ConfigError(`CARRIER=${data.CARRIER} is not available in this build. Use CARRIER=simulated.`)
  if (data.MIND !== 'scripted') throw new ConfigError(`MIND=${data.MIND} is not available in this build. Use MIND=scripted.`)
  return {
    host: data.HOST ?? (data.NODE_ENV === 'production' ? '0.0.0.0' : '127.0.0.1'),
    port: data.VOICE_PORT ?? data.PORT + 1,
    apiUrl: data.API_URL ?? `http://localhost:${data.PORT}`,
    secret: data.VOICE_SECRET,
    carrier: data.CARRIER,
    mind: data.MIND,
    clockSpeed: data.SANDBOX_SPEED,
    capacity: data.CAPACITY,
    spoolDir: join(data.DATA_DIR, 'recordings-under-way'),
    logLevel: data.LOG_LEVEL,
  }
}
