import { SANDBOX_KEYS } from '@parley/contract'
import { z } from 'zod'
import type { S3Options } from './platform/files.ts'

const Flag = z.enum(['on', 'off'])
const Port = z.coerce.number().int().min(0).max(65_535)
const Secret = z.string().min(32, 'must have at least 32 characters')
/** An empty variable is the same as none. */
const optional = <T extends z.ZodType>(schema: T) => z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

const Environment = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: Port.default(3000),
  PUBLIC_URL: optional(z.url({ protocol: /^https?$/ })),
  ALLOWED_ORIGINS: z.string().default(''),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: optional(z.url({ protocol: /^postgres(ql)?$/ })),
  REDIS_URL: optional(z.url({ protocol: /^rediss?$/ })),
  S3_BUCKET: optional(z.string()),
  S3_REGION: z.string().default('us-east-1'),
  S3_ENDPOINT: optional(z.url({ protocol: /^https?$/ })),
  S3_ACCESS_KEY_ID: optional(z.string()),
  S3_SECRET_ACCESS_KEY: optional(z.string()),
  SMTP_URL: optional(z.url({ protocol: /^smtps?$/ })),
  MAIL_FROM: z.string().default('Parley <no-reply@parley.example>'),
  OPERATOR_EMAIL: optional(z.email()),
  GOOGLE_CLIENT_ID: optional(z.string()),
  GOOGLE_CLIENT_SECRET: optional(z.string()),
  GOOGLE_ISSUER: z.url({ protocol: /^https?$/ }).default('https://accounts.google.com'),
  APPLE_CLIENT_IDS: z.string().default(''),
  APPLE_JWKS_URL: z.url({ protocol: /^https?$/ }).default('https://appleid.apple.com/auth/keys'),
  ACCOUNT_DELETION: Flag.default('on'),
  VOICE_URL: z.url().default('http://127.0.0.1:3001'),
  VOICE_SECRET: Secret,
  AUTH_SECRET: Secret,
  TRUSTED_PROXIES: z.string().default(''),
  WEB_DIR: optional(z.string()),
  CALLING_HOURS: Flag.default('on'),
  FREE_CREDITS_CALL: z.enum(['anyone', 'verified']).default('anyone'),
  CARRIER: z.enum(['simulated', 'twilio', 'sip']).default('simulated'),
  MIND: z.enum(['scripted', 'language-model', 'realtime']).default('scripted'),
  STRIPE_SECRET_KEY: optional(z.string().regex(/^(sk|rk)_/, 'must begin with sk_ or rk_: it is the secret key')),
  STRIPE_PUBLISHABLE_KEY: optional(z.string().startsWith('pk_', 'must begin with pk_: it is the publishable key, which pages show')),
  STRIPE_WEBHOOK_SECRET: optional(
    z.string().startsWith('whsec_', "must begin with whsec_: it is the signing secret of the webhook's endpoint"),
  ),
  STRIPE_API_BASE: optional(z.url({ protocol: /^https?$/ })),
  SIGN_IN_LIMIT_PER_MINUTE: z.coerce.number().int().min(1).default(30),
  REQUEST_LIMIT_PER_MINUTE: z.coerce.number().int().min(1).default(1200),
  KEY_LIMIT_PER_MINUTE: z.coerce.number().int().min(1).default(120),
  LIVE_CALLS_PER_ACCOUNT: z.coerce.number().int().min(1).default(5),
  CALLS_PER_HOUR: z.coerce.number().int().min(1).default(60),
  CREDITS_PER_DAY: z.coerce.number().int().min(1).default(300),
  BATCH_LINES: z.coerce.number().int().min(1).max(1000).default(40),
  LOG_LEVEL: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
})

/** With whom cards are charged. The sandbox speaks Stripe's wire format, at an address that pages reach too. */
export type PaymentsKeys =
  | { readonly kind: 'off' }
  | {
      readonly kind: 'stripe' | 'sandbox'
      readonly secretKey: string
      readonly publishableKey: string
      readonly webhookSecret: string
      /** undefined: Stripe's own. */
      readonly apiBase: string | undefined
    }

export interface Config {
  readonly host: string
  readonly port: number
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
  readonly mail: { readonly kind: 'smtp'; readonly url: string; readonly from: string } | { readonly kind: 'outbox' }
  /** Where inquiries go; none: they are only stored. */
  readonly operatorEmail: string | undefined
  readonly voice: { readonly url: string; readonly secret: string; readonly carrier: string; readonly mind: string }
  readonly payments: PaymentsKeys
  readonly authSecret: string
  /** undefined: signing in with Google is not available. */
  readonly google: { readonly clientId: string; readonly clientSecret: string; readonly issuer: string } | undefined
  /** For whom Apple's tokens may be made: the app's bundle id and the service's id. None: signing in with Apple is not available. */
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
  /** Calls of lists that run at once, over all accounts and nodes. */
  readonly batchLines: number
  readonly logLevel: string
}

/** The only reader of the environment. Throws one sentence for each thing that is wrong. */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const parsed = Environment.safeParse(environment)
  if (!parsed.success) {
    throw new Error(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'))
  }
  const env = parsed.data
  if (env.CALLING_HOURS === 'off' && env.CARRIER !== 'simulated') {
    throw new Error('CALLING_HOURS=off is for the simulated carrier only. Remove it, or set CARRIER=simulated.')
  }
  const publicUrl = (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/$/, '')
  return {
    host: env.HOST,
    port: env.PORT,
    publicUrl,
    allowedOrigins: originsOf(publicUrl, env.ALLOWED_ORIGINS),
    nativeOrigins: NATIVE_ORIGINS,
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL,
    redisUrl: env.REDIS_URL,
    s3: s3Of(env),
    mail: env.SMTP_URL === undefined ? { kind: 'outbox' } : { kind: 'smtp', url: env.SMTP_URL, from: env.MAIL_FROM },
    operatorEmail: env.OPERATOR_EMAIL,
    voice: { url: env.VOICE_URL.replace(/\/$/, ''), secret: env.VOICE_SECRET, carrier: env.CARRIER, mind: env.MIND },
    payments: paymentsOf(env),
    authSecret: env.AUTH_SECRET,
    google: googleOf(env),
    apple: { clientIds: listOf(env.APPLE_CLIENT_IDS), jwksUrl: env.APPLE_JWKS_URL },
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
    batchLines: env.BATCH_LINES,
    logLevel: env.LOG_LEVEL,
  }
}

function googleOf(env: z.output<typeof Environment>): Config['google'] {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret, GOOGLE_ISSUER: issuer } = env
  if (clientId === undefined && clientSecret === undefined) return undefined
  if (clientId === undefined || clientSecret === undefined)
    throw new Error('Set both GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET, or neither.')
  return { clientId, clientSecret, issuer }
}

function paymentsOf(env: z.output<typeof Environment>): PaymentsKeys {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = env
  if (secretKey === undefined && publishableKey === undefined && webhookSecret === undefined) return { kind: 'off' }
  if (secretKey === undefined || publishableKey === undefined || webhookSecret === undefined) {
    throw new Error('Set all of STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET, or none of them.')
  }
  if (secretKey.includes('_live_') !== publishableKey.includes('_live_')) {
    throw new Error('STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY are of different modes: use two live keys, or two test keys.')
  }
  const kind = secretKey === SANDBOX_KEYS.secret ? 'sandbox' : 'stripe'
  const apiBase = env.STRIPE_API_BASE?.replace(/\/$/, '')
  if (kind === 'sandbox' && apiBase === undefined)
    throw new Error('STRIPE_API_BASE is missing: the keys are those of the payments sandbox.')
  return { kind, secretKey, publishableKey, webhookSecret, apiBase }
}

/** Capacitor's own origins on Android and iOS. */
const NATIVE_ORIGINS = ['https://localhost', 'capacitor://localhost']

function originsOf(publicUrl: string, more: string): ReadonlySet<string> {
  const { origin, protocol, hostname, port } = new URL(publicUrl)
  const loopback = hostname === 'localhost' ? [`${protocol}//127.0.0.1${port === '' ? '' : `:${port}`}`] : []
  return new Set([origin, ...loopback, ...NATIVE_ORIGINS, ...listOf(more)])
}

function listOf(text: string): string[] {
  return text.split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]))
}

/** Without keys of its own, the client looks for them where the host's own tools keep theirs. */
function s3Of(env: z.infer<typeof Environment>): S3Options | undefined {
  const { S3_BUCKET: bucket, S3_REGION: region, S3_ENDPOINT: endpoint, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = env
  if ((S3_ACCESS_KEY_ID === undefined) !== (S3_SECRET_ACCESS_KEY === undefined)) {
    throw new Error('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together. Set both, or neither.')
  }
  if (bucket === undefined) {
    if (endpoint === undefined && S3_ACCESS_KEY_ID === undefined) return undefined
    throw new Error('S3_BUCKET is missing: it says where recordings are kept.')
  }
  const credentials =
    S3_ACCESS_KEY_ID === undefined || S3_SECRET_ACCESS_KEY === undefined
      ? undefined
      : { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY }
  return { bucket, region, endpoint, credentials }
}

/** What the operator's command line needs of the environment: where the data is. */
export function readDataConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Pick<Config, 'dataDir' | 'databaseUrl'> {
  const parsed = Environment.pick({ DATA_DIR: true, DATABASE_URL: true }).safeParse(environment)
  if (!parsed.success) throw new Error(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'))
  return { dataDir: parsed.data.DATA_DIR, databaseUrl: parsed.data.DATABASE_URL }
}
