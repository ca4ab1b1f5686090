import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readReports, shortNtp, writeReport } from './rtcp.ts'

const block = {
  ssrc: 7,
  fraction: 12,
  lost: -3,
  highest: 70_000,
  jitter: 80,
  lastReport: 0x12345678,
  sinceReport: 65_536,
}
const report = {
  ssrc: 9,
  cname: 'someone',
  sender: { nowMs: 1500, timestamp: 1600, packets: 10, bytes: 1600 },
  block,
  bye: false,
}

describe('RTCP', () => {
  it('reads back a sender report with its block', () => {
    expect(readReports(writeReport(report))).toEqual([{ ssrc: 9, sentNtp: 0x00018000, blocks: [block] }])
  })

  it('writes a receiver report when nothing was sent, and BYE at the end', () => {
    const packet = writeReport({ ...report, sender: null, bye: true })
    expect(packet.readUInt8(1)).toBe(201)
    expect(packet.subarray(-8).toString('hex')).toBe('81cb000100000009')
    expect(readReports(packet)).toEqual([{ ssrc: 9, sentNtp: null, blocks: [block] }])
  })

  it('counts time in 65 536ths of a second', () => {
    expect(shortNtp(2250) - shortNtp(1250)).toBe(65_536)
  })

  it('never throws on a changed packet, and refuses what does not begin with a report', () => {
    const good = writeReport({ ...report, bye: true })
    expect(readReports(good.subarray(32 + 24 - 4))).toBeNull()
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 8 }),
        fc.nat(good.length),
        (changes, length) => {
          const packet = Buffer.from(good)
          for (const [at, value] of changes) packet[at] = value
          const reports = readReports(packet.subarray(0, length))
          expect(reports === null || reports.length <= 32).toBe(true)
        },
      ),
    )
  })
})
