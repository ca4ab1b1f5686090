import { describe, expect, it } from 'vitest'
import { decodeMulaw, encodeMulaw } from './mulaw.ts'
import { decodeWav, encodeWav, wavHeader } from './wav.ts'

const left = encodeMulaw([0, 1000, -1000, 32_124])
const right = encodeMulaw([8, -8, 500])

describe('WAV files', () => {
  it.each(['pcm16', 'mulaw'] as const)('keep two channels in %s, the shorter one filled with silence', (format) => {
    const { sampleRateHz, channels } = decodeWav(encodeWav([left, right], format))
    expect(sampleRateHz).toBe(8000)
    expect(channels).toEqual([decodeMulaw(left), Int16Array.of(...decodeMulaw(right), 0)])
  })

  it('keep one channel', () => {
    expect(decodeWav(encodeWav([left], 'pcm16')).channels).toEqual([decodeMulaw(left)])
  })

  it('are read to their end when their length was not known to the writer', () => {
    const file = encodeWav([left], 'pcm16')
    new DataView(file.buffer).setUint32(40, 0x7ffff000, true)
    expect(decodeWav(file).channels).toEqual([decodeMulaw(left)])
  })

  it('refuse what is no sound', () => {
    expect(() => decodeWav(new TextEncoder().encode('ID3 something else'))).toThrow('Not a WAV file')
    expect(() => decodeWav(wavHeader({ format: 'pcm16', channels: 1, sampleRateHz: 8000 }, 0).subarray(0, 36))).toThrow(
      'without samples',
    )
  })
})
