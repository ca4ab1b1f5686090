import { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { FRAME_BYTES, SILENCE_BYTE } from '@parley/voice-ports'
import { ALAW_OF_MULAW } from '../playout/alaw.ts'
import { RTP_HEADER_BYTES, writeHeader } from '../rtp/packet.ts'
import { PROTECTION_BYTES_MAX } from '../rtp/srtp.ts'
import type { Agreement } from '../sdp/negotiation.ts'
import { EVENT_BYTES, type EventPacket, writeEvent } from './digits-out.ts'

/** Hands a packet to the network, which has its bytes from then on. */
export type Transmit = (packet: Buffer) => void

/** Makes RTP packets: sequence numbers, timestamps, codec and keys. */
export class RtpSender {
  readonly #transmit: Transmit
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
    const packet = this.#start(this.#agreement?.format.payloadType ?? 0, marker, this.#timestamp, FRAME_BYTES)
    if (!packet) return
    if (this.#agreement?.format.codec === 'pcma')
      for (let i = 0; i < FRAME_BYTES; i++) packet[RTP_HEADER_BYTES + i] = ALAW_OF_MULAW[codes[i] ?? SILENCE_BYTE] ?? 0
    else if (codes.length === FRAME_BYTES) packet.set(codes, RTP_HEADER_BYTES)
    else for (let i = 0; i < FRAME_BYTES; i++) packet[RTP_HEADER_BYTES + i] = codes[i] ?? SILENCE_BYTE
    this.#finish(packet, FRAME_BYTES)
  }

  /** @param timestamp of the event's beginning: all its packets have it */
  event(payloadType: number, event: number, content: EventPacket, marker: boolean, timestamp: number): void {
    const packet = this.#start(payloadType, marker, timestamp, EVENT_BYTES)
    if (!packet) return
    writeEvent(packet, RTP_HEADER_BYTES, event, content)
    this.#finish(packet, EVENT_BYTES)
  }

  /** With room for what protects it. */
  #start(payloadType: number, marker: boolean, timestamp: number, payloadBytes: number): Buffer | undefined {
    const { maySend = false, sealing = null } = this.#agreement ?? {}
    if (!maySend) return undefined
    // Out of the pool of Node.js: memory of its own would cost more than all else that is done for a packet.
    const packet = Buffer.allocUnsafe(RTP_HEADER_BYTES + payloadBytes + (sealing ? PROTECTION_BYTES_MAX : 0))
    writeHeader(packet, { marker, payloadType, sequence: this.#sequence, timestamp, ssrc: this.ssrc })
    this.#sequence = (this.#sequence + 1) & 0xffff
    return packet
  }

  #finish(packet: Buffer, payloadBytes: number): void {
    this.#packets++
    this.#bytes += payloadBytes
    const sealing = this.#agreement?.sealing
    this.#transmit(sealing ? packet.subarray(0, sealing.protect(packet, RTP_HEADER_BYTES + payloadBytes)) : packet)
  }
}
