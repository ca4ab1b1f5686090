import { digitTones, FRAME_BYTES, FRAME_MS, type Frame, SILENCE_BYTE } from '@parley/voice-ports'
import { eventAt, eventOf, GAP_TICKS, TONE_TICKS } from './digits-out.ts'
import { Outbox } from './outbox.ts'
import type { RtpSender } from './rtp-sender.ts'

const SILENCE = new Uint8Array(FRAME_BYTES).fill(SILENCE_BYTE)
const DIGIT_TICKS = TONE_TICKS + GAP_TICKS

/** A digit that is being played. */
interface PlayedDigit {
  readonly event: number
  readonly timestamp: number
  /** Null: as tones, since the far end takes no events. */
  readonly payloadType: number | null
  readonly tones: Uint8Array
  tick: number
}

/**
 * Plays one item every 20 ms. Where nothing is to be said, silence is sent: trunks end calls without media, and it
 * keeps address translations open.
 */
export class Player {
  readonly #outbox = new Outbox()
  readonly #sender: RtpSender
  readonly #onMark: (name: string) => void
  #digit: PlayedDigit | null = null
  #pauseTicks = 0
  #wasSilent = true

  constructor(sender: RtpSender, onMark: (name: string) => void) {
    this.#sender = sender
    this.#onMark = onMark
  }

  get dropped(): number {
    return this.#outbox.dropped
  }

  send(frame: Frame): void {
    this.#outbox.send(frame)
  }

  mark(name: string): void {
    this.#outbox.mark(name)
  }

  clear(): void {
    this.#outbox.clear()
  }

  sendDigits(digits: string): void {
    this.#outbox.sendDigits(digits)
  }

  /** 20 ms. On hold everything is played to nobody, in the same time, so that what waits for marks goes on. */
  tick(): void {
    this.#play()
    this.#sender.tick()
    this.#passMarks()
  }

  #play(): void {
    if (this.#digit) return this.#playDigit(this.#digit)
    if (this.#pauseTicks > 0) {
      this.#pauseTicks--
      return this.#silence()
    }
    this.#passMarks()
    const item = this.#outbox.take()
    switch (item?.type) {
      case 'frame':
        this.#sender.audio(item.audio, this.#wasSilent)
        this.#wasSilent = false
        return
      case 'digit':
        this.#digit = this.#beginDigit(item.digit)
        return this.#playDigit(this.#digit)
      case 'pause':
        this.#pauseTicks = item.ticks - 1
        return this.#silence()
      case 'mark':
      case undefined:
        return this.#silence()
      default:
        item satisfies never
    }
  }

  /** Everything before them has left. */
  #passMarks(): void {
    if (this.#digit || this.#pauseTicks > 0) return
    for (let item = this.#outbox.next; item?.type === 'mark'; item = this.#outbox.next) {
      this.#outbox.take()
      this.#onMark(item.name)
    }
  }

  #silence(): void {
    this.#sender.audio(SILENCE, false)
    this.#wasSilent = true
  }

  #beginDigit(digit: string): PlayedDigit {
    const payloadType = this.#sender.agreement?.remote.telephoneEvent ?? null
    const tones =
      payloadType === null ? digitTones(digit, TONE_TICKS * FRAME_MS, GAP_TICKS * FRAME_MS) : SILENCE.subarray(0, 0)
    return { event: eventOf(digit), timestamp: this.#sender.timestamp, payloadType, tones, tick: 0 }
  }

  #playDigit(digit: PlayedDigit): void {
    const tick = digit.tick++
    if (digit.tick === DIGIT_TICKS) this.#digit = null
    if (digit.payloadType === null) {
      this.#sender.audio(digit.tones.subarray(tick * FRAME_BYTES, (tick + 1) * FRAME_BYTES), tick === 0)
      this.#wasSilent = true
      return
    }
    const packet = eventAt(tick)
    if (!packet) return this.#silence()
    // The marker stands on the first packet alone: some far ends take every marker for another digit.
    for (let i = 0; i < packet.times; i++)
      this.#sender.event(digit.payloadType, digit.event, packet, tick === 0 && i === 0, digit.timestamp)
    this.#wasSilent = true
  }
}
