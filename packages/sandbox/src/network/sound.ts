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

/** Speech of a callee: mu-law, and the words in it by the offset of their end. */
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

/** Background noise of a good phone connection; no call is digitally silent. */
const NOISE_DBM0 = -60
const NOISE_FRAMES = 250

/** A few seconds of noise, made once; each call starts at another place in it. */
const noise: readonly Frame[] = Array.from({ length: NOISE_FRAMES }, (_, at) => ({
  audio: encodeMulaw(noiseSamples(at + 1)),
}))

function noiseSamples(seed: number): Float64Array {
  let state = seed * 2654435761
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return state / 2 ** 31
  }
  // The sum of three uniform values in -1…1 is nearly normal, with unit power.
  const rms = peakOfDbm0(NOISE_DBM0) / Math.SQRT2
  return Float64Array.from({ length: FRAME_BYTES }, () => rms * (uniform() + uniform() + uniform()))
}

/** The far end as the agent hears it: noise always, speech and tones on top. */
export function noiseMixer(entry: number): (frame: Frame | null) => Frame {
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

/** Collects the chunks of a text into one sound. */
export async function speakWhole(speak: Speak, text: string, options: SpeakOptions): Promise<SpokenSound> {
  const chunks: Uint8Array[] = []
  const words: { text: string; endMs: number }[] = []
  let bytes = 0
  for await (const { audio, words: spoken } of speak(text, options)) {
    const startMs = (bytes / SAMPLE_RATE_HZ) * 1000
    words.push(...spoken.map(({ text, endMs }) => ({ text, endMs: startMs + endMs })))
    chunks.push(audio)
    bytes += audio.length
  }
  const audio = new Uint8Array(bytes)
  chunks.reduce((at, chunk) => (audio.set(chunk, at), at + chunk.length), 0)
  return { audio, words }
}
