import type { Clock } from './audio/clock.ts'
import type { Frame } from './audio/frame.ts'

export type EarEvent =
  /**
   * Comes once, before anything else: frames may be pushed from here on. turns: where this connection differs from the
   * ear, as for a language that the vendor's own end of turn does not know.
   */
  | { readonly type: 'ready'; readonly turns?: boolean }
  /**
   * All words so far of the utterance under way. A later partial may revise, punctuate or lengthen them; `final` ends
   * the utterance. atMs is clock time.
   */
  | { readonly type: 'words'; readonly text: string; readonly final: boolean; readonly atMs: number }
  /** The answer to finalize(): every word of the sound before it has been given as final. */
  | { readonly type: 'settled' }
  /**
   * The vendor's own end of turn. eager: a likely end; resumed: it was none after all; ended: the turn is over.
   * confidence is 0 to 1, and 1 where the vendor gives none.
   */
  | { readonly type: 'turn'; readonly state: 'started' | 'eager' | 'resumed' | 'ended'; readonly confidence: number }
  /** BCP 47 of what is being spoken, when the ear can tell and it is not the language that it was set to. */
  | { readonly type: 'language'; readonly language: string }
  /** The last event. retryable: another attempt may succeed, after retryAfterMs where the vendor says so. */
  | {
      readonly type: 'failed'
      readonly message: string
      readonly retryable: boolean
      readonly retryAfterMs: number | null
    }

export interface ListenOptions {
  /** Of the order, as in what a mind is asked: joins an ear with the mind that is the same object. */
  readonly callId?: string
  /** BCP 47. */
  readonly language: string
  /** Whether another language may be spoken, which is told by `language`; false by default. */
  readonly languageIsGuess?: boolean
  /** Names and rare words of this call, the most important first. */
  readonly keyterms: readonly string[]
  /** Aborted when nobody listens any more, also while the connection is being made. */
  readonly signal: AbortSignal
}

/** The session finds voice activity itself (audio/); an ear only turns sound into words. */
export interface Listening {
  push(frame: Frame): void
  /** The callee has stopped: return the rest as final now, then `settled`. Each call is answered once, in order. */
  finalize(): void
  /** From here on this language is spoken. */
  setLanguage(language: string): void
  close(): void
}

export interface Ear {
  readonly name: string
  /** Longest time from finalize() to `settled` (measured for this vendor); nobody waits longer. */
  readonly settlesWithinMs: number
  /** Whether it gives `turn` events; they take precedence over the session's own end of turn. */
  readonly turns: boolean
  /** Opened while the leg rings, so that the first turn is not late. */
  listen(options: ListenOptions, clock: Clock, onEvent: (event: EarEvent) => void): Listening
}
