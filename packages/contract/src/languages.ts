/** What the product speaks on its screens, each by its own name. English is spoken where none is asked for. */
export const LANGUAGES = { en: 'English', es: 'Español' } as const
export type Language = keyof typeof LANGUAGES
export const LANGUAGE_DEFAULT: Language = 'en'

/** The cookie by which the server knows the language that was chosen, before any script runs. */
export const LANGUAGE_COOKIE = 'parley.language'

/** The first of some language tags ('es-MX') that is spoken here, else English. */
export function spokenLanguage(tags: readonly (string | null | undefined)[]): Language {
  return tags.map((tag) => baseLanguage(tag ?? '')).find(isLanguage) ?? LANGUAGE_DEFAULT
}

/** 'es' of 'es-MX'. */
export function baseLanguage(tag: string): string {
  return tag.split('-', 1)[0]?.trim().toLowerCase() ?? ''
}

function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(LANGUAGES, tag)
}
