import type { Spoken } from '../memory.ts'
import { german } from './de.ts'
import { english } from './en.ts'
import { spanish } from './es.ts'
import { french } from './fr.ts'
import type { Phrasebook } from './phrasebook.ts'

export const PHRASEBOOKS: Readonly<Record<Spoken, Phrasebook>> = { en: english, es: spanish, fr: french, de: german }
