import type { CheckResult } from '@parley/contract/checks'
import { ask } from '../ask.ts'

interface Access {
  readonly apiKey: string
  readonly baseUrl: string
}

/** Asks for the list of models, which every key may see. */
export function checkElevenLabs({ apiKey, baseUrl }: Access, signal: AbortSignal): Promise<CheckResult> {
  return ask(
    {
      vendor: 'ElevenLabs',
      url: `${baseUrl}/v1/models`,
      headers: { 'xi-api-key': apiKey },
      key: 'ELEVENLABS_API_KEY',
      address: 'ELEVENLABS_BASE_URL',
      detail: 'ElevenLabs takes the key.',
    },
    signal,
  )
}
