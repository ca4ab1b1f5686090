import type { Check } from '@parley/contract/checks'
import { z } from 'zod'
import { checkVendor } from '../vendor/check.ts'
import type { OpenaiEarOptions } from './ear.ts'

const Models = z.object({ data: z.array(z.object({ id: z.string() })) })

/** Lists the models of the key: the model of the ear must be among them. */
export function checkOpenaiEar({ apiKey, baseUrl, model }: OpenaiEarOptions): Omit<Check, 'part'> {
  return {
    mend: `Let this machine reach ${baseUrl} over https, or correct OPENAI_BASE_URL.`,
    run: (signal) =>
      checkVendor(
        {
          vendor: 'OpenAI',
          url: `${baseUrl}/models`,
          headers: { authorization: `Bearer ${apiKey}` },
          keyVariable: 'OPENAI_API_KEY',
          urlVariable: 'OPENAI_BASE_URL',
          keysPage: 'API keys in the settings of the OpenAI platform',
          billingPage: 'Billing and Limits in the settings of the OpenAI platform',
          judge(body) {
            const models = Models.safeParse(body)
            if (models.success && models.data.data.some(({ id }) => id === model))
              return { ok: true, detail: `OpenAI takes the key; it hears with ${model}.` }
            return {
              ok: false,
              problem: `The key of OpenAI may not use the model ${model}.`,
              mend: 'Allow it under Limits of the project in the OpenAI platform, or set OPENAI_EAR_MODEL to another.',
            }
          },
        },
        signal,
      ),
  }
}
