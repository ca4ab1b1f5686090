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

// Long texts, read by few: only their two pages import this file, so no other page carries them.

/** The legal texts; after a change of language the text before stands until the new one is here. */
export function useLegalTexts(): LegalTexts {
  const language = useDeferredValue(useLanguage())
  if (language === 'en') return english
  // The English text binds anyway, so it stands where the other cannot be had.
  const texts = asked.get(language) ?? LOADS[language]().catch((): LegalTexts => english)
  asked.set(language, texts)
  return use(texts)
}
