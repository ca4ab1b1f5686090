import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ALAW_OF_MULAW, decodeAlaw, encodeAlaw, MULAW_OF_ALAW } from './alaw.ts'

/** ITU-T G.711, table 1a: decision value in 12 bits, quantised value twice as fine, and the code as it is sent. */
const PUBLISHED = [
  { above: 3968, code: 0xaa, value: 4032 },
  { above: 2048, code: 0xa5, value: 2112 },
  { above: 1024, code: 0xb5, value: 1056 },
  { above: 512, code: 0x85, value: 528 },
  { above: 256, code: 0x95, value: 264 },
  { above: 128, code: 0xe5, value: 132 },
  { above: 64, code: 0xf5, value: 66 },
  { above: 2, code: 0xd4, value: 3 },
  { above: 0, code: 0xd5, value: 1 },
]

describe('A-law', () => {
  it.each(PUBLISHED)('decodes $code to the published $value, and its negative counterpart', ({ code, value }) => {
    expect(decodeAlaw(code)).toBe(value * 8)
    expect(decodeAlaw(code & 0x7f)).toBe(-value * 8)
  })

  it.each(PUBLISHED)('encodes a value at $above as $code, and its negative counterpart', ({ above, code }) => {
    expect(encodeAlaw(above * 8)).toBe(code)
    expect(encodeAlaw(-above * 8 - 1)).toBe(code & 0x7f)
  })

  it('clips values beyond full scale', () => {
    expect([encodeAlaw(40_000), encodeAlaw(-40_000)]).toEqual([0xaa, 0x2a])
  })

  it('round-trips every code, and every value with an error of at most half a step', () => {
    for (let code = 0; code < 256; code++) expect(encodeAlaw(decodeAlaw(code))).toBe(code)
    fc.assert(
      fc.property(fc.integer({ min: -32_700, max: 32_700 }), (value) => {
        const half = Math.max(8, 2 ** (Math.floor(Math.log2(Math.max(1, Math.abs(value)))) - 5))
        expect(Math.abs(decodeAlaw(encodeAlaw(value)) - value)).toBeLessThanOrEqual(half)
      }),
    )
  })

  it('turns mu-law into A-law and back within the coarser step', () => {
    for (let code = 0; code < 256; code++) {
      const value = decodeAlaw(code)
      const there = decodeAlaw(ALAW_OF_MULAW[MULAW_OF_ALAW[code]!]!)
      expect(Math.abs(there - value)).toBeLessThanOrEqual(Math.max(16, Math.abs(value) / 16))
    }
  })
})
