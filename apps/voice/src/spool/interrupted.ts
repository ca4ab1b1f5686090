import { setTimeout as pause } from 'node:timers/promises'
import { type Fact, type FactBody, PHASES } from '@parley/contract'
import { isOptOut } from '@parley/offline-mind'
import type { Carrier, CarrierStanding } from '@parley/voice-ports'
import type { Logger } from 'pino'
import { END_MESSAGES } from '../session/call/endings.ts'

/** The part of a carrier that knows of a call after our process lost it. Both may throw. */
export interface CarrierRecords {
  /** null: the carrier has no such call. */
  ask(carrierCallId: string, signal: AbortSignal): Promise<Pick<CarrierStanding, 'state' | 'connectedMs'> | null>
  hangUp: Carrier['hangUp']
}

export interface InterruptedOptions {
  readonly records: CarrierRecords
  readonly log: Logger
  /** Between questions to the carrier, on the wall clock. */
  readonly pause?: (delayMs: number) => Promise<unknown>
}

const REQUEST_TIMEOUT_MS = 10_000
/** About ten minutes; the facts' own seconds serve after that. */
const ASKED_AFTER_MS = [500, 1000, 2000, 5000, 10_000, 20_000, 40_000, 60_000, 60_000, 120_000, 120_000, 180_000]
const PHASES_OF_MACHINES: readonly string[] = [PHASES.voicemail, PHASES.menu, PHASES.screening]

/** Reports how a call of a dead process ended, if that process could not: an opt-out it had no time for, and the end. */
export async function endInterrupted(
  facts: readonly Fact[],
  add: (body: FactBody) => void,
  options: InterruptedOptions,
): Promise<void> {
  if (facts.some(({ type }) => type === 'ended')) return
  const quote = lostOptOut(facts)
  if (quote !== null) add({ type: 'opted_out', quote })
  const carrierCallId = facts.flatMap((fact) => (fact.type === 'placed' ? [fact.carrierCallId] : [])).at(-1)
  const { records, log } = options
  for (const leg of openLegs(facts)) {
    const legMs = leg.carrierCallId === null ? 0 : ((await connectedMsOf(leg.carrierCallId, records, options)) ?? 0)
    add({ ...leg, connectedSeconds: legMs / 1000 })
  }
  const byCarrier = carrierCallId !== undefined ? await connectedMsOf(carrierCallId, records, options) : null
  const connectedMs = byCarrier ?? heardMs(facts)
  log.warn({ connectedMs, byCarrier: byCarrier !== null, optedOut: quote !== null }, 'interrupted call ended')
  add({
    type: 'ended',
    reason: 'interrupted',
    message: END_MESSAGES.interrupted,
    connectedSeconds: connectedMs / 1000,
  })
}

type LegFact = Extract<FactBody, { type: 'leg' }>

/** Further legs whose end was not reported. */
function openLegs(facts: readonly Fact[]): LegFact[] {
  const legs = new Map<number, LegFact>()
  for (const fact of facts) {
    if (fact.type !== 'leg') continue
    const { type, leg, carrierCallId, connectedSeconds } = fact
    legs.set(leg, { type, leg, carrierCallId, connectedSeconds })
  }
  return [...legs.values()].filter(({ connectedSeconds }) => connectedSeconds === null)
}

/** Hangs up while the carrier says that the call is live. null: it does not know or cannot be asked. */
async function connectedMsOf(
  carrierCallId: string,
  records: CarrierRecords,
  { log, pause: wait = pause }: InterruptedOptions,
): Promise<number | null> {
  let liveMs: number | null = null
  for (const delayMs of ASKED_AFTER_MS) {
    try {
      const said = await records.ask(carrierCallId, AbortSignal.timeout(REQUEST_TIMEOUT_MS))
      if (said === null) return liveMs
      if (said.state === 'ended') return said.connectedMs
      liveMs = said.connectedMs
      await records.hangUp(carrierCallId, AbortSignal.timeout(REQUEST_TIMEOUT_MS))
    } catch (error) {
      log.warn({ err: error }, 'carrier not asked')
    }
    await wait(delayMs)
  }
  log.error({ alarm: 'carrier_not_asked' }, 'the carrier did not say how the call ended')
  return liveMs
}

/** From the answer to the last fact. */
function heardMs(facts: readonly Fact[]): number {
  const answered = facts.find(({ type }) => type === 'answered')
  return answered ? Math.max(0, (facts.at(-1)?.callMs ?? 0) - answered.callMs) : 0
}

/** The words of a callee who opted out unnoticed, without quote where nothing may be kept; null if nobody did. */
function lostOptOut(facts: readonly Fact[]): string | null {
  if (facts.some(({ type }) => type === 'opted_out')) return null
  const texts = new Map<number, string>()
  let withheld = false
  for (const fact of facts) {
    // What was said before is a machine's.
    if (fact.type === 'phase' && PHASES_OF_MACHINES.includes(fact.phase))
      for (const at of texts.keys()) texts.set(at, '')
    if (fact.type === 'phase' && fact.phase === PHASES.notRecorded) withheld = true
    if (fact.type === 'turn' && fact.turn.speaker === 'user' && texts.get(fact.turn.index) !== '')
      texts.set(fact.turn.index, fact.turn.text)
  }
  const said = [...texts.values()].findLast((text) => isOptOut(text))
  return said === undefined ? null : withheld ? '' : said
}
