import {
  SAMPLE_RATE_HZ,
  SLOW_LETTER_MS,
  type SpokenChunk,
  type SpokenWord,
  type Word,
  wordEnds,
  wordsOf,
} from '@parley/voice-ports'

const msOf = (audio: Uint8Array) => (audio.length * 1000) / SAMPLE_RATE_HZ

/** How far one mouth has come in a text: what another one that takes over need not say again. */
export class Progress {
  readonly #words: readonly Word[]
  readonly #timed: boolean
  #soundMs = 0
  /** Told by the mouth, and not over yet. */
  #ahead: SpokenWord[] = []
  /** The last word that is over. */
  #last: { readonly toChar: number; readonly endMs: number } = { toChar: 0, endMs: 0 }

  /** `timed`: the mouth tells the times of words. */
  constructor(text: string, timed: boolean) {
    this.#words = wordsOf(text)
    this.#timed = timed
  }

  get soundMs(): number {
    return this.#soundMs
  }

  /** The words that are over with this stretch of sound. */
  take({ audio, words = [] }: SpokenChunk): SpokenWord[] {
    this.#soundMs += msOf(audio)
    this.#ahead.push(...words)
    return this.#timed ? this.#pass(this.#ahead.filter(({ endMs }) => endMs <= this.#soundMs)) : this.#estimate()
  }

  /** The mouth has said all of it. */
  finish(): SpokenWord[] {
    if (this.#timed) return this.#pass([...this.#ahead])
    const span = { startMs: this.#last.endMs, endMs: this.#soundMs }
    return this.#pass(wordEnds(this.#left(), span).map(estimated))
  }

  /** The mouth broke off: the words that are over although it did not say so. */
  breakOff(): SpokenWord[] {
    this.#ahead = []
    return this.#estimate()
  }

  /** Where the words begin that were not said to their end; null when all were. */
  get restFrom(): number | null {
    return this.#left()[0]?.fromChar ?? null
  }

  #left(): Word[] {
    return this.#words.filter(({ toChar }) => toChar > this.#last.toChar)
  }

  /** At a slow pace: a word said twice does less harm than one never said. */
  #estimate(): SpokenWord[] {
    const left = this.#left()
    const letters = left.reduce((sum, { weight, pauseWeight }) => sum + weight + pauseWeight, 0)
    const startMs = this.#last.endMs
    const ends = wordEnds(left, { startMs, endMs: startMs + letters * SLOW_LETTER_MS })
    return this.#pass(ends.filter(({ endMs }) => endMs <= this.#soundMs).map(estimated))
  }

  #pass(words: SpokenWord[]): SpokenWord[] {
    this.#ahead = this.#ahead.filter((word) => !words.includes(word))
    for (const { toChar, endMs } of words)
      this.#last = { toChar: Math.max(this.#last.toChar, toChar), endMs: Math.max(this.#last.endMs, endMs) }
    return words
  }
}

const estimated = ({ fromChar, toChar, endMs }: SpokenWord): SpokenWord => ({
  fromChar,
  toChar,
  endMs,
  estimated: true,
})
