import { SAMPLE_RATE_HZ, SILENCE_BYTE } from './audio/frame.ts'
import type { Mouth, MouthOptions, SpokenChunk } from './speech.ts'
import { pieces } from './words.ts'

const KEPT_BYTES_MAX = 32 * 1024 * 1024
/** Pause after a sentence and within one. */
const STOP_MS = 200
const COMMA_MS = 80

/** A mouth that makes each sentence whole. Sentences are cached, since most of them recur. */
export function sentenceMouth(
  name: string,
  make: (text: string, options: Omit<MouthOptions, 'signal'>) => Promise<SpokenChunk>,
): Mouth {
  const kept = boundedCache(KEPT_BYTES_MAX)
  return {
    name,
    async *speak(text, { signal, ...options }) {
      for (const piece of pieces(text)) {
        if (signal.aborted) return
        const key = JSON.stringify([piece, options.language, options.voiceId])
        const chunk = await unlessAborted(
          kept.get(key, () => make(piece, options)),
          signal,
        )
        if (chunk === null) return
        yield chunk
      }
    },
  }
}

/** Appends the pause that follows the text. */
export function withBreath(spoken: SpokenChunk, text: string): SpokenChunk {
  const ms = /[.!?…。！？]["')\]]*$/.test(text) ? STOP_MS : COMMA_MS
  const audio = new Uint8Array(spoken.audio.length + (ms * SAMPLE_RATE_HZ) / 1000).fill(SILENCE_BYTE)
  audio.set(spoken.audio)
  return { audio, words: spoken.words }
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
  const entries = new Map<string, { readonly chunk: Promise<SpokenChunk>; bytes: number }>()
  let bytes = 0

  function remove(key: string): void {
    bytes -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }

  return {
    get(key: string, make: () => Promise<SpokenChunk>): Promise<SpokenChunk> {
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
