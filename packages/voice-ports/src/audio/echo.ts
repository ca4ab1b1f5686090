import { FRAME_MS } from './frame.ts'

/** Longest echo, in frames: 700 ms, as of a speakerphone on a mobile network, and the frame under way. */
const LAGS = 38
const RING = 64
const IN_RING = RING - 1
const QUIET_DBM0 = -45
const NOTHING_DBM0 = -90
/** Weight of a new observation in a path's average. */
const WEIGHT = 0.06
/** A path counts after this many observations, below this deviation and above this loss. */
const LOOKS = 25
const LOOKS_MAX = 1000
const DEVIATION_DB = 5
const LOSS_DB = 4
/** Speech over an echo is louder than the echo by this. */
const MARGIN_DB = 7

/** Where the figures of the lags begin, behind the levels that were sent. */
const MEANS = RING
const VARIANCES = MEANS + LAGS
const COUNTS = VARIANCES + LAGS

/**
 * Learns the delay and loss with which the agent's voice returns as echo. Compares levels only: cheap, and independent
 * of codecs.
 */
export class EchoGuard {
  /**
   * The levels that were sent, and of the path of each lag the mean difference, its variance and how often it was seen:
   * one array, because each frame of many calls reads all of it.
   */
  readonly #levels = new Float32Array(COUNTS + LAGS).fill(NOTHING_DBM0, 0, RING).fill(100, VARIANCES, COUNTS)
  #latest = -1
  /** Slot of the last frame loud enough to echo. */
  #latestLoud = -LAGS

  sent(levelDbm0: number, atMs: number): void {
    const slot = Math.floor(atMs / FRAME_MS)
    this.#forward(slot)
    this.#levels[slot & IN_RING] = Math.max(NOTHING_DBM0, levelDbm0)
    if (levelDbm0 > QUIET_DBM0) this.#latestLoud = slot
  }

  /** Level below which a frame arriving now is echo; -Infinity when none is expected. */
  expected(levelDbm0: number, atMs: number): number {
    const slot = Math.floor(atMs / FRAME_MS)
    // The levels are not looked at before they are needed: mostly the agent is silent.
    if (slot - this.#latestLoud >= LAGS) return -Infinity
    this.#forward(slot)
    const levels = this.#levels
    const heardDbm0 = Math.max(NOTHING_DBM0, levelDbm0)
    let best = -1
    let bestVariance = DEVIATION_DB ** 2
    let bestLevel = NOTHING_DBM0
    let bestMeanDb = 0
    for (let lag = 0; lag < LAGS; lag++) {
      const sentLevel = levels[(slot - lag) & IN_RING] ?? NOTHING_DBM0
      const variance = levels[VARIANCES + lag] ?? Infinity
      const meanDb = levels[MEANS + lag] ?? 0
      if (variance < bestVariance && meanDb < -LOSS_DB && (levels[COUNTS + lag] ?? 0) >= LOOKS) {
        best = lag
        bestVariance = variance
        bestLevel = sentLevel
        bestMeanDb = meanDb
      }
      if (sentLevel > QUIET_DBM0) this.#look(lag, heardDbm0 - sentLevel)
    }
    return best >= 0 && bestLevel > QUIET_DBM0 ? bestLevel + bestMeanDb + MARGIN_DB : -Infinity
  }

  #look(lag: number, differenceDb: number): void {
    const levels = this.#levels
    const looks = (levels[COUNTS + lag] ?? 0) + 1
    const meanDb = levels[MEANS + lag] ?? 0
    const variance = levels[VARIANCES + lag] ?? 0
    const error = differenceDb - meanDb
    const weight = looks < 1 / WEIGHT ? 1 / looks : WEIGHT
    levels[MEANS + lag] = meanDb + weight * error
    levels[VARIANCES + lag] = variance + weight * (error * error - variance)
    levels[COUNTS + lag] = Math.min(looks, LOOKS_MAX)
  }

  /** Clears the slots of the time in which nothing was sent. */
  #forward(slot: number): void {
    const from = Math.max(this.#latest + 1, slot - RING + 1)
    for (let at = from; at <= slot; at++) this.#levels[at & IN_RING] = NOTHING_DBM0
    this.#latest = Math.max(this.#latest, slot)
  }
}
