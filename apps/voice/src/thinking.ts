import type { Check } from '@parley/contract/checks'
import { createScriptedMind } from '@parley/offline-mind'
import { type Clock, type Ear, type Mind, systemClock } from '@parley/voice-ports'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { failoverMind } from './minds/failover.ts'
import { guardedMind } from './minds/guard/index.ts'
import { checkModel, createLanguageModelMind, JUDGING, RULES } from './minds/language-model/index.ts'
import { createRealtime, RULES as REALTIME_RULES } from './minds/realtime/index.ts'
import { plainSummary } from './session/call/wrap-up.ts'

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

export async function thinkingOf(parts: ThinkingParts): Promise<Thinking> {
  const { mind, ...more } = await unguarded(parts)
  // Every mind speaks through the guard, also the last resort.
  return { ...more, mind: guarded(mind, parts) }
}

/** What minds are told, and no callee may hear. */
const HIDDEN = [RULES, JUDGING, REALTIME_RULES]

/** Behind the guard, as the service has every mind. */
export function guarded(mind: Mind, { log, clock }: Pick<ThinkingParts, 'log' | 'clock'>): Mind {
  return guardedMind(mind, { log, clock, plainSummary, hidden: HIDDEN })
}

async function unguarded({ config, clock, log }: ThinkingParts): Promise<Thinking> {
  const { mind } = config.vendors
  if (mind.kind === 'scripted') return { mind: createScriptedMind(), ears: [], checks: [] }
  if (mind.kind === 'realtime') {
    const { access, ...settings } = mind
    const made = createRealtime({ ...settings, ...access, clock, log, fallback: createScriptedMind() })
    return { mind: made.mind, ears: [made.ear], checks: [made.check] }
  }
  // Vendors work in real time, also in calls that run faster.
  const parts = { clock: clock.speed === 1 ? clock : systemClock(), log }
  const models = await Promise.all(mind.models.map((model) => createLanguageModelMind(model, parts)))
  const checks = mind.models.flatMap((each) =>
    [...new Set([each.model, each.observerModel])].map((model) => ({
      ...checkModel({ ...each, model }),
      part: `mind ${each.provider} ${model}`,
    })),
  )
  return { mind: failoverMind(models, { ...parts, last: createScriptedMind() }), ears: [], checks }
}
