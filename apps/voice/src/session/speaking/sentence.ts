import { SLOW_LETTER_MS, type SpokenWord, wordEnds, wordsOf } from '@parley/voice-ports'

/** A point of an output: `reached` runs once the sound before it was played. */
export interface Stop {
  atByte: number
  /** Text for carriers that carry it beside the sound. */
  word: string | null
  /** Nothing behind it is sent before it is reached. */
  readonly holds?: true
  readonly reached: () => void
}

export interface SentenceOptions {
  readonly text: string
  /** What joins it to the sentence before. */
  readonly gap: string
  /** Whether its voice tells the times of words. */
  readonly timed: boolean
  /** Set for sound that the mind made itself; its text grows with it. */
  readonly itemId: string | null
  readonly startByte: number
  /** Tells a private value: its sound is not recorded. */
  readonly isPrivate?: boolean
}

/** A word to be reported as heard. */
export interface NextWord {
  /** The text up to here has then been heard. */
  readonly toChar: number
  readonly endMs: number
}

/** What is being said, and how far it was heard: by the words' own times, or estimated from the time that passed. */
export class Sentence {
  readonly gap: string
  readonly timed: boolean
  readonly itemId: string | null
  readonly startByte: number
  readonly isPrivate: boolean
  text: string
  /** Up to here words have a place in the sound, and were heard. */
  placedChars = 0
  heardChars = 0
  heardMs = 0
  lastWord: Stop | null = null
  /** To its end. */
  heard = false
  /** Ends of words whose time is estimated, although this voice tells those of others. */
  readonly #guessed = new Set<number>()

  constructor({ text, gap, timed, itemId, startByte, isPrivate = false }: SentenceOptions) {
    this.text = text
    this.gap = gap
    this.timed = timed
    this.itemId = itemId
    this.startByte = startByte
    this.isPrivate = isPrivate
  }

  get heardText(): string {
    return (this.heard ? this.text : this.text.slice(0, this.heardChars)).trim()
  }

  get isEstimated(): boolean {
    if (this.heard || this.heardChars === 0) return false
    return !this.timed || this.#guessed.has(this.heardChars)
  }

  /** Words of the voice, as far as they go on; those of an adapter in disorder are left out. */
  timedWords(words: readonly SpokenWord[]): NextWord[] {
    return words.flatMap(({ toChar, endMs, estimated }) => {
      if (!Number.isFinite(toChar) || !Number.isFinite(endMs)) return []
      const end = this.#endOfWord(toChar)
      if (estimated) this.#guessed.add(end)
      return [{ toChar: end, endMs }]
    })
  }

  /** Where its words end, estimated: at a slow pace while sound still comes, in proportion once all is there. */
  estimatedWords(soundMs: number, isWhole: boolean): NextWord[] {
    if (this.timed) return []
    const words = wordsOf(this.text)
    const letters = words.reduce((sum, { weight, pauseWeight }) => sum + weight + pauseWeight, 0)
    const endMs = isWhole ? soundMs : letters * SLOW_LETTER_MS
    return wordEnds(words, { startMs: 0, endMs }).filter(
      (word) => word.toChar > this.placedChars && (isWhole || word.endMs <= soundMs),
    )
  }

  /** The written word ends with the punctuation behind it. */
  #endOfWord(toChar: number): number {
    const until = Math.max(0, Math.min(this.text.length, Math.round(toChar)))
    return until + (/^[\p{P}\p{S}]+(?=\s|$)/u.exec(this.text.slice(until))?.[0].length ?? 0)
  }
}

/** Of all sentences, as far as they were heard. */
export function heardTextOf(sentences: readonly Sentence[]): string {
  return sentences.reduce((said, { gap, heardText }) => {
    if (heardText === '') return said
    return said === '' ? heardText : `${said}${gap}${heardText}`
  }, '')
}
