import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { endThread } from '../model-thread.ts'
import type { SherpaAsked, SherpaModel, SherpaSaid } from './sherpa-worker.ts'

const READY_WITHIN_MS = 60_000
/** A sentence takes less than its own duration on a machine that is fit for it. */
const SENTENCE_WITHIN_MS = 15_000
const WAITING_MAX = 50
/** Of a model that speaks with one voice for each speaker. */
const Speakers = z.record(z.string(), z.int().min(0))

export interface LocalModel {
  readonly model: SherpaModel
  /** Speakers by voice of Settings, from voices.json; empty without it. */
  readonly speakers: Readonly<Record<string, number>>
}

export interface MadeSpeech {
  readonly samples: Float32Array
  readonly rateHz: number
}

/** What turns a sentence into samples. */
export interface Synthesizer {
  /** Of each language, how many voices its model has. */
  readonly speakers: Readonly<Record<string, number>>
  make(asked: { readonly text: string; readonly language: string; readonly speaker: number }): Promise<MadeSpeech>
}

/**
 * The models in `<dir>/mouth/<language>/`: one .onnx file with tokens.txt, and voices.bin for Kokoro; espeak-ng-data/ or
 * lexicon.txt where the model needs it. Throws a reason when there is none, or one is not complete.
 */
export function localModels(dir: string): Record<string, LocalModel> {
  const folder = join(dir, 'mouth')
  if (!existsSync(folder)) throw new Error(`there is no folder ${folder}`)
  const languages = readdirSync(folder).filter((name) => statSync(join(folder, name)).isDirectory())
  if (languages.length === 0) throw new Error(`${folder} has no folder of a language, such as ${join(folder, 'en')}`)
  return Object.fromEntries(languages.map((language) => [language.toLowerCase(), modelIn(join(folder, language))]))
}

function modelIn(folder: string): LocalModel {
  const names = readdirSync(folder)
  const models = names.filter((name) => name.endsWith('.onnx'))
  const [model] = models
  if (model === undefined || models.length > 1)
    throw new Error(`${folder} must have one .onnx file, and has ${models.length}`)
  if (!names.includes('tokens.txt')) throw new Error(`${folder} has no tokens.txt`)
  const path = (name: string) => join(folder, name)
  const common = {
    model: path(model),
    tokens: path('tokens.txt'),
    ...(names.includes('espeak-ng-data') && { dataDir: path('espeak-ng-data') }),
    ...(names.includes('lexicon.txt') && { lexicon: path('lexicon.txt') }),
  }
  const isKokoro = names.includes('voices.bin')
  return {
    model: isKokoro ? { kokoro: { ...common, voices: path('voices.bin') } } : { vits: common },
    speakers: names.includes('voices.json') ? speakersIn(path('voices.json')) : {},
  }
}

function speakersIn(file: string): Readonly<Record<string, number>> {
  try {
    return Speakers.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    throw new Error(`${file} must hold numbers of speakers, such as {"warm": 3}`)
  }
}

/** Loads the models in a thread of their own. Rejects with a reason. */
export async function startSherpa(
  models: Readonly<Record<string, SherpaModel>>,
): Promise<Synthesizer & { close(): void }> {
  const worker = new Worker(new URL('sherpa-worker.ts', import.meta.url), { workerData: models })
  const waiting = new Map<number, (said: SherpaSaid | Error) => void>()
  const failAll = (error: Error) => {
    for (const done of waiting.values()) done(error)
    waiting.clear()
  }
  const speakers = await readySpeakers(worker).catch(async (error: unknown) => {
    await endThread(worker)
    throw error
  })
  worker.unref()
  worker.on('message', (said: SherpaSaid) => {
    if ('id' in said) waiting.get(said.id)?.(said)
  })
  let ended: Error | null = null
  worker.on('error', (error: Error) => failAll((ended = error)))
  worker.on('exit', () => failAll((ended = new Error('The thread of sherpa-onnx has ended.'))))
  let ids = 0
  return {
    speakers,
    close: () => void endThread(worker),
    make(asked) {
      if (ended) return Promise.reject(ended)
      if (waiting.size >= WAITING_MAX) return Promise.reject(new Error('Too many sentences are waiting to be spoken.'))
      const id = ++ids
      return new Promise<MadeSpeech>((resolve, reject) => {
        const late = setTimeout(() => waiting.get(id)?.(new Error('sherpa-onnx was too slow.')), SENTENCE_WITHIN_MS)
        waiting.set(id, (said) => {
          clearTimeout(late)
          waiting.delete(id)
          if (said instanceof Error) reject(said)
          else if (said.type === 'said') resolve({ samples: said.samples, rateHz: said.rateHz })
          else reject(new Error('why' in said ? said.why : 'It said something else.'))
        })
        worker.postMessage({ id, ...asked } satisfies SherpaAsked)
      })
    },
  }
}

function readySpeakers(worker: Worker): Promise<Readonly<Record<string, number>>> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('its models were not loaded in time')), READY_WITHIN_MS)
    const settle = (said: SherpaSaid) => {
      clearTimeout(late)
      if (said.type === 'ready') resolve(said.speakers)
      else reject(new Error('why' in said ? said.why : 'it did not start'))
    }
    worker.once('message', settle)
    worker.once('error', (error: Error) => {
      clearTimeout(late)
      reject(error)
    })
  })
}
