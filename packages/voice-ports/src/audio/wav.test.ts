import { describe, expect, it } from 'vitest'
import { decodeMulaw, encodeMulaw } from './mulaw.ts'
import { decodeWav, encodeWav, wavHeader } from './wav.ts'

const left = encodeMulaw([0, 1000, -1000, 32_124])
const right = encodeMulaw([8, -8, 500])

describe('encodeWav and decodeWav', () => {
  it.each(['pcm16', 'mulaw'] as const)('keep two channels in %s and pad the shorter one with silence', (format) => {
    const { sampleRateHz, channels } = decodeWav(encodeWav([left, right], format))
    expect(sampleRateHz).toBe(8000)
    expect(channels).toEqual([decodeMulaw(left), Int16Array.of(...decodeMulaw(right), 0)])
  })

  it('keep a single channel', () => {
    expect(decodeWav(encodeWav([left], 'pcm16')).channels).toEqual([decodeMulaw(left)])
  })

  it("read to the end of the file when the header's length exceeds it", () => {
    const file = encodeWav([left], 'pcm16')
    new DataView(file.buffer).setUint32(40, 0x7ffff000, true)
    expect(decodeWav(file).channels).toEqual([decodeMulaw(left)])
  })

  it('refuse a file that is no WAV and one without samples', () => {
    expect(() => decodeWav(new TextEncoder().encode('ID3 something else'))).toThrow('Not a WAV file')
    expect(() => decodeWav(wavHeader({ format: 'pcm16', channels: 1, sampleRateHz: 8000 }, 0).subarray(0, 36))).toThrow(
      'without samples',
    )
  })
})
