import { english } from './en.ts'
import { french } from './fr.ts'
import { german } from './de.ts'
import { spanish } from './es.ts'
import type { GuardWords } from './guard-words.ts'

export type { GuardWords } from './guard-words.ts'

/** Sentences are held against all languages: a call may change its own in the middle of one. */
export const WORDS: readonly GuardWords[] = [english, spanish, french, german]
