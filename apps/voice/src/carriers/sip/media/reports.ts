import type { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import type { Receiver } from './receiver.ts'
import { readReports, shortNtp, writeReport } from './rtp/rtcp.ts'
import type { RtpSender } from './sending/rtp-sender.ts'

/** 16 bits of whole seconds, 16 of their fraction. */
const SHORT_A_MS = 65.536
const RTT_MAX_MS = 60_000

/** The RTCP of a leg: what is reported to the far end, and the way there and back from what it reports. */
export class Reports {
  readonly #sender: RtpSender
  readonly #receiver: Receiver
  // Says nothing about us, and is another one in every call (RFC 7022, section 4.2).
  readonly #cname = randomUUID()
  #sentBefore = 0
  #lastReport = 0
  #lastReportMs = 0
  #rttMs: number | null = null

  constructor(sender: RtpSender, receiver: Receiver) {
    this.#sender = sender
    this.#receiver = receiver
  }

  get rttMs(): number | null {
    return this.#rttMs
  }

  /** The next packet, protected where RTP is. */
  next(nowMs: number, bye: boolean): Buffer {
    const { packets, bytes, timestamp, ssrc, agreement } = this.#sender
    const hasSent = packets > this.#sentBefore
    this.#sentBefore = packets
    const about = this.#receiver.ssrc
    const report = this.#receiver.reception.report()
    const sinceReport = this.#lastReport === 0 ? 0 : Math.round((nowMs - this.#lastReportMs) * SHORT_A_MS)
    const packet = writeReport({
      ssrc,
      cname: this.#cname,
      sender: hasSent ? { nowMs, timestamp, packets, bytes } : null,
      block:
        about === null || !report
          ? null
          : { ...report, ssrc: about, lastReport: this.#lastReport, sinceReport: sinceReport >>> 0 },
      bye,
    })
    return agreement?.sealing?.protectRtcp(packet) ?? packet
  }

  /** False: this is no RTCP of our far end. */
  take(datagram: Buffer, nowMs: number): boolean {
    const { agreement, ssrc } = this.#sender
    const plain = agreement?.opening ? agreement.opening.unprotectRtcp(datagram) : datagram
    const reports = plain && readReports(plain)
    if (!reports) return false
    for (const { sentNtp, blocks } of reports) {
      if (sentNtp !== null) {
        this.#lastReport = sentNtp
        this.#lastReportMs = nowMs
      }
      for (const block of blocks) {
        if (block.ssrc !== ssrc || block.lastReport === 0) continue
        const rttMs = ((shortNtp(nowMs) - block.lastReport - block.sinceReport) | 0) / SHORT_A_MS
        if (rttMs >= 0 && rttMs <= RTT_MAX_MS) this.#rttMs = rttMs
      }
    }
    return true
  }
}
