import { expect, test } from 'vitest'
import { decodeMulaw, encodeMulaw } from './mulaw.ts'

test('decoding and encoding returns every mu-law code but the negative zero', () => {
  const codes = Uint8Array.from({ length: 256 }, (_, code) => code)
  const back = encodeMulaw(decodeMulaw(codes))
  expect([...back].filter((code, at) => code !== codes[at])).toEqual([0xff])
})

test('encodes known values of G.711', () => {
  expect([...encodeMulaw(Float32Array.of(0, 1, -1, 0.1, -0.1))]).toEqual([0xff, 0x80, 0x00, 0xb5, 0x35])
})
