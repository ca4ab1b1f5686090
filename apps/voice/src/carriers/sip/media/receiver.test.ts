import { Buffer } from 'node:buffer'
import { FRAME_BYTES } from '@parley/voice-ports'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Receiver } from './receiver.ts'
import { Reports } from './reports.ts'
import { Negotiation } from './sdp/negotiation.ts'
import { RtpSender } from './sending/rtp-sender.ts'
import { packetOf } from './testing/sound.ts'

const local = { address: '127.0.0.1', port: 2, rtcpPort: 3, codecs: ['pcmu', 'pcma'] as const }
const SENDER = ['127.0.0.2', 5000] as const

/** A receiver, and what its far end does to a packet before it leaves. */
function pair(srtp: 'off' | 'required') {
  const far = new Negotiation({ ...local, address: SENDER[0], port: SENDER[1], srtp })
  const own = new Negotiation({ ...local, srtp })
  const { sdp, agreement } = far.answer(own.offer())
  const digits: string[] = []
  const receiver = new Receiver(60, (digit) => void digits.push(digit))
  receiver.use(own.accept(sdp))
  const sealed = (packet: Buffer): Buffer => {
    const room = Buffer.concat([packet, Buffer.alloc(14)])
    return room.subarray(0, agreement.sealing?.protect(room, packet.length) ?? packet.length)
  }
  return { receiver, sealed, digits }
}

const kinds = fc.constantFrom(
  { payloadType: 0, payload: new Uint8Array(FRAME_BYTES).fill(0x90) },
  { payloadType: 8, payload: new Uint8Array(80).fill(0x90) },
  { payloadType: 13, payload: Uint8Array.of(40, 200, 3) },
  { payloadType: 101, payload: Uint8Array.of(5, 0x8a, 3, 0xc0) },
  { payloadType: 99, payload: new Uint8Array(4) },
)
const packets = fc.array(
  fc.record({
    kind: kinds,
    sequence: fc.oneof(fc.nat(20), fc.nat(65_535)),
    timestamp: fc.oneof(fc.nat(4000), fc.nat(2 ** 32 - 1)),
    ssrc: fc.nat(2),
    marker: fc.boolean(),
    port: fc.constantFrom(5000, 5000, 5000, 6000),
    changes: fc.array(fc.tuple(fc.nat(180), fc.nat(255)), { maxLength: 2 }),
    kept: fc.oneof(fc.constant(2000), fc.nat(200)),
    afterMs: fc.nat(60),
  }),
  { maxLength: 60 },
)

describe('Receiver', () => {
  it.each(['off', 'required'] as const)(
    'takes or counts every packet, whatever it is, and goes on making frames (SRTP %s)',
    (srtp) => {
      fc.assert(
        fc.property(packets, (sent) => {
          const { receiver, sealed, digits } = pair(srtp)
          let nowMs = 0
          for (const { kind, changes, kept, port, afterMs, ...parts } of sent) {
            const packet = sealed(packetOf({ ...parts, ...kind }))
            for (const [at, value] of changes) if (at < packet.length) packet[at] = value
            receiver.take(packet.subarray(0, kept), SENDER[0], port, nowMs)
            nowMs += afterMs
            expect(receiver.frame(nowMs).length).toBe(FRAME_BYTES)
          }
          const { malformed, wrongSource, replayed, unauthenticated, early } = receiver.discarded
          // A digit's packet that is too short is taken into the stream, and malformed.
          const counted = receiver.packets + malformed + wrongSource + replayed + unauthenticated + early
          expect(counted).toBeGreaterThanOrEqual(sent.length)
          expect(digits.length).toBeLessThanOrEqual(sent.length)
        }),
        { numRuns: 300 },
      )
    },
  )

  it('takes nothing but what was sent with the agreed key', () => {
    const { receiver } = pair('required')
    const stranger = pair('required')
    for (let i = 0; i < 5; i++)
      receiver.take(stranger.sealed(packetOf({ sequence: i, timestamp: i * 160 })), ...SENDER, i * 20)
    expect([receiver.packets, receiver.discarded.unauthenticated]).toEqual([0, 5])
  })
})

describe('Reports', () => {
  it('measures the way there and back without the time that the far end waited', () => {
    const ends = [pair('off'), pair('off')].map(({ receiver, sealed }) => {
      const sender = new RtpSender(() => undefined)
      return { receiver, sealed, sender, reports: new Reports(sender, receiver) }
    })
    const [a, b] = [ends[0]!, ends[1]!]
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const)
      to.receiver.take(packetOf({ sequence: 1, timestamp: 0, ssrc: from.sender.ssrc }), ...SENDER, 0)
    expect(b.reports.take(a.reports.next(1000, false), 1030)).toBe(true)
    expect(a.reports.rttMs).toBeNull()
    // A receiver's report names no time; only a sender's can be answered.
    expect(a.reports.take(b.reports.next(3000, false), 3050)).toBe(true)
    expect(a.reports.rttMs).toBeNull()
    a.sender.use(
      new Negotiation({ ...local, srtp: 'off' }).accept('v=0\r\nc=IN IP4 127.0.0.2\r\nm=audio 5000 RTP/AVP 0\r\n'),
    )
    a.sender.audio(new Uint8Array(FRAME_BYTES), false)
    b.reports.take(a.reports.next(4000, false), 4030)
    a.reports.take(b.reports.next(6000, false), 6050)
    expect(Math.abs((a.reports.rttMs ?? 0) - 80)).toBeLessThan(1)
  })

  it('refuses what is no report', () => {
    const { receiver } = pair('off')
    const reports = new Reports(new RtpSender(() => undefined), receiver)
    expect(reports.take(Buffer.from('80c80000', 'hex'), 0)).toBe(false)
  })
})
