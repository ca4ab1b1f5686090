import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CALL_MINUTES_MAX, E164 } from '@parley/contract'
import { type CarrierName, type CarrierSettings, carrierSettings, carrierVariables } from '@parley/contract/carriers'
import { ConfigError, readEnvironment } from '@parley/contract/environment'
import { type Keys, secretKeys } from '@parley/contract/keys'
import { productionVariables, unsaidCarrier, weaknessesOf } from '@parley/contract/production'
import { type TraceSettings, traceSettings, traceVariables } from '@parley/traces'
import { z } from 'zod'
import { type PriceTable, readPrices } from './prices.ts'
import { type VendorSettings, vendorSettings, vendorVariables } from './vendors.ts'

/** A minute for its ringing, which the api bounds at 45 s. */
const LONGEST_CALL_MINUTES = CALL_MINUTES_MAX + 1
/** Matches the api's default. */
const INTERNAL_PORT_OFFSET = 3

/** Twilio starts one call a second for an account unless it raises that: "calls per second" of its Voice API. */
const TWILIO_CALLS_PER_SECOND = 1
const SIP_CALLS_PER_SECOND = 10

const MICROS_PER_CENT = 10_000

const port = z.coerce.number().int().min(0).max(65535)

interface NodeLimit {
  readonly callsPerSecond: number
  /** null: no limit but the CAPACITY of each node. */
  readonly callsAtOnce: number | null
}

const CarrierLimits = z.string().transform((text, context): Readonly<Record<string, NodeLimit>> => {
  const limits = new Map<string, NodeLimit>()
  for (const part of text.split(',').filter((each) => each.trim() !== '')) {
    const [, name = '', perSecond, atOnce] =
      /^(twilio|sip)=(\d{1,4}(?:\.\d{1,3})?)(?:\/(\d{1,5}))?$/.exec(part.trim()) ?? []
    const limit = { callsPerSecond: Number(perSecond), callsAtOnce: atOnce === undefined ? null : Number(atOnce) }
    if (!(limit.callsPerSecond > 0) || limit.callsAtOnce === 0 || limits.has(name)) {
      context.addIssue('must name each carrier once, with numbers above 0, such as twilio=5/100,sip=10/30')
      return z.NEVER
    }
    limits.set(name, limit)
  }
  return Object.fromEntries(limits)
})

/** `npm run docs` documents each variable from its description; `unset` names the default. */
export const Environment = z.object({
  ...productionVariables,
  NODE_ENV: z
    .enum(['development', 'test', 'production'])
    .catch('development')
    .meta({ description: '`production`: the voice service listens on every address' }),
  PORT: port.default(3000).meta({ description: 'web page, API, live channel' }),
  VOICE_PORT: port.optional().meta({ description: 'voice service; `GET /health`', unset: 'PORT+1' }),
  INTERNAL_PORT: port.optional().meta({ description: 'requests between api and voice', unset: 'PORT+3' }),
  HOST: z.string().min(1).optional().meta({
    description: 'the address to listen on, when api or voice runs alone',
    unset: '127.0.0.1; every address in production',
  }),
  API_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address such as http://127.0.0.1:3003' })
    .optional()
    .meta({
      description: "address of the api's INTERNAL_PORT; `npm start` sets it",
      unset: 'http://127.0.0.1:INTERNAL_PORT',
    }),
  VOICE_SECRET: secretKeys(16, 'must be the secret of at least 16 characters that api and voice share').meta({
    description: 'secret shared by api and voice, or a list of them (SECURITY.md); `npm start` creates it',
    unset: 'required',
  }),
  ...carrierVariables,
  CARRIER_LIMITS: CarrierLimits.prefault('').meta({
    description:
      'what is taken of each carrier: calls started per second, and legs at once, such as `twilio=5/100,sip=10/30`. With REDIS_URL all voice nodes share it; without, each node has its own',
    unset: 'twilio=1,sip=10, and calls at once by CAPACITY alone',
  }),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/, error: 'must be an address such as redis://host:6379' })
    .optional()
    .meta({
      description: '`redis://…`: live fan-out and shared limits for many nodes',
      unset: 'in process',
    }),
  TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^AC[0-9a-f]{32}$/i, 'must be AC and 32 hexadecimal digits, as the console of Twilio shows it')
    .optional()
    .meta({ description: 'account at Twilio; needed with `CARRIER=twilio`', unset: 'none' }),
  TWILIO_AUTH_TOKEN: z
    .string()
    .min(16)
    .optional()
    .meta({ description: 'auth token of the account, or use TWILIO_API_KEY', unset: 'none' }),
  TWILIO_API_KEY: z
    .string()
    .regex(/^SK[0-9a-f]{32}$/i, 'must be SK and 32 hexadecimal digits, as the console of Twilio shows it')
    .optional()
    .meta({ description: 'API key of the account; needs TWILIO_API_SECRET', unset: 'none' }),
  TWILIO_API_SECRET: z.string().min(8).optional().meta({ description: 'secret of TWILIO_API_KEY', unset: 'none' }),
  TWILIO_FROM_NUMBER: E164.optional().meta({
    description: 'number of the account that calls are made from, such as +12025550123',
    unset: 'none',
  }),
  ...vendorVariables,
  SPEECH_DETECTOR: z.enum(['silero', 'level']).default('silero').meta({
    description: 'what tells speech from noise on a real line: `silero`, or the level of the sound alone',
  }),
  TURN_END_MODEL: z.string().min(1).optional().meta({
    description:
      'file of a smart-turn model, version 3 (ONNX), which predicts by the sound whether a pause ends the turn of the callee',
    unset: 'words alone decide',
  }),
  PRICES: z.string().min(1).optional().meta({
    description: 'path of a JSON file with prices of models, mouths and ears (docs/minds.md), for the cost of calls',
    unset: 'list prices',
  }),
  COST_CAP_PER_CALL_CENTS: z.coerce.number().int().min(1).max(100_000).optional().meta({
    description: 'what a call may cost of its models, mouths and ears, in US cents: then the agent says goodbye',
    unset: 'no cap',
  }),
  SANDBOX_SPEED: z.coerce.number().min(1).max(100).default(1).meta({
    description:
      'simulated calls run this many times as fast as the wall clock, 1 to 100; call times and credits stay in call time',
  }),
  SANDBOX_RECORDS_DIR: z.string().min(1).optional().meta({
    description: 'where the simulated network keeps its records of calls; voice nodes of one network share it',
    unset: 'DATA_DIR/simulated-calls',
  }),
  CAPACITY: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(200)
    .meta({ description: 'concurrent calls of the voice service' }),
  NODE_ID: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, 'must be up to 63 letters, digits, dots, dashes and underscores')
    .optional()
    .meta({ description: 'name of this voice node, unlike that of every other', unset: 'made of host and port' }),
  PRIVATE_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address such as http://10.0.0.5:3001' })
    .optional()
    .meta({
      description:
        'where the api reaches this voice node and no other; without it one that listens on every address does not join',
      unset: 'http://HOST:VOICE_PORT',
    }),
  PUBLIC_VOICE_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://voice-1.parley.example' })
    .optional()
    .meta({ description: 'where carriers and other vendors reach this voice node', unset: 'PRIVATE_URL' }),
  DRAIN_MINUTES: z.coerce.number().int().min(0).max(1440).default(0).meta({
    description:
      'how long a voice service that is stopped lets its calls go on; 0 hangs up at once, otherwise at least the longest call. `npm start` sets 0',
  }),
  DATA_DIR: z
    .string()
    .min(1)
    .default('.data')
    .meta({ description: 'persistent data: database, secrets, backups, outbox, recordings' }),
  VOICE_METRICS_PORT: port.optional().meta({
    description: "`GET /metrics` of the voice service in Prometheus's format; keep it private",
    unset: 'no metrics',
  }),
  METRICS_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .meta({ description: 'the address that the ports of metrics listen on' }),
  ...traceVariables,
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .meta({ description: 'log level; logs are JSON lines without phone numbers and spoken words' }),
})

/** One of token and key is there. */
interface TwilioSettings {
  readonly accountSid: string
  readonly authToken: string | null
  readonly apiKey: { readonly sid: string; readonly secret: string } | null
  readonly fromNumber: string
  /** null: Twilio's own. */
  readonly apiBase: string | null
}

export interface Config {
  readonly host: string
  readonly port: number
  /** Of the api's internal listener. */
  readonly apiUrl: string
  /** Shared with the api. */
  readonly keys: Keys
  readonly telephony: CarrierSettings
  /** By carrier: of all nodes with one Redis, or of this one. */
  readonly carrierLimits: Readonly<Record<CarrierName, NodeLimit>>
  /** Null: the limits are of this process. */
  readonly redisUrl: string | null
  readonly twilio: TwilioSettings | null
  readonly vendors: VendorSettings
  readonly prices: PriceTable
  /** Of what a call takes of its vendors, in millionths of a US dollar. */
  readonly costCapMicros: number | undefined
  readonly speechDetector: 'silero' | 'level'
  /** File of the model that predicts the end of a turn. */
  readonly turnEndModel: string | undefined
  readonly clockSpeed: number
  readonly capacity: number
  readonly nodeId: string | undefined
  readonly privateUrl: string | undefined
  /** Where a carrier reaches this service, without a slash at its end; null: nowhere. */
  readonly publicUrl: string | null
  /** How long live calls go on when the service is stopped; 0: they are hung up at once. */
  readonly drainMs: number
  /** Holds the journal of dialed calls. */
  readonly dataDir: string
  /** Of the simulated network. */
  readonly recordsDir: string
  /** Where recordings are written until the api has them. */
  readonly spoolDir: string
  /** Where the operator's metrics are read; none: nowhere. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined
  readonly traces: TraceSettings | undefined
  readonly logLevel: string
}

export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const data = readEnvironment(Environment, environment)
  const telephony = carrierSettings(data, (path) => readFileSync(path, 'utf8'))
  if (telephony.isReal && data.SANDBOX_SPEED !== 1)
    throw new ConfigError('SANDBOX_SPEED is for the simulated carrier only. Remove it, or set CARRIER=simulated.')
  const dangers = [unsaidCarrier(environment), ...weaknessesOf('VOICE_SECRET', data.VOICE_SECRET)].filter(
    (each) => each !== undefined,
  )
  if (data.PARLEY_ENV === 'production' && dangers.length > 0) throw new ConfigError(dangers.join('\n'))
  if (data.DRAIN_MINUTES > 0 && data.DRAIN_MINUTES < LONGEST_CALL_MINUTES)
    throw new ConfigError(
      `DRAIN_MINUTES=${data.DRAIN_MINUTES} is shorter than the longest call, ${LONGEST_CALL_MINUTES} minutes with its ringing. ` +
        `Set it to ${LONGEST_CALL_MINUTES} or more, or to 0 to hang up at once.`,
    )
  return {
    host: data.HOST ?? (data.NODE_ENV === 'production' ? '0.0.0.0' : '127.0.0.1'),
    port: data.VOICE_PORT ?? data.PORT + 1,
    apiUrl: data.API_URL ?? `http://127.0.0.1:${data.INTERNAL_PORT ?? data.PORT + INTERNAL_PORT_OFFSET}`,
    keys: data.VOICE_SECRET,
    publicUrl: data.PUBLIC_VOICE_URL?.replace(/\/+$/, '') ?? null,
    telephony,
    carrierLimits: {
      simulated: { callsPerSecond: Infinity, callsAtOnce: null },
      twilio: { callsPerSecond: TWILIO_CALLS_PER_SECOND, callsAtOnce: null },
      sip: { callsPerSecond: SIP_CALLS_PER_SECOND, callsAtOnce: null },
      ...data.CARRIER_LIMITS,
    },
    redisUrl: data.REDIS_URL ?? null,
    twilio: telephony.used.includes('twilio') ? twilioOf(data, telephony) : null,
    vendors: vendorSettings(data),
    prices: readPrices(data.PRICES),
    costCapMicros: data.COST_CAP_PER_CALL_CENTS && data.COST_CAP_PER_CALL_CENTS * MICROS_PER_CENT,
    speechDetector: data.SPEECH_DETECTOR,
    turnEndModel: data.TURN_END_MODEL,
    clockSpeed: data.SANDBOX_SPEED,
    capacity: data.CAPACITY,
    nodeId: data.NODE_ID,
    privateUrl: data.PRIVATE_URL?.replace(/\/$/, ''),
    drainMs: data.DRAIN_MINUTES * 60_000,
    dataDir: data.DATA_DIR,
    recordsDir: data.SANDBOX_RECORDS_DIR ?? join(data.DATA_DIR, 'simulated-calls'),
    spoolDir: join(data.DATA_DIR, 'recordings-under-way'),
    metrics:
      data.VOICE_METRICS_PORT === undefined ? undefined : { host: data.METRICS_HOST, port: data.VOICE_METRICS_PORT },
    traces: traceSettings(data),
    logLevel: data.LOG_LEVEL,
  }
}

function twilioOf(data: z.output<typeof Environment>, { isTwilioLoopback }: CarrierSettings): TwilioSettings {
  const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken = null, TWILIO_FROM_NUMBER: fromNumber } = data
  const { TWILIO_API_KEY: sid, TWILIO_API_SECRET: secret, TWILIO_API_BASE, PUBLIC_VOICE_URL: publicUrl } = data
  if ((sid === undefined) !== (secret === undefined))
    throw new ConfigError('TWILIO_API_KEY and TWILIO_API_SECRET belong together. Set both, or neither.')
  const apiKey = sid === undefined || secret === undefined ? null : { sid, secret }
  if (accountSid === undefined || (authToken === null && apiKey === null))
    throw new ConfigError(
      'CARRIER=twilio needs TWILIO_ACCOUNT_SID, and TWILIO_AUTH_TOKEN or TWILIO_API_KEY with TWILIO_API_SECRET. Set them.',
    )
  if (fromNumber === undefined)
    throw new ConfigError('CARRIER=twilio needs TWILIO_FROM_NUMBER, a number of the account to call from. Set it.')
  if (publicUrl === undefined)
    throw new ConfigError('CARRIER=twilio needs PUBLIC_VOICE_URL, the address where Twilio reaches this node. Set it.')
  if (!publicUrl.startsWith('https:') && !isTwilioLoopback)
    throw new ConfigError('PUBLIC_VOICE_URL must begin with https: what is said on calls comes in there.')
  return { accountSid, authToken, apiKey, fromNumber, apiBase: TWILIO_API_BASE?.replace(/\/+$/, '') ?? null }
}
