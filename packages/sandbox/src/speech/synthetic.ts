import {
  encodeMulaw,
  SAMPLE_RATE_HZ,
  type TimedWord,
  type VoiceShape,
  type Word,
  wordEnds,
  wordsOf,
} from '@parley/voice-ports'

/** Letter duration at 165 words a minute, for a mean English word of 5.5 letters' weight and its share of pauses. */
const LETTER_MS_AT_165 = 52
const FORMANTS_HZ: Readonly<Record<string, readonly [number, number]>> = {
  a: [750, 1200],
  e: [500, 1900],
  i: [320, 2300],
  o: [500, 900],
  u: [340, 850],
}
const NEUTRAL: readonly [number, number] = [500, 1500]
const PEAK = 9000

interface Syllable {
  readonly startMs: number
  readonly endMs: number
  readonly formants: readonly [number, number]
}

/**
 * Synthetic speech: a buzz through two resonances whose syllables follow the words. Unintelligible, but with the
 * timing, loudness and spectrum of a voice, so that detectors react as to one.
 */
export function synthesize(text: string, shape: VoiceShape): { audio: Uint8Array; words: TimedWord[] } {
  const words = wordsOf(text)
  const letters = words.reduce((sum, word, at) => sum + word.weight + (at + 1 < words.length ? word.pauseWeight : 0), 0)
  const totalMs = Math.max(120, (letters * LETTER_MS_AT_165 * 165) / shape.wordsPerMinute)
  const ends = wordEnds(words, { startMs: 0, endMs: totalMs })
  const syllables = words.flatMap((word, at) =>
    syllablesOf(word, ends[at]?.endMs ?? totalMs, totalMs / Math.max(1, letters)),
  )
  return { audio: encodeMulaw(voice(syllables, totalMs, shape)), words: ends }
}

function syllablesOf(word: Word, endMs: number, letterMs: number): Syllable[] {
  const vowels = word.text.toLowerCase().match(/[aeiouy]+/g) ?? ['']
  const count = Math.max(vowels.length, Math.round(word.weight / 6))
  const startMs = endMs - word.weight * letterMs
  const eachMs = (endMs - startMs) / count
  return Array.from({ length: word.weight === 0 ? 0 : count }, (_, at) => ({
    startMs: startMs + at * eachMs,
    endMs: startMs + (at + 1) * eachMs,
    formants: FORMANTS_HZ[vowels[at % vowels.length]?.[0] ?? ''] ?? NEUTRAL,
  }))
}

/** The pole radius of a resonance of 90 Hz width. */
const RADIUS = Math.exp((-Math.PI * 90) / SAMPLE_RATE_HZ)

/** How much of the sample before the next one of a resonance at a frequency takes. */
const feedback = (hz: number) => 2 * RADIUS * Math.cos((2 * Math.PI * hz) / SAMPLE_RATE_HZ)

/** Of the last lengths that were asked for: syllables of one voice have some hundreds. */
const SWELLS_MOST = 512
const swells = new Map<number, Float64Array>()

/** How a syllable of so many samples swells and fades. */
function swellOf(length: number): Float64Array {
  const known = swells.get(length)
  if (known) return known
  const swell = new Float64Array(length)
  for (let i = 0; i < length; i++) swell[i] = Math.sin((Math.PI * (i + 0.5)) / length) ** 0.6
  if (swells.size >= SWELLS_MOST) swells.clear()
  swells.set(length, swell)
  return swell
}

function voice(syllables: readonly Syllable[], totalMs: number, shape: VoiceShape): Float64Array {
  const samples = new Float64Array(Math.round((totalMs * SAMPLE_RATE_HZ) / 1000))
  const baseHz = (shape.variant.startsWith('f') ? 130 : 70) + shape.pitch
  // Two resonances of two poles each, without a call for each sample: many calls speak at once.
  let [first, firstBefore, second, secondBefore] = [0, 0, 0, 0]
  let period = 0
  let loudest = 1
  for (const { startMs, endMs, formants } of syllables) {
    const from = Math.round((startMs * SAMPLE_RATE_HZ) / 1000)
    const length = Math.round((endMs * SAMPLE_RATE_HZ) / 1000) - from
    const swell = swellOf(Math.max(0, length))
    const [firstFeedback, secondFeedback] = [feedback(formants[0]), feedback(formants[1])]
    // The pitch falls a little through a sentence.
    const step = (baseHz * (1.1 - (0.25 * startMs) / totalMs)) / SAMPLE_RATE_HZ
    for (let i = 0; i < length && from + i < samples.length; i++) {
      period += step
      const pulse = period >= 1 ? 1 : 0
      period -= pulse
      const firstNext = pulse * (1 - RADIUS) + firstFeedback * first - RADIUS * RADIUS * firstBefore
      firstBefore = first
      first = firstNext
      const secondNext = pulse * (1 - RADIUS) + secondFeedback * second - RADIUS * RADIUS * secondBefore
      secondBefore = second
      second = secondNext
      const sound = (first + 0.6 * second) * (swell[i] ?? 0)
      samples[from + i] = sound
      loudest = Math.max(loudest, Math.abs(sound) * 1e4)
    }
  }
  for (let i = 0; i < samples.length; i++) samples[i] = ((samples[i] ?? 0) * PEAK * 1e4) / loudest
  return samples
}
