import type { Buffer } from 'node:buffer'
import { createToneDetector, type ToneDetector } from '@parley/voice-ports'
import { MULAW_OF_ALAW } from './playout/alaw.ts'
import { DigitReceiver } from './playout/digits-in.ts'
import { Playout } from './playout/playout.ts'
import { emptyHeader, payloadEnd, readHeader, type RtpHeader } from './rtp/packet.ts'
import { Reception } from './rtp/reception.ts'
import { MediaSource } from './rtp/source.ts'
import type { Agreement } from './sdp/negotiation.ts'

const COMFORT_NOISE = 13
const SAMPLES_A_MS = 8

const NOTHING = 0
const PCMU = 1
const PCMA = 2
const EVENT = 3
const NOISE = 4

/** Packets that were not taken, by the reason. */
export interface Discarded {
  /** No RTP, a payload type that was not agreed, or a sequence number out of all order. */
  malformed: number
  /** From another address, or of another stream before its second packet. */
  wrongSource: number
  /** Seen before: replayed under SRTP, doubled on the way without. */
  replayed: number
  /** Whose tag was not of our keys. */
  unauthenticated: number
  /** Before the far end's description, and its keys, were known. */
  early: number
}

/** The incoming half of a leg: packets become frames and digits. Never throws on a packet. */
export class Receiver {
  readonly discarded: Discarded = { malformed: 0, wrongSource: 0, replayed: 0, unauthenticated: 0, early: 0 }
  readonly reception = new Reception()
  readonly playout: Playout
  readonly #onDigit: (digit: string) => void
  readonly #header: RtpHeader = emptyHeader()
  readonly #kinds = new Uint8Array(128)
  readonly #digits = new DigitReceiver()
  #agreement: Agreement | null = null
  #source: MediaSource | null = null
  #sourceChanges = 0
  #tones: ToneDetector | null = null
  #ssrc: number | null = null
  #nextSsrc = -1
  #nextSequence = -1
  #packets = 0
  #bytes = 0

  constructor(delayMs: number, onDigit: (digit: string) => void) {
    this.playout = new Playout(delayMs)
    this.#onDigit = onDigit
  }

  get source(): MediaSource | null {
    return this.#source
  }

  get sourceChanges(): number {
    return this.#sourceChanges + (this.#source?.changes ?? 0)
  }

  /** Of the stream that is taken; null before its first packet. */
  get ssrc(): number | null {
    return this.#ssrc
  }

  get packets(): number {
    return this.#packets
  }

  /** Of payload. */
  get bytes(): number {
    return this.#bytes
  }

  use(agreement: Agreement): void {
    const { address, port, telephoneEvent } = agreement.remote
    this.#agreement = agreement
    this.#kinds.fill(NOTHING)
    this.#kinds[COMFORT_NOISE] = NOISE
    for (const { payloadType, codec } of agreement.incoming) this.#kinds[payloadType] = codec === 'pcma' ? PCMA : PCMU
    for (const payloadType of agreement.incomingEvents) this.#kinds[payloadType] = EVENT
    // On hold by address the stream goes on from where it came.
    if (!this.#source || !(agreement.remote.addressless || this.#source.isSignalled(address, port))) {
      this.#sourceChanges = this.sourceChanges
      this.#source = new MediaSource(address, port)
    }
    if (telephoneEvent !== null) this.#tones = null
    else this.#tones ??= createToneDetector(['digits'])
  }

  /** A datagram on the port of RTP. It may be changed: what is encrypted is decrypted in its place. */
  take(datagram: Buffer, address: string, port: number, nowMs: number): void {
    const agreement = this.#agreement
    const source = this.#source
    if (!agreement || !source) return void this.discarded.early++
    if (!source.isPossible(address, port)) return void this.discarded.wrongSource++
    const header = this.#header
    let length = datagram.length
    if (!readHeader(datagram, length, header) || this.#kinds[header.payloadType] === NOTHING)
      return void this.discarded.malformed++
    if (agreement.opening) {
      length = agreement.opening.lengthWithoutTag(length)
      if (length < header.payloadStart) return void this.discarded.malformed++
      const verdict = agreement.opening.unprotect(datagram, length, header.payloadStart)
      if (verdict === 'forged') return void this.discarded.unauthenticated++
      if (verdict === 'replayed') return void this.discarded.replayed++
    }
    const end = payloadEnd(datagram, length, header)
    if (end < 0) return void this.discarded.malformed++
    if (!source.take(address, port, header.ssrc, header.sequence, this.#ssrc)) return void this.discarded.wrongSource++
    if (this.#follows()) this.#play(datagram, end, nowMs)
  }

  /** Whether the packet belongs to the stream: a new one takes over with its second packet in sequence. */
  #follows(): boolean {
    const { ssrc, sequence } = this.#header
    if (ssrc !== this.#ssrc) {
      const isSecond = ssrc === this.#nextSsrc && sequence === this.#nextSequence
      this.#nextSsrc = ssrc
      this.#nextSequence = (sequence + 1) & 0xffff
      if (this.#ssrc !== null && !isSecond) {
        this.discarded.wrongSource++
        return false
      }
      if (this.#ssrc === null) this.reception.add(sequence)
      else this.reception.restart(sequence)
      this.#ssrc = ssrc
      this.#digits.reset()
      this.playout.restart()
      return true
    }
    const verdict = this.reception.add(sequence)
    if (verdict === 'duplicate') this.discarded.replayed++
    if (verdict === 'unknown') this.discarded.malformed++
    if (verdict === 'restart') this.playout.restart()
    return verdict === 'new' || verdict === 'restart'
  }

  #play(datagram: Buffer, end: number, nowMs: number): void {
    const { payloadType, timestamp, marker, payloadStart } = this.#header
    this.#packets++
    this.#bytes += end - payloadStart
    const kind = this.#kinds[payloadType]
    if (kind === EVENT) return this.#digit(datagram, end)
    if (kind === NOISE) return this.playout.silence(timestamp, datagram.subarray(payloadStart, end))
    this.reception.arrived(Math.floor(nowMs * SAMPLES_A_MS), timestamp)
    const table = kind === PCMA ? MULAW_OF_ALAW : null
    this.playout.audio(timestamp, marker, datagram, payloadStart, end, table, nowMs)
  }

  #digit(datagram: Buffer, end: number): void {
    const { timestamp, marker, payloadStart } = this.#header
    const event = this.#digits.take(timestamp, marker, datagram, payloadStart, end)
    if (!event) return void this.discarded.malformed++
    this.playout.digit(timestamp, event.samples)
    if (event.digit !== null) this.#onDigit(event.digit)
  }

  /** The next 20 ms of the far end. Digits that it sends as tones are told where it cannot send events. */
  frame(nowMs: number): Uint8Array {
    const audio = this.playout.frame(nowMs)
    for (const event of this.#tones?.push(audio) ?? []) if (event.type === 'digit') this.#onDigit(event.digit)
    return audio
  }
}
