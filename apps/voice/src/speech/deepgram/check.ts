import type { Check } from '@parley/contract/checks'
import { checkVendor } from '../vendor/check.ts'
import type { DeepgramEarOptions } from './ear.ts'
import { VENDOR } from './link.ts'

/** Asks whose key it is. */
export function checkDeepgramEar({ apiKey, baseUrl, model }: DeepgramEarOptions): Omit<Check, 'part'> {
  return {
    mend: `Let this machine reach ${baseUrl} over https, or correct DEEPGRAM_BASE_URL.`,
    run: (signal) =>
      checkVendor(
        {
          vendor: VENDOR,
          url: `${baseUrl}/v1/auth/token`,
          headers: { authorization: `Token ${apiKey}` },
          keyVariable: 'DEEPGRAM_API_KEY',
          urlVariable: 'DEEPGRAM_BASE_URL',
          keysPage: 'API Keys in the Deepgram console',
          billingPage: 'Billing in the Deepgram console',
          judge: () => ({ ok: true, detail: `${VENDOR} takes the key; it hears with ${model}.` }),
        },
        signal,
      ),
  }
}
