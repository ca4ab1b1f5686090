import { type Mouth, type MouthOptions, SAMPLE_RATE_HZ, SILENCE_BYTE, type SpokenChunk } from '@parley/voice-ports'
import { espeak } from './espeak.ts'
import { synthesize } from './synthetic.ts'
import { voiceShape } from './voices.ts'
import { pieces } from './words.ts'

export interface ScriptedMouthOptions {
  /** espeak-ng, as findEspeak() found it. Without it a synthetic voice of the same timing speaks. */
  readonly binary: string | null
}

/** A sentence takes about 15 ms to make, so two makers keep hundreds of calls speaking. */
const MAKERS_MAX = 2
/** Who comes when so many wait gets the synthetic voice at once instead of the better one too late. */
const WAITING_MAX = 100
const KEPT_BYTES_MAX = 32 * 1024 * 1024
/** The breath after a sentence and within one. */
const STOP_MS = 200
const COMMA_MS = 80

/** Speaks offline. What was said before is kept, as most of what callers say recurs. */
export function createScriptedMouth({ binary }: ScriptedMouthOptions): Mouth {
  const makers = gate(MAKERS_MAX, WAITING_MAX)
  const kept = boundedCache(KEPT_BYTES_MAX)

  async function make(text: string, { language, voiceId }: MouthOptions): Promise<SpokenChunk> {
    const shape = voiceShape(voiceId)
    if (binary === null) return withBreath(synthesize(text, shape), text)
    // A language the maker does not know, or a maker that is stuck, must not leave the line silent.
    const spoken = await makers(() => espeak(binary, text, language, shape)).catch(() => synthesize(text, shape))
    return withBreath(spoken, text)
  }

  return {
    name: binary === null ? 'synthetic' : 'espeak-ng',
    async *speak(text, options) {
      for (const piece of pieces(text)) {
        if (options.signal.aborted) return
        const key = JSON.stringify([piece, options.language, options.voiceId])
        const chunk = await unlessAborted(
          kept.get(key, () => make(piece, options)),
          options.signal,
        )
        if (chunk === null) return
        yield chunk
      }
    },
  }
}

function withBreath(spoken: SpokenChunk, text: string): SpokenChunk {
  const ms = /[.!?…。！？]["')\]]*$/.test(text) ? STOP_MS : COMMA_MS
  const audio = new Uint8Array(spoken.audio.length + (ms * SAMPLE_RATE_HZ) / 1000).fill(SILENCE_BYTE)
  audio.set(spoken.audio)
  return { audio, words: spoken.words }
}

/** The result, or null as soon as nobody wants it any more. */
function unlessAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const leave = () => resolve(null)
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}

/** At most `runningMax` at once and `waitingMax` in line; who comes later is refused. */
function gate(runningMax: number, waitingMax: number) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (waiting.length >= waitingMax) throw new Error('Too many sentences are waiting to be spoken')
    if (running >= runningMax) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

/** Sentences by what was asked for, the longest unused leaving first. One being made is waited for, not made twice. */
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
