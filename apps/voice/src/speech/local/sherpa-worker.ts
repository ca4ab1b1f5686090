import { parentPort, workerData } from 'node:worker_threads'
import sherpa, { type OfflineTts } from 'sherpa-onnx-node'
import { END } from '../model-thread.ts'

// Makes speech by sherpa-onnx, which computes for as long as the sentence takes: away from the beat of calls.

/** As the package takes it; the paths are absolute. */
export interface SherpaModel {
  readonly vits?: {
    readonly model: string
    readonly tokens: string
    readonly dataDir?: string
    readonly lexicon?: string
  }
  readonly kokoro?: {
    readonly model: string
    readonly voices: string
    readonly tokens: string
    readonly dataDir?: string
    readonly lexicon?: string
  }
}

export interface SherpaAsked {
  readonly id: number
  readonly text: string
  readonly language: string
  readonly speaker: number
}

export type SherpaSaid =
  | { readonly type: 'ready'; readonly speakers: Readonly<Record<string, number>> }
  | { readonly type: 'unusable'; readonly why: string }
  | { readonly type: 'said'; readonly id: number; readonly samples: Float32Array; readonly rateHz: number }
  | { readonly type: 'failed'; readonly id: number; readonly why: string }

const port = parentPort
const voices = new Map<string, OfflineTts>()
const whyOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
const say = (said: SherpaSaid, transfer: ArrayBuffer[] = []) => port?.postMessage(said, transfer)

/** What the start of this thread was given. */
const models = workerData as Readonly<Record<string, SherpaModel>>

async function load(): Promise<void> {
  for (const [language, model] of Object.entries(models)) {
    try {
      voices.set(language, await sherpa.OfflineTts.createAsync({ model: { ...model, numThreads: 1, provider: 'cpu' } }))
    } catch (error) {
      return say({ type: 'unusable', why: `the model of "${language}" cannot be loaded: ${whyOf(error)}` })
    }
  }
  say({ type: 'ready', speakers: Object.fromEntries([...voices].map(([name, tts]) => [name, tts.numSpeakers])) })
}

function speak({ id, text, language, speaker }: SherpaAsked): void {
  const voice = voices.get(language)
  if (!voice) return say({ type: 'failed', id, why: `There is no model for the language "${language}".` })
  try {
    const made = voice.generate({ text, sid: speaker, speed: 1, enableExternalBuffer: false })
    const samples = Float32Array.from(made.samples)
    say({ type: 'said', id, samples, rateHz: made.sampleRate }, [samples.buffer])
  } catch (error) {
    say({ type: 'failed', id, why: whyOf(error) })
  }
}

port?.on('message', (asked: SherpaAsked | typeof END) => (asked === END ? port.close() : speak(asked)))
load().catch((error: unknown) => say({ type: 'unusable', why: whyOf(error) }))
