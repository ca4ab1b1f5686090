import { ConfigError } from '@parley/contract/environment'
import { createScriptedMind } from '@parley/offline-mind'
import type { Clock, Mind } from '@parley/voice-ports'
import type { Logger } from 'pino'
import type { Config } from './config.ts'

// Makes the mind that is configured.

export interface ThinkingParts {
  readonly config: Config
  readonly log: Logger
  readonly clock: Clock
}

/** @throws ConfigError when the mind of the configuration is not in this build */
export async function mindOf({ config }: ThinkingParts): Promise<Mind> {
  const { mind } = config.vendors
  if (mind.kind === 'scripted') return createScriptedMind()
  throw new ConfigError(`MIND=${mind.kind} is not available in this build. Use MIND=scripted.`)
}
