import type { Check } from '@parley/contract/checks'
import { ConfigError } from '@parley/contract/environment'
import { createScriptedMind } from '@parley/offline-mind'
import { type Clock, type Mind, systemClock } from '@parley/voice-ports'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { guardedMind } from './minds/guard/index.ts'
import { plainSummary } from './session/call/wrap-up.ts'
import { failoverMind } from './minds/failover.ts'
import { checkModel, createLanguageModelMind } from './minds/language-model/index.ts'

// Makes the mind that is configured.

export interface ThinkingParts {
  readonly config: Config
  readonly log: Logger
  readonly clock: Clock
}

/** @throws ConfigError when the mind of the configuration is not in this build */
export async function mindOf(parts: ThinkingParts): Promise<Mind> {
  return guarded(await unguarded(parts), parts)
}

/** Every mind speaks through the guard, also the last resort. */
function guarded(mind: Mind, { log, clock }: Pick<ThinkingParts, 'log' | 'clock'>): Mind {
  return guardedMind(mind, { log, clock, plainSummary })
}

async function unguarded({ config, clock, log }: ThinkingParts): Promise<Mind> {
  const { mind } = config.vendors
  if (mind.kind === 'scripted') return createScriptedMind()
  if (mind.kind !== 'language-model')
    throw new ConfigError(`MIND=${mind.kind} is not available in this build. Use MIND=scripted or MIND=language-model.`)
  // Vendors work in real time, also in calls that run faster.
  const parts = { clock: clock.speed === 1 ? clock : systemClock(), log }
  const models = await Promise.all(mind.models.map((model) => createLanguageModelMind(model, parts)))
  return failoverMind(models, { ...parts, last: createScriptedMind() })
}

/** Of each configured model. */
export function mindChecksOf({ config }: Pick<ThinkingParts, 'config'>): Check[] {
  const { mind } = config.vendors
  if (mind.kind !== 'language-model') return []
  return mind.models.map((model) => ({ ...checkModel(model), part: `mind ${model.provider} ${model.model}` }))
}
