import { SILENCE_BYTE } from '@parley/voice-ports'
import { timestampDistance } from '../rtp/packet.ts'

/** One second of samples; a power of two, so that a timestamp's low bits are its place across the wrap. */
const CAPACITY = 8192
const MASK = CAPACITY - 1
/** The step in which sound is taken: 10 ms, which every packet time in use is a multiple of. */
export const BLOCK = 80
/** A packet further ahead belongs to another time line. */
const AHEAD_MAX = 4800

export type Place = 'taken' | 'late' | 'ahead'

/** Samples by their timestamp: reordered packets and packets of any length fall into their places. */
export class JitterBuffer {
  readonly #codes = new Uint8Array(CAPACITY)
  readonly #present = new Uint8Array(CAPACITY)
  /** Timestamp of the next sample to be played. */
  #cursor = 0

  get cursor(): number {
    return this.#cursor
  }

  /** Begins at this timestamp, empty. */
  reset(cursor: number): void {
    this.#present.fill(0)
    this.#cursor = cursor >>> 0
  }

  /**
   * Puts a payload in its place; samples that are there already stay.
   * @param table turns its codes into mu-law; null: it is mu-law
   */
  insert(timestamp: number, payload: Uint8Array, from: number, to: number, table: Uint8Array | null): Place {
    const offset = timestampDistance(this.#cursor, timestamp)
    if (offset > AHEAD_MAX) return 'ahead'
    if (offset + to - from <= 0) return 'late'
    for (let i = Math.max(0, -offset); i < to - from; i++) {
      const place = (timestamp + i) & MASK
      const code = payload[from + i] ?? SILENCE_BYTE
      this.#codes[place] = table ? (table[code] ?? SILENCE_BYTE) : code
      this.#present[place] = 1
    }
    return 'taken'
  }

  /** Silence where nothing else came, as under a digit that is sent as an event. */
  insertSilence(timestamp: number, length: number): void {
    const offset = timestampDistance(this.#cursor, timestamp)
    const end = Math.min(offset + length, AHEAD_MAX)
    for (let i = Math.max(0, offset); i < end; i++) {
      const place = (this.#cursor + i) & MASK
      if (this.#present[place]) continue
      this.#codes[place] = SILENCE_BYTE
      this.#present[place] = 1
    }
  }

  /** Whether the next 10 ms are here, whole. */
  get ready(): boolean {
    for (let i = 0; i < BLOCK; i++) if (!this.#present[(this.#cursor + i) & MASK]) return false
    return true
  }

  /** Copies the next 10 ms and stays where it is. */
  peek(out: Uint8Array, at: number): void {
    for (let i = 0; i < BLOCK; i++) out[at + i] = this.#codes[(this.#cursor + i) & MASK] ?? SILENCE_BYTE
  }

  /** Goes on by 10 ms. */
  advance(): void {
    for (let i = 0; i < BLOCK; i++) this.#present[(this.#cursor + i) & MASK] = 0
    this.#cursor = (this.#cursor + BLOCK) >>> 0
  }
}
