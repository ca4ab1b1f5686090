import { timestampDistance } from '../rtp/packet.ts'

const SAMPLES_A_MS = 8
const BIN_MS = 5
const BINS = 64
/** A packet counts half after 140 others. */
const FADE = 0.995
/** Weight of what was expected before the first packet. */
const PRIOR = 20
/** The share of packets that shall come in time. */
const IN_TIME = 0.97
/** Between the latest packet that counts and its playing. */
const MARGIN_MS = 10
/** The fastest packet of the last one to two windows counts, so that two clocks may drift apart. */
const WINDOW_MS = 10_000
const WEIGHT_MAX = 1e9

const DELAY_MIN_MS = 20
const DELAY_MAX_MS = 120
/** Without jitter the delay goes down to this. */
const DELAY_FLOOR_MS = 40

/** How long packets are on their way beyond the fastest, and the delay of playing that follows from it. */
export class DelayEstimate {
  readonly #bins = new Float64Array(BINS)
  readonly #floorMs: number
  #weight = 1
  #origin = 0
  #fastestMs = Infinity
  #fastestBeforeMs = Infinity
  #windowEndsMs = 0
  #targetMs: number
  #sinceTarget = 0

  constructor(startMs: number) {
    this.#targetMs = Math.max(DELAY_MIN_MS, Math.min(DELAY_MAX_MS, startMs))
    this.#floorMs = Math.min(DELAY_FLOOR_MS, this.#targetMs)
    this.#bins[Math.floor(Math.max(0, this.#targetMs - MARGIN_MS - 1) / BIN_MS)] = PRIOR
  }

  /** A new time line begins with this packet. What is known of the network stays. */
  begin(timestamp: number, nowMs: number): void {
    this.#origin = timestamp
    this.#fastestBeforeMs = Infinity
    this.#fastestMs = nowMs
    this.#windowEndsMs = nowMs + WINDOW_MS
  }

  arrived(timestamp: number, nowMs: number): void {
    const transitMs = nowMs - timestampDistance(this.#origin, timestamp) / SAMPLES_A_MS
    if (nowMs >= this.#windowEndsMs) {
      this.#fastestBeforeMs = this.#fastestMs
      this.#fastestMs = transitMs
      this.#windowEndsMs = nowMs + WINDOW_MS
    }
    this.#fastestMs = Math.min(this.#fastestMs, transitMs)
    const bin = Math.floor((transitMs - this.#baseMs()) / BIN_MS)
    const at = Math.max(0, Math.min(BINS - 1, bin))
    // Newer packets weigh more instead of every bin fading.
    this.#weight /= FADE
    this.#bins[at] = (this.#bins[at] ?? 0) + this.#weight
    if (this.#weight > WEIGHT_MAX) this.#lighten()
    if (++this.#sinceTarget >= 25) this.#aim()
  }

  #baseMs(): number {
    return Math.min(this.#fastestMs, this.#fastestBeforeMs)
  }

  #lighten(): void {
    for (let i = 0; i < BINS; i++) this.#bins[i] = (this.#bins[i] ?? 0) / this.#weight
    this.#weight = 1
  }

  #aim(): void {
    this.#sinceTarget = 0
    let total = 0
    for (const weight of this.#bins) total += weight
    let sum = 0
    let at = 0
    while (at < BINS - 1 && (sum += this.#bins[at] ?? 0) < total * IN_TIME) at++
    this.#targetMs = Math.max(this.#floorMs, Math.min(DELAY_MAX_MS, (at + 1) * BIN_MS + MARGIN_MS))
  }

  get targetMs(): number {
    return this.#targetMs
  }

  /** The delay of a sample that is played at `nowMs`, beyond the fastest way. */
  ofMs(timestamp: number, nowMs: number): number {
    return nowMs - this.#baseMs() - timestampDistance(this.#origin, timestamp) / SAMPLES_A_MS
  }
}
