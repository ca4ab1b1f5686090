import { SANDBOX_KEYS } from '@parley/contract'
import { ConfigError } from '@parley/contract/environment'
import type { Key, Keys } from '@parley/contract/keys'
import { productionVariables, unsaidCarrier, weaknessesOf } from '@parley/contract/production'
import { z } from 'zod'
import { isLoopback } from './platform/requests/hosts.ts'

const poolSize = (standard: number) => z.coerce.number().int().min(1).max(500).default(standard)
const databaseAddress = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'must be an address such as postgres://user:password@host:5432/parley',
})

/** Of a Parley on more than one machine. */
export const hostingVariables = {
  ...productionVariables,
  BEHIND_PROXY: z.enum(['on', 'off']).default('off').meta({
    description: '`on`: requests come through a load balancer or proxy, so that production needs TRUSTED_PROXIES',
  }),
  DATABASE_DIRECT_URL: z.optional(databaseAddress).meta({
    description:
      'address of the server itself where DATABASE_URL is a pooler (PgBouncer): for migrations, LISTEN and locks of a session',
    unset: 'DATABASE_URL',
  }),
  DATABASE_REPLICA_URL: z.optional(databaseAddress).meta({
    description: 'a replica of DATABASE_URL that answers `npm run ops -- books check --replica`',
    unset: 'no replica',
  }),
  DATABASE_POOL_SIZE: poolSize(20).meta({ description: 'connections of one api process to DATABASE_URL' }),
  JOBS_POOL_SIZE: poolSize(4).meta({
    description: 'connections of one api process for its jobs, to DATABASE_DIRECT_URL; one more listens',
  }),
} as const

/** As readConfig() has read them. */
const ReadKeys = z.custom<Keys>()

const HostingEnvironment = z.object({
  ...hostingVariables,
  DATABASE_URL: z.optional(z.string()),
  REDIS_URL: z.optional(z.string()),
  S3_BUCKET: z.optional(z.string()),
  SMTP_URL: z.optional(z.string()),
  TRUSTED_PROXIES: z.string(),
  STRIPE_SECRET_KEY: z.optional(z.string()),
  AUTH_SECRET: ReadKeys,
  VOICE_SECRET: ReadKeys,
})
type HostingEnvironment = z.output<typeof HostingEnvironment>

export interface HostingSettings {
  /** Real people use it: dangerous settings stop the start. */
  readonly isProduction: boolean
  /** Where `databaseUrl` is a pooler's. */
  readonly databaseDirectUrl: string | undefined
  readonly databasePoolSize: number
  readonly jobsPoolSize: number
}

interface Reach {
  readonly publicUrl: string
  /** Calls leave this machine and cost money. */
  readonly reachesPhones: boolean
}

/**
 * `given` is the environment as it is, to see what nobody said.
 * @throws ConfigError with a sentence for each thing that is dangerous in production
 */
export function hostingSettings(
  env: HostingEnvironment,
  given: Readonly<Record<string, string | undefined>>,
  { publicUrl, reachesPhones }: Reach,
): HostingSettings {
  if (env.DATABASE_DIRECT_URL !== undefined && env.DATABASE_URL === undefined)
    throw new ConfigError('DATABASE_DIRECT_URL needs DATABASE_URL, the address of the pooler. Set both, or neither.')
  const isProduction = env.PARLEY_ENV === 'production'
  const dangers = isProduction ? dangersIn(env, given, { publicUrl, reachesPhones }) : []
  if (dangers.length > 0) throw new ConfigError(dangers.join('\n'))
  return {
    isProduction,
    databaseDirectUrl: env.DATABASE_DIRECT_URL,
    databasePoolSize: env.DATABASE_POOL_SIZE,
    jobsPoolSize: env.JOBS_POOL_SIZE,
  }
}

function dangersIn(
  env: HostingEnvironment,
  given: Readonly<Record<string, string | undefined>>,
  { publicUrl, reachesPhones }: Reach,
): string[] {
  const isShared = env.DATABASE_URL !== undefined
  return [
    env.SMTP_URL === undefined &&
      'SMTP_URL is not set: nobody could confirm an address or reset a password. Set it to a mail server.',
    isShared &&
      env.S3_BUCKET === undefined &&
      'S3_BUCKET is not set: with DATABASE_URL, other nodes would not find the recordings of this one. Set it.',
    isShared &&
      env.REDIS_URL === undefined &&
      'REDIS_URL is not set: with DATABASE_URL, each node would count its own limits and hear of its own calls alone. Set it.',
    unsaidCarrier(given),
    reachesPhones &&
      env.STRIPE_SECRET_KEY === SANDBOX_KEYS.secret &&
      'STRIPE_SECRET_KEY is not set: the test cards of the payments sandbox would pay for real calls. Set the three keys of Stripe.',
    isLoopback(new URL(publicUrl).hostname)
      ? `PUBLIC_URL is ${publicUrl}: links in mails would lead to the machine of their reader. Set it to the public address.`
      : !publicUrl.startsWith('https:') &&
        `PUBLIC_URL is ${publicUrl}: passwords and sessions would cross the network in the clear. Begin it with https.`,
    env.BEHIND_PROXY === 'on' &&
      env.TRUSTED_PROXIES.trim() === '' &&
      'TRUSTED_PROXIES is not set: with BEHIND_PROXY=on, all clients would share the limits of one address. Set it.',
    ...secretDangers(env),
  ].filter((each) => typeof each === 'string')
}

/** A sentence for each secret that may be guessed, or that is in both variables. */
export function secretDangers({
  AUTH_SECRET: auth,
  VOICE_SECRET: voice,
}: Pick<HostingEnvironment, 'AUTH_SECRET' | 'VOICE_SECRET'>): string[] {
  const shared = auth.filter(({ secret }) => voice.some((each) => each.secret === secret))
  return [
    ...weaknessesOf('AUTH_SECRET', auth),
    ...weaknessesOf('VOICE_SECRET', voice),
    ...shared.map((key) => `${sharedName(key)}: a voice node could sign sessions. Give each a secret of its own.`),
  ]
}

const sharedName = ({ id }: Key) =>
  id === null ? 'AUTH_SECRET and VOICE_SECRET are the same' : `AUTH_SECRET, key ${id}, is in VOICE_SECRET too`
