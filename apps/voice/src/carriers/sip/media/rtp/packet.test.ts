import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packetOf } from '../testing/sound.ts'
import { emptyHeader, isRtcp, payloadEnd, readHeader, sequenceDistance, timestampDistance } from './packet.ts'

describe('readHeader', () => {
  it('reads back what writeHeader wrote', () => {
    const packet = packetOf({
      sequence: 65_535,
      timestamp: 4_294_967_295,
      payloadType: 101,
      ssrc: 0xdecafbad,
      marker: true,
    })
    const header = emptyHeader()
    expect(readHeader(packet, packet.length, header)).toBe(true)
    expect(header).toEqual({
      marker: true,
      payloadType: 101,
      sequence: 65_535,
      timestamp: 4_294_967_295,
      ssrc: 0xdecafbad,
      padded: false,
      payloadStart: 12,
    })
  })

  it('finds the payload behind contributing sources and an extension, and before padding', () => {
    const head = Buffer.from('b2800001000000020000000300000004000000050bed000100000000', 'hex')
    const packet = Buffer.concat([head, Buffer.from('aabbcc000003', 'hex')])
    const header = emptyHeader()
    expect(readHeader(packet, packet.length, header)).toBe(true)
    expect(packet.subarray(header.payloadStart, payloadEnd(packet, packet.length, header)).toString('hex')).toBe(
      'aabbcc',
    )
  })

  it.each([
    ['empty', ''],
    ['shorter than a header', '8000000100000002000000'],
    ['of version 1', '400000010000000200000003'],
    ['without its contributing sources', '810000010000000200000003'],
    ['without its extension', '900000010000000200000003'],
    ['with an extension longer than itself', '900000010000000200000003bede00ff'],
  ])('refuses a datagram that is %s', (_, hex) => {
    const packet = Buffer.from(hex, 'hex')
    expect(readHeader(packet, packet.length, emptyHeader())).toBe(false)
  })

  it('refuses padding of no bytes and padding longer than the payload', () => {
    for (const last of [0, 6]) {
      const packet = Buffer.concat([Buffer.from('a00000010000000200000003', 'hex'), Buffer.from([1, 2, 3, 4, last])])
      const header = emptyHeader()
      expect(readHeader(packet, packet.length, header)).toBe(true)
      expect(payloadEnd(packet, packet.length, header)).toBe(-1)
    }
  })

  it('keeps every payload within the datagram, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const packet = Buffer.from(bytes)
        const header = emptyHeader()
        isRtcp(packet)
        if (!readHeader(packet, packet.length, header)) return
        const end = payloadEnd(packet, packet.length, header)
        expect(header.payloadStart).toBeLessThanOrEqual(packet.length)
        expect(end === -1 || (end >= header.payloadStart && end <= packet.length)).toBe(true)
      }),
    )
  })
})

describe('distances', () => {
  it('go over the wrap of sequence numbers and timestamps, both ways', () => {
    expect(sequenceDistance(65_535, 2)).toBe(3)
    expect(sequenceDistance(2, 65_535)).toBe(-3)
    expect(timestampDistance(2 ** 32 - 80, 80)).toBe(160)
    expect(timestampDistance(80, 2 ** 32 - 80)).toBe(-160)
  })
})
