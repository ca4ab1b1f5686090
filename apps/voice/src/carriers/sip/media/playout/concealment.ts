import { decodeSample, encodeSample, SILENCE_BYTE } from '@parley/voice-ports'
import type { ComfortNoise } from './comfort-noise.ts'
import { BLOCK } from './jitter-buffer.ts'

/** 60 ms: three of the longest pitch periods, a quarter, and the window in which the pitch is looked for. */
const HISTORY = 480
/** Pitch periods of 66 to 200 Hz. */
const PERIOD_MIN = 40
const PERIOD_MAX = 120
const WINDOW = 160
/** After 10 ms the sound fades by a fifth every 10 ms: it is gone after 60 ms. */
const FADE_FROM = BLOCK
const FADE_SAMPLES = 5 * BLOCK

/**
 * Conceals lost sound as G.711, Appendix I, describes: repeats the last pitch period, later the last two and three,
 * fades, and overlaps into what comes next. The Appendix' delay of 3.75 ms is saved: the first join is smoothed by a
 * step that fades instead.
 */
export class Concealment {
  readonly #noise: ComfortNoise
  readonly #codes = new Uint8Array(HISTORY).fill(SILENCE_BYTE)
  readonly #history = new Float64Array(HISTORY)
  readonly #cycle = new Float64Array(3 * PERIOD_MAX)
  readonly #previous = new Float64Array(3 * PERIOD_MAX)
  #period = PERIOD_MIN
  #periods = 1
  #at = 0
  #step = 0
  /** Samples concealed in a row; 0 while sound flows. */
  #concealed = 0
  #isQuick = false

  constructor(noise: ComfortNoise) {
    this.#noise = noise
  }

  /** Whether the last sound still rings in the concealment. */
  get rings(): boolean {
    return this.#concealed < FADE_FROM + FADE_SAMPLES && !this.#isQuick
  }

  /** Takes 10 ms that have come; the first after a gap are overlapped with the concealment, in their place. */
  good(block: Uint8Array): void {
    if (this.#concealed > 0) this.#overlap(block)
    this.#concealed = 0
    this.#remember(block)
  }

  /**
   * Makes 10 ms.
   * @param isQuick the far end has fallen silent by intention: fades within 10 ms
   */
  conceal(out: Uint8Array, isQuick: boolean): void {
    if (this.#concealed === 0) this.#begin()
    else if (this.#periods < 3 && this.#concealed < FADE_FROM + FADE_SAMPLES) this.#lengthen()
    this.#isQuick = isQuick
    for (let i = 0; i < BLOCK; i++) out[i] = encodeSample(this.#next())
    this.#remember(out)
  }

  #remember(block: Uint8Array): void {
    this.#codes.copyWithin(0, BLOCK)
    this.#codes.set(block, HISTORY - BLOCK)
  }

  #begin(): void {
    for (let i = 0; i < HISTORY; i++) this.#history[i] = decodeSample(this.#codes[i] ?? SILENCE_BYTE)
    this.#period = pitchOf(this.#history)
    this.#isQuick = false
    this.#at = 0
    this.#cut(1)
    this.#step = (this.#history[HISTORY - 1] ?? 0) - (this.#history[HISTORY - 1 - this.#period] ?? 0)
  }

  /** The last periods as one cycle; its last quarter period runs over into its beginning. */
  #cut(periods: number): void {
    this.#periods = periods
    const length = periods * this.#period
    const quarter = this.#period >> 2
    const start = HISTORY - length
    for (let i = 0; i < length; i++) this.#cycle[i] = this.#history[start + i] ?? 0
    for (let i = 0; i < quarter; i++) {
      const share = (i + 1) / (quarter + 1)
      const at = length - quarter + i
      const before = this.#history[start - quarter + i] ?? 0
      this.#cycle[at] = (this.#cycle[at] ?? 0) * (1 - share) + before * share
    }
  }

  /** Repeats one period more, so that the sound does not buzz; crosses over within a quarter period. */
  #lengthen(): void {
    const oldLength = this.#periods * this.#period
    const oldAt = this.#at
    this.#previous.set(this.#cycle)
    this.#cut(this.#periods + 1)
    this.#at = oldAt % this.#period
    const quarter = this.#period >> 2
    for (let i = 0; i < quarter; i++) {
      const share = (i + 1) / (quarter + 1)
      const at = (this.#at + i) % (this.#periods * this.#period)
      this.#cycle[at] = (this.#previous[(oldAt + i) % oldLength] ?? 0) * (1 - share) + (this.#cycle[at] ?? 0) * share
    }
  }

  #next(): number {
    const n = this.#concealed++
    const sound = this.#cycle[this.#at] ?? 0
    this.#at = (this.#at + 1) % (this.#periods * this.#period)
    const quarter = this.#period >> 2
    const joined = n < quarter ? sound + this.#step * (1 - (n + 1) / quarter) : sound
    const faded = this.#isQuick ? n / BLOCK : (n - FADE_FROM) / FADE_SAMPLES
    const gain = Math.max(0, Math.min(1, 1 - faded))
    return joined * gain + this.#noise.next() * (1 - gain)
  }

  /** A quarter period and 4 ms for each further 10 ms of the gap, at most 10 ms. */
  #overlap(block: Uint8Array): void {
    const gapBlocks = Math.ceil(this.#concealed / BLOCK)
    const length = Math.min(BLOCK, (this.#period >> 2) + 32 * (gapBlocks - 1))
    for (let i = 0; i < length; i++) {
      const share = (i + 1) / (length + 1)
      block[i] = encodeSample(this.#next() * (1 - share) + decodeSample(block[i] ?? SILENCE_BYTE) * share)
    }
  }
}

/** The lag at which the last 20 ms are most like what was before them: normalised cross-correlation. */
export function pitchOf(history: Float64Array): number {
  const end = history.length
  let best = 0
  let period = PERIOD_MIN
  for (let lag = PERIOD_MIN; lag <= PERIOD_MAX; lag++) {
    let product = 0
    let energy = 1
    for (let i = end - WINDOW; i < end; i++) {
      const before = history[i - lag] ?? 0
      product += (history[i] ?? 0) * before
      energy += before * before
    }
    const likeness = product <= 0 ? 0 : (product * product) / energy
    if (likeness > best) {
      best = likeness
      period = lag
    }
  }
  return period
}
