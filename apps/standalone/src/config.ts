import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { carrierVariables } from '@parley/contract/carriers'
import { ConfigError, readEnvironment } from '@parley/contract/environment'
import { z } from 'zod'

const Port = z.coerce.number().int().min(1).max(65_535)

/** describe() texts go into the docs by `npm run docs`; `unset` is the value without the variable. */
export const Environment = z.object({
  PORT: Port.default(3000).meta({ description: 'web page, API, live channel' }),
  VOICE_PORT: Port.optional().meta({ description: 'voice service; `GET /health`', unset: 'PORT+1' }),
  INTERNAL_PORT: Port.optional().meta({ description: 'requests between api and voice', unset: 'PORT+3' }),
  INTERNAL_HOST: z.string().min(1).default('127.0.0.1').meta({
    description: 'the address that INTERNAL_PORT listens on; set it when the voice service runs on another machine',
  }),
  PAYMENTS_SANDBOX_PORT: Port.optional().meta({
    description: 'the payments sandbox, used while no `STRIPE_` key is set; pay with 4242 4242 4242 4242',
    unset: 'PORT+2',
  }),
  DATA_DIR: z
    .string()
    .min(1)
    .default('.data')
    .meta({ description: 'persistent data: database, secrets, backups, outbox, recordings' }),
  SANDBOX_SPEED: z.coerce.number().min(1).max(100).default(1).meta({
    description:
      'simulated calls run this many times as fast as the wall clock, 1 to 100; call times and credits stay in call time',
  }),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://parley.example' })
    .optional()
    .meta({
      description: 'the public address: links, redirects and the origin that may write',
      unset: 'http://localhost:PORT',
    }),
  CARRIER: carrierVariables.CARRIER,
  SANDBOX_NUMBERS: carrierVariables.SANDBOX_NUMBERS,
  LOG_LEVEL: z
    .string()
    .default('warn')
    .meta({ description: 'log level; logs are JSON lines without phone numbers and spoken words' }),
})

/** Wildcard addresses: valid to listen on, not to connect to. */
const EVERY_ADDRESS = new Set(['0.0.0.0', '::'])

/**
 * Limits per address are generous here: one person with many tabs and scripts. Limits per account are those of
 * production.
 */
const GENEROUS = { SIGN_IN_LIMIT_PER_MINUTE: '300', REQUEST_LIMIT_PER_MINUTE: '6000' }

/** One of them selects the real Stripe; the api reports the missing ones. */
const STRIPE_KEYS = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET']

export interface StandaloneConfig {
  readonly port: number
  readonly voicePort: number
  /** Voice services: the first on `voicePort`, further ones on free ports. */
  readonly voices: number
  /** The port for requests between api and voice. */
  readonly internalPort: number
  readonly internalUrl: string
  /** undefined: real keys are set. */
  readonly paymentsPort: number | undefined
  readonly dataDir: string
  readonly speed: number
  readonly publicUrl: string
  readonly simulated: boolean
  /** Test numbers are answered by the simulated network. */
  readonly testNumbers: boolean
  readonly logLevel: string
  /** Passed on to the api and the voice service, which read their own variables. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** A machine with more calls than so many services take runs them by another means. */
const VOICES_MAX = 16

/** The configuration of `npm start` with these arguments. */
export function readConfigOf(args: readonly string[]): StandaloneConfig {
  return readStandaloneConfig(process.env, readArguments(args))
}

export function readArguments(args: readonly string[]): Pick<StandaloneConfig, 'voices'> {
  const usage = `"npm start" takes --voices <number>, from 1 to ${VOICES_MAX}`
  let given: string | undefined
  try {
    given = parseArgs({ args: [...args], options: { voices: { type: 'string' } } }).values.voices
  } catch {
    throw new ConfigError(`${usage}, and no other argument, not "${args.join(' ').slice(0, 80)}".`)
  }
  const voices = Number(given ?? 1)
  if (!Number.isInteger(voices) || voices < 1 || voices > VOICES_MAX)
    throw new ConfigError(`${usage}, not "${String(given).slice(0, 80)}".`)
  return { voices }
}

export function readStandaloneConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  { voices }: Pick<StandaloneConfig, 'voices'> = { voices: 1 },
): StandaloneConfig {
  // An empty variable is the same as none.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const env = readEnvironment(Environment, given)
  if (voices > 1 && !env.CARRIER.includes('simulated'))
    throw new ConfigError(
      'With a real CARRIER, "npm start" runs one voice service: each one needs a PUBLIC_VOICE_URL of its own. Run further ones on their own.',
    )
  if ((given['PARLEY_ROLE'] ?? 'all') !== 'all')
    throw new ConfigError('"npm start" runs every part. Remove PARLEY_ROLE, or start apps/api/src/server.ts alone.')
  const internalPort = env.INTERNAL_PORT ?? env.PORT + 3
  return {
    port: env.PORT,
    voicePort: env.VOICE_PORT ?? env.PORT + 1,
    voices,
    internalPort,
    internalUrl: `http://${EVERY_ADDRESS.has(env.INTERNAL_HOST) ? '127.0.0.1' : env.INTERNAL_HOST}:${internalPort}`,
    paymentsPort: STRIPE_KEYS.some((name) => name in given) ? undefined : (env.PAYMENTS_SANDBOX_PORT ?? env.PORT + 2),
    dataDir: resolve(env.DATA_DIR),
    speed: env.SANDBOX_SPEED,
    publicUrl: env.PUBLIC_URL ?? `http://localhost:${env.PORT}`,
    simulated: env.CARRIER.includes('simulated'),
    testNumbers: env.CARRIER.includes('simulated') || env.SANDBOX_NUMBERS === 'on',
    logLevel: env.LOG_LEVEL,
    environment: { ...GENEROUS, ...given },
  }
}

/** Added to PORT for the api while Vite serves the pages on PORT. */
const API_PORT_BEHIND_PAGES = 4

/** The configuration of a start with the api on another port. */
export function readConfigBehindPages(start: StandaloneConfig): StandaloneConfig {
  return readStandaloneConfig({
    ...process.env,
    PORT: String(start.port + API_PORT_BEHIND_PAGES),
    VOICE_PORT: String(start.voicePort),
    INTERNAL_PORT: String(start.internalPort),
    ...(start.paymentsPort === undefined ? {} : { PAYMENTS_SANDBOX_PORT: String(start.paymentsPort) }),
    PUBLIC_URL: start.publicUrl,
  })
}

/** For Vite's development server. */
export function pagesEnvironment(apiPort: number): NodeJS.ProcessEnv {
  return { ...process.env, API_ORIGIN: `http://localhost:${apiPort}` }
}

/** For the build of the pages: always a production build, also from a test runner. */
export function buildEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, NODE_ENV: 'production' }
}
