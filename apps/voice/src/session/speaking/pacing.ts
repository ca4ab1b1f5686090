import { type Clock, FRAME_MS, type Leg } from '@parley/voice-ports'
import { AHEAD_LEAST_MS, AHEAD_MS } from '../limits.ts'

/** A beat may be this late without a gap being heard. */
const LATE_MS = FRAME_MS

/** How many frames leave at each beat, and which gaps the callee heard. */
export class Pacing {
  readonly #clock: Clock
  readonly #leg: Pick<Leg, 'capabilities'>
  /** When everything sent will have been played. */
  #playsUntilMs = -Infinity
  #underruns = 0
  #isFilling = false

  constructor(clock: Clock, leg: Pick<Leg, 'capabilities'>) {
    this.#clock = clock
    this.#leg = leg
  }

  /** Gaps within a sentence whose audio came too late. */
  get underruns(): number {
    return this.#underruns
  }

  /**
   * ours: one frame a beat. theirs: a carrier's buffer is filled up, so that a late beat or sound is not heard, and then
   * left alone until it has little: a few frames that leave together cost little more than one.
   */
  isDue(): boolean {
    if (!this.buffers) return true
    const aheadMs = this.#playsUntilMs - this.#clock.nowMs()
    if (aheadMs < AHEAD_LEAST_MS) this.#isFilling = true
    if (aheadMs + FRAME_MS > AHEAD_MS) this.#isFilling = false
    return this.#isFilling
  }

  /** Whether the carrier buffers, so that a beat may send several frames. */
  get buffers(): boolean {
    return this.#leg.capabilities.playout === 'theirs'
  }

  /** A frame leaves; `goesOn`: its sentence has begun before. Returns when it will be played. */
  send(goesOn: boolean): number {
    const nowMs = this.#clock.nowMs()
    const isFirst = this.#playsUntilMs === -Infinity
    if (goesOn && !isFirst && nowMs - this.#playsUntilMs > LATE_MS) this.#underruns++
    const playsMs = this.buffers ? Math.max(nowMs, this.#playsUntilMs) : nowMs
    this.#playsUntilMs = playsMs + FRAME_MS
    return playsMs
  }

  /** What was sent and not yet played is dropped: what follows is a new beginning. */
  clear(): void {
    this.#playsUntilMs = -Infinity
  }
}
