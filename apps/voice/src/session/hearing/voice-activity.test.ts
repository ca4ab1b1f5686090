import {
  type Activity,
  encodeMulaw,
  FRAME_BYTES,
  FRAME_MS,
  type Judged,
  type SpeechDetector,
} from '@parley/voice-ports'
import { expect, it } from 'vitest'
import { VoiceActivity } from './voice-activity.ts'

const WINDOW_MS = 32

/** A detector that answers at once with what the test says of each window. */
function detectorOf(speechAt: (endsMs: number) => number | null): SpeechDetector {
  return {
    name: 'told',
    open(onJudged: (judged: Judged) => void) {
      let judgedMs = -Infinity
      return {
        push(_, endsMs) {
          if (endsMs - judgedMs > 100 + FRAME_MS) judgedMs = endsMs - FRAME_MS
          for (; judgedMs + WINDOW_MS <= endsMs; judgedMs += WINDOW_MS) {
            const speech = speechAt(judgedMs + WINDOW_MS)
            if (speech !== null) onJudged({ endsMs: judgedMs + WINDOW_MS, speech })
          }
        },
        close: () => undefined,
      }
    },
    close: () => Promise.resolve(),
  }
}

/** A detector of a busy machine: takes loud sound for speech, and answers `lateMs` after the sound has come. */
function lateDetector(lateMs: number): { detector: SpeechDetector; answer: (nowMs: number) => void } {
  let tell: (judged: Judged) => void = () => undefined
  const waiting: { readonly judged: Judged; readonly dueMs: number }[] = []
  let nowMs = 0
  const prompt = detectorOf((endsMs) => (endsMs > 500 ? 0.9 : 0))
  const detector: SpeechDetector = {
    name: 'late',
    open(onJudged) {
      tell = onJudged
      return prompt.open((judged) => waiting.push({ judged, dueMs: nowMs + lateMs }))
    },
    close: () => Promise.resolve(),
  }
  return {
    detector,
    answer(atMs) {
      nowMs = atMs
      while (waiting[0] && waiting[0].dueMs <= nowMs) tell(waiting.shift()!.judged)
    },
  }
}

/** 20 ms of a sound whose level moves as that of speech does, around `peak` of 32 768. */
function sound(peak: number, nth: number): Uint8Array {
  const now = peak * (0.6 + 0.4 * Math.sin(nth))
  return encodeMulaw(Float64Array.from({ length: FRAME_BYTES }, (_, at) => now * Math.sin(at * 0.7)))
}

/** What was found in stretches of sound, each so many ms at a peak; with the time at which it was said. */
function found(detector: SpeechDetector | null, ...stretches: readonly (readonly [ms: number, peak: number])[]) {
  const told: (Activity & { readonly toldMs: number })[] = []
  let nowMs = 0
  const note = (activity: Activity | null) => {
    if (activity) told.push({ ...activity, toldMs: nowMs })
  }
  const voice = new VoiceActivity(detector, note)
  for (const [ms, peak] of stretches) {
    for (const untilMs = nowMs + ms; nowMs < untilMs;) {
      nowMs += FRAME_MS
      note(voice.push(sound(peak, nowMs / FRAME_MS), nowMs))
    }
  }
  return told
}

const LOUD = 6000
const FAINT = 20

it('loud sound that the detector takes for noise is no speech', () => {
  expect(
    found(
      detectorOf(() => 0.02),
      [500, FAINT],
      [2000, LOUD],
      [500, FAINT],
    ),
  ).toEqual([])
  expect(found(null, [500, FAINT], [2000, LOUD], [500, FAINT])).not.toEqual([])
})

it('sound that has just begun counts as loud before it is judged, and for 200 ms where it is noise', () => {
  const voice = new VoiceActivity(
    detectorOf(() => 0.02),
    () => undefined,
  )
  const loudAt: number[] = []
  for (let nowMs = FRAME_MS; nowMs <= 1500; nowMs += FRAME_MS) {
    voice.push(sound(nowMs > 500 ? LOUD : FAINT, nowMs / FRAME_MS), nowMs)
    if (voice.loud) loudAt.push(nowMs)
  }
  expect(loudAt[0]).toBe(520)
  expect(loudAt.at(-1)).toBe(700)
})

it('a callee who goes on counts as loud until their speech has begun, however late the detector says so', () => {
  for (const lateMs of [0, 150, 250, 600]) {
    const { detector, answer } = lateDetector(lateMs)
    let isSpeaking = false
    const note = (activity: Activity | null) => {
      if (activity) isSpeaking = activity.type === 'speech_started'
    }
    const voice = new VoiceActivity(detector, note)
    const missedAt: number[] = []
    for (let nowMs = FRAME_MS; nowMs <= 1500; nowMs += FRAME_MS) {
      answer(nowMs)
      note(voice.push(sound(nowMs > 500 ? LOUD : FAINT, nowMs / FRAME_MS), nowMs))
      if (nowMs > 500 && !voice.loud) missedAt.push(nowMs)
    }
    expect({ lateMs, isSpeaking, missedAt }).toEqual({ lateMs, isSpeaking: true, missedAt: [] })
  }
})

it('speech begins where it became loud, as soon as two windows in a row are speech', () => {
  const [started, stopped] = found(
    detectorOf((endsMs) => (endsMs > 500 ? 0.9 : 0)),
    [500, FAINT],
    [1000, LOUD],
    [500, FAINT],
  )
  expect(started).toMatchObject({ type: 'speech_started', sinceMs: 500 })
  expect(started?.toldMs).toBeLessThanOrEqual(600)
  expect(stopped).toMatchObject({ type: 'speech_stopped' })
  expect(stopped).toHaveProperty('untilMs')
})

it('speech within music begins with the speech and ends while the music goes on', () => {
  const told = found(
    detectorOf((endsMs) => (endsMs > 2000 && endsMs <= 3000 ? 0.9 : 0.05)),
    [500, FAINT],
    [4500, LOUD],
  )
  expect(told.map(({ type }) => type)).toEqual(['speech_started', 'speech_stopped'])
  expect(told[0]).toHaveProperty('sinceMs')
  expect(told[0]?.toldMs).toBeGreaterThan(2000)
  expect(told[0]?.toldMs).toBeLessThan(2150)
  expect(told[1]?.toldMs).toBeGreaterThan(3000)
  expect(told[1]?.toldMs).toBeLessThan(3400)
})

it('the level decides when the detector gives no verdict', () => {
  const told = found(
    detectorOf(() => null),
    [500, FAINT],
    [1000, LOUD],
    [500, FAINT],
  )
  expect(told.map(({ type }) => type)).toEqual(['speech_started', 'speech_stopped'])
  expect(told[0]).toMatchObject({ sinceMs: 500 })
})

it('people behind the callee do not hold the turn, whose level is known', () => {
  const told = found(
    detectorOf(() => 0.9),
    [500, FAINT],
    [3000, LOUD],
    [3000, LOUD / 10],
  )
  expect(told.map(({ type }) => type)).toEqual(['speech_started', 'speech_stopped'])
  expect(told[1]?.toldMs).toBeLessThan(3900)
})

it('a callee on a line of digital silence is heard to the end of what they say behind a pause', () => {
  const told = found(
    detectorOf(() => 0.9),
    [500, 0],
    [300, LOUD],
    [240, 0],
    [3000, LOUD],
    [500, 0],
  )
  expect(told.map(({ type }) => type)).toEqual(['speech_started', 'speech_stopped', 'speech_started', 'speech_stopped'])
  expect(told[3]).toMatchObject({ untilMs: 4040 })
})

it('a callee who speaks from further away is heard again after 10 s', () => {
  const told = found(
    detectorOf(() => 0.9),
    [500, FAINT],
    [3000, LOUD],
    [10_500, FAINT],
    [1000, LOUD / 10],
  )
  expect(told.map(({ type }) => type)).toEqual(['speech_started', 'speech_stopped', 'speech_started'])
})
