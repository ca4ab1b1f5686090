import { type SpokenWord, wordsOf } from '@parley/voice-ports'

/** How far ahead a letter is looked for that the vendor left out or changed. */
const SEARCH_LETTERS = 6

/** Finds the words of a text in the letters, each with its time, that a vendor says it spoke. */
export class Alignment {
  readonly #text: string
  readonly #words: readonly { readonly fromChar: number; readonly toChar: number }[]
  #at = 0
  #endMs = 0
  #told = 0

  constructor(text: string) {
    this.#text = text.toLowerCase()
    this.#words = wordsOf(text)
  }

  /** Returns the words that are over with these letters. */
  push(letters: string, endMs: number): SpokenWord[] {
    if (Number.isFinite(endMs)) this.#endMs = Math.max(this.#endMs, endMs)
    for (const letter of letters.toLowerCase()) this.#pass(letter)
    return this.#over(this.#at)
  }

  /** The words that the vendor did not tell, over with the sound. */
  rest(soundMs: number): SpokenWord[] {
    this.#endMs = Math.max(this.#endMs, soundMs)
    return this.#over(Infinity)
  }

  #pass(letter: string): void {
    if (letter.trim() === '') return
    const found = this.#text.indexOf(letter, this.#at)
    if (found < 0 || found - this.#at > SEARCH_LETTERS) return
    this.#at = found + letter.length
  }

  #over(untilChar: number): SpokenWord[] {
    const over: SpokenWord[] = []
    for (let word = this.#words[this.#told]; word; word = this.#words[this.#told]) {
      // A point behind the word is not always spoken.
      const letters = this.#text.slice(word.fromChar, word.toChar).replace(/[\p{P}\p{S}]+$/u, '').length
      if (word.fromChar + Math.max(1, letters) > untilChar) break
      over.push({ fromChar: word.fromChar, toChar: word.toChar, endMs: this.#endMs })
      this.#told++
    }
    return over
  }
}
