import type { Buffer } from 'node:buffer'
import { timestampDistance } from '../rtp/packet.ts'

const KEYS = '0123456789*#ABCD'
const REMEMBERED = 4
/** The longest sound that one packet stands for: 400 ms. A digit that is held sends another every 20 to 50 ms. */
const SAMPLES_MAX = 3200

export interface IncomingEvent {
  /** Null: a digit that was told already, or no digit. */
  readonly digit: string | null
  /** Length of the event so far, in samples. */
  readonly samples: number
}

/** Digits as events of RFC 4733: each is told once, at its first packet, whichever of its packets are lost. */
export class DigitReceiver {
  #timestamps: number[] = []
  #event = -1
  #end = 0
  #isOpen = false

  /** Null: this is no event. */
  take(timestamp: number, marker: boolean, packet: Buffer, from: number, to: number): IncomingEvent | null {
    if (to - from < 4) return null
    const event = packet.readUInt8(from)
    const duration = packet.readUInt16BE(from + 2)
    const samples = Math.min(duration, SAMPLES_MAX)
    const isEnd = (packet.readUInt8(from + 1) & 0x80) !== 0
    const latest = this.#timestamps.at(-1)
    if (this.#timestamps.includes(timestamp)) {
      if (timestamp === latest) {
        this.#end = (timestamp + duration) >>> 0
        if (isEnd) this.#isOpen = false
      }
      return { digit: null, samples }
    }
    if (latest !== undefined && timestampDistance(latest, timestamp) < 0) return { digit: null, samples }
    // A digit held for more than 8 s goes on under a new timestamp (RFC 4733, section 2.5.1.3).
    const goesOn = this.#isOpen && !marker && event === this.#event && timestamp === this.#end
    this.#timestamps = [...this.#timestamps.slice(1 - REMEMBERED), timestamp]
    this.#event = event
    this.#end = (timestamp + duration) >>> 0
    this.#isOpen = !isEnd
    return { digit: goesOn ? null : (KEYS[event] ?? null), samples }
  }

  reset(): void {
    this.#timestamps = []
    this.#isOpen = false
  }
}
