import type { Clock } from './audio/clock.ts'
import type { Frame } from './audio/frame.ts'

export type EarEvent =
  /** Words so far of the utterance under way; `final` ends that utterance's text. atMs is clock time. */
  | { readonly type: 'words'; readonly text: string; readonly final: boolean; readonly atMs: number }
  /** BCP 47 of what is being spoken, when the ear can tell. */
  | { readonly type: 'language'; readonly language: string }
  | { readonly type: 'failed'; readonly message: string }

/** The session finds voice activity itself (audio/); an ear only turns sound into words. */
export interface Listening {
  push(frame: Frame): void
  /** The session has ended the callee's turn: return the rest as final now. */
  finalize(): void
  close(): void
}

export interface Ear {
  readonly name: string
  /** Opened while the leg rings, so that the first turn is not late. */
  listen(language: string, clock: Clock, onEvent: (event: EarEvent) => void): Listening
}
