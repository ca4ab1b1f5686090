import { FRAME_MS } from './frame.ts'

/** Longest echo, in frames: 700 ms from a speakerphone behind a mobile network, and two frames of doubt. */
const LAGS = 37
const RING = 64
const QUIET_DBM0 = -45
const NOTHING_DBM0 = -90
/** Weight of a new observation in a path's average. */
const WEIGHT = 0.06
/** A path counts after this many observations, below this deviation and above this loss. */
const LOOKS = 25
const DEVIATION_DB = 5
const LOSS_DB = 4
/** Speech over an echo is louder than the echo by this. */
const MARGIN_DB = 7

interface Path {
  meanDb: number
  variance: number
  looks: number
}

/**
 * Learns the delay and loss with which the agent's voice returns as echo. Compares levels only: cheap, and independent
 * of codecs.
 */
export class EchoGuard {
  readonly #sent = new Float64Array(RING).fill(NOTHING_DBM0)
  readonly #paths: Path[] = Array.from({ length: LAGS }, () => ({ meanDb: 0, variance: 100, looks: 0 }))
  #latest = -1
  /** Slot of the last frame loud enough to echo. */
  #latestLoud = -LAGS

  sent(levelDbm0: number, atMs: number): void {
    const slot = this.#forward(atMs)
    this.#sent[slot % RING] = Math.max(NOTHING_DBM0, levelDbm0)
    if (levelDbm0 > QUIET_DBM0) this.#latestLoud = slot
  }

  /** Level below which a frame arriving now is echo; -Infinity when none is expected. */
  expected(levelDbm0: number, atMs: number): number {
    const slot = this.#forward(atMs)
    if (slot - this.#latestLoud >= LAGS) return -Infinity
    let best: Path | null = null
    let bestLevel = NOTHING_DBM0
    for (let lag = 0; lag < LAGS; lag++) {
      const path = this.#paths[lag]
      const sentLevel = this.#sent[(slot - lag + RING) % RING] ?? NOTHING_DBM0
      if (!path) continue
      if (isPath(path) && (!best || path.variance < best.variance)) {
        best = path
        bestLevel = sentLevel
      }
      if (sentLevel > QUIET_DBM0) look(path, Math.max(NOTHING_DBM0, levelDbm0) - sentLevel)
    }
    return best && bestLevel > QUIET_DBM0 ? bestLevel + best.meanDb + MARGIN_DB : -Infinity
  }

  /** Clears the slots of the time in which nothing was sent. */
  #forward(atMs: number): number {
    const slot = Math.floor(atMs / FRAME_MS)
    const from = Math.max(this.#latest + 1, slot - RING + 1)
    for (let at = from; at <= slot; at++) this.#sent[at % RING] = NOTHING_DBM0
    this.#latest = Math.max(this.#latest, slot)
    return slot
  }
}

function look(path: Path, differenceDb: number): void {
  const error = differenceDb - path.meanDb
  const weight = Math.max(WEIGHT, 1 / (path.looks + 1))
  path.meanDb += weight * error
  path.variance += weight * (error * error - path.variance)
  path.looks++
}

function isPath({ looks, variance, meanDb }: Path): boolean {
  return looks >= LOOKS && variance < DEVIATION_DB ** 2 && meanDb < -LOSS_DB
}
