import type { HeardTurn } from './mind.ts'

/** What is known when the callee pauses. */
export interface Pause {
  /** The callee's words of this turn so far. */
  readonly text: string
  /** BCP 47. */
  readonly language: string
  /** The turns before, as heard. */
  readonly turns: readonly HeardTurn[]
  /** The callee's last seconds up to the pause: 8 kHz mu-law. */
  readonly audio: Uint8Array
}

/** Predicts whether a pause ends the callee's turn. Asked once a pause; an answer that comes too late is ignored. */
export interface TurnEnd {
  readonly name: string
  /** Silence, in ms from the end of the speech, after which the turn is over. null: cannot tell. */
  predict(pause: Pause, signal: AbortSignal): Promise<number | null>
}
