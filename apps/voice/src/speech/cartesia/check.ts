import type { CheckResult } from '@parley/contract/checks'
import { ask } from '../ask.ts'
import { CARTESIA_VERSION } from './version.ts'

interface Access {
  readonly apiKey: string
  readonly baseUrl: string
}

/** Asks for one of its voices. */
export function checkCartesia({ apiKey, baseUrl }: Access, signal: AbortSignal): Promise<CheckResult> {
  return ask(
    {
      vendor: 'Cartesia',
      url: `${baseUrl}/voices?limit=1`,
      headers: { authorization: `Bearer ${apiKey}`, 'cartesia-version': CARTESIA_VERSION },
      key: 'CARTESIA_API_KEY',
      address: 'CARTESIA_BASE_URL',
      detail: 'Cartesia takes the key.',
    },
    signal,
  )
}
