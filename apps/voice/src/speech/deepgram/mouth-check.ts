import type { CheckResult } from '@parley/contract/checks'
import { ask } from '../ask.ts'

interface Access {
  readonly apiKey: string
  readonly baseUrl: string
}

/** Asks what the key may do. */
export function checkDeepgramMouth({ apiKey, baseUrl }: Access, signal: AbortSignal): Promise<CheckResult> {
  return ask(
    {
      vendor: 'Deepgram',
      url: `${baseUrl}/v1/auth/token`,
      headers: { authorization: `Token ${apiKey}` },
      key: 'DEEPGRAM_API_KEY',
      address: 'DEEPGRAM_BASE_URL',
      detail: 'Deepgram takes the key.',
    },
    signal,
  )
}
