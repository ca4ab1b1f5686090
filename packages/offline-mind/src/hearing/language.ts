import { remembered } from '@parley/voice-ports'
import { SPOKEN_LANGUAGES, type Spoken } from '../memory.ts'
import { LEXICONS } from './lexicons.ts'
import { plain } from './text.ts'

/** The language of a text; the present one when in doubt. */
export function detectLanguage(text: string, present: Spoken): Spoken {
  const words = plain(text)
  for (const language of SPOKEN_LANGUAGES) {
    if (language !== present && LEXICONS[present].asksForLanguage[language].test(words)) return language
  }
  const greeted = SPOKEN_LANGUAGES.find((language) => LEXICONS[language].greetings.test(words))
  if (greeted !== undefined && !LEXICONS[present].greetings.test(words)) return greeted
  const list = words.split(' ')
  const score = (language: Spoken): number => list.filter((word) => LEXICONS[language].telltale.has(word)).length
  const scores = SPOKEN_LANGUAGES.map((language) => ({ language, score: score(language) })).toSorted(
    (a, b) => b.score - a.score,
  )
  const best = scores[0]
  if (best === undefined || best.language === present) return present
  return best.score >= 2 && best.score >= score(present) + 2 ? best.language : present
}

/** Whether an order's text is more likely in this language than in English. */
export function likelierThanEnglish(text: string, language: Spoken): boolean {
  return /[\u00c0-\u024f¿]/.test(text) || telltales(text, language) > telltales(text, 'en')
}

/** Whether an order's text is clearly not English. An accented name alone does not count. */
export function isForeign(text: string): boolean {
  return SPOKEN_LANGUAGES.some(
    (language) => telltales(text, language) >= 2 && telltales(text, language) > telltales(text, 'en'),
  )
}

/** Foreign words that are English as well, and so tell nothing. */
const ALSO_ENGLISH = new Set([
  'a',
  'no',
  'an',
  'in',
  'am',
  'was',
  'die',
  'me',
  'on',
  'son',
  'pour',
  'so',
  'do',
  'or',
  'will',
  'hat',
])

/** The language of a text, if its words tell. */
export function languageOf(text: string, otherwise: Spoken): Spoken {
  const told = plain(text)
    .split(' ')
    .filter((word) => !ALSO_ENGLISH.has(word))
    .join(' ')
  const scores = SPOKEN_LANGUAGES.map((language) => ({ language, score: telltales(told, language) })).toSorted(
    (a, b) => b.score - a.score,
  )
  const [best, second] = scores
  return best === undefined || best.score < 2 || best.score === second?.score ? otherwise : best.language
}

const telltales = remembered(
  (text, language: Spoken) =>
    plain(text)
      .split(' ')
      .filter((word) => LEXICONS[language].telltale.has(word)).length,
)
