import { levelDbm0 } from '@parley/voice-ports'

/** Root mean square of 0 dBov: the largest mu-law value (RFC 3389, section 3). */
const OVERLOAD = 32_124
const DBM0_RMS = 15_768
const FLOOR_MIN_DBM0 = -75
/** A louder steady sound is no background to be imitated. */
const FLOOR_MAX_DBM0 = -45
const ORDER_MAX = 10

/**
 * Noise like the line's own: as loud as the quietest that was heard of late, or as a comfort noise packet describes it
 * (RFC 3389: level, then reflection coefficients).
 */
export class ComfortNoise {
  #floorDbm0 = FLOOR_MIN_DBM0
  #isFresh = true
  #rms = 0
  #described = false
  readonly #reflection = new Float64Array(ORDER_MAX)
  readonly #state = new Float64Array(ORDER_MAX + 1)
  #order = 0
  #gain = 1
  #seed = 0x2545f491

  /** 10 or 20 ms of the far end. */
  heard(audio: Uint8Array): void {
    const level = Math.max(FLOOR_MIN_DBM0, levelDbm0(audio))
    if (this.#isFresh) this.#floorDbm0 = Math.min(level, FLOOR_MAX_DBM0)
    else if (level < this.#floorDbm0) this.#floorDbm0 += 0.3 * (level - this.#floorDbm0)
    else this.#floorDbm0 = Math.min(FLOOR_MAX_DBM0, this.#floorDbm0 + 0.02)
    this.#isFresh = false
    if (!this.#described) this.#rms = DBM0_RMS * 10 ** (this.#floorDbm0 / 20)
  }

  /** Whether this sound is hardly more than the background. */
  isQuiet(audio: Uint8Array): boolean {
    return levelDbm0(audio) < this.#floorDbm0 + 6
  }

  /** Payload of type 13. */
  describe(payload: Uint8Array): void {
    const level = payload[0]
    if (level === undefined) return
    this.#described = true
    this.#rms = OVERLOAD * 10 ** (-(level & 0x7f) / 20)
    this.#order = Math.min(ORDER_MAX, payload.length - 1)
    this.#gain = 1
    for (let i = 0; i < this.#order; i++) {
      // RFC 3389, section 3.2: 8 bits, 127 is zero. Near 1 the filter would ring for seconds.
      const k = Math.max(-0.9, Math.min(0.9, ((payload[i + 1] ?? 127) - 127) / 128))
      this.#reflection[i] = k
      this.#gain *= Math.sqrt(1 - k * k)
    }
    this.#state.fill(0)
  }

  /** The far end speaks again: what it described is over. */
  forget(): void {
    this.#described = false
    this.#order = 0
    this.#gain = 1
  }

  /** The next 16-bit sample. */
  next(): number {
    this.#seed ^= this.#seed << 13
    this.#seed ^= this.#seed >>> 17
    this.#seed ^= this.#seed << 5
    // Evenly spread over ±sqrt(3): a root mean square of 1.
    const white = (this.#seed / 2 ** 31) * Math.sqrt(3)
    return this.#rms * (this.#order === 0 ? white : this.#shaped(white * this.#gain))
  }

  /** All-pole lattice of the reflection coefficients; keeps the power of its input over `gain`. */
  #shaped(input: number): number {
    let forward = input
    for (let i = this.#order - 1; i >= 0; i--) {
      const k = this.#reflection[i] ?? 0
      const backward = this.#state[i] ?? 0
      forward -= k * backward
      this.#state[i + 1] = backward + k * forward
    }
    this.#state[0] = forward
    return forward
  }
}
