import { describe, expect, it } from 'vitest'
import { FRAME_BYTES } from './frame.ts'
import { encodeMulaw, mixMulaw } from './mulaw.ts'
import {
  beep,
  busy,
  createToneDetector,
  digitTones,
  faxCalled,
  faxCalling,
  ringback,
  sines,
  specialInformation,
  type ToneEvent,
} from './tones.ts'

const quiet = (ms: number) => sines([], ms)
const joined = (...chunks: Uint8Array[]) => Uint8Array.from(chunks.flatMap((chunk) => [...chunk]))

/** Adds repeatable noise at -50 dBm0. */
function noisy(audio: Uint8Array): Uint8Array {
  let state = 7
  const noise = Float64Array.from({ length: audio.length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return (state / 2 ** 31) * 86
  })
  return mixMulaw(audio, encodeMulaw(noise))
}

function heard(...chunks: Uint8Array[]): ToneEvent[] {
  const audio = noisy(joined(quiet(60), ...chunks, quiet(500)))
  const detector = createToneDetector()
  const events: ToneEvent[] = []
  for (let at = 0; at < audio.length; at += FRAME_BYTES)
    events.push(...detector.push(audio.subarray(at, at + FRAME_BYTES)))
  return events
}

describe('createToneDetector with noise at -50 dBm0', () => {
  it.each([
    [100, 100],
    [65, 60],
  ])('detects every DTMF key of %i ms', (onMs, offMs) => {
    const keys = '1234567890*#ABCD1199'
    expect(
      heard(digitTones(keys, onMs, offMs)).map((event) => (event.type === 'digit' ? event.digit : event.type)),
    ).toEqual(keys.split(''))
  })

  it('reports a key held for 1.5 s once', () => {
    expect(heard(digitTones('5', 1500))).toEqual([{ type: 'digit', digit: '5' }])
  })

  it('rejects a key pair with 14 dB of twist', () => {
    expect(heard(mixMulaw(sines([697], 200, -24), sines([1209], 200, -10)))).toEqual([])
  })

  it.each([440, 800, 950, 1000, 1400, 2000])('reports a beep of %i Hz at its end', (hz) => {
    const during = heard(beep(400, hz))
    expect(during).toEqual([{ type: 'beep' }])
  })

  it('reports no beep for a click, a long tone or a dial tone', () => {
    expect(heard(beep(60))).toEqual([])
    expect(heard(beep(3000))).toEqual([])
    expect(heard(sines([350, 440], 1500))).toEqual([])
  })

  it.each(['america', 'europe'] as const)('distinguishes ringback from busy (%s)', (region) => {
    expect(heard(ringback(3000, region))).toEqual([{ type: 'ringback' }])
    expect(heard(busy(1600, region))).toEqual([{ type: 'busy' }])
  })

  it('detects the special information tones without a beep', () => {
    expect(heard(specialInformation())).toEqual([{ type: 'special_information' }])
    expect(heard(sines([913.8], 274), sines([1370.6], 274), sines([1776.7], 380))).toEqual([
      { type: 'special_information' },
    ])
  })

  it('detects calling and called fax tones', () => {
    expect(heard(faxCalling())).toEqual([{ type: 'fax', side: 'calling' }])
    expect(heard(faxCalled())).toEqual([{ type: 'fax', side: 'called' }])
  })
})
