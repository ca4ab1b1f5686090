import type { Check } from '@parley/contract/checks'
import type { ModelSettings } from './models.ts'

/** One harmless request, which spends no tokens: whether the key is taken and the model is there. */
export function checkModel(settings: ModelSettings): Omit<Check, 'part'> {
  const { provider, model, baseUrl } = settings
  const mend = `Let this machine reach ${baseUrl}, or correct its address.`
  return {
    mend,
    async run(signal) {
      const answer = await fetch(addressOf(settings), { signal, headers: headersOf(settings) })
      const body: unknown = await answer.json().catch(() => undefined)
      if (answer.status === 401 || answer.status === 403)
        return { ok: false, problem: `The key for ${provider} is refused.`, mend: KEYS[provider] }
      if (answer.status === 429)
        return { ok: false, problem: `${provider} answers too many requests or no credit.`, mend: LIMITS }
      const isThere = provider === 'openai-compatible' ? lists(body, model) : answer.ok
      if (answer.ok && isThere) return { ok: true, detail: `${model} at ${baseUrl} is there, and the key is taken.` }
      if (answer.ok || answer.status === 404)
        return { ok: false, problem: `${baseUrl} has no model ${model}.`, mend: 'Correct MIND_MODEL, or its address.' }
      return { ok: false, problem: `${baseUrl} answers ${answer.status}.`, mend }
    },
  }
}

const LIMITS = "See limits and credit in the vendor's console, or name another model first."
const KEYS: Readonly<Record<ModelSettings['provider'], string>> = {
  openai: 'Correct OPENAI_API_KEY or MIND_API_KEY.',
  anthropic: 'Correct ANTHROPIC_API_KEY or MIND_API_KEY.',
  google: 'Correct GOOGLE_GENERATIVE_AI_API_KEY or MIND_API_KEY.',
  'openai-compatible': 'Correct MIND_API_KEY.',
}

/** Not every server with OpenAI's wire format can be asked for one model. */
function addressOf({ provider, model, baseUrl }: ModelSettings): string {
  return provider === 'openai-compatible' ? `${baseUrl}/models` : `${baseUrl}/models/${encodeURIComponent(model)}`
}

function headersOf({ provider, apiKey }: ModelSettings): Record<string, string> {
  if (apiKey === null) return {}
  if (provider === 'anthropic') return { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }
  return provider === 'google' ? { 'x-goog-api-key': apiKey } : { authorization: `Bearer ${apiKey}` }
}

/** Ollama names "llama3.2:latest" where "llama3.2" is asked for. A list in another form tells nothing. */
function lists(body: unknown, model: string): boolean {
  const data: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'data') : undefined
  if (!Array.isArray(data)) return true
  const ids = data.map((each: unknown) =>
    typeof each === 'object' && each !== null ? String(Reflect.get(each, 'id')) : '',
  )
  return ids.includes(model) || ids.includes(`${model}:latest`)
}
