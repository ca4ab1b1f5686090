import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packetOf } from '../testing/sound.ts'
import { deriveKey, Keystream, SrtpContext, type SrtpSuite } from './srtp.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const KEY = hex('e1f97a0d3e018be0d64fa32c06de4139')
const SALT = hex('0ec675ad498afeebb6960b3aabe6')
const MASTER = Buffer.concat([KEY, SALT])
const SUITES: SrtpSuite[] = ['AES_CM_128_HMAC_SHA1_80', 'AES_CM_128_HMAC_SHA1_32']

/** A protected packet with its length. */
function sealed(context: SrtpContext, sequence: number): Buffer {
  const packet = packetOf({ sequence, timestamp: sequence * 160, payload: new Uint8Array(160).fill(sequence & 0xff) })
  const buffer = Buffer.concat([packet, Buffer.alloc(16)])
  return buffer.subarray(0, context.protect(buffer, packet.length))
}

const open = (context: SrtpContext, packet: Buffer) =>
  context.unprotect(packet, context.lengthWithoutTag(packet.length), 12)

describe('key stream and keys', () => {
  it('are those of RFC 3711, appendix B.2', () => {
    const stream = new Keystream(hex('2b7e151628aed2a6abf7158809cf4f3c'), hex('f0f1f2f3f4f5f6f7f8f9fafbfcfd'))
    expect(stream.of(0, 0, 48).toString('hex')).toBe(
      'e03ead0935c95e80e166b16dd92b4eb4d23513162b02d0f72a43a2fe4a5f97ab41e95b3bb0a2e8dd477901e4fca894c0',
    )
  })

  it('are those of RFC 3711, appendix B.3', () => {
    expect(deriveKey(KEY, SALT, 0, 16).toString('hex')).toBe('c61e7a93744f39ee10734afe3ff7a087')
    expect(deriveKey(KEY, SALT, 2, 14).toString('hex')).toBe('30cbbc08863d8c85d49db34a9ae1')
    expect(deriveKey(KEY, SALT, 1, 20).toString('hex')).toBe('cebe321f6ff7716b6fd4ab49af256a156d38baa4')
  })
})

describe('SrtpContext', () => {
  it('protects as libsrtp does with the same key', () => {
    const plain = hex('800f1234 decafbad cafebabe abababab abababab abababab abababab')
    const packet = Buffer.concat([plain, Buffer.alloc(10)])
    expect(new SrtpContext('AES_CM_128_HMAC_SHA1_80', MASTER).protect(packet, plain.length)).toBe(packet.length)
    expect(packet.toString('hex')).toBe('800f1234decafbadcafebabe4e55dc4ce79978d88ca4d215949d2402b78d6acc99ea179b8dbb')
  })

  it("opens libsrtp's SRTCP, once", () => {
    const context = new SrtpContext('AES_CM_128_HMAC_SHA1_80', MASTER)
    const packet = hex('81c8000bcafebabe7128035be487b9bdbef89041f977a5a880000001993e08cd54d6c1230798')
    expect(context.unprotectRtcp(Buffer.from(packet))?.toString('hex')).toBe(`81c8000bcafebabe${'ab'.repeat(16)}`)
    expect(context.unprotectRtcp(packet)).toBeNull()
  })

  it.each(SUITES)('opens its own packets over the wrap of the sequence number, reordered too (%s)', (suite) => {
    const sender = new SrtpContext(suite, MASTER)
    const receiver = new SrtpContext(suite, MASTER)
    const packets = Array.from({ length: 12 }, (_, i) => sealed(sender, (65_530 + i) & 0xffff))
    for (const at of [0, 1, 2, 4, 3, 8, 5, 6, 7, 9, 11, 10]) {
      const packet = packets[at]!
      expect(open(receiver, packet)).toBe('valid')
      expect(packet[12]).toBe((65_530 + at) & 0xff)
    }
  })

  it('refuses a packet that it has seen, or that is older than its window', () => {
    const sender = new SrtpContext(SUITES[0]!, MASTER)
    const receiver = new SrtpContext(SUITES[0]!, MASTER)
    const packets = Array.from({ length: 200 }, (_, i) => sealed(sender, i + 1))
    const again = Buffer.from(packets[150]!)
    const old = Buffer.from(packets[3]!)
    for (const packet of packets.slice(100)) expect(open(receiver, packet)).toBe('valid')
    expect([open(receiver, again), open(receiver, old)]).toEqual(['replayed', 'replayed'])
  })

  it.each(SUITES)('refuses a packet with any one bit changed, and takes the true one after it (%s)', (suite) => {
    const sender = new SrtpContext(suite, MASTER)
    const receiver = new SrtpContext(suite, MASTER)
    const packet = sealed(sender, 1000)
    fc.assert(
      fc.property(fc.nat(packet.length * 8 - 1), (bit) => {
        const forged = Buffer.from(packet)
        forged[bit >> 3]! ^= 1 << (bit & 7)
        expect(open(receiver, forged)).toBe('forged')
      }),
    )
    expect(open(receiver, packet)).toBe('valid')
  })

  it('opens its own SRTCP and refuses a changed, short or foreign packet', () => {
    const sender = new SrtpContext(SUITES[1]!, MASTER)
    const receiver = new SrtpContext(SUITES[1]!, MASTER)
    const plain = hex('80c9000100000009 81ca0001 00000009')
    const packets = [1, 2, 3].map(() => sender.protectRtcp(plain))
    expect(packets.map((packet) => receiver.unprotectRtcp(Buffer.from(packet))?.equals(plain))).toEqual([
      true,
      true,
      true,
    ])
    const changed = sender.protectRtcp(plain)
    changed[9]! ^= 1
    expect(receiver.unprotectRtcp(changed)).toBeNull()
    expect(receiver.unprotectRtcp(Buffer.alloc(12))).toBeNull()
    expect(new SrtpContext(SUITES[1]!, Buffer.alloc(30)).unprotectRtcp(packets[0]!)).toBeNull()
  })
})
