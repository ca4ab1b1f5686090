import type { Buffer } from 'node:buffer'

/** RTP packets (RFC 3550, section 5.1). */
export const RTP_HEADER_BYTES = 12
/** The largest datagram that is looked at: an Ethernet frame's. */
export const DATAGRAM_BYTES_MAX = 1500
const VERSION = 2

/** Of a received packet. One object is filled again for every packet, so that receiving allocates nothing. */
export interface RtpHeader {
  marker: boolean
  payloadType: number
  sequence: number
  timestamp: number
  ssrc: number
  padded: boolean
  /** Where the payload begins, after contributing sources and extension. */
  payloadStart: number
}

export function emptyHeader(): RtpHeader {
  return { marker: false, payloadType: 0, sequence: 0, timestamp: 0, ssrc: 0, padded: false, payloadStart: 0 }
}

/** Reads a header out of the first `length` bytes. False: this is no RTP packet. */
export function readHeader(datagram: Buffer, length: number, header: RtpHeader): boolean {
  if (length < RTP_HEADER_BYTES || length > DATAGRAM_BYTES_MAX || length > datagram.length) return false
  const first = datagram.readUInt8(0)
  if (first >> 6 !== VERSION) return false
  let at = RTP_HEADER_BYTES + (first & 0x0f) * 4
  if (first & 0x10) {
    if (at + 4 > length) return false
    at += 4 + datagram.readUInt16BE(at + 2) * 4
  }
  if (at > length) return false
  const second = datagram.readUInt8(1)
  header.marker = (second & 0x80) !== 0
  header.payloadType = second & 0x7f
  header.sequence = datagram.readUInt16BE(2)
  header.timestamp = datagram.readUInt32BE(4)
  header.ssrc = datagram.readUInt32BE(8)
  header.padded = (first & 0x20) !== 0
  header.payloadStart = at
  return true
}

/** Where the payload ends before its padding; -1 when the padding is longer than the payload. */
export function payloadEnd(datagram: Buffer, length: number, header: RtpHeader): number {
  if (!header.padded) return length
  if (length <= header.payloadStart) return -1
  const padding = datagram.readUInt8(length - 1)
  const end = length - padding
  return padding === 0 || end < header.payloadStart ? -1 : end
}

export interface RtpFields {
  readonly marker: boolean
  readonly payloadType: number
  readonly sequence: number
  readonly timestamp: number
  readonly ssrc: number
}

/** Writes a header without contributing sources and extension: 12 bytes. */
export function writeHeader(packet: Buffer, fields: RtpFields): void {
  packet.writeUInt8(VERSION << 6, 0)
  packet.writeUInt8((fields.marker ? 0x80 : 0) | fields.payloadType, 1)
  packet.writeUInt16BE(fields.sequence, 2)
  packet.writeUInt32BE(fields.timestamp, 4)
  packet.writeUInt32BE(fields.ssrc, 8)
}

/** Whether a datagram on a shared port is RTCP (RFC 5761, section 4). */
export function isRtcp(datagram: Buffer): boolean {
  if (datagram.length < 2) return false
  const type = datagram.readUInt8(1)
  return type >= 192 && type <= 223
}

/** Signed distance of two sequence numbers of 16 bits, over their wrap. */
export const sequenceDistance = (from: number, to: number): number => ((to - from) << 16) >> 16

/** Signed distance of two timestamps of 32 bits, over their wrap. */
export const timestampDistance = (from: number, to: number): number => (to - from) | 0
