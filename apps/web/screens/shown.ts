import { fileURLToPath } from 'node:url'

/** One JSON line per test file: which messages of the catalogue it has shown. */
export const SHOWN = fileURLToPath(new URL('../../../artifacts/words-shown.jsonl', import.meta.url))

export interface FileShown {
  readonly file: string
  readonly shown: readonly string[]
  readonly all: readonly string[]
}
