import { z } from 'zod'
import { ConfigError } from './environment.ts'

// The variables of the telephone networks that api and voice read alike, and their contradictions.

const REAL_CARRIERS = ['twilio', 'sip'] as const
export type RealCarrier = (typeof REAL_CARRIERS)[number]
export type CarrierName = 'simulated' | RealCarrier
const CARRIERS: readonly string[] = ['simulated', ...REAL_CARRIERS] satisfies CarrierName[]

const isReal = (name: string): name is RealCarrier => REAL_CARRIERS.some((each) => each === name)
const isCarrier = (name: string): name is CarrierName => CARRIERS.includes(name)
const listOf = (text: string) => text.split(',').map((each) => each.trim())

const CarrierList = z.string().transform((text, context): readonly CarrierName[] => {
  const names = listOf(text)
  const known = names.filter(isCarrier)
  if (known.length === names.length && new Set(names).size === names.length) return known
  context.addIssue('must be simulated, or twilio and sip in order of preference, such as sip,twilio')
  return z.NEVER
})

const Routes = z.string().transform((text, context): Readonly<Record<string, readonly RealCarrier[]>> => {
  const routes = new Map<string, readonly RealCarrier[]>()
  for (const part of text.split(';').filter((each) => each.trim() !== '')) {
    const [country = '', names = '', ...more] = part.split('=').map((each) => each.trim())
    const listed = listOf(names)
    const real = listed.filter(isReal)
    const isRight = more.length === 0 && /^[A-Z]{2}$/.test(country) && new Set(real).size === listed.length
    if (!isRight || routes.has(country)) {
      context.addIssue('must name each country once, with its carriers, such as DE=sip,twilio;US=twilio')
      return z.NEVER
    }
    routes.set(country, real)
  }
  return Object.fromEntries(routes)
})

/** In zod's shape: spread into the schema of an app's environment. */
export const carrierVariables = {
  CARRIER: CarrierList.prefault('simulated').meta({
    description:
      'the telephone network: `simulated`, or `twilio` and `sip` in order of preference, such as `sip,twilio`',
    unset: 'simulated',
  }),
  CARRIER_ROUTES: Routes.prefault('').meta({
    description: 'other orders of preference by country of the callee, such as `DE=sip,twilio;US=twilio`',
    unset: 'CARRIER for every country',
  }),
  TWILIO_API_BASE: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://api.dublin.ie1.twilio.com' })
    .optional()
    .meta({ description: "another server that speaks Twilio's wire format, or a region of it", unset: "Twilio's own" }),
  SIP_TRUNKS: z.string().min(1).optional().meta({
    description: 'path of the JSON file with the SIP trunks; needed with `CARRIER=sip`',
    unset: 'none',
  }),
  SANDBOX_NUMBERS: z.enum(['on', 'off']).default('off').meta({
    description:
      '`on`: with a real carrier, +1 202 555 01xx still reach the callees of the simulated network, free of charge',
  }),
} as const

const CarrierEnvironment = z.object(carrierVariables)
type CarrierEnvironment = z.output<typeof CarrierEnvironment>

export interface CarrierSettings {
  /** In order of preference; ['simulated'] or real ones. */
  readonly carriers: readonly CarrierName[]
  /** By ISO country. */
  readonly routes: Readonly<Record<string, readonly RealCarrier[]>>
  /** Every carrier of the list and of the routes. */
  readonly used: readonly CarrierName[]
  readonly isReal: boolean
  /** Real carriers whose far ends are all on this machine: a test. */
  readonly isLoopback: boolean
  /** TWILIO_API_BASE is on this machine. */
  readonly isTwilioLoopback: boolean
  /** Test numbers reach the simulated network beside real carriers. */
  readonly testNumbers: boolean
  /** Content of SIP_TRUNKS: JSON, whose shape the adapter checks; null without a use of it. */
  readonly trunks: string | null
}

/**
 * `readText` reads a file or throws.
 * @throws ConfigError with one sentence for a contradiction
 */
export function carrierSettings(env: CarrierEnvironment, readText: (path: string) => string): CarrierSettings {
  const { CARRIER: carriers, CARRIER_ROUTES: routes, TWILIO_API_BASE: apiBase } = env
  const used = [...new Set<CarrierName>([...carriers, ...Object.values(routes).flat()])]
  if (used.includes('simulated') && used.length > 1)
    throw new ConfigError(
      'CARRIER=simulated goes with no other carrier: remove it from CARRIER, or the others from CARRIER and CARRIER_ROUTES. ' +
        'SANDBOX_NUMBERS=on keeps the simulated test numbers beside a real carrier.',
    )
  if (apiBase !== undefined && !isLoopbackUrl(apiBase) && !apiBase.startsWith('https:'))
    throw new ConfigError('TWILIO_API_BASE must begin with https: the keys of the account are sent there.')
  const trunks = used.includes('sip') ? trunksIn(env.SIP_TRUNKS, readText) : null
  const local = {
    simulated: false,
    twilio: apiBase !== undefined && isLoopbackUrl(apiBase),
    sip: trunks !== null && areLocal(trunks.json),
  }
  return {
    carriers,
    routes,
    used,
    isReal: !used.includes('simulated'),
    isLoopback: used.every((name) => local[name]),
    isTwilioLoopback: local.twilio,
    testNumbers: env.SANDBOX_NUMBERS === 'on' && !used.includes('simulated'),
    trunks: trunks?.text ?? null,
  }
}

function trunksIn(path: string | undefined, readText: (path: string) => string) {
  if (path === undefined)
    throw new ConfigError('CARRIER=sip needs SIP_TRUNKS, the path of a JSON file with the SIP trunks. Set it.')
  let text: string
  try {
    text = readText(path)
  } catch (error) {
    const code = error instanceof Error ? String(Reflect.get(error, 'code')) : 'unknown'
    throw new ConfigError(`SIP_TRUNKS: the file ${path} cannot be read (${code}). Correct the path or its permissions.`)
  }
  try {
    const json: unknown = JSON.parse(text)
    return { text, json }
  } catch {
    throw new ConfigError(`SIP_TRUNKS: the file ${path} is not JSON. Correct it.`)
  }
}

const Hosts = z.object({ trunks: z.array(z.object({ host: z.string() })).min(1) })

/** Whether every trunk is on this machine. */
function areLocal(trunks: unknown): boolean {
  return Hosts.safeParse(trunks).data?.trunks.every(({ host }) => isLoopbackHost(host)) ?? false
}

function isLoopbackUrl(address: string): boolean {
  return isLoopbackHost(new URL(address).hostname)
}

/** By name or number, without DNS. */
function isLoopbackHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)
}
