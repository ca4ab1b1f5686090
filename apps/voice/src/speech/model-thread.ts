import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'

/** Asks a thread that runs a model to end when nothing is computed. It closes its port then, and ends by itself. */
export const END = 'end'
const ENDS_WITHIN_MS = 5000

/**
 * Resolves with the thread's first message. Rejects where the thread fails, or has not loaded its model within
 * `readyWithinMs`; it ends as soon as it has.
 */
export async function readyThread(worker: Worker, readyWithinMs: number): Promise<unknown> {
  try {
    // Rejects on an error of the thread too.
    const [first] = (await once(worker, 'message', { signal: AbortSignal.timeout(readyWithinMs) })) as [unknown]
    worker.unref()
    return first
  } catch (error) {
    // Of a thread that nobody waits for.
    worker.on('error', () => undefined)
    await endThread(worker)
    throw error
  }
}

/**
 * Ends a thread when it computes nothing, and waits for that within a bound. Never by terminate(): while native code
 * loads a model or runs it, that ends the whole process (the runtimes throw where nobody can catch it).
 */
export async function endThread(worker: Worker): Promise<void> {
  // Its end has been seen, then: nothing comes any more.
  if (worker.threadId === -1) return
  worker.postMessage(END)
  // A process that ended meanwhile would end the thread as terminate() does.
  worker.ref()
  await once(worker, 'exit', { signal: AbortSignal.timeout(ENDS_WITHIN_MS) }).catch(() => worker.unref())
}
