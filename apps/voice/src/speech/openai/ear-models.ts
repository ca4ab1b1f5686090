import { baseOf, fitting } from '../vendor/text.ts'

// What OpenAI's models of transcription take: developers.openai.com/api/docs/guides/realtime-transcription and the types
// of the vendor's client, seen in November 2026.

interface EarModel {
  /** Whether words come while somebody speaks; otherwise when the sound was committed. */
  readonly streams: boolean
  /** Terms of the call: as words, within a text, or not at all. */
  readonly terms: 'keywords' | 'prompt' | 'none'
  /** Whether several languages may be expected. */
  readonly manyLanguages: boolean
  readonly delay: boolean
}

const MODELS: readonly (readonly [RegExp, EarModel])[] = [
  [/^gpt-live-transcribe/, { streams: true, terms: 'keywords', manyLanguages: true, delay: false }],
  [/^gpt-realtime-whisper/, { streams: true, terms: 'none', manyLanguages: false, delay: true }],
  [/^gpt-transcribe/, { streams: false, terms: 'keywords', manyLanguages: true, delay: false }],
]
const OTHER: EarModel = { streams: false, terms: 'prompt', manyLanguages: false, delay: false }

export function earModel(model: string): EarModel {
  return MODELS.find(([name]) => name.test(model))?.[1] ?? OTHER
}

interface Wanted {
  readonly model: string
  readonly language: string
  readonly languageIsGuess: boolean
  readonly keyterms: readonly string[]
}

const TERMS_LETTERS_MAX = 1200

export function transcriptionOf({ model, language, languageIsGuess, keyterms }: Wanted): object {
  const { terms, delay } = earModel(model)
  const known = fitting(keyterms, TERMS_LETTERS_MAX)
  return {
    model,
    // Without a language the model finds it out.
    ...(!languageIsGuess && { language: baseOf(language) }),
    ...(terms === 'keywords' && known.length > 0 && { keywords: known }),
    ...(terms === 'prompt' && known.length > 0 && { prompt: `A telephone call. Names in it: ${known.join(', ')}.` }),
    ...(delay && { delay: 'low' }),
  }
}
