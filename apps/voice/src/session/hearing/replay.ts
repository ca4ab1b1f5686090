import { FRAME_BYTES, type Frame } from '@parley/voice-ports'

const CAPACITY_MIN = 64

/**
 * The latest frames of the callee, for an ear that has to hear them again. Copied into one growing buffer: thousands of
 * frames that live for a second each would keep the garbage collector busy.
 */
export class Replay {
  readonly #most: number
  #audio = new Uint8Array(CAPACITY_MIN * FRAME_BYTES)
  #lengths = new Uint8Array(CAPACITY_MIN)
  #times = new Float64Array(CAPACITY_MIN)
  #texts: (string | undefined)[] = []
  /** Frames that were ever pushed, and those of them that are gone. */
  #pushed = 0
  #gone = 0

  /** `most`: frames that are kept at most; the oldest go first. */
  constructor(most: number) {
    this.#most = most
  }

  /** Frames that are kept. */
  get length(): number {
    return this.#pushed - this.#gone
  }

  /** Frames that were kept and are gone. */
  get before(): number {
    return this.#gone
  }

  push({ audio, text }: Frame, atMs: number): void {
    if (this.length === this.#capacity) this.#resize(2 * this.#capacity)
    const slot = this.#pushed % this.#capacity
    // A frame is 20 ms; a longer one could not be replayed.
    const bytes = audio.length > FRAME_BYTES ? audio.subarray(0, FRAME_BYTES) : audio
    this.#audio.set(bytes, slot * FRAME_BYTES)
    this.#lengths[slot] = bytes.length
    this.#times[slot] = atMs
    this.#texts[slot] = text
    this.#pushed++
    this.dropUntil(this.#pushed - this.#most)
  }

  /** Drops the oldest until `kept` are left. A long sentence is over then: few calls at a time need its memory. */
  keep(kept: number): void {
    this.dropUntil(this.#pushed - kept)
    if (this.#capacity > CAPACITY_MIN && this.length < CAPACITY_MIN) this.#resize(CAPACITY_MIN)
  }

  /** Drops the frames before the one of this number, counted from the first that was ever pushed. */
  dropUntil(count: number): void {
    this.#gone = Math.max(this.#gone, Math.min(this.#pushed, count))
  }

  /** How many of the kept frames came no later than this. */
  countUntil(atMs: number): number {
    let count = 0
    while (count < this.length && (this.#times[(this.#gone + count) % this.#capacity] ?? 0) <= atMs) count++
    return count
  }

  /** Copies of the kept frames, the oldest first. */
  all(): Frame[] {
    return Array.from({ length: this.length }, (_, index) => this.#at(index))
  }

  #at(index: number): Frame {
    const slot = (this.#gone + index) % this.#capacity
    const start = slot * FRAME_BYTES
    const audio = this.#audio.slice(start, start + (this.#lengths[slot] ?? 0))
    const text = this.#texts[slot]
    return text === undefined ? { audio } : { audio, text }
  }

  get #capacity(): number {
    return this.#lengths.length
  }

  #resize(capacity: number): void {
    const kept = Array.from({ length: this.length }, (_, index) => ({
      frame: this.#at(index),
      atMs: this.#times[(this.#gone + index) % this.#capacity] ?? 0,
    }))
    this.#audio = new Uint8Array(capacity * FRAME_BYTES)
    this.#lengths = new Uint8Array(capacity)
    this.#times = new Float64Array(capacity)
    this.#texts = []
    const first = this.#gone
    for (const [index, { frame, atMs }] of kept.entries()) {
      const slot = (first + index) % capacity
      this.#audio.set(frame.audio, slot * FRAME_BYTES)
      this.#lengths[slot] = frame.audio.length
      this.#times[slot] = atMs
      this.#texts[slot] = frame.text
    }
  }
}
