import { FRAME_MS } from '@parley/voice-ports'

/** 30 s: what a vendor says of older sound is of no use. */
const FRAMES_KEPT = 1500

/** When each place of the sound that was sent over a connection was heard, in call time. */
export class SoundTimes {
  readonly #times = new Float64Array(FRAMES_KEPT)
  #frames = 0
  #lastMs = 0

  /** Sound that was sent, in ms. */
  get sentMs(): number {
    return this.#frames * FRAME_MS
  }

  push(nowMs: number): void {
    this.#times[this.#frames++ % FRAMES_KEPT] = nowMs
  }

  /** Call time of a place in the sound; never less than what was told before, never in the future. */
  at(positionMs: number, nowMs: number): number {
    const frame = Math.min(this.#frames, Math.ceil(positionMs / FRAME_MS)) - 1
    const isKept = frame >= 0 && frame >= this.#frames - FRAMES_KEPT
    const heardMs = isKept ? (this.#times[frame % FRAMES_KEPT] ?? nowMs) : nowMs
    this.#lastMs = Math.min(nowMs, Math.max(this.#lastMs, heardMs))
    return this.#lastMs
  }
}
