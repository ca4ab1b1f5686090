import type { Activity } from '@parley/voice-ports'
import { ECHO_WORDS_MS } from '../limits.ts'
import { cutWords, wordsOf } from '../turns/phrases.ts'

const WORDS_MAX = 80
/** Share of the words that an ear gets right in an echo. */
const ALIKE_MIN = 0.75
/** A speech that begins this long after our last frame is not an echo of it. */
const OVER_OURS_MS = 60
/** Words needed to tell the beginning of an utterance for an echo. */
const PREFIX_WORDS_MIN = 3

/**
 * Removes the agent's own words, which a speakerphone sends back, from those of the callee. A callee who repeats the
 * agent's words is heard: their voice is detected, and does not begin while the agent speaks.
 */
export class OwnWords {
  #said: { readonly word: string; readonly atMs: number }[] = []
  #output = ''
  #speaking = false
  /** Of the utterance under way. none: no voice was detected, so that it is an echo or came without sound. */
  #voice: 'none' | 'over_ours' | 'own' = 'none'
  /** Words at the beginning of the utterance under way that were an echo. */
  #echoed: readonly string[] = []

  /** The callee has heard this much of an output. */
  said(text: string, nowMs: number): void {
    const fresh = text.startsWith(this.#output) ? text.slice(this.#output.length) : text
    this.#output = text
    this.#said.push(...wordsOf(fresh).map((word) => ({ word, atMs: nowMs })))
    this.#said = this.#said.slice(-WORDS_MAX)
  }

  /** `soundedMs`: when the callee hears our latest frame. */
  activity(activity: Activity, soundedMs: number): void {
    this.#speaking = activity.type === 'speech_started'
    if (activity.type === 'speech_started')
      this.#voice = activity.sinceMs <= soundedMs + OVER_OURS_MS ? 'over_ours' : 'own'
  }

  /** Everything before was made final. */
  settled(): void {
    this.#echoed = []
    if (!this.#speaking) this.#voice = 'none'
  }

  /** The callee's own words in what the ear has heard. */
  without(text: string, final: boolean, nowMs: number): string {
    const words = wordsOf(text)
    const count = this.#countEchoed(words, final, nowMs)
    if (final) this.settled()
    else this.#echoed = words.slice(0, count)
    return count === 0 ? text : cutWords(text, count)
  }

  #countEchoed(words: readonly string[], final: boolean, nowMs: number): number {
    const known = alike(words, this.#echoed) ? this.#echoed.length : 0
    if (this.#voice === 'own') return known
    const count = Math.max(known, this.#longestEcho(words, nowMs))
    if (count < words.length) return count >= PREFIX_WORDS_MIN ? count : known
    // One word over ours may be the callee's "okay": its final decides for the callee.
    return this.#voice === 'over_ours' && count === 1 && final ? 0 : count
  }

  /** How many of the first words were just said by the agent, in this order. */
  #longestEcho(words: readonly string[], nowMs: number): number {
    let longest = 0
    for (let from = 0; from < this.#said.length; from++) {
      let equal = 0
      for (let at = 0; at < words.length; at++) {
        const said = this.#said[from + at]
        if (!said) break
        if (said.word !== words[at]) continue
        equal++
        if (equal / (at + 1) >= ALIKE_MIN && said.atMs >= nowMs - ECHO_WORDS_MS) longest = Math.max(longest, at + 1)
      }
    }
    return longest
  }
}

function alike(words: readonly string[], beginning: readonly string[]): boolean {
  const equal = beginning.filter((word, at) => word === words[at]).length
  return beginning.length > 0 && equal / beginning.length >= ALIKE_MIN
}
