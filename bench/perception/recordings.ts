import {
  decodeMulaw,
  encodeMulaw,
  FRAME_BYTES,
  levelDbm0,
  peakOfDbm0,
  SAMPLE_RATE_HZ,
  voiceShape,
} from '@parley/voice-ports'
import { espeak } from '../../apps/voice/src/speech/local/espeak.ts'

// Recordings of a callee, made by espeak-ng, with what a telephone adds to a voice. Seeded: each run makes the same.

export interface Recording {
  readonly condition: string
  /** Mu-law, whole frames. */
  readonly audio: Uint8Array
  /** Our own voice, as sent; echo returns from it. */
  readonly ours: Uint8Array | null
  /** Where the callee speaks. */
  readonly speech: readonly { readonly fromMs: number; readonly toMs: number }[]
}

const UTTERANCES: readonly (readonly [text: string, language: string, voice: string])[] = [
  ['We have a table for two at seven, or a bigger one at half past eight.', 'en', 'friendly'],
  ['Yes, that would be possible. What is the name, please?', 'en', 'authoritative'],
  ['Einen Moment bitte, ich sehe im Kalender nach.', 'de', 'professional'],
  ['Sí, claro, para cuántas personas sería?', 'es', 'warm'],
  ["D'accord, je vous écoute, quel est le numéro du dossier?", 'fr', 'default'],
  ['No.', 'en', 'warm'],
  ['The doctor is away until Thursday, could you call again on Friday morning?', 'en', 'default'],
]
const BABBLERS: readonly (readonly [text: string, voice: string])[] = [
  ['And then she told me that the whole kitchen had been painted green, can you believe it.', 'friendly'],
  ['Could I have the bill and two more coffees, please, we are in a hurry today.', 'authoritative'],
  ['It was raining all the way from the station and nobody had thought of an umbrella.', 'professional'],
  ['They are going to close the road again next week, so we had better take the train.', 'warm'],
]
const SPEECH_DBM0 = -18
const QUIET_DBM0 = -38
/** No line is silent. */
const LINE_NOISE_DBM0 = -62
/** Silence before and after each utterance. */
const PAUSE_MS = 1600
/** Quieter than this below the utterance's level is not speech but the end of a breath. */
const EDGE_DB = 25

const samplesOf = (ms: number) => Math.round((ms * SAMPLE_RATE_HZ) / 1000)
const gainOf = (db: number) => 10 ** (db / 20)

function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return state / 2 ** 31
  }
}

/** Pink-like noise (speech lies under it), by a one-pole filter over white noise. */
function noise(length: number, dbm0: number, seed: number): Float64Array {
  const next = random(seed)
  const out = new Float64Array(length)
  let low = 0
  for (let at = 0; at < length; at++) out[at] = low = 0.85 * low + next()
  return at(dbm0, out)
}

/** Scales sound to a level. */
function at(dbm0: number, samples: Float64Array): Float64Array {
  let energy = 0
  for (const sample of samples) energy += sample * sample
  const gain = peakOfDbm0(dbm0) / Math.SQRT2 / Math.sqrt(energy / samples.length || 1)
  return samples.map((sample) => sample * gain)
}

/** Four chords with a beat, again and again. */
function music(length: number, dbm0: number): Float64Array {
  const chords = [
    [262, 330, 392],
    [220, 262, 330],
    [175, 220, 262],
    [196, 247, 294],
  ]
  const out = new Float64Array(length)
  for (let i = 0; i < length; i++) {
    const seconds = i / SAMPLE_RATE_HZ
    const beat = seconds % 0.5
    const chord = chords[Math.floor(seconds / 2) % chords.length] ?? []
    for (const hz of chord)
      for (const harmonic of [1, 2, 3])
        out[i] = (out[i] ?? 0) + (Math.sin(2 * Math.PI * hz * harmonic * seconds) / harmonic) * Math.exp(-3 * beat)
  }
  return at(dbm0, out)
}

function mixed(...sounds: readonly Float64Array[]): Float64Array {
  const out = new Float64Array(Math.max(...sounds.map(({ length }) => length)))
  for (const sound of sounds) for (let i = 0; i < sound.length; i++) out[i] = (out[i] ?? 0) + (sound[i] ?? 0)
  return out
}

async function said(binary: string, text: string, language: string, voice: string): Promise<Float64Array> {
  const { audio } = await espeak(binary, text, language, voiceShape(voice))
  return Float64Array.from(decodeMulaw(audio))
}

/** The callee's utterances with pauses between them, and where they are. */
async function callee(binary: string, dbm0: number) {
  const parts: Float64Array[] = [new Float64Array(samplesOf(PAUSE_MS))]
  const speech: { fromMs: number; toMs: number }[] = []
  let length = samplesOf(PAUSE_MS)
  for (const [text, language, voice] of UTTERANCES) {
    const own = at(dbm0, await said(binary, text, language, voice))
    const [first, last] = edges(own, dbm0 - EDGE_DB)
    speech.push({ fromMs: ((length + first) * 1000) / SAMPLE_RATE_HZ, toMs: ((length + last) * 1000) / SAMPLE_RATE_HZ })
    parts.push(own, new Float64Array(samplesOf(PAUSE_MS)))
    length += own.length + samplesOf(PAUSE_MS)
  }
  return { samples: joined(parts), speech }
}

function edges(samples: Float64Array, dbm0: number): readonly [number, number] {
  const loud = (from: number) => levelDbm0(encodeMulaw(samples.slice(from, from + FRAME_BYTES))) > dbm0
  let first = 0
  while (first < samples.length && !loud(first)) first += FRAME_BYTES
  let last = samples.length - FRAME_BYTES
  while (last > first && !loud(last)) last -= FRAME_BYTES
  return [first, last + FRAME_BYTES]
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const out = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0))
  parts.reduce((from, part) => (out.set(part, from), from + part.length), 0)
  return out
}

/** Several people speaking at once, again and again. */
async function babble(binary: string, length: number, dbm0: number): Promise<Float64Array> {
  const voices = await Promise.all(BABBLERS.map(([text, voice]) => said(binary, text, 'en', voice)))
  const out = new Float64Array(length)
  for (const [nth, voice] of voices.entries())
    for (let i = 0; i < length; i++) out[i] = (out[i] ?? 0) + (voice[(i + nth * 7919) % voice.length] ?? 0)
  return at(dbm0, out)
}

function echoOf(ours: Float64Array, delayMs: number, lossDb: number): Float64Array {
  const out = new Float64Array(ours.length)
  const delay = samplesOf(delayMs)
  for (let i = delay; i < ours.length; i++) out[i] = (ours[i - delay] ?? 0) * gainOf(-lossDb)
  return out
}

function telephone(samples: Float64Array): Uint8Array {
  return encodeMulaw(samples.subarray(0, samples.length - (samples.length % FRAME_BYTES)))
}

/** Every condition, by the program at `binary`. */
export async function recordings(binary: string): Promise<Recording[]> {
  const clear = await callee(binary, SPEECH_DBM0)
  const quiet = await callee(binary, QUIET_DBM0)
  const { length } = clear.samples
  const line = noise(length, LINE_NOISE_DBM0, 7)
  const make = (
    condition: string,
    { samples, speech }: typeof clear,
    ...added: readonly Float64Array[]
  ): Recording => ({
    condition,
    audio: telephone(mixed(samples, ...added)),
    ours: null,
    speech,
  })
  const ours = joined(await Promise.all(BABBLERS.map(([text, voice]) => said(binary, `${text} ${text}`, 'en', voice))))
  const echo = (delayMs: number): Recording => ({
    condition: `echo ${delayMs} ms late, nobody speaks`,
    audio: telephone(mixed(echoOf(ours, delayMs, 14), noise(ours.length, LINE_NOISE_DBM0, 9))),
    ours: telephone(ours),
    speech: [],
  })
  return [
    make('a good line', clear, line),
    make('noise 30 dB below', clear, noise(length, SPEECH_DBM0 - 30, 1)),
    make('noise 20 dB below', clear, noise(length, SPEECH_DBM0 - 20, 2)),
    make('noise 15 dB below', clear, noise(length, SPEECH_DBM0 - 15, 3)),
    make('noise 10 dB below', clear, noise(length, SPEECH_DBM0 - 10, 4)),
    make('babble 20 dB below', clear, line, await babble(binary, length, SPEECH_DBM0 - 20)),
    make('babble 15 dB below', clear, line, await babble(binary, length, SPEECH_DBM0 - 15)),
    make('music 20 dB below', clear, line, music(length, SPEECH_DBM0 - 20)),
    make('music 12 dB below', clear, line, music(length, SPEECH_DBM0 - 12)),
    make('a quiet speaker', quiet, line),
    echo(120),
    echo(700),
  ]
}
