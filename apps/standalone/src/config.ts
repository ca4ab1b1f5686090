import { resolve } from 'node:path'
import { z } from 'zod'

const Port = z.coerce.number().int().min(1).max(65_535)

const Environment = z.object({
  PORT: Port.default(3000),
  VOICE_PORT: Port.optional(),
  PAYMENTS_SANDBOX_PORT: Port.optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  SANDBOX_SPEED: z.coerce
    .number()
    .min(1, 'is how many times faster simulated calls run: 1 to 100')
    .max(100, 'is how many times faster simulated calls run: 1 to 100')
    .default(1),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  CARRIER: z.string().default('simulated'),
  LOG_LEVEL: z.string().default('warn'),
})

/** Limits per address are generous here: one person with many tabs and scripts. Limits per account are those of production. */
const GENEROUS = { SIGN_IN_LIMIT_PER_MINUTE: '300', REQUEST_LIMIT_PER_MINUTE: '6000' }

/** Even one of them means the real Stripe; the api then says what is missing. */
const STRIPE_KEYS = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET']

export interface StandaloneConfig {
  readonly port: number
  readonly voicePort: number
  /** undefined: real keys are set. */
  readonly paymentsPort: number | undefined
  readonly dataDir: string
  readonly speed: number
  readonly publicUrl: string
  readonly simulated: boolean
  readonly logLevel: string
  /** Handed on to the api and the voice service, which read their own variables from it. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

export function readStandaloneConfig(environment: Readonly<Record<string, string | undefined>> = process.env): StandaloneConfig {
  // An empty variable is the same as none.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = Environment.safeParse(given)
  if (!parsed.success) {
    throw new Error(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('\n'))
  }
  const env = parsed.data
  return {
    port: env.PORT,
    voicePort: env.VOICE_PORT ?? env.PORT + 1,
    paymentsPort: STRIPE_KEYS.some((name) => name in given) ? undefined : (env.PAYMENTS_SANDBOX_PORT ?? env.PORT + 2),
    dataDir: resolve(env.DATA_DIR),
    speed: env.SANDBOX_SPEED,
    publicUrl: env.PUBLIC_URL ?? `http://localhost:${env.PORT}`,
    simulated: env.CARRIER === 'simulated',
    logLevel: env.LOG_LEVEL,
    environment: { ...GENEROUS, ...given },
  }
}

/** For the build of the pages: what is built is what ships, whoever builds it, a test runner too. */
export function buildEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, NODE_ENV: 'production' }
}
