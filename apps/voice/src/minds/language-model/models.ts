import type { LanguageModel, LanguageModelCallOptions } from 'ai'
import { keptFetch } from './connections.ts'

export interface ModelSettings {
  readonly provider: 'openai' | 'anthropic' | 'google' | 'openai-compatible'
  readonly model: string
  /** Of the same vendor: judges outcomes, concludes and writes the summary. */
  readonly observerModel: string
  /** null: the server wants none, as Ollama. */
  readonly apiKey: string | null
  /** Without a slash at its end. */
  readonly baseUrl: string
}

/** A model and how it is asked so that it answers at once. */
export interface TalkingModel {
  readonly model: Exclude<LanguageModel, string>
  readonly reasoning: LanguageModelCallOptions['reasoning']
}

/** The vendor's package is loaded where it is used. */
export async function modelFor({
  provider,
  model,
  apiKey,
  baseUrl,
}: Omit<ModelSettings, 'observerModel'>): Promise<TalkingModel> {
  const access = { baseURL: baseUrl, fetch: keptFetch, ...(apiKey !== null && { apiKey }) }
  switch (provider) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return { model: createOpenAI(access).chat(model), reasoning: reasoningOfOpenAi(model) }
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return { model: createAnthropic(access)(model), reasoning: 'none' }
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google')
      return { model: createGoogle(access)(model), reasoning: THINKS_AT_GOOGLE.test(model) ? 'none' : undefined }
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      // Without supportsStructuredOutputs the package drops a schema silently.
      const server = createOpenAICompatible({
        ...access,
        name: 'openai-compatible',
        includeUsage: true,
        supportsStructuredOutputs: true,
      })
      return { model: server.chatModel(model), reasoning: undefined }
    }
  }
}

const THINKS_AT_GOOGLE = /^gemini-(?:2\.5|[3-9]|\d\d)/

/** A callee waits for each second of thought. Older models refuse the setting. */
function reasoningOfOpenAi(model: string): TalkingModel['reasoning'] {
  if (/^o\d/.test(model)) return 'low'
  if (/^gpt-5(?:-(?!chat)|$)/.test(model)) return 'minimal'
  return /^gpt-(?:5\.\d|[6-9]|\d\d)(?!.*chat)/.test(model) ? 'none' : undefined
}
