import { sequenceDistance } from './packet.ts'
import { ReplayWindow } from './replay-window.ts'

/** RFC 3550, appendix A.1: a larger jump forward is a restart of the sender. */
const DROPOUT_MAX = 3000
/** Older packets than this are a restart as well. */
const DISORDER_MAX = 100
/** Room below the first number, for packets that overtook it. */
const BASE = 65_536
/** RFC 3550, section 6.4.1: cumulative loss has 24 bits with a sign. */
const LOST_MAX = 0x7fffff
const LOST_MIN = -0x800000

/** What a report block says about the received stream. */
export interface ReceptionReport {
  /** Share of packets lost since the last report, in 256ths. */
  readonly fraction: number
  readonly lost: number
  /** Extended highest sequence number. */
  readonly highest: number
  /** In timestamp units. */
  readonly jitter: number
}

/**
 * Counts a received stream: extended sequence numbers, loss and jitter as RFC 3550, appendices A.1, A.3 and A.8, say.
 * Duplicates are told apart and not counted.
 */
export class Reception {
  readonly #window = new ReplayWindow()
  #started = false
  #base = 0
  #highest = 0
  #received = 0
  #bad = -1
  #lostBefore = 0
  #expectedPrior = 0
  #receivedPrior = 0
  #jitter = 0
  #transit = 0
  #hasTransit = false

  /** restart: the sender has begun anew; unknown: it may have, if the next packet follows on this one. */
  add(sequence: number): 'new' | 'duplicate' | 'restart' | 'unknown' {
    if (!this.#started) {
      this.#begin(sequence)
      return 'new'
    }
    const distance = sequenceDistance(this.#highest, sequence)
    if (distance >= DROPOUT_MAX || distance <= -DISORDER_MAX) {
      const isNext = sequence === this.#bad
      this.#bad = (sequence + 1) & 0xffff
      if (!isNext) return 'unknown'
      this.restart(sequence)
      return 'restart'
    }
    const extended = this.#highest + distance
    if (this.#window.has(extended)) return 'duplicate'
    this.#bad = -1
    this.#window.add(extended)
    this.#highest = Math.max(this.#highest, extended)
    this.#base = Math.min(this.#base, extended)
    this.#received++
    return 'new'
  }

  /** A new stream begins with this packet; what was lost of the old one stays counted. */
  restart(sequence: number): void {
    this.#lostBefore = this.lost
    this.#window.clear()
    this.#begin(sequence)
  }

  #begin(sequence: number): void {
    this.#started = true
    this.#base = BASE + sequence
    this.#highest = this.#base
    this.#received = 1
    this.#bad = -1
    this.#expectedPrior = 0
    this.#receivedPrior = 0
    this.#hasTransit = false
    this.#window.add(this.#highest)
  }

  /** Arrival and timestamp of an audio packet, both in timestamp units. */
  arrived(arrival: number, timestamp: number): void {
    const transit = (arrival - timestamp) | 0
    if (this.#hasTransit) this.#jitter += (Math.abs((transit - this.#transit) | 0) - this.#jitter) / 16
    this.#transit = transit
    this.#hasTransit = true
  }

  get lost(): number {
    return this.#lostBefore + Math.max(0, this.#expected() - this.#received)
  }

  /** In timestamp units. */
  get jitter(): number {
    return this.#jitter
  }

  #expected(): number {
    return this.#started ? this.#highest - this.#base + 1 : 0
  }

  /** The report since the last one; null before the first packet. */
  report(): ReceptionReport | null {
    if (!this.#started) return null
    const expected = this.#expected() - this.#expectedPrior
    const lost = expected - (this.#received - this.#receivedPrior)
    this.#expectedPrior = this.#expected()
    this.#receivedPrior = this.#received
    return {
      fraction: expected === 0 || lost <= 0 ? 0 : Math.min(255, Math.floor((lost * 256) / expected)),
      lost: Math.max(LOST_MIN, Math.min(LOST_MAX, this.lost)),
      highest: (this.#highest - BASE) >>> 0,
      jitter: Math.floor(this.#jitter) >>> 0,
    }
  }
}
