import { randomUUID } from 'node:crypto'
import { BackgroundChecks } from '@parley/contract/checks'
import { ConfigError } from '@parley/contract/environment'
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
import { hostname } from 'node:os'
import { createTraces, type Traces } from '@parley/traces'
import type { Logger } from 'pino'
import { type CheckedParts, checksOf } from './checks.ts'
import type { Config } from './config.ts'
import { Journal, noJournal } from './journal.ts'
import { createLog } from './log.ts'
import { patientMind, patientMouth } from './patience.ts'
import type { DialedCalls } from './session/call/calls.ts'
import { earsOf, mouthsOf, speechChecksOf, type SpeechParts } from './speech.ts'
import { failoverMouth } from './speech/failover.ts'
import { noEar } from './speech/no-ear.ts'
import { createEspeakMouth, findEspeak } from './speech/local/index.ts'
import { createSileroDetector } from './speech/silero/index.ts'
import { createSmartTurn, type SmartTurn } from './speech/smart-turn/index.ts'
import { thinkingOf } from './thinking.ts'
import { ADAPTERS, type AdapterParts, type Adapters, adaptersOf, carrierChecksOf, realCarrier } from './telephony.ts'
import { type FactKeeping, FactSpool, keepNoFacts } from './spool/facts.ts'
import { Spool } from './spool/recordings.ts'
import { version } from './nodes/version.ts'

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
  /**
   * Whether the ears recognise speech by its sound, as every one of EAR does. That of the simulated network does not, so a
   * service with it takes no calls over real carriers.
   */
  readonly hearsRealLines: boolean
  /** Of carriers, ear, mouth, mind and address. */
  readonly checks: BackgroundChecks
  /** null: the level alone tells speech from noise. */
  readonly speechDetector: SpeechDetector | null
  /** null: the words alone tell the end of a turn. */
  readonly turnEnd: SmartTurn | null
  readonly mouth: Mouth
  readonly mind: Mind
  readonly spool: Spool
  readonly journal: DialedCalls
  readonly facts: FactKeeping
  readonly traces: Traces
}

export type Overrides = Partial<
  Pick<Context, 'journal' | 'log' | 'carrier' | 'ears' | 'mouth' | 'mind' | 'hearsRealLines'>
> & {
  readonly sandbox?: Sandbox | undefined
  /** In the place of those of this build. */
  readonly adapters?: Adapters
}

/** @throws ConfigError when a configured adapter is not available */
export async function createContext(config: Config, overrides: Overrides = {}): Promise<Context> {
  const { sandbox } = overrides
  const clock = systemClock(config.clockSpeed)
  const log = overrides.log ?? createLog(config.logLevel, { node: config.nodeId })
  const parts = { config, log, clock }
  const mouth = patientMouth(overrides.mouth ?? (await mouthFor(parts, sandbox)), clock)
  // A journal passed in is that of a rehearsal: nothing of it is remembered beyond its process.
  const recordsDir = overrides.journal ? null : config.recordsDir
  const phones = overrides.carrier
    ? { carrier: overrides.carrier, pickUp: null, carrierChecks: [] }
    : await phonesOf(parts, overrides, mouth, recordsDir)
  const thinking = overrides.mind ? { mind: overrides.mind, ears: [], checks: [] } : await thinkingOf(parts)
  const configured = [...thinking.ears, ...(await earsOf(parts))]
  const hearsRealLines = overrides.hearsRealLines ?? configured.length > 0
  const ears = overrides.ears ?? (configured.length > 0 ? configured : [sandbox ? sandbox.ear() : noEar])
  const mind = patientMind(thinking.mind, clock)
  const vendorChecks = { speechChecks: speechChecksOf(parts), mindChecks: thinking.checks }
  const checked = { config, ears, mouth, mind, hearsRealLines, ...vendorChecks, ...phones }
  return {
    config,
    bootId: `${Date.now()}-${randomUUID()}`,
    log,
    clock,
    ticker: frameTicker(clock),
    ...phones,
    speechDetector: await speechDetectorFor(config, log),
    turnEnd: await turnEndFor(config, log),
    ears,
    hearsRealLines,
    checks: new BackgroundChecks(checksOf(checked), (part) =>
      part.ok ? log.info(part, 'mended') : log.error(part, 'not ready'),
    ),
    mouth,
    mind,
    journal: overrides.journal ?? new Journal(config.dataDir),
    facts: overrides.journal === noJournal ? keepNoFacts(log) : new FactSpool(config.dataDir, log),
    traces: await tracesOf(config, log),
    spool: new Spool({ dir: config.spoolDir, apiUrl: config.apiUrl, secret: config.keys[0].secret, log }),
  }
}

function tracesOf({ traces, nodeId = hostname() }: Config, log: Logger): Promise<Traces> {
  const onLost = (lost: number) => log.warn({ lost }, 'spans were not exported')
  return createTraces(traces && { ...traces, service: 'parley-voice', version, instance: nodeId, onLost })
}

/** The simulated network carries words beside the sound: they prove the speech. */
async function speechDetectorFor({ speechDetector, telephony }: Config, log: Logger): Promise<SpeechDetector | null> {
  if (speechDetector === 'level' || !telephony.isReal) return null
  return createSileroDetector(log).catch((error: unknown) => {
    log.warn({ err: error }, 'this machine cannot run the speech detector: levels alone decide')
    return null
  })
}

async function turnEndFor({ turnEndModel }: Config, log: Logger): Promise<SmartTurn | null> {
  if (turnEndModel === undefined) return null
  return createSmartTurn(turnEndModel, log).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(
      `TURN_END_MODEL=${turnEndModel} cannot be used: ${reason}. Name the ONNX file of a smart-turn model, version 3.`,
    )
  })
}

async function mouthFor(parts: SpeechParts, sandbox: Sandbox | undefined): Promise<Mouth> {
  const mouths = await mouthsOf(parts)
  return mouths.length > 0 ? failoverMouth(mouths, parts) : localMouth(parts.config, sandbox)
}

async function localMouth({ telephony }: Config, sandbox: Sandbox | undefined): Promise<Mouth> {
  const binary = await findEspeak()
  if (binary === null && !sandbox && telephony.isReal)
    throw new ConfigError('There is no voice to speak with: install espeak-ng, which speaks on this machine.')
  return binary === null ? there(sandbox).mouth() : createEspeakMouth({ binary, otherwise: sandbox?.mouth() })
}

/** Test numbers of real carriers are answered by the simulated network too. */
async function phonesOf(
  parts: AdapterParts,
  { sandbox, adapters = ADAPTERS }: Overrides,
  mouth: Mouth,
  recordsDir: string | null,
): Promise<Pick<Context, 'carrier' | 'pickUp'> & Pick<CheckedParts, 'carrierChecks'>> {
  const { telephony } = parts.config
  const network = () => there(sandbox).network({ speak: voiceOf(mouth), ...(recordsDir !== null && { recordsDir }) })
  if (!telephony.isReal) {
    const carrier = network()
    return { carrier, pickUp: (callId, hear) => carrier.pickUp(callId, hear), carrierChecks: [] }
  }
  const used = adaptersOf(parts.config, adapters)
  const tests = telephony.testNumbers ? network() : null
  const pickUp: PickUp | null = tests && ((callId, hear) => tests.pickUp(callId, hear))
  const carrier = await realCarrier(parts, used, tests)
  return { carrier, pickUp, carrierChecks: carrierChecksOf(parts, used, carrier) }
}

function there(sandbox: Sandbox | undefined): Sandbox {
  if (sandbox) return sandbox
  throw new ConfigError(
    'CARRIER=simulated and SANDBOX_NUMBERS=on need the simulated network, which this voice service was started without: ' +
      'run the whole product with "npm start", or set CARRIER to a telephone network.',
  )
}
