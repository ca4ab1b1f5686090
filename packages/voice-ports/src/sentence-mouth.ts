import { SAMPLE_RATE_HZ, SILENCE_BYTE } from './audio/frame.ts'
import { pieces } from './chunker.ts'
import type { Mouth, SpokenChunk, SpokenWord, VoiceOptions } from './mouth.ts'

const KEPT_BYTES_MAX = 32 * 1024 * 1024
/** Pause after a sentence and within one. */
const STOP_MS = 200
const COMMA_MS = 80

/** A sentence made whole. */
export interface MadeSentence {
  readonly audio: Uint8Array
  readonly words: readonly SpokenWord[]
}

type Make = (text: string, options: VoiceOptions) => Promise<MadeSentence>

/** A mouth that makes each sentence whole. Sentences are cached for all calls, since most of them recur. */
export function sentenceMouth(name: string, make: Make): Mouth {
  const kept = boundedCache(KEPT_BYTES_MAX)
  const made = (text: string, options: VoiceOptions) =>
    kept.get(JSON.stringify([text, options.language, options.voiceId]), () => make(text, options))
  return {
    name,
    wordTimes: true,
    open({ language, voiceId }) {
      const closed = new AbortController()
      let options: VoiceOptions = { language, voiceId }
      return {
        speak: (text, { signal }) => spoken(text, options, made, AbortSignal.any([signal, closed.signal])),
        setLanguage: (changed) => void (options = { language: changed, voiceId }),
        close: () => closed.abort(),
      }
    },
  }
}

async function* spoken(
  text: string,
  options: VoiceOptions,
  make: Make,
  signal: AbortSignal,
): AsyncGenerator<SpokenChunk> {
  let startMs = 0
  for (const piece of pieces(text)) {
    if (signal.aborted) return
    const chunk = await unlessAborted(make(piece.text, options), signal)
    if (chunk === null) return
    const spokenMs = startMs
    const words = chunk.words.map(({ fromChar, toChar, endMs }) => ({
      fromChar: piece.fromChar + fromChar,
      toChar: piece.fromChar + toChar,
      endMs: spokenMs + endMs,
    }))
    yield { audio: chunk.audio, words }
    startMs += (chunk.audio.length * 1000) / SAMPLE_RATE_HZ
  }
}

/** Appends the pause that follows the text. */
export function withBreath(sentence: MadeSentence, text: string): MadeSentence {
  const ms = /[.!?…。！？]["')\]]*$/.test(text) ? STOP_MS : COMMA_MS
  const audio = new Uint8Array(sentence.audio.length + (ms * SAMPLE_RATE_HZ) / 1000).fill(SILENCE_BYTE)
  audio.set(sentence.audio)
  return { audio, words: sentence.words }
}

/** The result, or null once it is aborted. */
function unlessAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const leave = () => resolve(null)
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}

/** LRU cache of sentences, bounded by bytes. A sentence under way is awaited, not made twice. */
function boundedCache(bytesMax: number) {
  const entries = new Map<string, { readonly chunk: Promise<MadeSentence>; bytes: number }>()
  let bytes = 0

  function remove(key: string): void {
    bytes -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }

  return {
    get(key: string, make: () => Promise<MadeSentence>): Promise<MadeSentence> {
      const known = entries.get(key)
      const entry = known ?? { chunk: make(), bytes: 0 }
      entries.delete(key)
      entries.set(key, entry)
      if (known) return known.chunk
      entry.chunk.then(
        (chunk) => {
          if (entries.get(key) !== entry) return
          entry.bytes = chunk.audio.length
          bytes += entry.bytes
          for (const oldest of entries.keys()) {
            if (bytes <= bytesMax) break
            remove(oldest)
          }
        },
        () => remove(key),
      )
      return entry.chunk
    },
  }
}
