import { readFileSync } from 'node:fs'
import { SHELL_ORIGINS } from '@parley/contract'
import { carrierSettings, carrierVariables } from '@parley/contract/carriers'
import { ConfigError, readEnvironment } from '@parley/contract/environment'
import { type Keys, secretKeys } from '@parley/contract/keys'
import { type TraceSettings, traceSettings, traceVariables } from '@parley/traces'
import { z } from 'zod'
import { hostingSettings, hostingVariables, type HostingSettings } from './config-hosting.ts'
import { type PaymentsKeys, paymentsOf, paymentsVariables } from './config-payments.ts'
import { type PhoneSettings, phoneSettings, phoneVariables } from './config-phones.ts'
import type { S3Options } from './platform/files.ts'

const INTERNAL_PORT_OFFSET = 3
const Flag = z.enum(['on', 'off'])
const Port = z.coerce.number().int().min(0).max(65_535)
const Secret = secretKeys(32)
const address = (example: string, protocol: RegExp) =>
  z.url({ protocol, error: `must be an address such as ${example}` })
const webAddress = (example = 'https://parley.example') => address(example, /^https?$/)

/**
 * Each with what the documentation says of it, made by `npm run docs`: `unset` is what is there without the variable.
 */
export const Environment = z.object({
  PARLEY_ROLE: z.enum(['all', 'api', 'worker', 'voice']).default('all').meta({
    description:
      '`api` answers requests, `worker` runs jobs and repeated tasks, `all` does both, as `npm start` always does',
  }),
  HOST: z.string().default('127.0.0.1').meta({ description: 'the address to listen on, when api or voice runs alone' }),
  PORT: Port.default(3000).meta({ description: 'web page, API, live channel' }),
  INTERNAL_HOST: z.string().min(1).default('127.0.0.1').meta({
    description: 'the address that INTERNAL_PORT listens on; set it when the voice service runs on another machine',
  }),
  INTERNAL_PORT: z.optional(Port).meta({ description: 'requests between api and voice', unset: 'PORT+3' }),
  PUBLIC_URL: z.optional(webAddress()).meta({
    description: 'the public address: links, redirects and the origin that may write',
    unset: 'http://localhost:PORT',
  }),
  ALLOWED_ORIGINS: z.string().default('').meta({ description: 'more origins that may write, separated by commas' }),
  DATA_DIR: z
    .string()
    .min(1)
    .default('.data')
    .meta({ description: 'persistent data: database, secrets, backups, outbox, recordings' }),
  DATABASE_URL: z
    .optional(address('postgres://user:password@host:5432/parley', /^postgres(ql)?$/))
    .meta({ description: '`postgres://…`, PostgreSQL 15 or newer', unset: 'embedded PostgreSQL' }),
  ...hostingVariables,
  REDIS_URL: z.optional(address('redis://host:6379', /^rediss?$/)).meta({
    description: '`redis://…`: live fan-out and shared limits for many nodes',
    unset: 'in process',
  }),
  S3_BUCKET: z
    .optional(z.string())
    .meta({ description: 'the bucket that keeps recordings', unset: 'files in DATA_DIR' }),
  S3_REGION: z.string().default('us-east-1').meta({ description: 'region of the bucket' }),
  S3_ENDPOINT: z
    .optional(webAddress())
    .meta({ description: 'address of another S3-compatible service', unset: "Amazon's own" }),
  S3_ACCESS_KEY_ID: z
    .optional(z.string())
    .meta({ description: 'access key of the bucket; needs S3_SECRET_ACCESS_KEY', unset: 'credentials of the host' }),
  S3_SECRET_ACCESS_KEY: z
    .optional(z.string())
    .meta({ description: 'secret of S3_ACCESS_KEY_ID', unset: 'credentials of the host' }),
  ARCHIVE_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(3660)
    .default(0)
    .meta({
      description:
        'how long months of the audit, of security events and of webhook deliveries are kept as files when their time is over, ' +
        'encrypted for each account; 0: they are dropped',
    }),
  SMTP_URL: z
    .optional(address('smtp://user:password@host:587', /^smtps?$/))
    .meta({ description: '`smtp://…`: real mail', unset: 'local outbox' }),
  MAIL_FROM: z
    .string()
    .default('Parley <no-reply@parley.example>')
    .meta({ description: 'sender of mails', unset: '`Parley <no-reply@parley.example>`' }),
  OPERATOR_EMAIL: z.optional(z.email()).meta({
    description: 'mail address that gets inquiries from the contact page and payments that a person has to decide',
    unset: 'both are only stored',
  }),
  GOOGLE_CLIENT_ID: z.optional(z.string()).meta({
    description: 'client id for sign-in with Google; needs GOOGLE_CLIENT_SECRET',
    unset: 'no sign-in with Google',
  }),
  GOOGLE_CLIENT_SECRET: z
    .optional(z.string())
    .meta({ description: 'secret of GOOGLE_CLIENT_ID', unset: 'no sign-in with Google' }),
  GOOGLE_ISSUER: webAddress()
    .default('https://accounts.google.com')
    .meta({ description: 'OpenID provider in place of Google' }),
  APPLE_CLIENT_IDS: z.string().default('').meta({
    description: "client ids that Apple's tokens may be issued for, separated by commas; empty: no sign-in with Apple",
  }),
  APPLE_JWKS_URL: webAddress()
    .default('https://appleid.apple.com/auth/keys')
    .meta({ description: "address of Apple's public keys" }),
  ...phoneVariables,
  ACCOUNT_DELETION: Flag.default('on').meta({ description: '`off`: users cannot delete their accounts' }),
  VOICE_URL: webAddress('http://127.0.0.1:3001')
    .default('http://127.0.0.1:3001')
    .meta({ description: 'address of the voice service while none has joined as a voice node; `npm start` sets it' }),
  VOICE_SECRET: Secret.meta({
    description: 'secret shared by api and voice, or a list of them (SECURITY.md); `npm start` creates it',
    unset: 'required',
  }),
  AUTH_SECRET: Secret.meta({
    description:
      'secret that signs sessions and encrypts second factors, or a list of them (SECURITY.md); `npm start` creates it',
    unset: 'required',
  }),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .meta({ description: 'addresses of proxies whose X-Forwarded-For is trusted, separated by commas' }),
  WEB_DIR: z
    .optional(z.string())
    .meta({ description: 'the built web app that the api serves; `npm start` sets it', unset: 'no pages' }),
  CALLING_HOURS: Flag.default('on').meta({
    description:
      '`off` switches the calling-hours rule off, with the simulated carrier or one whose address is loopback only',
  }),
  FREE_CREDITS_CALL: z.enum(['anyone', 'verified']).default('anyone').meta({
    description:
      '`verified`: before its first purchase an account calls only numbers added with `npm run ops -- verified add <email> <phone>`',
  }),
  ...carrierVariables,
  MIND: z.enum(['scripted', 'language-model', 'realtime']).default('scripted').meta({
    description:
      'what decides what to say: `scripted` (rules, without a model), `language-model`, or `realtime` (speech to speech)',
  }),
  ...paymentsVariables,
  SIGN_IN_LIMIT_PER_MINUTE: z.coerce
    .number()
    .int()
    .min(1)
    .default(30)
    .meta({ description: 'sign-in requests per client address; 300 under `npm start`' }),
  REQUEST_LIMIT_PER_MINUTE: z.coerce
    .number()
    .int()
    .min(1)
    .default(1200)
    .meta({ description: 'requests per client address; 6000 under `npm start`' }),
  INTERNAL_LIMIT_PER_MINUTE: z.coerce
    .number()
    .int()
    .min(1)
    .default(600_000)
    .meta({ description: 'requests to INTERNAL_PORT' }),
  KEY_LIMIT_PER_MINUTE: z.coerce.number().int().min(1).default(120).meta({ description: 'requests per API key' }),
  LIVE_CALLS_PER_ACCOUNT: z.coerce
    .number()
    .int()
    .min(1)
    .default(5)
    .meta({ description: 'concurrent calls of one account' }),
  CALLS_PER_HOUR: z.coerce.number().int().min(1).default(60).meta({ description: 'calls of one account per hour' }),
  CREDITS_PER_DAY: z.coerce.number().int().min(1).default(300).meta({ description: 'credits of one account per day' }),
  BATCH_CONCURRENCY: z.optional(z.coerce.number().int().min(1).max(1000)).meta({
    description: 'concurrent calls of batches, over all accounts and nodes',
    unset: 'as many as voice nodes take',
  }),
  METRICS_PORT: z.optional(Port).meta({
    description: "`GET /metrics` of the api in Prometheus's format; keep it private",
    unset: 'no metrics',
  }),
  METRICS_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .meta({ description: 'the address that the ports of metrics listen on' }),
  ...traceVariables,
  LOG_LEVEL: z
    .enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'])
    .default('info')
    .meta({ description: 'log level; logs are JSON lines without phone numbers and spoken words' }),
})

/**
 * Which fictional numbers can be called: all of them in the simulated network, test numbers beside a real one, or none.
 */
export type CallableNumbers = 'simulated' | 'real_and_test' | 'real'

/** What a process of the api does; `all` is both. */
type Role = 'all' | 'api' | 'worker'

export interface Config extends PhoneSettings, HostingSettings {
  readonly role: Role
  readonly host: string
  readonly port: number
  /** Where the voice service tells what it has to tell. */
  readonly internal: { readonly host: string; readonly port: number; readonly requestsPerMinute: number }
  /** Where the operator's metrics are read; none: nowhere. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined
  readonly traces: TraceSettings | undefined
  readonly publicUrl: string
  /** Whose pages may write: the product's own and the native shells'. */
  readonly allowedOrigins: ReadonlySet<string>
  /** Those of them that are another origin than the api's, and may read its answers. */
  readonly nativeOrigins: readonly string[]
  readonly dataDir: string
  /** Embedded where none is given. */
  readonly databaseUrl: string | undefined
  readonly redisUrl: string | undefined
  /** Where recordings are kept; without it, in files under the data directory. */
  readonly s3: S3Options | undefined
  /** 0: nothing is archived. */
  readonly archiveDays: number
  readonly mail: { readonly kind: 'smtp'; readonly url: string; readonly from: string } | { readonly kind: 'outbox' }
  /** Where inquiries go; none: inquiries are only stored. */
  readonly operatorEmail: string | undefined
  readonly voice: {
    readonly url: string
    /** Shared with the voice nodes. */
    readonly keys: Keys
    /** Names of the carriers, in order of preference. */
    readonly carrier: string
    readonly mind: string
  }
  readonly numbers: CallableNumbers
  readonly payments: PaymentsKeys
  readonly authKeys: Keys
  /** undefined: signing in with Google is not available. */
  readonly google: { readonly clientId: string; readonly clientSecret: string; readonly issuer: string } | undefined
  /**
   * For whom Apple's tokens may be made: the app's bundle id and the service's id. None: signing in with Apple is not
   * available.
   */
  readonly apple: { readonly clientIds: readonly string[]; readonly jwksUrl: string }
  /** People may delete their accounts themselves. */
  readonly accountDeletion: boolean
  readonly trustedProxies: readonly string[]
  /** The built web app; without it this process serves no pages. */
  readonly webDir: string | undefined
  readonly callingHours: boolean
  /** Who has bought no credits yet calls only numbers that the operator has verified. */
  readonly freeCallsVerifiedOnly: boolean
  readonly limits: {
    /** Per address. */
    readonly signInPerMinute: number
    readonly requestsPerMinute: number
    /** Per API key. */
    readonly keyRequestsPerMinute: number
    /** Per account. */
    readonly liveCallsPerAccount: number
    readonly callsPerHour: number
    readonly creditsPerDay: number
  }
  /** Calls of lists that run at once, over all accounts and nodes; undefined: as many as voice nodes take. */
  readonly batchConcurrency: number | undefined
  readonly logLevel: string
}

/** The only reader of the environment. Throws one sentence for each thing that is wrong. */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const env = readEnvironment(Environment, environment)
  const telephony = carrierSettings(env, (path) => readFileSync(path, 'utf8'))
  if (env.CALLING_HOURS === 'off' && telephony.isReal && !telephony.isLoopback) {
    throw new ConfigError('CALLING_HOURS=off is for the simulated carrier only. Remove it, or set CARRIER=simulated.')
  }
  const publicUrl = (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/$/, '')
  return {
    role: roleOf(env),
    host: env.HOST,
    port: env.PORT,
    internal: { host: env.INTERNAL_HOST, port: internalPortOf(env), requestsPerMinute: env.INTERNAL_LIMIT_PER_MINUTE },
    metrics: env.METRICS_PORT === undefined ? undefined : { host: env.METRICS_HOST, port: env.METRICS_PORT },
    traces: traceSettings(env),
    publicUrl,
    allowedOrigins: originsOf(publicUrl, env.ALLOWED_ORIGINS),
    nativeOrigins: SHELL_ORIGINS.filter((each) => each !== new URL(publicUrl).origin),
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL,
    ...hostingSettings(env, environment, { publicUrl, reachesPhones: telephony.isReal && !telephony.isLoopback }),
    redisUrl: env.REDIS_URL,
    s3: s3Of(env),
    archiveDays: env.ARCHIVE_DAYS,
    mail: env.SMTP_URL === undefined ? { kind: 'outbox' } : { kind: 'smtp', url: env.SMTP_URL, from: env.MAIL_FROM },
    operatorEmail: env.OPERATOR_EMAIL,
    voice: {
      url: env.VOICE_URL.replace(/\/$/, ''),
      keys: env.VOICE_SECRET,
      carrier: telephony.used.join(','),
      mind: env.MIND,
    },
    numbers: telephony.isReal ? (telephony.testNumbers ? 'real_and_test' : 'real') : 'simulated',
    payments: paymentsOf(env),
    authKeys: env.AUTH_SECRET,
    google: googleOf(env),
    apple: { clientIds: listOf(env.APPLE_CLIENT_IDS), jwksUrl: env.APPLE_JWKS_URL },
    ...phoneSettings(env, (path) => readFileSync(path, 'utf8')),
    accountDeletion: env.ACCOUNT_DELETION === 'on',
    trustedProxies: listOf(env.TRUSTED_PROXIES),
    webDir: env.WEB_DIR,
    callingHours: env.CALLING_HOURS === 'on',
    freeCallsVerifiedOnly: env.FREE_CREDITS_CALL === 'verified',
    limits: {
      signInPerMinute: env.SIGN_IN_LIMIT_PER_MINUTE,
      requestsPerMinute: env.REQUEST_LIMIT_PER_MINUTE,
      keyRequestsPerMinute: env.KEY_LIMIT_PER_MINUTE,
      liveCallsPerAccount: env.LIVE_CALLS_PER_ACCOUNT,
      callsPerHour: env.CALLS_PER_HOUR,
      creditsPerDay: env.CREDITS_PER_DAY,
    },
    batchConcurrency: env.BATCH_CONCURRENCY,
    logLevel: env.LOG_LEVEL,
  }
}

function roleOf({ PARLEY_ROLE: role, DATABASE_URL }: z.output<typeof Environment>): Role {
  if (role === 'voice')
    throw new ConfigError(
      'PARLEY_ROLE=voice is another program: start apps/voice/src/server.ts, or set PARLEY_ROLE to all, api or worker.',
    )
  if (role !== 'all' && DATABASE_URL === undefined)
    throw new ConfigError(`PARLEY_ROLE=${role} needs DATABASE_URL: an embedded database serves one process alone.`)
  return role
}

/** A free one beside a free one. */
function internalPortOf({ PORT, INTERNAL_PORT }: z.output<typeof Environment>): number {
  return INTERNAL_PORT ?? (PORT === 0 ? 0 : PORT + INTERNAL_PORT_OFFSET)
}

function googleOf(env: z.output<typeof Environment>): Config['google'] {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret, GOOGLE_ISSUER: issuer } = env
  if (clientId === undefined && clientSecret === undefined) return undefined
  if (clientId === undefined || clientSecret === undefined)
    throw new ConfigError('Set both GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET, or neither.')
  return { clientId, clientSecret, issuer }
}

function originsOf(publicUrl: string, more: string): ReadonlySet<string> {
  const { origin, protocol, hostname, port } = new URL(publicUrl)
  const loopback = hostname === 'localhost' ? [`${protocol}//127.0.0.1${port === '' ? '' : `:${port}`}`] : []
  return new Set([origin, ...loopback, ...SHELL_ORIGINS, ...listOf(more)])
}

function listOf(text: string): string[] {
  return text.split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]))
}

const S3_VARIABLES = {
  S3_BUCKET: true,
  S3_REGION: true,
  S3_ENDPOINT: true,
  S3_ACCESS_KEY_ID: true,
  S3_SECRET_ACCESS_KEY: true,
} as const

/** Without keys of its own, the client looks for them where the host's own tools keep theirs. */
function s3Of(env: Pick<z.infer<typeof Environment>, keyof typeof S3_VARIABLES>): S3Options | undefined {
  const { S3_BUCKET: bucket, S3_REGION: region, S3_ENDPOINT: endpoint, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = env
  if ((S3_ACCESS_KEY_ID === undefined) !== (S3_SECRET_ACCESS_KEY === undefined))
    throw new ConfigError('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together. Set both, or neither.')
  if (bucket === undefined) {
    if (endpoint === undefined && S3_ACCESS_KEY_ID === undefined) return undefined
    throw new ConfigError('S3_BUCKET is missing: it says where recordings are kept.')
  }
  const credentials =
    S3_ACCESS_KEY_ID === undefined || S3_SECRET_ACCESS_KEY === undefined
      ? undefined
      : { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY }
  return { bucket, region, endpoint, credentials }
}

/** What the operator's command line needs of the environment: where the data is, and a replica of it. */
export function readDataConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Pick<
  Config,
  'dataDir' | 'databaseUrl' | 'databaseDirectUrl' | 'logLevel' | 's3'
> & {
  readonly replicaUrl: string | undefined
} {
  const env = readEnvironment(
    Environment.pick({
      DATA_DIR: true,
      DATABASE_URL: true,
      DATABASE_DIRECT_URL: true,
      DATABASE_REPLICA_URL: true,
      LOG_LEVEL: true,
      ...S3_VARIABLES,
    }),
    environment,
  )
  return {
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL,
    databaseDirectUrl: env.DATABASE_DIRECT_URL,
    replicaUrl: env.DATABASE_REPLICA_URL,
    s3: s3Of(env),
    logLevel: env.LOG_LEVEL,
  }
}
