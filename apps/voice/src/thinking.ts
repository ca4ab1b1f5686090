import type { Check } from '@parley/contract/checks'
import { ConfigError } from '@parley/contract/environment'
import { createScriptedMind } from '@parley/offline-mind'
import type { Clock, Ear, Mind } from '@parley/voice-ports'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { createRealtime } from './minds/realtime/index.ts'

// Makes the mind that is configured.

export interface ThinkingParts {
  readonly config: Config
  readonly log: Logger
  readonly clock: Clock
}

export interface Thinking {
  readonly mind: Mind
  /** Of a mind that hears the callee itself: comes before those of EAR. */
  readonly ears: readonly Ear[]
  readonly checks: readonly Check[]
}

/** @throws ConfigError when the mind of the configuration is not in this build */
export async function thinkingOf({ config, log, clock }: ThinkingParts): Promise<Thinking> {
  const { mind } = config.vendors
  if (mind.kind === 'scripted') return { mind: createScriptedMind(), ears: [], checks: [] }
  if (mind.kind === 'realtime') {
    const { access, ...settings } = mind
    const made = createRealtime({ ...settings, ...access, clock, log, fallback: createScriptedMind() })
    return { mind: made.mind, ears: [made.ear], checks: [made.check] }
  }
  throw new ConfigError(`MIND=${mind.kind} is not available in this build. Use MIND=scripted.`)
}
