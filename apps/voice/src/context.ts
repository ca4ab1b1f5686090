import type { Logger } from 'pino'
import type { Clock } from './audio/clock.ts'
import { systemClock } from './audio/system-clock.ts'
import { frameTicker, type Ticker } from './audio/ticker.ts'
import type { Carrier } from './carriers/port.ts'
import { createSimulatedCarrier } from './carriers/simulated/index.ts'
import type { Config } from './config.ts'
import { createLog } from './log.ts'
import type { Mind } from './minds/port.ts'
import { createScriptedMind } from './minds/scripted/index.ts'
import { patientMind, patientMouth } from './patience.ts'
import type { Ear, Mouth } from './speech/port.ts'
import { createScriptedEar, createScriptedMouth, findEspeak } from './speech/scripted/index.ts'

/** Every long-lived thing of the service, built once. */
export interface Context {
  readonly config: Config
  readonly log: Logger
  readonly clock: Clock
  readonly ticker: Ticker
  readonly carrier: Carrier
  readonly ear: Ear
  readonly mouth: Mouth
  readonly mind: Mind
}

export type Overrides = Partial<Pick<Context, 'log' | 'carrier' | 'ear' | 'mouth' | 'mind'>>

export async function createContext(config: Config, overrides: Overrides = {}): Promise<Context> {
  const clock = systemClock(config.clockSpeed)
  const mouth = patientMouth(overrides.mouth ?? createScriptedMouth({ binary: await findEspeak() }), clock)
  return {
    config,
    log: overrides.log ?? createLog(config.logLevel),
    clock,
    ticker: frameTicker(clock),
    carrier: overrides.carrier ?? createSimulatedCarrier({ speak: (text, options) => mouth.speak(text, options) }),
    ear: overrides.ear ?? createScriptedEar(),
    mouth,
    mind: patientMind(overrides.mind ?? createScriptedMind(), clock),
  }
}
