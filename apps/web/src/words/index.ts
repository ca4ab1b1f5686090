import { catalogue, useLanguage } from '../lib/language.ts'
import * as en from './en/index.ts'
import type { ServerWords } from './server.ts'
import type { Words } from './shape.ts'

export type { Words } from './shape.ts'

/** The catalogue in the current language, for code outside components. */
export const words = catalogue<Words>(en, { es: async () => import('./es/index.ts') })

export function useWords(): Words {
  useLanguage()
  return words()
}

/** The server's message in English; a translation in any other language. */
export function saidByServer(sentence: string, otherwise: (server: ServerWords) => string): string {
  const { server } = words()
  return server ? otherwise(server) : sentence
}
