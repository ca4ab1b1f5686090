import { decodeSample, encodeSample } from '@parley/voice-ports'

/**
 * G.711 A-law, as the Recommendation's tables say: a sign, three bits of segment, four of step, even bits inverted.
 * Linear values have 16 bits here; the Recommendation's have 13.
 */
const INVERTED = 0x55
const SIGN = 0x80

/** 16-bit value of a code: the middle of its step. */
export function decodeAlaw(code: number): number {
  const bits = (code & 0xff) ^ INVERTED
  const segment = (bits & 0x70) >> 4
  const step = bits & 0x0f
  const magnitude = segment === 0 ? step * 2 + 1 : (step * 2 + 33) << (segment - 1)
  return bits & SIGN ? magnitude * 8 : -magnitude * 8
}

/** Code of a 16-bit value; beyond full scale the largest. */
export function encodeAlaw(value: number): number {
  const isPositive = value >= 0
  const magnitude = Math.min(4095, (isPositive ? value : -value - 1) >> 3)
  const segment = Math.max(0, 27 - Math.clz32(magnitude >> 0))
  const shift = Math.max(1, segment)
  const bits = (isPositive ? SIGN : 0) | (segment << 4) | ((magnitude >> shift) & 0x0f)
  return bits ^ INVERTED
}

/** The code of the nearest value in the other law. */
export const MULAW_OF_ALAW = Uint8Array.from({ length: 256 }, (_, code) => encodeSample(decodeAlaw(code)))
export const ALAW_OF_MULAW = Uint8Array.from({ length: 256 }, (_, code) => encodeAlaw(decodeSample(code)))
