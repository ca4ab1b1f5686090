import { catalogue, useLanguage } from '../lib/language.ts'
import { exampleCall, landing } from './en/landing.ts'
import { shell, titles } from './en/shell.ts'
import type { Words } from './shape.ts'

type FrontWords = Pick<Words, 'exampleCall' | 'landing' | 'shell' | 'titles'>

/** The texts of the landing page and those it shares; shipped without the rest of the catalogue. */
export const frontWords = catalogue<FrontWords>(
  { exampleCall, landing, shell, titles },
  { es: async () => import('./es/front.ts') },
)

export function useFrontWords(): FrontWords {
  useLanguage()
  return frontWords()
}
