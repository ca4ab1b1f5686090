import { describe, expect, it } from 'vitest'
import { createResampler, resample } from './resample.ts'

const sine = (hz: number, rateHz: number, seconds = 0.5) =>
  Float64Array.from({ length: rateHz * seconds }, (_, i) => 10_000 * Math.sin((2 * Math.PI * hz * i) / rateHz))
/** The loudness of the middle, in dB against the sine above. */
const gainDb = (samples: Int16Array) => {
  const middle = samples.subarray(samples.length >> 2, (samples.length * 3) >> 2)
  const rms = Math.sqrt(middle.reduce((sum, sample) => sum + sample * sample, 0) / middle.length)
  return 20 * Math.log10(Math.max(rms, 1e-3) / (10_000 / Math.SQRT2))
}

describe('resample', () => {
  it.each([
    [22_050, 8000],
    [24_000, 8000],
    [16_000, 8000],
    [8000, 16_000],
    [8000, 24_000],
  ])('keeps 150 to 3300 Hz within 0.1 dB from %i to %i Hz', (fromHz, toHz) => {
    for (const hz of [150, 1000, 2500, 3300])
      expect(Math.abs(gainDb(resample(sine(hz, fromHz), fromHz, toHz)))).toBeLessThan(0.1)
    expect(resample(sine(1000, fromHz), fromHz, toHz)).toHaveLength(toHz / 2)
  })

  it.each([4300, 5000, 7000, 9500])('attenuates %i Hz by 60 dB before it aliases', (hz) => {
    expect(gainDb(resample(sine(hz, 22_050), 22_050, 8000))).toBeLessThan(-60)
  })

  it('keeps a click at its time', () => {
    const click = new Float64Array(22_050)
    click[11_025] = 30_000
    const samples = resample(click, 22_050, 8000)
    expect(samples.indexOf(Math.max(...samples))).toBe(4000)
  })

  it('gives the same samples streamed as at once', () => {
    const whole = sine(700, 24_000)
    const stream = createResampler(24_000, 8000)
    const chunks: number[] = []
    for (let at = 0; at < whole.length; at += 437) chunks.push(...stream.push(whole.subarray(at, at + 437)))
    chunks.push(...stream.flush())
    expect(Int16Array.from(chunks)).toEqual(resample(whole, 24_000, 8000))
  })
})
