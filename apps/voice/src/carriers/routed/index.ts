import type { Carrier, Clock } from '@parley/voice-ports'
import { parsePhoneNumberFromString } from 'libphonenumber-js'
import type { Logger } from 'pino'
import { type CarrierFigures, CarrierHealth } from './health.ts'
import { type Candidate, RoutedLeg } from './leg.ts'
import type { CarrierLimits } from './limits.ts'

export { type CarrierLimits, inProcessLimits } from './limits.ts'
export { checkSharedLimits, sharedLimits } from './shared-limits.ts'

export interface Routes {
  /** Names of carriers, in order of preference. */
  readonly usual: readonly string[]
  /** By ISO country of the callee. */
  readonly countries: Readonly<Record<string, readonly string[]>>
  /** Numbers of one carrier alone, tried before the country. */
  readonly special?: { readonly carrier: string; readonly takes: (to: string) => boolean }
}

export interface RoutedCarrierOptions {
  /** With names unlike each other. */
  readonly carriers: readonly Carrier[]
  readonly routes: Routes
  readonly limits: CarrierLimits
  /** Of the circuit breakers. */
  readonly clock: Clock
  readonly log: Logger
}

export interface RoutedCarrier extends Carrier {
  /** By name of the carrier. */
  figures(): Readonly<Record<string, CarrierFigures>>
}

/** Between the carrier's name and its own id. */
const SEPARATOR = ':'

/**
 * Several carriers as one. The id of a call tells its carrier (`twilio:CA1`), so that any process can ask about it.
 * @throws when a route names a carrier that is not there
 */
export function routedCarrier({ carriers, routes, limits, clock, log }: RoutedCarrierOptions): RoutedCarrier {
  const candidates = new Map(
    carriers.map((carrier): [string, Candidate] => [carrier.name, { carrier, health: new CarrierHealth(clock) }]),
  )
  const named = (name: string): Candidate => {
    const candidate = candidates.get(name)
    if (!candidate) throw new Error(`There is no carrier ${name}.`)
    return candidate
  }
  const usual = routes.usual.map(named)
  const countries = new Map(Object.entries(routes.countries).map(([country, names]) => [country, names.map(named)]))
  const special = routes.special && { ...routes.special, candidates: [named(routes.special.carrier)] }
  const candidatesFor = (to: string): readonly Candidate[] =>
    special?.takes(to) === true ? special.candidates : (countries.get(countryOf(to)) ?? usual)
  const legs = new Set<RoutedLeg>()

  return {
    name: carriers.map(({ name }) => name).join(','),
    dial(dial, legClock, onEvent) {
      const leg: RoutedLeg = new RoutedLeg({
        candidates: candidatesFor(dial.to),
        limits,
        log,
        dial,
        clock: legClock,
        idOf: ({ name }, id) => `${name}${SEPARATOR}${id}`,
        onEvent(event) {
          if (event.type === 'ended' || event.type === 'hung_up') legs.delete(leg)
          onEvent(event)
        },
      })
      legs.add(leg)
      return leg
    },
    ask: (id, signal) => asked(candidates, id, (carrier, own) => carrier.ask(own, signal)),
    async hangUp(id, signal) {
      await asked(candidates, id, async (carrier, own) => {
        await carrier.hangUp(own, signal)
        return null
      })
    },
    mount(host) {
      for (const carrier of carriers) carrier.mount?.(host)
    },
    async close() {
      for (const leg of legs) leg.drop()
      await Promise.all([...carriers, limits].map((part) => part.close()))
    },
    figures: () => Object.fromEntries([...candidates].map(([name, { health }]) => [name, health.figures()])),
  }
}

/**
 * The first answer that is not null. An id without a name was given before there were several carriers: every one is
 * asked.
 * @throws when the carrier of the id is not there, or one of several could not be asked and none knew the call
 */
async function asked<T>(
  candidates: ReadonlyMap<string, Candidate>,
  id: string,
  ask: (carrier: Carrier, own: string) => Promise<T | null>,
): Promise<T | null> {
  const at = id.indexOf(SEPARATOR)
  if (at > 0) {
    const name = id.slice(0, at)
    const candidate = candidates.get(name)
    if (candidate) return ask(candidate.carrier, id.slice(at + 1))
    if (/^[a-z]+$/.test(name)) throw new Error(`The call is of the carrier ${name}, which is not configured.`)
  }
  const failures: unknown[] = []
  for (const { carrier } of candidates.values()) {
    try {
      const answer = await ask(carrier, id)
      if (answer !== null) return answer
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return null
}

/** Fictional numbers of North America have an area code but no country in the library. */
function countryOf(to: string): string {
  const number = parsePhoneNumberFromString(to)
  return number?.country ?? (number?.countryCallingCode === '1' ? 'US' : '')
}
