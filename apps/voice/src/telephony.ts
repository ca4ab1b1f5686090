import { join } from 'node:path'
import { isTestNumber } from '@parley/contract'
import type { RealCarrier } from '@parley/contract/carriers'
import type { Check, CheckedPart, CheckResult } from '@parley/contract/checks'
import { ConfigError } from '@parley/contract/environment'
import type { AnsweringCarrier, Carrier, Clock } from '@parley/voice-ports'
import type { Logger } from 'pino'
import {
  type CarrierLimits,
  checkSharedLimits,
  inProcessLimits,
  type RoutedCarrier,
  routedCarrier,
  sharedLimits,
} from './carriers/routed/index.ts'
import { checkTrunk, readTrunks, SipCarrier } from './carriers/sip/index.ts'
import { openRtp } from './carriers/sip/media/index.ts'
import type { Config } from './config.ts'

// Joins the telephone networks that are configured into one carrier.

export interface AdapterParts {
  readonly config: Config
  readonly log: Logger
  readonly clock: Clock
}

/** A vendor's carrier, and the harmless requests that tell whether it would place calls. */
interface CarrierAdapter {
  /** @throws ConfigError */
  create(parts: AdapterParts): Carrier | Promise<Carrier>
  /** One for each way to the network, as for each trunk: its name is the `part`. A carrier with one way has ''. */
  checks(parts: AdapterParts): readonly Check[]
}

export type Adapters = Readonly<Partial<Record<RealCarrier, CarrierAdapter>>>
type UsedAdapters = ReadonlyMap<RealCarrier, CarrierAdapter>

/** Twilio's package takes most of a second to load: only who uses it waits for it. */
const twilio: CarrierAdapter = {
  async create({ config, log }) {
    const { createTwilioCarrier } = await import('./carriers/twilio/index.ts')
    return createTwilioCarrier({ ...twilioKeysOf(config), log })
  },
  checks: ({ config }) => [
    {
      part: '',
      mend: 'Look whether this machine reaches the API of Twilio, and whether status.twilio.com tells of a disturbance.',
      async run(signal) {
        const { checkTwilio } = await import('./carriers/twilio/index.ts')
        return checkTwilio({ ...twilioKeysOf(config), publicUrl: config.publicUrl }, signal)
      },
    },
  ],
}

function twilioKeysOf({ twilio: keys }: Config): NonNullable<Config['twilio']> {
  if (keys) return keys
  throw new ConfigError('CARRIER=twilio needs the keys of an account at Twilio.')
}

const sip: CarrierAdapter = {
  async create({ config, log, clock }) {
    const file = trunksOf(config)
    try {
      return await SipCarrier.open({
        file,
        clock,
        openMedia: openRtp,
        log,
        recordsDir: join(config.dataDir, 'sip-calls'),
      })
    } catch (error) {
      const { address, port } = file.listen
      const reason = error instanceof Error ? error.message : String(error)
      throw new ConfigError(
        `SIP_TRUNKS: SIP cannot listen on ${address} port ${port}: ${reason}. Set "listen" in the file to what is free.`,
      )
    }
  },
  checks({ config }) {
    const { trunks, listen, certificates } = trunksOf(config)
    return trunks.map((trunk) => ({
      part: trunk.name,
      mend: `Look whether this machine reaches ${trunk.host}, and what its provider says.`,
      run: (signal: AbortSignal) =>
        checkTrunk(trunk, signal, { address: listen.address, ...(certificates !== undefined && { certificates }) }),
    }))
  },
}

function trunksOf({ telephony: { trunks } }: Config): ReturnType<typeof readTrunks> {
  try {
    return readTrunks(trunks ?? '')
  } catch (error) {
    throw new ConfigError(`SIP_TRUNKS: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Those of this build. */
export const ADAPTERS: Adapters = { twilio, sip }

/** @throws ConfigError when a carrier of the configuration is not in this build */
export function adaptersOf({ telephony }: Config, adapters: Adapters): UsedAdapters {
  const used = telephony.used.filter((name) => name !== 'simulated')
  return new Map(
    used.map((name) => {
      const adapter = adapters[name]
      if (adapter) return [name, adapter]
      throw new ConfigError(`CARRIER=${name} is not available in this build. Use CARRIER=simulated.`)
    }),
  )
}

/** `testNetwork`: the simulated network, which test numbers reach; null: it is not to be reached. */
export async function realCarrier(
  parts: AdapterParts,
  adapters: UsedAdapters,
  testNetwork: AnsweringCarrier | null,
): Promise<RoutedCarrier> {
  const { config, log, clock } = parts
  const { telephony } = config
  const carriers = await Promise.all([...adapters.values()].map(async (adapter) => adapter.create(parts)))
  return routedCarrier({
    carriers: testNetwork ? [...carriers, testNetwork] : carriers,
    routes: {
      usual: telephony.carriers,
      countries: telephony.routes,
      ...(testNetwork && { special: { carrier: testNetwork.name, takes: isTestNumber } }),
    },
    limits: limitsOf(parts),
    clock,
    log,
  })
}

function limitsOf({ config, clock, log }: AdapterParts): CarrierLimits {
  const { carrierLimits, redisUrl } = config
  const limits = Object.fromEntries(
    Object.entries(carrierLimits).map(([name, { callsPerSecond, callsAtOnce }]) => [
      name,
      { callsPerSecond, callsAtOnce: callsAtOnce ?? Infinity },
    ]),
  )
  return redisUrl === null ? inProcessLimits(limits, clock) : sharedLimits({ redisUrl, limits, clock, log })
}

const SHARED_LIMITS = 'shared limits of carriers'

function sharedLimitsCheck({ config: { redisUrl } }: AdapterParts): Check[] {
  if (redisUrl === null) return []
  const { host } = new URL(redisUrl)
  const run = async (signal: AbortSignal): Promise<CheckResult> => {
    await checkSharedLimits(redisUrl, signal)
    return { ok: true, detail: `Redis at ${host} answers.` }
  }
  const mend = `Start Redis at ${host}, or correct REDIS_URL: until it answers, no call starts over a real carrier.`
  return [{ part: SHARED_LIMITS, mend, run }]
}

const wayOf = (name: string, part: string) => (part === '' ? `carrier ${name}` : `carrier ${name} ${part}`)
const callsOver = (name: string) => `calls over ${name}`

/** What the adapters find, and whether calls have failed on a carrier lately. */
export function carrierChecksOf(parts: AdapterParts, adapters: UsedAdapters, carrier: RoutedCarrier): Check[] {
  const ways = [...adapters].flatMap(([name, adapter]): Check[] => [
    ...adapter.checks(parts).map((check) => ({
      part: wayOf(name, check.part),
      mend: check.mend,
      run: (signal: AbortSignal) => check.run(signal),
    })),
    { part: callsOver(name), mend: '', run: () => Promise.resolve(lately(carrier, name)) },
  ])
  return [...ways, ...sharedLimitsCheck(parts)]
}

/** By name; of a carrier that is none of several, nothing is kept. */
export function carrierFiguresOf(carrier: Carrier): ReturnType<RoutedCarrier['figures']> {
  return isRouted(carrier) ? carrier.figures() : {}
}

const isRouted = (carrier: Carrier): carrier is RoutedCarrier => 'figures' in carrier

function lately(carrier: RoutedCarrier, name: string): CheckResult {
  const figures = carrier.figures()[name]
  if (!figures || figures.attempts === 0) return { ok: true, detail: 'None was tried in the last 10 minutes.' }
  const { circuit, failures, attempts, failuresInRow, lastCode, openForMs } = figures
  const told = `${failures} of the last ${attempts} calls failed on it.`
  if (circuit !== 'open') return { ok: true, detail: told }
  return {
    ok: false,
    problem:
      `It is passed over: ${failuresInRow} calls in a row failed on it, the last with ` +
      `${lastCode === null ? 'no code' : `the code ${lastCode}`}. ${told}`,
    mend: `Look up the code in the voice log, which has how to mend it; one call tries it again in ${Math.ceil(openForMs / 1000)} s.`,
  }
}

/** Whether a carrier would place calls by the last look: one of its ways is good, and calls have not failed lately. */
export function isUsable(results: readonly CheckedPart[], name: string): boolean {
  const ways = results.filter(({ part }) => part === wayOf(name, '') || part.startsWith(`${wayOf(name, '')} `))
  const isBarred = results.some(({ part, ok }) => !ok && (part === callsOver(name) || part === SHARED_LIMITS))
  return ways.some(({ ok }) => ok) && !isBarred
}
