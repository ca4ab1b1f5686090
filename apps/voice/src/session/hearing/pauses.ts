import { type Clock, type Frame, FRAME_MS, type HeardTurn, type TurnEnd } from '@parley/voice-ports'
import type { Logger } from 'pino'
import { TURN_END_ANSWER_MS } from '../limits.ts'

/** Sound that a prediction gets: as much as smart-turn takes. */
const AUDIO_MS = 8000
const FRAMES_MAX = AUDIO_MS / FRAME_MS

export interface PausesOptions {
  readonly turnEnd: TurnEnd
  readonly clock: Clock
  readonly log: Logger
  readonly language: () => string
  readonly turns: () => readonly HeardTurn[]
  readonly onPredicted: (pause: number, waitMs: number) => void
}

/** Asks the port for the end of the callee's turn, once a pause, with the sound before it. */
export class Pauses {
  readonly #options: PausesOptions
  #frames: Uint8Array[] = []
  #abort = new AbortController()

  constructor(options: PausesOptions) {
    this.#options = options
  }

  push({ audio }: Frame): void {
    this.#frames.push(audio)
    if (this.#frames.length > FRAMES_MAX) this.#frames.shift()
  }

  ask(pause: number, text: string): void {
    const { turnEnd, clock, log, language, turns, onPredicted } = this.#options
    this.close()
    const abort = new AbortController()
    this.#abort = abort
    const cancel = clock.after(TURN_END_ANSWER_MS, () => abort.abort())
    const asked = { text, language: language(), turns: turns(), audio: Buffer.concat(this.#frames) }
    void turnEnd
      .predict(asked, abort.signal)
      .then(
        (waitMs) => {
          if (!abort.signal.aborted && waitMs !== null) onPredicted(pause, waitMs)
        },
        (error: unknown) => {
          if (!abort.signal.aborted) log.warn({ turnEnd: turnEnd.name, err: error }, 'end of turn not predicted')
        },
      )
      .finally(cancel)
  }

  close(): void {
    this.#abort.abort()
  }
}
