import { Buffer } from 'node:buffer'
import { DATAGRAM_BYTES_MAX } from './packet.ts'
import type { ReceptionReport } from './reception.ts'

/** RTCP (RFC 3550, section 6): sender and receiver reports, CNAME and BYE, in compound packets. */
const SENDER_REPORT = 200
const RECEIVER_REPORT = 201
const SOURCE_DESCRIPTION = 202
const BYE = 203
const CNAME = 1
const BLOCK_BYTES = 24
const PACKETS_MAX = 32

interface ReportBlock extends ReceptionReport {
  /** Whose stream it is about. */
  readonly ssrc: number
  /** Middle 32 bits of the last sender report's time, and how long ago it came, in 65 536ths of a second. */
  readonly lastReport: number
  readonly sinceReport: number
}

interface SenderInfo {
  /** Any clock that runs with real time (RFC 3550, section 6.4.1). */
  readonly nowMs: number
  readonly timestamp: number
  readonly packets: number
  readonly bytes: number
}

export interface OutgoingReport {
  readonly ssrc: number
  readonly cname: string
  /** Null: nothing was sent since the last report but one. */
  readonly sender: SenderInfo | null
  readonly block: ReportBlock | null
  readonly bye: boolean
}

/** Seconds in the upper, their fraction in the lower 32 bits. */
function ntpOf(nowMs: number): { readonly seconds: number; readonly fraction: number } {
  const seconds = Math.floor(nowMs / 1000)
  return { seconds: seconds >>> 0, fraction: Math.floor(((nowMs - seconds * 1000) / 1000) * 2 ** 32) >>> 0 }
}

/** The middle 32 bits of a time: units of 1/65 536 s. */
export function shortNtp(nowMs: number): number {
  const { seconds, fraction } = ntpOf(nowMs)
  return (((seconds & 0xffff) << 16) | (fraction >>> 16)) >>> 0
}

function writeBlock(packet: Buffer, at: number, block: ReportBlock): void {
  packet.writeUInt32BE(block.ssrc, at)
  packet.writeUInt8(block.fraction, at + 4)
  packet.writeIntBE(block.lost, at + 5, 3)
  packet.writeUInt32BE(block.highest, at + 8)
  packet.writeUInt32BE(block.jitter, at + 12)
  packet.writeUInt32BE(block.lastReport, at + 16)
  packet.writeUInt32BE(block.sinceReport, at + 20)
}

function startPacket(bytes: number, count: number, type: number): Buffer {
  const packet = Buffer.alloc(bytes)
  packet.writeUInt8(0x80 | count, 0)
  packet.writeUInt8(type, 1)
  packet.writeUInt16BE(bytes / 4 - 1, 2)
  return packet
}

function reportPacket({ ssrc, sender, block }: OutgoingReport): Buffer {
  const head = sender ? 28 : 8
  const packet = startPacket(head + (block ? BLOCK_BYTES : 0), block ? 1 : 0, sender ? SENDER_REPORT : RECEIVER_REPORT)
  packet.writeUInt32BE(ssrc, 4)
  if (sender) {
    const { seconds, fraction } = ntpOf(sender.nowMs)
    packet.writeUInt32BE(seconds, 8)
    packet.writeUInt32BE(fraction, 12)
    packet.writeUInt32BE(sender.timestamp, 16)
    packet.writeUInt32BE(sender.packets >>> 0, 20)
    packet.writeUInt32BE(sender.bytes >>> 0, 24)
  }
  if (block) writeBlock(packet, head, block)
  return packet
}

/** A compound packet: the report, our name and, at the end, BYE. */
export function writeReport(report: OutgoingReport): Buffer {
  const name = Buffer.from(report.cname, 'latin1')
  const description = startPacket(8 + Math.ceil((2 + name.length + 1) / 4) * 4, 1, SOURCE_DESCRIPTION)
  description.writeUInt32BE(report.ssrc, 4)
  description.writeUInt8(CNAME, 8)
  description.writeUInt8(name.length, 9)
  name.copy(description, 10)
  const packets = [reportPacket(report), description]
  if (report.bye) {
    const bye = startPacket(8, 1, BYE)
    bye.writeUInt32BE(report.ssrc, 4)
    packets.push(bye)
  }
  return Buffer.concat(packets)
}

export interface IncomingReport {
  readonly ssrc: number
  /** Middle 32 bits of the time of a sender report; null in a receiver report. */
  readonly sentNtp: number | null
  readonly blocks: readonly ReportBlock[]
}

function readBlock(packet: Buffer, at: number): ReportBlock {
  return {
    ssrc: packet.readUInt32BE(at),
    fraction: packet.readUInt8(at + 4),
    lost: packet.readIntBE(at + 5, 3),
    highest: packet.readUInt32BE(at + 8),
    jitter: packet.readUInt32BE(at + 12),
    lastReport: packet.readUInt32BE(at + 16),
    sinceReport: packet.readUInt32BE(at + 20),
  }
}

function readOne(packet: Buffer, count: number, isSender: boolean): IncomingReport | null {
  const head = isSender ? 28 : 8
  if (packet.length < head + count * BLOCK_BYTES) return null
  return {
    ssrc: packet.readUInt32BE(4),
    sentNtp: isSender ? ((packet.readUInt16BE(10) << 16) | packet.readUInt16BE(12)) >>> 0 : null,
    blocks: Array.from({ length: count }, (_, index) => readBlock(packet, head + index * BLOCK_BYTES)),
  }
}

/** The reports of a compound packet; other parts are passed over. Null: this is no RTCP. */
export function readReports(compound: Buffer): readonly IncomingReport[] | null {
  if (compound.length < 8 || compound.length > DATAGRAM_BYTES_MAX) return null
  const reports: IncomingReport[] = []
  for (let at = 0, seen = 0; at < compound.length; seen++) {
    if (seen === PACKETS_MAX || at + 4 > compound.length || compound.readUInt8(at) >> 6 !== 2) return null
    const end = at + (compound.readUInt16BE(at + 2) + 1) * 4
    if (end > compound.length) return null
    const type = compound.readUInt8(at + 1)
    if (seen === 0 && type !== SENDER_REPORT && type !== RECEIVER_REPORT) return null
    if (type === SENDER_REPORT || type === RECEIVER_REPORT) {
      const report = readOne(compound.subarray(at, end), compound.readUInt8(at) & 0x1f, type === SENDER_REPORT)
      if (!report) return null
      reports.push(report)
    }
    at = end
  }
  return reports
}
