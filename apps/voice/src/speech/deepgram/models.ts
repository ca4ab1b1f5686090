import { baseOf, fitting } from '../vendor/text.ts'

// Which model takes which language: developers.deepgram.com/docs/models-languages-overview, seen in November 2026.

interface Taken {
  /** Code of nova-3; multi: its multilingual model alone, with the language as a hint. */
  readonly nova3: string
  /** null: not taken. */
  readonly nova2: string | null
  /** Whether flux-general-multi takes it. */
  readonly flux: boolean
}

const TAKEN: Readonly<Record<string, Taken>> = {
  en: { nova3: 'en', nova2: 'en', flux: true },
  ar: { nova3: 'multi', nova2: null, flux: false },
  zh: { nova3: 'zh', nova2: 'zh', flux: false },
  fr: { nova3: 'fr', nova2: 'fr', flux: true },
  de: { nova3: 'de', nova2: 'de', flux: true },
  el: { nova3: 'el', nova2: 'el', flux: false },
  hi: { nova3: 'hi', nova2: 'hi', flux: true },
  it: { nova3: 'it', nova2: 'it', flux: true },
  ja: { nova3: 'ja', nova2: 'ja', flux: true },
  pt: { nova3: 'pt', nova2: 'pt', flux: true },
  'pt-BR': { nova3: 'pt-BR', nova2: 'pt-BR', flux: true },
  es: { nova3: 'es', nova2: 'es', flux: true },
}
const OTHER: Taken = { nova3: 'multi', nova2: null, flux: false }

/** How a language is heard. */
export interface Plan {
  readonly kind: 'nova' | 'flux'
  readonly model: string
  /** Of the request. */
  readonly parameters: readonly (readonly [string, string])[]
  /** Whether it tells which language is spoken. */
  readonly tellsLanguage: boolean
}

interface Wanted {
  readonly model: string
  readonly language: string
  readonly languageIsGuess: boolean
}

/** nova-3 takes what the configured model does not. */
export function planOf({ model, language, languageIsGuess }: Wanted): Plan {
  const taken = TAKEN[language] ?? TAKEN[baseOf(language)] ?? OTHER
  if (model.startsWith('flux-')) {
    if (!taken.flux) return nova3('nova-3', taken, language, languageIsGuess)
    if (model === 'flux-general-en' && baseOf(language) === 'en' && !languageIsGuess)
      return { kind: 'flux', model, parameters: [], tellsLanguage: false }
    const hints = languageIsGuess ? [] : [['language_hint', baseOf(language)] as const]
    return { kind: 'flux', model: 'flux-general-multi', parameters: hints, tellsLanguage: true }
  }
  if (model.startsWith('nova-3')) return nova3(model, taken, language, languageIsGuess)
  if (taken.nova2 === null) return nova3('nova-3', taken, language, languageIsGuess)
  return { kind: 'nova', model, parameters: [['language', taken.nova2]], tellsLanguage: false }
}

function nova3(model: string, { nova3: code }: Taken, language: string, languageIsGuess: boolean): Plan {
  if (code !== 'multi' && !languageIsGuess)
    return { kind: 'nova', model, parameters: [['language', code]], tellsLanguage: false }
  const hints = languageIsGuess ? [] : [['language_hint', baseOf(language)] as const]
  return { kind: 'nova', model, parameters: [['language', 'multi'], ...hints], tellsLanguage: true }
}

/** nova-3 and flux take 500 tokens, nova-2 takes 100 words. */
const KEYTERM_LETTERS_MAX = 1200
const KEYWORDS_MAX = 100

export function keytermsFor({ model }: Plan, keyterms: readonly string[]): (readonly [string, string])[] {
  if (model.startsWith('nova-3') || model.startsWith('flux-'))
    return fitting(keyterms, KEYTERM_LETTERS_MAX).map((term) => ['keyterm', term])
  const words = keyterms.flatMap((term) => term.split(/\s+/)).filter((word) => word !== '')
  return [...new Set(words)].slice(0, KEYWORDS_MAX).map((word) => ['keywords', word])
}
