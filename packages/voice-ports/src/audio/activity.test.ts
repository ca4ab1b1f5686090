import { describe, expect, it } from 'vitest'
import { ActivityDetector, type Activity } from './activity.ts'
import { EchoGuard } from './echo.ts'
import { FRAME_BYTES, FRAME_MS } from './frame.ts'
import { encodeMulaw, levelDbm0, mixMulaw, peakOfDbm0 } from './mulaw.ts'

/** Repeatable sound: noise at a level, and speech that swells and fades by the syllable. */
function sounds(seed = 1) {
  let state = seed
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return state / 2 ** 31
  }
  const noise = (dbm0: number) =>
    encodeMulaw(Float64Array.from({ length: FRAME_BYTES }, () => peakOfDbm0(dbm0) * 1.22 * random()))
  const speech = (atMs: number, dbm0: number) => {
    const swell = 0.15 + 0.85 * Math.abs(Math.sin((Math.PI * atMs) / 180))
    return encodeMulaw(
      Float64Array.from({ length: FRAME_BYTES }, (_, i) => peakOfDbm0(dbm0) * swell * Math.sin(i * 0.3)),
    )
  }
  return { noise, speech }
}

interface Stretch {
  readonly ms: number
  readonly speechDbm0?: number
  readonly noiseDbm0?: number
}

/** What the detector finds in stretches of speech and noise. */
function detect(stretches: readonly Stretch[], noiseDbm0 = -58): Activity[] {
  const detector = new ActivityDetector()
  const { noise, speech } = sounds()
  const found: Activity[] = []
  let atMs = 0
  for (const stretch of stretches) {
    for (const untilMs = atMs + stretch.ms; atMs < untilMs;) {
      const floor = noise(stretch.noiseDbm0 ?? noiseDbm0)
      const audio = stretch.speechDbm0 === undefined ? floor : mixMulaw(speech(atMs, stretch.speechDbm0), floor)
      atMs += FRAME_MS
      const activity = detector.push(levelDbm0(audio), atMs)
      if (activity) found.push(activity)
    }
  }
  return found
}

const silence = (ms: number): Stretch => ({ ms })
const speech = (ms: number, speechDbm0 = -18): Stretch => ({ ms, speechDbm0 })
const times = (found: readonly Activity[]) =>
  found.map((one) => (one.type === 'speech_started' ? one.sinceMs : one.untilMs))

describe('ActivityDetector', () => {
  it.each([
    ['that is loud above low noise', -10, -65],
    ['at its usual level', -18, -58],
    ['that is faint', -28, -58],
    ['above much noise', -18, -38],
    ['above very much noise', -12, -30],
  ])('finds speech %s within 60 ms of its times', (_, speechDbm0, noiseDbm0) => {
    const found = detect(
      [silence(3000), speech(2000, speechDbm0), silence(2000), speech(800, speechDbm0), silence(1000)],
      noiseDbm0,
    )
    // Noise from the start counts as speech until the detector has adapted.
    const known = found.slice(-4)
    expect(known.map(({ type }) => type)).toEqual([
      'speech_started',
      'speech_stopped',
      'speech_started',
      'speech_stopped',
    ])
    expect(times(found.slice(0, -4)).every((ms) => ms < 700)).toBe(true)
    const expected = [3000, 5000, 7000, 7800]
    for (const [at, ms] of times(known).entries()) expect(Math.abs(ms - expected[at]!)).toBeLessThanOrEqual(60)
  })

  it('finds one stretch of speech across gaps of 120 ms between words', () => {
    const words = Array.from({ length: 12 }, () => [speech(260), silence(120)]).flat()
    expect(detect([silence(1000), ...words, silence(1000)])).toHaveLength(2)
  })

  it('ignores clicks of up to 40 ms', () => {
    expect(detect([silence(1000), speech(40, -5), silence(500), speech(20, -5), silence(1000)])).toEqual([])
  })

  it('ignores noise whose level changes', () => {
    const noise = [-60, -45, -58, -50].map((noiseDbm0) => ({ ms: 4000, noiseDbm0 }))
    expect(detect(noise)).toEqual([])
  })

  it('stops taking a lasting rise of noise for speech within 1 s', () => {
    const found = detect([silence(2000), { ms: 20_000, noiseDbm0: -32 }])
    expect(found.map(({ type }) => type)).toEqual(['speech_started', 'speech_stopped'])
    expect(times(found)[1]).toBeLessThan(3000)
  })

  it('takes a loud steady sound for noise once, and finds speech after it', () => {
    const found = detect([silence(2000), { ms: 20_000, noiseDbm0: -12 }, silence(2000), speech(1000), silence(1000)])
    expect(found.map(({ type }) => type)).toEqual([
      'speech_started',
      'speech_stopped',
      'speech_started',
      'speech_stopped',
    ])
    expect(times(found)[1]).toBeLessThan(3000)
    expect(times(found)[2]).toBeGreaterThan(23_900)
  })

  it('finds speech after the noise has risen', () => {
    const loud = { ms: 6000, noiseDbm0: -38 }
    const found = detect([silence(1000), loud, { ms: 1500, speechDbm0: -14, noiseDbm0: -38 }, loud])
    expect(found.slice(-2).map(({ type }) => type)).toEqual(['speech_started', 'speech_stopped'])
    expect(Math.abs(times(found).at(-2)! - 7000)).toBeLessThanOrEqual(60)
  })

  it('keeps 40 s of continuous speech as one stretch', () => {
    const found = detect([silence(1000), speech(40_000), silence(1000)])
    expect(times(found)).toEqual([expect.closeTo(1000, -2), expect.closeTo(41_000, -2)])
  })
})

describe('EchoGuard', () => {
  /** The agent speaks and its echo returns; from `calleeFromMs` on the callee speaks too. */
  function talk({ lagMs, lossDb, calleeFromMs = Infinity }: { lagMs: number; lossDb: number; calleeFromMs?: number }) {
    const detector = new ActivityDetector()
    const echo = new EchoGuard()
    const { noise, speech: voice } = sounds(7)
    const found: Activity[] = []
    for (let atMs = 0; atMs < 12_000; atMs += FRAME_MS) {
      const speaking = atMs % 4000 < 3000
      if (speaking) echo.sent(levelDbm0(voice(atMs, -16)), atMs)
      const echoed = atMs - lagMs
      let audio = noise(-58)
      if (echoed >= 0 && echoed % 4000 < 3000) audio = mixMulaw(audio, voice(echoed, -16 - lossDb))
      if (atMs >= calleeFromMs) audio = mixMulaw(audio, voice(atMs + 77, -14))
      const level = levelDbm0(audio)
      const activity = detector.push(level, atMs + FRAME_MS, echo.expected(level, atMs + FRAME_MS))
      if (activity) found.push(activity)
    }
    return found
  }

  it.each([
    [40, 12],
    [120, 15],
    [300, 10],
    [700, 12],
  ])('masks an echo of %i ms at -%i dB after 1.5 s', (lagMs, lossDb) => {
    const started = talk({ lagMs, lossDb }).filter((one) => one.type === 'speech_started')
    expect(started.filter(({ sinceMs }) => sinceMs > 1500)).toEqual([])
  })

  it('does not mask a callee who speaks over the echo', () => {
    const started = talk({ lagMs: 120, lossDb: 15, calleeFromMs: 9000 }).filter((one) => one.type === 'speech_started')
    expect(started.at(-1)?.sinceMs).toBeGreaterThanOrEqual(8980)
    expect(started.at(-1)?.sinceMs).toBeLessThan(9200)
  })

  it('expects no echo on a leg without one', () => {
    const echo = new EchoGuard()
    const { noise, speech: voice } = sounds(3)
    for (let atMs = 0; atMs < 6000; atMs += FRAME_MS) {
      echo.sent(levelDbm0(voice(atMs, -16)), atMs)
      const expected = echo.expected(levelDbm0(noise(-58)), atMs + FRAME_MS)
      expect(expected).toBeLessThan(-40)
    }
  })
})
