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
  type SpeechDetector,
  systemClock,
  type Ticker,
  voiceOf,
} from '@parley/voice-ports'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { Journal, noJournal } from './journal.ts'
import { createLog } from './log.ts'
import { patientMind, patientMouth } from './patience.ts'
import type { DialedCalls } from './session/call/calls.ts'
import { createEspeakMouth, findEspeak } from './speech/local/index.ts'
import { createSileroDetector } from './speech/silero/index.ts'
import { type FactKeeping, FactSpool, keepNoFacts } from './spool/facts.ts'
import { Spool } from './spool/recordings.ts'

export type PickUp = AnsweringCarrier['pickUp']

/** Plays the outside world. The process that starts the service passes it in: voice never imports the sandbox. */
export interface Sandbox {
  /** `speak` lends the callees a voice. */
  readonly network: (options: {
    readonly speak: ReturnType<typeof voiceOf>
    /** Where the network keeps its call records, which outlive a process that is killed. */
    readonly recordsDir?: string
  }) => AnsweringCarrier
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
  /** The first is used; the others take over when it fails. */
  readonly ears: readonly Ear[]
  /** null: the level alone tells speech from noise. */
  readonly speechDetector: SpeechDetector | null
  readonly mouth: Mouth
  readonly mind: Mind
  readonly spool: Spool
  readonly journal: DialedCalls
  readonly facts: FactKeeping
}

export type Overrides = Partial<Pick<Context, 'journal' | 'log' | 'carrier' | 'ears' | 'mouth' | 'mind'>> & {
  readonly sandbox?: Sandbox | undefined
}

/** @throws ConfigError when a configured adapter is not available */
export async function createContext(config: Config, { sandbox, ...overrides }: Overrides = {}): Promise<Context> {
  const clock = systemClock(config.clockSpeed)
  const mouth = patientMouth(overrides.mouth ?? (await localMouth(sandbox)), clock)
  const log = overrides.log ?? createLog(config.logLevel)
  // A journal passed in is that of a rehearsal: nothing of it is remembered beyond its process.
  const recordsDir = overrides.journal ? null : config.recordsDir
  const phones = overrides.carrier ? { carrier: overrides.carrier, pickUp: null } : network(sandbox, mouth, recordsDir)
  return {
    config,
    bootId: `${Date.now()}-${randomUUID()}`,
    log,
    clock,
    ticker: frameTicker(clock),
    ...phones,
    speechDetector: await speechDetectorFor(config, phones.carrier, log),
    ears: overrides.ears ?? [there(sandbox).ear()],
    mouth,
    mind: patientMind(overrides.mind ?? createScriptedMind(), clock),
    journal: overrides.journal ?? new Journal(config.dataDir),
    facts: overrides.journal === noJournal ? keepNoFacts(log) : new FactSpool(config.dataDir, log),
    spool: new Spool({ dir: config.spoolDir, apiUrl: config.apiUrl, secret: config.secret, log }),
  }
}

/** Where the words travel beside the sound they prove the speech, and the detector would only cost. */
async function speechDetectorFor(
  { speechDetector }: Config,
  { capabilities }: Carrier,
  log: Logger,
): Promise<SpeechDetector | null> {
  if (speechDetector === 'level' || capabilities.text) return null
  return createSileroDetector(log).catch((error: unknown) => {
    log.warn({ err: error }, 'this machine cannot run the speech detector: levels alone decide')
    return null
  })
}

async function localMouth(sandbox: Sandbox | undefined): Promise<Mouth> {
  const binary = await findEspeak()
  return binary === null ? there(sandbox).mouth() : createEspeakMouth({ binary, otherwise: sandbox?.mouth() })
}

function network(
  sandbox: Sandbox | undefined,
  mouth: Mouth,
  recordsDir: string | null,
): Pick<Context, 'carrier' | 'pickUp'> {
  const carrier = there(sandbox).network({ speak: voiceOf(mouth), ...(recordsDir !== null && { recordsDir }) })
  return { carrier, pickUp: (callId, hear) => carrier.pickUp(callId, hear) }
}

function there(sandbox: Sandbox | undefined): Sandbox {
  if (sandbox) return sandbox
  throw new ConfigError(
    'CARRIER=simulated needs the simulated network, which this voice service was started without: ' +
      'run the whole product with "npm start", or set CARRIER to a telephone network.',
  )
}
