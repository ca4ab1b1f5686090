import type { Spoken } from '../memory.ts'
import { german } from './lexicon.de.ts'
import { english } from './lexicon.en.ts'
import { spanish } from './lexicon.es.ts'
import { french } from './lexicon.fr.ts'
import type { Lexicon } from './lexicon.ts'

/** The phrases of each language, as they are heard. */
export const LEXICONS: Readonly<Record<Spoken, Lexicon>> = { en: english, es: spanish, fr: french, de: german }
