import { randomUUID } from 'node:crypto'
import { ConfigError } from '@parley/contract/environment'
import { createScriptedMind } from '@parley/offline-mind'
import {
  type AnsweringCarrier,
  type Carrier,
  type Clock,
  type Ear,
  frameTicker,
  type Mind,
  type Mouth,
  systemClock,
  type Ticker,
} from '@parley/voice-ports'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { Journal } from './journal.ts'
import { createLog } from './log.ts'
import { patientMind, patientMouth } from './patience.ts'
import type { DialedCalls } from './session/call/calls.ts'
import { createEspeakMouth, findEspeak } from './speech/local/index.ts'
import { Spool } from './spool.ts'

export type PickUp = AnsweringCarrier['pickUp']

/** Plays the outside world. The process that starts the service passes it in: voice never imports the sandbox. */
export interface Sandbox {
  /** `speak` lends the callees a voice. */
  readonly network: (options: { readonly speak: Mouth['speak'] }) => AnsweringCarrier
  readonly ear: () => Ear
  readonly mouth: () => Mouth
}

/** Every long-lived thing of the service, built once. */
export interface Context {
  readonly config: Config
  /** Of this process; begins with the time of its start. */
  readonly bootId: string
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

export type Overrides = Partial<Pick<Context, 'journal' | 'log' | 'carrier' | 'ear' | 'mouth' | 'mind'>> & {
  readonly sandbox?: Sandbox | undefined
}

/** @throws ConfigError when a configured adapter is not available */
export async function createContext(config: Config, { sandbox, ...overrides }: Overrides = {}): Promise<Context> {
  const clock = systemClock(config.clockSpeed)
  const mouth = patientMouth(overrides.mouth ?? (await localMouth(sandbox)), clock)
  const log = overrides.log ?? createLog(config.logLevel)
  return {
    config,
    bootId: `${Date.now()}-${randomUUID()}`,
    log,
    clock,
    ticker: frameTicker(clock),
    ...(overrides.carrier ? { carrier: overrides.carrier, pickUp: null } : network(sandbox, mouth)),
    ear: overrides.ear ?? there(sandbox).ear(),
    mouth,
    mind: patientMind(overrides.mind ?? createScriptedMind(), clock),
    journal: overrides.journal ?? new Journal(config.dataDir),
    spool: new Spool({ dir: config.spoolDir, apiUrl: config.apiUrl, secret: config.secret, log }),
  }
}

async function localMouth(sandbox: Sandbox | undefined): Promise<Mouth> {
  const binary = await findEspeak()
  return binary === null ? there(sandbox).mouth() : createEspeakMouth({ binary, otherwise: sandbox?.mouth() })
}

function network(sandbox: Sandbox | undefined, mouth: Mouth): Pick<Context, 'carrier' | 'pickUp'> {
  const carrier = there(sandbox).network({ speak: (text, options) => mouth.speak(text, options) })
  return { carrier, pickUp: (callId, hear) => carrier.pickUp(callId, hear) }
}

function there(sandbox: Sandbox | undefined): Sandbox {
  if (sandbox) return sandbox
  throw new ConfigError(
    'CARRIER=simulated needs the simulated network, which this voice service was started without: ' +
      'run the whole product with "npm start", or set CARRIER to a telephone network.',
  )
}
