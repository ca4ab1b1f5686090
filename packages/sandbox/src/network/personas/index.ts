import type { Persona } from '../persona.ts'
import { helpful } from './0100.ts'
import { engaged } from './0101.ts'
import { away } from './0102.ts'
import { voicemail } from './0103.ts'
import { noSuchNumber } from './0104.ts'
import { impatient } from './0105.ts'
import { interrupter } from './0106.ts'
import { silent } from './0107.ts'
import { menuThenPerson } from './0108.ts'
import { optsOut } from './0109.ts'
import { negotiates } from './0110.ts'
import { talker } from './0111.ts'
import { badReception } from './0112.ts'
import { spanish } from './0113.ts'
import { cheerful } from './0114.ts'
import { screened } from './0115.ts'
import { schemer } from './0116.ts'
import { browser } from './0199.ts'

export const personas: readonly Persona[] = [
  helpful,
  engaged,
  away,
  voicemail,
  noSuchNumber,
  impatient,
  interrupter,
  silent,
  menuThenPerson,
  optsOut,
  negotiates,
  talker,
  badReception,
  spanish,
  cheerful,
  screened,
  schemer,
  browser,
]

const byNumber = new Map(personas.map((persona) => [`555${persona.number}`, persona]))

/** The callee of a number: chosen by its last seven digits, in any area code. Any other number is helpful. */
export function personaOf(e164: string): Persona {
  return byNumber.get(e164.slice(-7)) ?? helpful
}
