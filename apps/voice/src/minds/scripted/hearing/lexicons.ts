import type { Spoken } from '../memory.ts'
import type { Lexicon } from './lexicon.ts'
import { english } from './lexicon.en.ts'

export const LEXICONS: Readonly<Record<Spoken, Lexicon>> = { en: english, es: english, fr: english, de: english }
