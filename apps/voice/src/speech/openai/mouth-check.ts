import type { CheckResult } from '@parley/contract/checks'
import { ask } from '../ask.ts'

interface Access {
  readonly apiKey: string
  readonly baseUrl: string
}

/** Asks for the list of models. */
export function checkOpenAiMouth({ apiKey, baseUrl }: Access, signal: AbortSignal): Promise<CheckResult> {
  return ask(
    {
      vendor: 'OpenAI',
      url: `${baseUrl}/models`,
      headers: { authorization: `Bearer ${apiKey}` },
      key: 'OPENAI_API_KEY',
      address: 'OPENAI_BASE_URL',
      detail: 'OpenAI takes the key.',
    },
    signal,
  )
}
