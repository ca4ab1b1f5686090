import { FRAME_BYTES, FRAME_MS, SILENCE_BYTE } from '@parley/voice-ports'
import { timestampDistance } from '../rtp/packet.ts'
import { ComfortNoise } from './comfort-noise.ts'
import { Concealment } from './concealment.ts'
import { DelayEstimate } from './delay.ts'
import { BLOCK, JitterBuffer } from './jitter-buffer.ts'

const SAMPLES_A_MS = 8
const BLOCK_MS = FRAME_MS / 2
/** Slack of the delay around its aim before sound is repeated or left out. */
const SHORT_MS = 5
const LONG_MS = 20
/** So much too long, sound is left out without waiting for a pause. */
const FAR_TOO_LONG_MS = 100
/** Frames that share their memory: one of its own for each costs more than what is done with it. */
const SLAB_FRAMES = 16
/** Blocks without any sound after which a late packet begins a new time line. */
const STARVED_BLOCKS = 10

/**
 * Turns packets as they come into one frame every 20 ms: waits for the slow ones, conceals the lost ones, makes noise
 * where the far end sends nothing, and follows its clock by repeating or leaving out 10 ms of quiet.
 */
export class Playout {
  readonly #buffer = new JitterBuffer()
  readonly #delay: DelayEstimate
  readonly #noise = new ComfortNoise()
  readonly #concealment = new Concealment(this.#noise)
  readonly #block = new Uint8Array(BLOCK)
  #slab = new Uint8Array(0)
  #slabAt = 0
  #started = false
  /** A gap now is a loss: sound was flowing. */
  #flowing = false
  #starved = 0
  #strayTimestamp = -1
  #quietFrom: number | null = null
  #late = 0
  #concealed = 0

  constructor(delayMs: number) {
    this.#delay = new DelayEstimate(delayMs)
  }

  get late(): number {
    return this.#late
  }

  /** Frames. */
  get concealed(): number {
    return this.#concealed
  }

  get delayMs(): number {
    return this.#delay.targetMs
  }

  /** The next packet begins a new time line, as one of another source. */
  restart(): void {
    this.#started = false
  }

  /**
   * A packet of audio has come.
   * @param table turns its codes into mu-law; null: it is mu-law
   */
  audio(
    timestamp: number,
    marker: boolean,
    payload: Uint8Array,
    from: number,
    to: number,
    table: Uint8Array | null,
    nowMs: number,
  ): void {
    if (to <= from) return
    if (!this.#started) this.#begin(timestamp, nowMs)
    let place = this.#buffer.insert(timestamp, payload, from, to, table)
    if (place !== 'taken' && this.#isElsewhere(timestamp, marker)) {
      this.#begin(timestamp, nowMs)
      place = this.#buffer.insert(timestamp, payload, from, to, table)
    }
    if (place === 'late') this.#late++
    if (place === 'ahead') return
    if (this.#quietFrom !== null && timestampDistance(this.#quietFrom, timestamp) > 0) this.#quietFrom = null
    this.#delay.arrived(timestamp, nowMs)
  }

  /** From this timestamp on the far end is silent, and this is what its silence sounds like (RFC 3389). */
  silence(timestamp: number, payload: Uint8Array): void {
    if (!this.#started) return
    this.#noise.describe(payload)
    this.#quietFrom = timestamp
  }

  /** The far end sends a digit in place of this sound. */
  digit(timestamp: number, samples: number): void {
    if (this.#started) this.#buffer.insertSilence(timestamp, samples)
  }

  #begin(timestamp: number, nowMs: number): void {
    this.#started = true
    this.#delay.begin(timestamp, nowMs)
    const aheadMs = Math.ceil(this.#delay.targetMs / BLOCK_MS) * BLOCK_MS
    this.#buffer.reset(timestamp - aheadMs * SAMPLES_A_MS)
    this.#flowing = false
    this.#starved = 0
    this.#quietFrom = null
    this.#strayTimestamp = -1
  }

  /** Whether a packet out of its time begins a new time line: nothing else plays, or a second one says the same. */
  #isElsewhere(timestamp: number, marker: boolean): boolean {
    if (this.#starved >= STARVED_BLOCKS) return true
    const distance = timestampDistance(this.#strayTimestamp, timestamp)
    const isFar = Math.abs(timestampDistance(this.#buffer.cursor, timestamp)) > 8000
    const confirmed = this.#strayTimestamp >= 0 && distance > 0 && distance <= 1600
    this.#strayTimestamp = isFar ? timestamp : -1
    return isFar && (marker || confirmed)
  }

  /** The next 20 ms. `nowMs` is when they are played. */
  frame(nowMs: number): Uint8Array {
    const audio = this.#allocate()
    let concealed = false
    for (let at = 0; at < FRAME_BYTES; at += BLOCK) {
      concealed = this.#next(nowMs, at === 0) || concealed
      audio.set(this.#block, at)
    }
    if (concealed) this.#concealed++
    return audio
  }

  #allocate(): Uint8Array {
    if (this.#slabAt === this.#slab.length) {
      this.#slab = new Uint8Array(SLAB_FRAMES * FRAME_BYTES)
      this.#slabAt = 0
    }
    this.#slabAt += FRAME_BYTES
    return this.#slab.subarray(this.#slabAt - FRAME_BYTES, this.#slabAt)
  }

  /** Fills the block; true when it stands for a lost one. */
  #next(nowMs: number, mayAdapt: boolean): boolean {
    if (!this.#started) return this.#fill(true)
    const excessMs = this.#delay.ofMs(this.#buffer.cursor, nowMs) - this.#delay.targetMs
    if (mayAdapt && excessMs > LONG_MS) this.#leaveOut(excessMs)
    if (!this.#buffer.ready) return this.#missing(mayAdapt && excessMs < -SHORT_MS)
    this.#buffer.peek(this.#block, 0)
    this.#starved = 0
    this.#flowing = true
    const repeats = mayAdapt && excessMs < -SHORT_MS && this.#noise.isQuiet(this.#block)
    if (!repeats) this.#buffer.advance()
    this.#noise.heard(this.#block)
    if (this.#quietFrom === null) this.#noise.forget()
    this.#concealment.good(this.#block)
    return false
  }

  /** Leaves out 10 ms that nobody misses. */
  #leaveOut(excessMs: number): void {
    if (this.#buffer.ready) {
      this.#buffer.peek(this.#block, 0)
      if (excessMs < FAR_TOO_LONG_MS && !this.#noise.isQuiet(this.#block)) return
    }
    this.#buffer.advance()
  }

  #missing(staysBehind: boolean): boolean {
    this.#starved++
    const isQuiet = this.#quietFrom !== null && timestampDistance(this.#quietFrom, this.#buffer.cursor) >= 0
    if (isQuiet) this.#flowing = false
    // Waiting under the concealment lengthens the delay: the sound that is only late is then played after it.
    if (!staysBehind) this.#buffer.advance()
    return this.#fill(!this.#flowing)
  }

  #fill(isQuick: boolean): boolean {
    this.#block.fill(SILENCE_BYTE)
    this.#concealment.conceal(this.#block, isQuick)
    const lost = !isQuick
    if (!this.#concealment.rings) this.#flowing = false
    return lost
  }
}
