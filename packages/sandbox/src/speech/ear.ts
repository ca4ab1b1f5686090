import type { Ear, EarEvent, Frame, Listening } from '@parley/voice-ports'
import { guessLanguage } from './language.ts'

/** Faults and manners of real ears, on demand. */
export interface ScriptedEarOptions {
  /** A partial is first misheard and bare, and only the next event has its last word right, with punctuation. */
  readonly revises?: boolean
  /** Finals come this long after finalize(). */
  readonly finalsLateMs?: number
  /** The connection breaks each time after this many frames. */
  readonly dropsAfterFrames?: number
  /** What the failure then says: when to try again, or that it is of no use. */
  readonly retryAfterMs?: number | null
  readonly retryable?: boolean
  /** finalize() is never answered; the final comes nevertheless. */
  readonly neverSettles?: boolean
}

/** An ear whose connection a test can break. */
export interface ScriptedEar extends Ear {
  /** Breaks the connections that are open. */
  lose(): void
}

const SETTLES_WITHIN_MS = 20
/** What a word sounds like until the next one is known. */
const misheard = (word: string) => (word.length > 3 ? `${word.slice(0, 2)}` : word)
const bare = (text: string) => text.toLowerCase().replaceAll(/[.,?!;:¿¡]/g, '')

/** Takes the text of frames for words, where a carrier transmits it; recognises no speech. */
export function createScriptedEar(options: ScriptedEarOptions = {}): ScriptedEar {
  const open = new Set<() => void>()
  return {
    name: 'real-time text',
    settlesWithinMs: SETTLES_WITHIN_MS + (options.finalsLateMs ?? 0),
    turns: false,
    lose: () => open.forEach((fail) => fail()),
    listen({ language }, clock, onEvent) {
      const utterances = new Utterances(language, options, onEvent, () => clock.nowMs())
      const fail = () => {
        if (!open.delete(fail)) return
        const { retryable = true, retryAfterMs = null } = options
        onEvent({ type: 'failed', message: 'The connection was lost.', retryable, retryAfterMs })
      }
      let frames = 0
      const unlessOver = (task: () => void) => {
        if (open.has(fail)) task()
      }
      const listening: Listening = {
        push: (frame) =>
          unlessOver(() => {
            utterances.push(frame)
            if (++frames === options.dropsAfterFrames) fail()
          }),
        finalize: () =>
          unlessOver(() => {
            if (!options.finalsLateMs) return utterances.finalize()
            const rest = utterances.take()
            clock.after(options.finalsLateMs, () => unlessOver(() => utterances.settle(rest)))
          }),
        setLanguage: (next) => utterances.setLanguage(next),
        close: () => void open.delete(fail),
      }
      open.add(fail)
      onEvent({ type: 'ready' })
      return listening
    },
  }
}

/** The words of one connection. */
class Utterances {
  readonly #options: ScriptedEarOptions
  readonly #onEvent: (event: EarEvent) => void
  readonly #nowMs: () => number
  #language: string
  #words = ''

  constructor(language: string, options: ScriptedEarOptions, onEvent: (event: EarEvent) => void, nowMs: () => number) {
    this.#language = language
    this.#options = options
    this.#onEvent = onEvent
    this.#nowMs = nowMs
  }

  setLanguage(language: string): void {
    this.#language = language
  }

  push({ text }: Frame): void {
    if (text === undefined) return
    const before = this.#words
    this.#words = `${before} ${text}`.trim()
    if (!this.#options.revises) return this.#tell(this.#words, false)
    const first = `${bare(before)} ${misheard(bare(text))}`.trim()
    this.#tell(first, false)
    if (bare(this.#words) !== first) this.#tell(bare(this.#words), false)
    this.#tell(this.#words, false)
  }

  /** The utterance so far, which ends here. */
  take(): string {
    const text = this.#words
    this.#words = ''
    return text
  }

  finalize(): void {
    this.settle(this.take())
  }

  settle(text: string): void {
    if (text !== '') {
      this.#noteLanguage(text)
      this.#tell(text, true)
    }
    if (!this.#options.neverSettles) this.#onEvent({ type: 'settled' })
  }

  #tell(text: string, final: boolean): void {
    this.#onEvent({ type: 'words', text, final, atMs: this.#nowMs() })
  }

  #noteLanguage(text: string): void {
    const guess = guessLanguage(text)
    if (guess === null || guess === this.#language.split('-')[0]) return
    this.#language = guess
    this.#onEvent({ type: 'language', language: guess })
  }
}
