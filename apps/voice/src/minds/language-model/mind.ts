import type { Clock, Mind, Usage } from '@parley/voice-ports'
import type { Logger } from 'pino'
import { conclude } from './concluding.ts'
import type { Limits } from './exchange.ts'
import { type ModelSettings, modelFor } from './models.ts'
import { observe } from './observing.ts'
import { talk } from './talker.ts'

export interface MindParts {
  readonly clock: Clock
  readonly log: Pick<Logger, 'info' | 'warn'>
}

/** The session gives a reply up after 6 s: within them another model can still answer. */
const TALK: Limits = { firstMs: 4000, gapMs: 3000, wholeMs: 20_000, tokensMax: 500 }
const OBSERVE: Limits = { firstMs: 8000, gapMs: 8000, wholeMs: 15_000, tokensMax: 1000 }
const CONCLUDE: Limits = { firstMs: 8000, gapMs: 8000, wholeMs: 9000, tokensMax: 2500 }

/** A language model that leads calls. Every failure throws a ModelFailure, so that fail-over can take it. */
export async function languageModelMind(settings: ModelSettings, { clock, log }: MindParts): Promise<Mind> {
  const { observerModel, ...speaker } = settings
  const talking = await modelFor(speaker)
  const judging = observerModel === speaker.model ? talking : await modelFor({ ...speaker, model: observerModel })
  const name = `${settings.provider} ${settings.model}`
  return {
    name,
    respond: (asked, signal) => talk(asked, { talking, clock, limits: TALK }, signal),
    observe: (asked, signal) => observe(asked, { talking: judging, clock, limits: OBSERVE }, signal),
    async conclude(ended, signal) {
      const spent: Usage[] = []
      try {
        const asking = { talking: judging, clock, limits: CONCLUDE }
        const conclusion = await conclude(ended, asking, (usage) => spent.push({ ...usage, task: 'judging' }), signal)
        return { ...conclusion, usage: spent }
      } catch (error) {
        // Only a conclusion has a place for what it costs.
        if (spent.length > 0) log.info({ mind: name, tokens: spent }, 'tokens used by a conclusion that failed')
        throw error
      }
    },
  }
}
