import { type Clock, FRAME_MS, type Leg, levelDbm0, silentFrame } from '@parley/voice-ports'
import { AHEAD_MS, LIVE_LEAD_LEAST_MS, LIVE_LEAD_MS } from '../limits.ts'

/** Sound below this may be moved by some silence without being heard to stutter. */
const QUIET_DBM0 = -45

/**
 * Sends a person's voice to a leg, a frame a beat. Where the carrier buffers, it is kept a little ahead of what is
 * played, so that a late beat is not heard, and never so far that the two talk over one another.
 */
export class LiveSound {
  readonly #clock: Clock
  readonly #leg: Leg
  /** When everything sent will have been played. */
  #playsUntilMs = -Infinity

  constructor(clock: Clock, leg: Leg) {
    this.#clock = clock
    this.#leg = leg
  }

  /** Returns when the frame will be played; null: it was left out. */
  send(audio: Uint8Array): number | null {
    const nowMs = this.#clock.nowMs()
    if (this.#leg.capabilities.playout === 'ours') {
      this.#leg.send({ audio })
      return nowMs
    }
    const leastMs = levelDbm0(audio) < QUIET_DBM0 ? LIVE_LEAD_LEAST_MS : FRAME_MS
    if (this.#playsUntilMs - nowMs < leastMs) this.#fill(nowMs)
    if (this.#playsUntilMs + FRAME_MS - nowMs > AHEAD_MS) return null
    const playsMs = this.#playsUntilMs
    this.#leg.send({ audio })
    this.#playsUntilMs += FRAME_MS
    return playsMs
  }

  #fill(nowMs: number): void {
    this.#playsUntilMs = Math.max(this.#playsUntilMs, nowMs)
    for (; this.#playsUntilMs + FRAME_MS <= nowMs + LIVE_LEAD_MS; this.#playsUntilMs += FRAME_MS)
      this.#leg.send(silentFrame())
  }
}
