import {
  type Mouth,
  type MouthOptions,
  sentenceMouth,
  type SpokenChunk,
  voiceShape,
  withBreath,
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

async function wholeOf(mouth: Mouth, text: string, options: Omit<MouthOptions, 'signal'>): Promise<SpokenChunk> {
  for await (const chunk of mouth.speak(text, { ...options, signal: new AbortController().signal })) return chunk
  return { audio: new Uint8Array(), words: [] }
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
