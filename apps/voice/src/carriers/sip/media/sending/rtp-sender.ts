import { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { FRAME_BYTES, SILENCE_BYTE } from '@parley/voice-ports'
import { ALAW_OF_MULAW } from '../playout/alaw.ts'
import { RTP_HEADER_BYTES, writeHeader } from '../rtp/packet.ts'
import { PROTECTION_BYTES_MAX } from '../rtp/srtp.ts'
import type { Agreement } from '../sdp/negotiation.ts'
import { EVENT_BYTES, type EventPacket, writeEvent } from './digits-out.ts'

/** Packets whose bytes the socket may still hold: more than a second, which a stalled process sends at once. */
const PACKETS_MAX = 64

interface Packet {
  readonly bytes: Buffer<ArrayBuffer>
  readonly release: () => void
}

/** Hands a packet to the network; `sent` runs once its bytes are free again. */
export type Transmit = (packet: Buffer, length: number, sent: () => void) => void

/** Makes RTP packets: sequence numbers, timestamps, codec and keys. */
export class RtpSender {
  readonly #transmit: Transmit
  /** Packets are used again: a leg of steady pace has one or two. */
  readonly #free: Packet[] = []
  #made = 0
  readonly ssrc = randomBytes(4).readUInt32BE()
  // Random starts make known plain text harder to guess (RFC 3550, section 5.1).
  #sequence = randomBytes(2).readUInt16BE()
  #timestamp = randomBytes(4).readUInt32BE()
  #agreement: Agreement | null = null
  #packets = 0
  #bytes = 0

  constructor(transmit: Transmit) {
    this.#transmit = transmit
  }

  get packets(): number {
    return this.#packets
  }

  /** Of payload (RFC 3550, section 6.4.1). */
  get bytes(): number {
    return this.#bytes
  }

  get timestamp(): number {
    return this.#timestamp
  }

  get agreement(): Agreement | null {
    return this.#agreement
  }

  use(agreement: Agreement): void {
    this.#agreement = agreement
  }

  /** 20 ms have passed, whether or not anything was sent. */
  tick(): void {
    this.#timestamp = (this.#timestamp + FRAME_BYTES) >>> 0
  }

  audio(codes: Uint8Array, marker: boolean): void {
    const packet = this.#start(this.#agreement?.format.payloadType ?? 0, marker, this.#timestamp)
    if (!packet) return
    const isAlaw = this.#agreement?.format.codec === 'pcma'
    for (let i = 0; i < FRAME_BYTES; i++) {
      const code = codes[i] ?? SILENCE_BYTE
      packet.bytes[RTP_HEADER_BYTES + i] = isAlaw ? (ALAW_OF_MULAW[code] ?? 0) : code
    }
    this.#finish(packet, FRAME_BYTES)
  }

  /** @param timestamp of the event's beginning: all its packets have it */
  event(payloadType: number, event: number, content: EventPacket, marker: boolean, timestamp: number): void {
    const packet = this.#start(payloadType, marker, timestamp)
    if (!packet) return
    writeEvent(packet.bytes, RTP_HEADER_BYTES, event, content)
    this.#finish(packet, EVENT_BYTES)
  }

  #start(payloadType: number, marker: boolean, timestamp: number): Packet | undefined {
    if (!this.#agreement?.maySend) return undefined
    const packet = this.#free.pop() ?? this.#make()
    if (!packet) return undefined
    writeHeader(packet.bytes, { marker, payloadType, sequence: this.#sequence, timestamp, ssrc: this.ssrc })
    this.#sequence = (this.#sequence + 1) & 0xffff
    return packet
  }

  #make(): Packet | undefined {
    if (this.#made === PACKETS_MAX) return undefined
    this.#made++
    const bytes = Buffer.alloc(RTP_HEADER_BYTES + FRAME_BYTES + PROTECTION_BYTES_MAX)
    const packet: Packet = { bytes, release: () => void this.#free.push(packet) }
    return packet
  }

  #finish({ bytes, release }: Packet, payloadBytes: number): void {
    const length = RTP_HEADER_BYTES + payloadBytes
    const whole = this.#agreement?.sealing?.protect(bytes, length) ?? length
    this.#packets++
    this.#bytes += payloadBytes
    this.#transmit(bytes, whole, release)
  }
}
