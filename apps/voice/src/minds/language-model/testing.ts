import {
  type ModelAnswer,
  type ModelFarEnd,
  type ModelRequest,
  startModelFarEnd,
  type WireFormat,
} from '@parley/sandbox/testing'
import { type Clock, type Mind, type MindEvent, virtualClock, type VirtualClock } from '@parley/voice-ports'
import { pino } from 'pino'
import { afterEach } from 'vitest'
import { createLanguageModelMind } from './index.ts'
import type { ModelSettings } from './models.ts'

export const PROVIDERS = ['openai', 'openai-compatible', 'anthropic', 'google'] as const
type Provider = (typeof PROVIDERS)[number]

const MODELS: Readonly<Record<Provider, string>> = {
  openai: 'gpt-4.1-mini',
  'openai-compatible': 'llama3.2',
  anthropic: 'claude-sonnet-4-5',
  google: 'gemini-2.5-flash',
}

export const quiet = pino({ level: 'silent' })

export function settingsOf(far: ModelFarEnd, provider: Provider): ModelSettings {
  const wire: WireFormat = provider === 'openai-compatible' ? 'openai' : provider
  const model = MODELS[provider]
  return { provider, model, observerModel: model, apiKey: far.apiKey, baseUrl: far.baseUrl[wire] }
}

interface Stage {
  readonly far: ModelFarEnd
  readonly mind: Mind
  readonly clock: VirtualClock
}

/** Far ends that are closed behind each test, which fails where a request fitted no case. */
export function openModels() {
  const open: ModelFarEnd[] = []
  afterEach(async () => {
    for (const far of open.splice(0)) await far.close()
  })
  async function farEnd(
    answer: (request: ModelRequest) => ModelAnswer | undefined,
    clock?: Clock,
  ): Promise<ModelFarEnd> {
    const far = await startModelFarEnd({ answer, ...(clock && { clock }) })
    open.push(far)
    return far
  }
  return {
    farEnd,
    /** A mind over a far end, both on one clock of the test. */
    async stage(
      answer: (request: ModelRequest) => ModelAnswer | undefined,
      provider: Provider = 'openai',
      changes: Partial<ModelSettings> = {},
    ): Promise<Stage> {
      const clock = virtualClock()
      const far = await farEnd(answer, clock)
      const mind = await createLanguageModelMind({ ...settingsOf(far, provider), ...changes }, { clock, log: quiet })
      return { far, mind, clock }
    },
  }
}

export const saidOf = (events: readonly MindEvent[]) =>
  events.map((event) => (event.type === 'say' ? event.text : '')).join('')

/** What a reply gave until it ended or failed. */
interface Taken {
  readonly events: MindEvent[]
  readonly error: unknown
}

export async function take(reply: AsyncIterable<MindEvent>): Promise<Taken> {
  const events: MindEvent[] = []
  try {
    for await (const event of reply) events.push(event)
    return { events, error: null }
  } catch (error) {
    return { events, error }
  }
}
