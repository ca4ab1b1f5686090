import { Worker } from 'node:worker_threads'
import type { TurnEnd } from '@parley/voice-ports'
import type { Logger } from 'pino'
import { endThread, readyThread } from '../model-thread.ts'
import type { Answered, Asked } from './worker.ts'

const READY_WITHIN_MS = 20_000
/** The model's own threshold. */
const COMPLETE = 0.5
/** Silence after which a turn that sounds complete is over. */
const COMPLETE_MS = 300
/** The same for one that does not, the longer the surer the model is. */
const INCOMPLETE_MS = 1500
const CERTAINLY_INCOMPLETE_MS = 3000

/** A TurnEnd with a thread of its own. */
export interface SmartTurn extends TurnEnd {
  close(): Promise<void>
}

/** How long to wait, by the probability that the turn is over. */
export function waitFor(complete: number): number {
  if (complete >= COMPLETE) return COMPLETE_MS
  return INCOMPLETE_MS + (CERTAINLY_INCOMPLETE_MS - INCOMPLETE_MS) * (1 - complete / COMPLETE)
}

/**
 * Predicts the end of a turn from its sound by a smart-turn model, version 3, in `file` (ONNX; input `input_features` of
 * 1 x 80 x 800, output the probability). Rejects with a reason when the file is no such model; when the thread dies
 * later, the words alone decide.
 */
export async function createSmartTurn(file: string, log: Logger): Promise<SmartTurn> {
  const worker = new Worker(new URL('worker.ts', import.meta.url), { workerData: { model: file } })
  const waiting = new Map<number, (answered: Answered) => void>()
  await readyThread(worker, READY_WITHIN_MS)
  let over = false
  worker.on('message', (answered: Answered) => waiting.get(answered.id)?.(answered))
  worker.on('error', (error) => {
    over = true
    for (const [id, settle] of waiting) settle({ id, failure: 'the thread has ended' })
    log.error({ err: error }, 'the predictor of turn ends has ended: words alone decide')
  })
  let ids = 0
  const post = (asked: Asked) => worker.postMessage(asked)
  return {
    name: 'smart-turn',
    async predict({ audio }, signal) {
      if (over || signal.aborted) return null
      const id = ++ids
      const abandon = () => post({ id, abandoned: true })
      signal.addEventListener('abort', abandon, { once: true })
      try {
        const answered = await new Promise<Answered | null>((resolve) => {
          waiting.set(id, resolve)
          signal.addEventListener('abort', () => resolve(null), { once: true })
          post({ id, audio })
        })
        if (answered === null) return null
        if ('failure' in answered) throw new Error(`End of turn not predicted: ${answered.failure}`)
        return waitFor(answered.complete)
      } finally {
        waiting.delete(id)
        signal.removeEventListener('abort', abandon)
      }
    },
    async close() {
      over = true
      await endThread(worker)
    },
  }
}
