import { type AttacksIn } from './attack.ts'
import { english } from './en.ts'
import { french } from './fr.ts'
import { german } from './de.ts'
import { spanish } from './es.ts'

export type { Attack, AttacksIn, Innocent } from './attack.ts'

/** What callees try on an agent, in four languages: for the guard's suite and for the evaluation of minds. */
export const ATTACKS: readonly AttacksIn[] = [english, spanish, french, german]
