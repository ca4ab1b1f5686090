import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeMulaw, decodeSample, encodeMulaw, encodeSample, levelDbm0, mixMulaw, peakOfDbm0 } from './mulaw.ts'

/** ITU-T G.711, table 2a: decision value and quantised value in 14 bits, and the character between them. */
const PUBLISHED = [
  { above: 7903, code: 0x80, value: 8031 },
  { above: 4063, code: 0x8f, value: 4191 },
  { above: 2015, code: 0x9f, value: 2079 },
  { above: 991, code: 0xaf, value: 1023 },
  { above: 479, code: 0xbf, value: 495 },
  { above: 223, code: 0xcf, value: 231 },
  { above: 95, code: 0xdf, value: 99 },
  { above: 31, code: 0xef, value: 33 },
  { above: 1, code: 0xfe, value: 2 },
  { above: 0, code: 0xff, value: 0 },
]

describe('mu-law', () => {
  it.each(PUBLISHED)('decodes $code to the published $value, and its negative counterpart', ({ code, value }) => {
    expect(decodeSample(code)).toBe(value * 4)
    expect(decodeSample(code & 0x7f) + 0).toBe(-value * 4 + 0)
  })

  it.each(PUBLISHED.filter(({ above }) => above > 0))(
    'encodes a value just above $above as $code and one below as the next code',
    ({ above, code }) => {
      expect(encodeSample(above * 4)).toBe(code)
      expect(encodeSample(above * 4 - 1)).toBe(code + 1)
      expect(encodeSample(-above * 4)).toBe(code & 0x7f)
    },
  )

  it('clips values beyond full scale', () => {
    expect([encodeSample(40_000), encodeSample(-40_000)]).toEqual([0x80, 0x00])
  })

  it('round-trips every code with an error of at most half a step', () => {
    const codes = Uint8Array.from({ length: 256 }, (_, code) => code).filter((code) => code !== 0x7f)
    expect(encodeMulaw(decodeMulaw(codes))).toEqual(codes)
    fc.assert(
      fc.property(fc.integer({ min: -32_635, max: 32_635 }), (sample) => {
        const segment = 24 - Math.clz32(Math.abs(sample) + 132)
        expect(Math.abs(decodeSample(encodeSample(sample)) - sample)).toBeLessThanOrEqual(4 << segment)
      }),
    )
  })

  it('measures levels in dBm0', () => {
    const sine = Float64Array.from(
      { length: 8000 },
      (_, i) => peakOfDbm0(-13) * Math.sin((2 * Math.PI * 1000 * i) / 8000),
    )
    expect(Math.abs(levelDbm0(encodeMulaw(sine)) + 13)).toBeLessThan(0.2)
    expect(levelDbm0(new Uint8Array(160).fill(0xff))).toBe(-Infinity)
  })

  it('mixes two sounds by addition', () => {
    const mixed = decodeMulaw(mixMulaw(encodeMulaw([1000, -2000]), encodeMulaw([500, 500])))
    expect(mixed[0]).toBeGreaterThan(1450)
    expect(mixed[0]).toBeLessThan(1550)
    expect(mixed[1]).toBeLessThan(-1450)
  })
})
