import { z } from 'zod'

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
  SMTP_URL: optional(z.url({ protocol: /^smtps?$/ })),
  MAIL_FROM: z.string().default('Parley <no-reply@parley.example>'),
  OPERATOR_EMAIL: optional(z.email()),
  VOICE_URL: z.url().default('http://127.0.0.1:3001'),
  VOICE_SECRET: Secret,
  AUTH_SECRET: Secret,
  TRUSTED_PROXIES: z.string().default(''),
  WEB_DIR: optional(z.string()),
  CALLING_HOURS: Flag.default('on'),
  CARRIER: z.enum(['simulated', 'twilio', 'sip']).default('simulated'),
  MIND: z.enum(['scripted', 'language-model', 'realtime']).default('scripted'),
  SIGN_IN_LIMIT_PER_MINUTE: z.coerce.number().int().min(1).default(30),
  REQUEST_LIMIT_PER_MINUTE: z.coerce.number().int().min(1).default(1200),
  LIVE_CALLS_PER_ACCOUNT: z.coerce.number().int().min(1).default(5),
  CALLS_PER_HOUR: z.coerce.number().int().min(1).default(60),
  LOG_LEVEL: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
})

export interface Config {
  readonly host: string
  readonly port: number
  readonly publicUrl: string
  /** Whose pages may write: the product's own and the native shells'. */
  readonly allowedOrigins: ReadonlySet<string>
  readonly dataDir: string
  /** Embedded where none is given. */
  readonly databaseUrl: string | undefined
  readonly redisUrl: string | undefined
  readonly mail: { readonly kind: 'smtp'; readonly url: string; readonly from: string } | { readonly kind: 'outbox' }
  /** Where inquiries go; none: they are only stored. */
  readonly operatorEmail: string | undefined
  readonly voice: { readonly url: string; readonly secret: string; readonly carrier: string; readonly mind: string }
  readonly authSecret: string
  readonly trustedProxies: readonly string[]
  /** The built web app; without it this process serves no pages. */
  readonly webDir: string | undefined
  readonly callingHours: boolean
  readonly limits: {
    /** Per address. */
    readonly signInPerMinute: number
    readonly requestsPerMinute: number
    /** Per account. */
    readonly liveCallsPerAccount: number
    readonly callsPerHour: number
  }
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
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL,
    redisUrl: env.REDIS_URL,
    mail: env.SMTP_URL === undefined ? { kind: 'outbox' } : { kind: 'smtp', url: env.SMTP_URL, from: env.MAIL_FROM },
    operatorEmail: env.OPERATOR_EMAIL,
    voice: { url: env.VOICE_URL.replace(/\/$/, ''), secret: env.VOICE_SECRET, carrier: env.CARRIER, mind: env.MIND },
    authSecret: env.AUTH_SECRET,
    trustedProxies: listOf(env.TRUSTED_PROXIES),
    webDir: env.WEB_DIR,
    callingHours: env.CALLING_HOURS === 'on',
    limits: {
      signInPerMinute: env.SIGN_IN_LIMIT_PER_MINUTE,
      requestsPerMinute: env.REQUEST_LIMIT_PER_MINUTE,
      liveCallsPerAccount: env.LIVE_CALLS_PER_ACCOUNT,
      callsPerHour: env.CALLS_PER_HOUR,
    },
    logLevel: env.LOG_LEVEL,
  }
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
