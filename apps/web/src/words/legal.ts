import type { Language } from '@parley/contract'
import { use, useDeferredValue } from 'react'
import { useLanguage } from '../lib/language.ts'
import * as english from './en/legal.ts'
import type { LegalText } from './en/legal.ts'

interface LegalTexts {
  readonly termsOfService: LegalText
  readonly privacyPolicy: LegalText
}

const LOADS: Readonly<Record<Exclude<Language, 'en'>, () => Promise<LegalTexts>>> = {
  es: async () => import('./es/legal.ts'),
}
const asked = new Map<Language, Promise<LegalTexts>>()

// Long texts for few readers: only their two pages import this file.

/** The legal texts; after a language change the previous text stays until the new one is loaded. */
export function useLegalTexts(): LegalTexts {
  const language = useDeferredValue(useLanguage())
  if (language === 'en') return english
  // The English text is binding, so it is the fallback.
  const texts = asked.get(language) ?? LOADS[language]().catch((): LegalTexts => english)
  asked.set(language, texts)
  return use(texts)
}
