import {
  encodeMulaw,
  type Frame,
  FRAME_BYTES,
  FRAME_MS,
  mixMulaw,
  peakOfDbm0,
  SAMPLE_RATE_HZ,
  SILENCE_BYTE,
} from '@parley/voice-ports'

/** Speech from whoever lends the callees a voice: mu-law, and the words that end in it by offset. */
export interface SpokenSound {
  readonly audio: Uint8Array
  readonly words: readonly { readonly text: string; readonly endMs: number }[]
}

export interface SpeakOptions {
  readonly language: string
  readonly voiceId: string
  readonly signal: AbortSignal
}

export type Speak = (text: string, options: SpeakOptions) => AsyncIterable<SpokenSound>

/** No line is digitally silent; this is a good one. */
const NOISE_DBM0 = -60
const NOISE_FRAMES = 250

/** A few seconds of line noise, made once; each call enters it at its own place. */
const noise: readonly Frame[] = Array.from({ length: NOISE_FRAMES }, (_, at) => ({
  audio: encodeMulaw(noiseSamples(at + 1)),
}))

function noiseSamples(seed: number): Float64Array {
  let state = seed * 2654435761
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return state / 2 ** 31
  }
  // Three uniform values in -1…1 add up to nearly a bell of unit power.
  const rms = peakOfDbm0(NOISE_DBM0) / Math.SQRT2
  return Float64Array.from({ length: FRAME_BYTES }, () => rms * (uniform() + uniform() + uniform()))
}

/** The far end's line as the agent hears it: noise always, speech and tones on top. */
export function noisyLine(entry: number): (frame: Frame | null) => Frame {
  let at = Math.floor(entry * NOISE_FRAMES)
  return (frame) => {
    const floor = noise[at++ % NOISE_FRAMES] ?? { audio: new Uint8Array(FRAME_BYTES).fill(SILENCE_BYTE) }
    return frame ? { ...frame, audio: mixMulaw(frame.audio, floor.audio) } : floor
  }
}

/** Cuts sound into frames, each with the words that end in it. */
export function framesOf(sound: SpokenSound): Frame[] {
  const count = Math.ceil(sound.audio.length / FRAME_BYTES)
  const texts = new Map<number, string[]>()
  for (const word of sound.words) {
    const at = Math.max(0, Math.min(count, Math.ceil(word.endMs / FRAME_MS)) - 1)
    texts.set(at, [...(texts.get(at) ?? []), word.text])
  }
  return Array.from({ length: count }, (_, at) => {
    const audio = new Uint8Array(FRAME_BYTES).fill(SILENCE_BYTE)
    audio.set(sound.audio.subarray(at * FRAME_BYTES, (at + 1) * FRAME_BYTES))
    const text = texts.get(at)?.join(' ')
    return text === undefined ? { audio } : { audio, text }
  })
}

/** A whole line of speech at once. */
export async function speakWhole(speak: Speak, text: string, options: SpeakOptions): Promise<SpokenSound> {
  const parts: Uint8Array[] = []
  const words: { text: string; endMs: number }[] = []
  let bytes = 0
  for await (const { audio, words: spoken } of speak(text, options)) {
    const startMs = (bytes / SAMPLE_RATE_HZ) * 1000
    words.push(...spoken.map(({ text, endMs }) => ({ text, endMs: startMs + endMs })))
    parts.push(audio)
    bytes += audio.length
  }
  const audio = new Uint8Array(bytes)
  parts.reduce((at, part) => (audio.set(part, at), at + part.length), 0)
  return { audio, words }
}
