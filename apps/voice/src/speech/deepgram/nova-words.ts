import { baseOf, joined } from '../vendor/text.ts'
import type { Results } from './messages.ts'

interface Part {
  readonly startMs: number
  readonly text: string
}

export interface NovaWords {
  readonly text: string
  readonly final: boolean
}

/** An utterance of more parts ends. */
const PARTS_MAX = 100
/** Words that prove a language. */
const LANGUAGE_WORDS_MIN = 2

const wordsOf = ({ channel }: Results) => channel.alternatives[0]?.words ?? []
export const endMsOf = ({ start, duration }: Results) => (start + duration) * 1000

/**
 * Puts an utterance together: nova sends what it heard since its last final part, and makes long speech final in parts.
 */
export class NovaUtterance {
  #parts: Part[] = []
  #partial: Part | null = null
  /** Words of the part that begins here were given as final already. */
  #spent: { readonly startMs: number; readonly words: number } | null = null
  #finalUntilMs = -Infinity
  #told = ''

  /** What is new; null: nothing. */
  take(results: Results): NovaWords | null {
    const startMs = results.start * 1000
    const endMs = endMsOf(results)
    const ends = results.speech_final || results.from_finalize
    // One that was overtaken.
    if (!results.is_final && endMs <= this.#finalUntilMs) return null
    if (!results.is_final && this.#partial && startMs < this.#partial.startMs) return null
    const part = { startMs, text: this.#unspent(results) }
    if (results.is_final) {
      this.#finalUntilMs = Math.max(this.#finalUntilMs, endMs)
      if (part.text !== '') this.#parts = [...this.#parts, part].toSorted((a, b) => a.startMs - b.startMs)
      this.#partial = null
      this.#spent = null
    } else this.#partial = part
    if (ends || this.#parts.length > PARTS_MAX) return this.end()
    const { text } = this
    if (text === this.#told) return null
    this.#told = text
    return { text, final: false }
  }

  get text(): string {
    return joined([...this.#parts, ...(this.#partial ? [this.#partial] : [])].map(({ text }) => text))
  }

  /** What the vendor has made final is the whole utterance. */
  endOfParts(): NovaWords | null {
    return this.#parts.length > 0 && this.#partial === null ? this.end() : null
  }

  /** The words so far are the whole utterance; a part that is still revised goes on with the next one. */
  end(): NovaWords | null {
    const { text } = this
    if (this.#partial) {
      const { startMs } = this.#partial
      const before = this.#spent?.startMs === startMs ? this.#spent.words : 0
      this.#spent = { startMs, words: before + this.#partial.text.split(/\s+/).filter((word) => word !== '').length }
    }
    this.#parts = []
    this.#partial = null
    this.#told = ''
    return text === '' ? null : { text, final: true }
  }

  #unspent(results: Results): string {
    const text = results.channel.alternatives[0]?.transcript ?? ''
    if (this.#spent?.startMs !== results.start * 1000) return text
    return joined(text.split(/\s+/).slice(this.#spent.words))
  }
}

/** The language of most of the words, where enough of them tell one. */
export function languageOf(results: Results): string | null {
  const counts = new Map<string, number>()
  const words = wordsOf(results).flatMap(({ language }) => (language === undefined ? [] : [baseOf(language)]))
  for (const language of words) counts.set(language, (counts.get(language) ?? 0) + 1)
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a)
  if (!most || most[1] < LANGUAGE_WORDS_MIN || most[1] * 2 <= words.length) return null
  return most[0]
}
