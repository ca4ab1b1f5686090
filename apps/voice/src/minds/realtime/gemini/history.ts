import type { HeardTurn } from '@parley/voice-ports'
import { isMostlyIn, isSame } from '../words.ts'

interface Made {
  readonly replyId: string
  text: string
  isSettled: boolean
}

const SEEN_MAX = 400

/**
 * What the vendor believes was said. Nothing can be cut or deleted there: where it is wrong, it is told so, before it
 * speaks again.
 */
export class History {
  #made: Made[] = []
  #known = new Map<number, string>()
  /** Sound that the vendor heard and no turn stands for yet. */
  #sounds: { text: string | null }[] = []
  #isFresh = true

  /** A new session of the vendor knows nothing. */
  reset(): void {
    this.#made = []
    this.#known = new Map()
    this.#sounds = []
    this.#isFresh = true
  }

  /** Sound was ended; its words may come later. */
  heardSound(): { text: string | null } {
    const sound = { text: null }
    this.#sounds.push(sound)
    return sound
  }

  said(replyId: string, delta: string): void {
    const last = this.#made.at(-1)
    if (last?.replyId === replyId) last.text += delta
    else this.#made.push({ replyId, text: delta, isSettled: false })
  }

  /**
   * What the vendor must be told before it speaks. `isUrgent`: it believes something that is not so, or it lacks words
   * of the callee.
   */
  news(
    turns: readonly HeardTurn[],
    used: readonly string[],
  ): { readonly lines: readonly string[]; readonly isUrgent: boolean } {
    const lines: string[] = []
    let isUrgent = false
    for (const made of this.#made.filter(({ isSettled }) => !isSettled)) {
      made.isSettled = true
      if (used.includes(made.replyId) || made.text.trim() === '') continue
      isUrgent = true
      lines.push(`They did not hear this of you, as if you had not said it: "${made.text.trim()}"`)
    }
    for (const turn of turns.filter(({ index, text }) => text.trim() !== '' && this.#known.get(index) !== text)) {
      const isKnown = this.#known.has(turn.index)
      this.#known.set(turn.index, turn.text)
      const told = turn.speaker === 'agent' ? this.#agents(turn) : this.#callees(turn, isKnown)
      if (told !== null) lines.push(told)
      isUrgent ||= told !== null && (turn.speaker === 'user' || !turn.heard)
    }
    while (this.#known.size > SEEN_MAX) this.#known.delete([...this.#known.keys()][0] ?? -1)
    this.#made = this.#made.slice(-SEEN_MAX)
    const isFresh = this.#isFresh
    this.#isFresh = false
    return {
      lines: isFresh && lines.length > 0 ? ['The call so far:', ...lines] : lines,
      isUrgent: isUrgent || isFresh,
    }
  }

  #agents({ text, heard }: HeardTurn): string | null {
    if (heard && this.#made.some((made) => isSame(made.text, text))) return null
    return heard ? `They heard from you: "${text}"` : `You were cut short. They heard of your reply only: "${text} …"`
  }

  #callees({ text }: HeardTurn, isKnown: boolean): string | null {
    const at = this.#sounds.findIndex((sound) => sound.text === null || isMostlyIn(sound.text, text))
    if (at >= 0) this.#sounds.splice(0, at + 1)
    return at >= 0 || isKnown ? null : `They said: "${text}"`
  }
}
