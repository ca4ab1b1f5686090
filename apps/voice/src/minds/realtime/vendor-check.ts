import type { Check } from '@parley/contract/checks'
import { z } from 'zod'

interface Checked {
  readonly provider: 'openai' | 'google'
  readonly model: string
  readonly apiKey: string
  readonly baseUrl: string
}

const OpenaiModels = z
  .object({ data: z.array(z.object({ id: z.string() })) })
  .transform(({ data }) => data.map(({ id }) => id))
/** Those that hold conversations over a socket. */
const GeminiModels = z
  .object({
    models: z.array(z.object({ name: z.string(), supportedGenerationMethods: z.array(z.string()).default([]) })),
  })
  .transform(({ models }) =>
    models
      .filter((model) => model.supportedGenerationMethods.includes('bidiGenerateContent'))
      .map(({ name }) => name.replace(/^models\//, '')),
  )

/** Asks for the list of models: costs nothing, and shows whether address, key and model are right. */
export function vendorCheck({ provider, model, apiKey, baseUrl }: Checked): Check {
  const isOpenai = provider === 'openai'
  const key = isOpenai ? 'OPENAI_API_KEY' : 'GOOGLE_GENERATIVE_AI_API_KEY'
  const mend = `Set ${key} to a key that may hold realtime sessions, and MIND_MODEL to a model for them; ${baseUrl} must be reachable.`
  const headers = isOpenai ? { authorization: `Bearer ${apiKey}` } : { 'x-goog-api-key': apiKey }
  return {
    part: 'mind realtime',
    mend,
    async run(signal) {
      const answer = await fetch(`${baseUrl}/models${isOpenai ? '' : '?pageSize=1000'}`, { signal, headers })
      if (!answer.ok) return { ok: false, problem: `${baseUrl} answers ${answer.status} to this key.`, mend }
      const body: unknown = await answer.json().catch(() => undefined)
      const models = (isOpenai ? OpenaiModels : GeminiModels).safeParse(body).data
      if (!models) return { ok: false, problem: `${baseUrl} does not answer as the vendor does.`, mend }
      return models.includes(model)
        ? { ok: true, detail: `The key may use ${model}.` }
        : { ok: false, problem: `The account has no model ${model} for realtime sessions.`, mend }
    },
  }
}
