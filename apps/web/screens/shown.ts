import { fileURLToPath } from 'node:url'

/** A line for each file of screens: which messages of the catalogue it has shown. */
export const SHOWN = fileURLToPath(new URL('../../../artifacts/words-shown.jsonl', import.meta.url))

export interface FileShown {
  readonly file: string
  readonly shown: readonly string[]
  readonly all: readonly string[]
}
