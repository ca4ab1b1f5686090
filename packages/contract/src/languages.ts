/** The languages of the screens, by their own names. English is the fallback. */
export const LANGUAGES = { en: 'English', es: 'Español' } as const
export type Language = keyof typeof LANGUAGES
export const LANGUAGE_DEFAULT: Language = 'en'

/** The cookie with the chosen language, read by the server before any script runs. */
export const LANGUAGE_COOKIE = 'parley.language'

/** The language of the first supported tag ('es-MX'), else English. */
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
