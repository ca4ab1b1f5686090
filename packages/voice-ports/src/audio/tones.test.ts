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
const joined = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]))

/** A line at -50 dBm0 of noise, the same every time. */
function noisy(audio: Uint8Array): Uint8Array {
  let state = 7
  const noise = Float64Array.from({ length: audio.length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return (state / 2 ** 31) * 86
  })
  return mixMulaw(audio, encodeMulaw(noise))
}

function heard(...parts: Uint8Array[]): ToneEvent[] {
  const audio = noisy(joined(quiet(60), ...parts, quiet(500)))
  const detector = createToneDetector()
  const events: ToneEvent[] = []
  for (let at = 0; at < audio.length; at += FRAME_BYTES)
    events.push(...detector.push(audio.subarray(at, at + FRAME_BYTES)))
  return events
}

describe('tones on a line with noise', () => {
  it.each([
    [100, 100],
    [65, 60],
  ])('hears every key of %i ms', (onMs, offMs) => {
    const keys = '1234567890*#ABCD1199'
    expect(
      heard(digitTones(keys, onMs, offMs)).map((event) => (event.type === 'digit' ? event.digit : event.type)),
    ).toEqual(keys.split(''))
  })

  it('hears a key once, however long it is held', () => {
    expect(heard(digitTones('5', 1500))).toEqual([{ type: 'digit', digit: '5' }])
  })

  it('takes a pair that is twisted too far for no key', () => {
    expect(heard(mixMulaw(sines([697], 200, -24), sines([1209], 200, -10)))).toEqual([])
  })

  it.each([440, 800, 950, 1000, 1400, 2000])('hears a beep of %i Hz when it is over', (hz) => {
    const during = heard(beep(400, hz))
    expect(during).toEqual([{ type: 'beep' }])
  })

  it('does not take a click, a long tone or a dial tone for a beep', () => {
    expect(heard(beep(60))).toEqual([])
    expect(heard(beep(3000))).toEqual([])
    expect(heard(sines([350, 440], 1500))).toEqual([])
  })

  it.each(['america', 'europe'] as const)('tells ringing from engaged (%s)', (region) => {
    expect(heard(ringback(3000, region))).toEqual([{ type: 'ringback' }])
    expect(heard(busy(1600, region))).toEqual([{ type: 'busy' }])
  })

  it('hears the three tones before an announcement, and no beep in them', () => {
    expect(heard(specialInformation())).toEqual([{ type: 'special_information' }])
    expect(heard(sines([913.8], 274), sines([1370.6], 274), sines([1776.7], 380))).toEqual([
      { type: 'special_information' },
    ])
  })

  it('hears fax machines', () => {
    expect(heard(faxCalling())).toEqual([{ type: 'fax', side: 'calling' }])
    expect(heard(faxCalled())).toEqual([{ type: 'fax', side: 'called' }])
  })
})
