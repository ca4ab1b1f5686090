import { catalogue, useLanguage } from '../lib/language.ts'
import * as en from './en/index.ts'
import type { ServerWords } from './server.ts'
import type { Words } from './shape.ts'

export type { Words } from './shape.ts'

/** Every sentence the page can say, in the language of the moment; for code outside components. */
export const words = catalogue<Words>(en, { es: async () => import('./es/index.ts') })

export function useWords(): Words {
  useLanguage()
  return words()
}

/** The server's own sentence, which is English; in any other language what stands in its place. */
export function saidByServer(sentence: string, otherwise: (server: ServerWords) => string): string {
  const { server } = words()
  return server ? otherwise(server) : sentence
}
