import type { Check } from '@parley/contract/checks'
import { z } from 'zod'

interface Checked {
  readonly provider: 'openai' | 'google'
  readonly model: string
  readonly apiKey: string
  readonly baseUrl: string
}

const Models = z.object({ data: z.array(z.object({ id: z.string() })) })

/** Asks for the list of models: costs nothing, and shows whether address, key and model are right. */
export function vendorCheck({ model, apiKey, baseUrl }: Checked): Check {
  const mend = `Set OPENAI_API_KEY to a key that may use the Realtime API, and MIND_MODEL to a model of it such as gpt-realtime; ${baseUrl} must be reachable.`
  return {
    part: 'mind realtime',
    mend,
    async run(signal) {
      const answer = await fetch(`${baseUrl}/models`, { signal, headers: { authorization: `Bearer ${apiKey}` } })
      if (!answer.ok) return { ok: false, problem: `${baseUrl} answers ${answer.status} to this key.`, mend }
      const { data } = Models.safeParse(await answer.json().catch(() => undefined))
      if (!data) return { ok: false, problem: `${baseUrl} does not answer as the vendor does.`, mend }
      const isKnown = data.data.some(({ id }) => id === model)
      return isKnown
        ? { ok: true, detail: `The key may use ${model}.` }
        : { ok: false, problem: `The account has no model ${model}.`, mend }
    },
  }
}
