import { type Mouth, sentenceMouth, type SpokenChunk, voiceShape, withBreath } from '@parley/voice-ports'
import { synthesize } from './synthetic.ts'

/** Speaks in synthetic sounds as long as the words, with word times. */
export function createScriptedMouth(): Mouth {
  return sentenceMouth('synthetic', (text, { voiceId }) =>
    Promise.resolve(withBreath(synthesize(text, voiceShape(voiceId)), text)),
  )
}

/** The same voice without word times, as that of some vendors. */
export function createUntimedMouth(): Mouth {
  const untimed = ({ audio }: SpokenChunk): SpokenChunk => ({ audio })
  return { ...changedMouth(createScriptedMouth(), (chunk) => [untimed(chunk)]), wordTimes: false }
}

/** The same voice with each chunk's words behind its audio. */
export function createLateWordsMouth(): Mouth {
  return changedMouth(createScriptedMouth(), ({ audio, words = [] }) => [{ audio }, { audio: new Uint8Array(), words }])
}

/** Falls silent for good after the first `afterMs` of each text. */
export function createStallingMouth(afterMs: number): Mouth {
  const mouth = createScriptedMouth()
  return {
    ...mouth,
    name: 'stalling',
    open(options) {
      const speaking = mouth.open(options)
      return {
        ...speaking,
        async *speak(text, { signal }) {
          for await (const { audio, words = [] } of speaking.speak(text, { signal })) {
            yield { audio: audio.subarray(0, afterMs * 8), words: words.filter(({ endMs }) => endMs <= afterMs) }
            await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
            return
          }
        },
      }
    },
  }
}

function changedMouth(mouth: Mouth, change: (chunk: SpokenChunk) => readonly SpokenChunk[]): Mouth {
  return {
    ...mouth,
    open(options) {
      const speaking = mouth.open(options)
      const closed = new AbortController()
      return {
        ...speaking,
        async *speak(text, { signal }) {
          for await (const chunk of speaking.speak(text, { signal })) {
            for (const part of change(chunk)) {
              if (signal.aborted || closed.signal.aborted) return
              yield part
            }
          }
        },
        close() {
          closed.abort()
          speaking.close()
        },
      }
    },
  }
}
