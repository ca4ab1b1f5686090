import type { Logger } from 'pino'
import {
  type Carrier,
  type Clock,
  type Ear,
  frameTicker,
  type Mind,
  type Mouth,
  systemClock,
  type Ticker,
} from '@parley/voice-ports'
import { createSimulatedCarrier, type SimulatedCarrier } from './carriers/simulated/index.ts'
import type { Config } from './config.ts'
import { createLog } from './log.ts'
import { createScriptedMind } from '@parley/offline-mind'
import { Journal } from './journal.ts'
import { patientMind, patientMouth } from './patience.ts'
import type { DialedCalls } from './session/calls.ts'
import { createScriptedEar, createScriptedMouth, findEspeak } from './speech/scripted/index.ts'
import { Spool } from './spool.ts'

export type PickUp = SimulatedCarrier['pickUp']

/** Every long-lived thing of the service, built once. */
export interface Context {
  readonly config: Config
  readonly log: Logger
  readonly clock: Clock
  readonly ticker: Ticker
  readonly carrier: Carrier
  /** Answers the telephone of ...555 0199; null where no network has one. */
  readonly pickUp: PickUp | null
  readonly ear: Ear
  readonly mouth: Mouth
  readonly mind: Mind
  readonly spool: Spool
  readonly journal: DialedCalls
}

export type Overrides = Partial<Pick<Context, 'journal' | 'log' | 'carrier' | 'ear' | 'mouth' | 'mind'>>

export async function createContext(config: Config, overrides: Overrides = {}): Promise<Context> {
  const clock = systemClock(config.clockSpeed)
  const mouth = patientMouth(overrides.mouth ?? createScriptedMouth({ binary: await findEspeak() }), clock)
  const log = overrides.log ?? createLog(config.logLevel)
  return {
    config,
    log,
    clock,
    ticker: frameTicker(clock),
    ...(overrides.carrier ? { carrier: overrides.carrier, pickUp: null } : simulatedNetwork(mouth)),
    ear: overrides.ear ?? createScriptedEar(),
    mouth,
    mind: patientMind(overrides.mind ?? createScriptedMind(), clock),
    journal: overrides.journal ?? new Journal(config.dataDir),
    spool: new Spool({ dir: config.spoolDir, apiUrl: config.apiUrl, secret: config.secret, log }),
  }
}

function simulatedNetwork(mouth: Mouth): Pick<Context, 'carrier' | 'pickUp'> {
  const carrier = createSimulatedCarrier({ speak: (text, options) => mouth.speak(text, options) })
  return { carrier, pickUp: (callId, hear) => carrier.pickUp(callId, hear) }
}
