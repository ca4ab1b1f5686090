import { serverWording, type ServerWording } from './server-wordings.ts'

/** Phrases without the owner's name; agent.ts words the others. */
export type NamelessPhrase = Exclude<keyof ServerWording, 'disclosure' | 'recorded' | 'on_the_line' | 'press_one'>

/**
 * Phrases of the server, for when the mind cannot or must not speak. ask_record_again: for a callee who asked back: who
 * is calling, and the question again.
 */
export type Phrase = NamelessPhrase | 'disclosure' | 'ask_record_again'

export function wordPhrase(phrase: NamelessPhrase, language: string): string {
  return serverWording(language).wording[phrase]
}

/** The language such a phrase is spoken in: its own wording, or English. */
export function phraseLanguage(language: string): string {
  return serverWording(language).language
}
