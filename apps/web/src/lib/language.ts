import { baseLanguage, LANGUAGE_COOKIE, LANGUAGE_DEFAULT, spokenLanguage, type Language } from '@parley/contract'
import { useSyncExternalStore } from 'react'
import { createStore } from 'zustand/vanilla'

/** Kept like the theme; the cookie of the same name tells the server, which holds the start page in every language. */
const STORAGE_KEY = LANGUAGE_COOKIE
const YEAR_SECONDS = 365 * 24 * 3600

/** Set anew each time one is spoken: words that come after their language are drawn as well. */
const spoken = createStore<{ readonly language: Language }>()(() => ({ language: LANGUAGE_DEFAULT }))
let wanted: Language = LANGUAGE_DEFAULT
const loaders = new Set<(language: Language) => Promise<unknown>>()

export function onLanguageChange(watcher: () => void): () => void {
  return spoken.subscribe(watcher)
}

/** Not zustand's own hook, which knows the first state alone while a page is rendered ahead and set in motion. */
export function useLanguage(): Language {
  return useSyncExternalStore(spoken.subscribe, spoken.getState, spoken.getState).language
}

/**
 * Texts in all languages: English ships with the page, another one is fetched when it is spoken.
 * What is returned reads them in the language of the moment.
 */
export function catalogue<Texts>(
  english: Texts,
  others: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Texts>>>,
): () => Texts {
  const known = new Map<Language, Texts>([['en', english]])
  loaders.add(async (language) => {
    if (language !== 'en' && !known.has(language)) known.set(language, await others[language]())
  })
  if (wanted !== 'en') void speak(wanted)
  return () => known.get(spoken.getState().language) ?? english
}

/** Puts the page into a language once all its words are here; without them it stays as it is, and answers false. */
export async function speak(language: Language): Promise<boolean> {
  wanted = language
  try {
    await Promise.all([...loaders].map(async (load) => load(language)))
  } catch {
    return false
  }
  // Whoever changes their mind while words are on their way gets the last choice.
  if (wanted !== language) return true
  if (typeof document !== 'undefined') document.documentElement.lang = language
  spoken.setState({ language })
  return true
}

/** Speaks the language, and on every visit to come. */
export async function chooseLanguage(language: Language): Promise<void> {
  remember(language)
  // The words of an older release may be gone from the server; a fresh page knows where the new ones are.
  if (!(await speak(language)) && navigator.onLine) location.reload()
}

/** The choice made here before, else the first of the browser's languages that is spoken here. */
export function preferredLanguage(): Language {
  return spokenLanguage([storedLanguage(), ...navigator.languages])
}

/**
 * What dates, numbers and names of countries are written by: the person's own variety of the language where there is
 * one.
 */
export function locale(): string {
  const { language } = spoken.getState()
  return navigator.languages.find((tag) => baseLanguage(tag) === language) ?? language
}

function storedLanguage(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY)
  } catch {
    return null
  }
}

function remember(language: Language): void {
  try {
    localStorage.setItem(STORAGE_KEY, language)
    document.cookie = `${LANGUAGE_COOKIE}=${language}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`
  } catch {
    // Without storage the choice lasts until the page is left.
  }
}
