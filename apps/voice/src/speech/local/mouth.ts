import {
  type MadeSentence,
  type Mouth,
  SAMPLE_RATE_HZ,
  sentenceMouth,
  type SpokenWord,
  voiceShape,
  type VoiceOptions,
  withBreath,
  wordEnds,
  wordsOf,
} from '@parley/voice-ports'
import { espeak } from './espeak.ts'

export interface EspeakMouthOptions {
  /** espeak-ng, as findEspeak() found it. */
  readonly binary: string
  /** Speaks what espeak-ng cannot, or not soon enough. */
  readonly otherwise?: Mouth | undefined
}

/** Processes at once; a sentence takes about 15 ms, so two serve hundreds of calls. */
const MAKERS_MAX = 2
/** Longest queue; beyond it a sentence gets the fallback voice at once. */
const WAITING_MAX = 100

/** Speaks offline, with the machine's own espeak-ng. */
export function createEspeakMouth({ binary, otherwise }: EspeakMouthOptions): Mouth {
  const makers = gate(MAKERS_MAX, WAITING_MAX)
  return sentenceMouth('espeak-ng', async (text, options) => {
    try {
      const spoken = await makers(() => espeak(binary, text, options.language, voiceShape(options.voiceId)))
      return withBreath(spoken, text)
    } catch (error) {
      // An unknown language or a stuck process must not silence the call.
      if (!otherwise) throw error
      return wholeOf(otherwise, text, options)
    }
  })
}

/** Another mouth's sentence; times of words that it does not know are estimated. */
async function wholeOf(mouth: Mouth, text: string, options: VoiceOptions): Promise<MadeSentence> {
  const speaking = mouth.open(options)
  const sounds: Uint8Array[] = []
  const words: SpokenWord[] = []
  try {
    for await (const chunk of speaking.speak(text, { signal: new AbortController().signal })) {
      sounds.push(chunk.audio)
      words.push(...(chunk.words ?? []))
    }
  } finally {
    speaking.close()
  }
  const audio = Uint8Array.from(Buffer.concat(sounds))
  if (mouth.wordTimes) return { audio, words }
  return { audio, words: wordEnds(wordsOf(text), { startMs: 0, endMs: (audio.length * 1000) / SAMPLE_RATE_HZ }) }
}

/** Runs at most `runningMax` tasks at once and queues `waitingMax`; rejects the rest. */
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
