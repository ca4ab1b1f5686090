import { type Span, wordEnds, wordsOf } from '@parley/voice-ports'

/** What a callee says. Recognition is scripted: the far end recognises no speech. */
export interface SpokenUtterance {
  readonly text: string
  /** BCP 47; English by default. */
  readonly language?: string
  /** When the sound of each word ends, since the beginning of the utterance; estimated by their letters otherwise. */
  readonly words?: readonly { readonly text: string; readonly endMs: number }[]
}

export interface ScriptedWord extends Span {
  readonly text: string
  /** As an ear without punctuation and capitals hears it. */
  readonly bare: string
}

/** At 165 English words a minute. */
const LETTER_MS = 52

/**
 * The utterances of a call in their order: the first stretch of speech is the first, and so on. Shared by all connections
 * and vendors of a call, so that one that hears sound again recognises it again, until its words were given as final.
 */
export class SpeechScript {
  readonly #utterances: SpokenUtterance[]
  #words: readonly ScriptedWord[] = []
  #finals = 0

  constructor(utterances: readonly SpokenUtterance[] = []) {
    this.#utterances = [...utterances]
    this.#words = wordsIn(this.#utterances[0])
  }

  /** The callee will say this next. */
  say(utterance: SpokenUtterance): void {
    this.#utterances.push(utterance)
    if (this.#utterances.length === 1) this.#begin()
  }

  get language(): string {
    return this.#utterances[0]?.language ?? 'en'
  }

  /** Whether its times are those of the sound, and not an estimate. */
  get isTimed(): boolean {
    return this.#utterances[0]?.words !== undefined
  }

  /** Whether some words of the utterance under way were final, and some were not. */
  get isMidway(): boolean {
    return this.#finals > 0
  }

  /** Of the utterance under way, without those that were final; times since the beginning of the sound that is left. */
  get words(): readonly ScriptedWord[] {
    const before = this.#words[this.#finals - 1]?.endMs ?? 0
    return this.#words
      .slice(this.#finals)
      .map((word) => ({ ...word, startMs: word.startMs - before, endMs: word.endMs - before }))
  }

  /** So many of the words were given as final. */
  finalise(count: number): void {
    this.#finals += count
    if (this.#finals < this.#words.length) return
    this.#utterances.shift()
    this.#begin()
  }

  #begin(): void {
    this.#finals = 0
    this.#words = wordsIn(this.#utterances[0])
  }
}

function wordsIn(utterance: SpokenUtterance | undefined): ScriptedWord[] {
  if (!utterance) return []
  let startMs = 0
  return (utterance.words ?? estimated(utterance.text)).map(({ text, endMs }) => {
    const word = { text, bare: text.toLowerCase().replaceAll(/[.,?!;:¿¡]/g, ''), startMs, endMs }
    startMs = endMs
    return word
  })
}

function estimated(text: string) {
  const words = wordsOf(text)
  const letters = words.reduce((sum, { weight, pauseWeight }) => sum + weight + pauseWeight, 0)
  return wordEnds(words, { startMs: 0, endMs: letters * LETTER_MS })
}
