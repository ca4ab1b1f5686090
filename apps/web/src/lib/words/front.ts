import { exampleCall, landing } from './en/landing.ts'
import { shell } from './en/shell.ts'

const en = { exampleCall, landing, shell }

/** The words of the landing page and of what it shares with every other: it ships without the rest of the catalogue. */
export function frontWords(): typeof en {
  return en
}
