import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { endThread, readyThread } from './model-thread.ts'

const COMPUTES_MS = 400

/** A thread that loads for so long, and computes at each message, as native code does: nothing else runs meanwhile. */
function thread(loadsMs: number) {
  const computed = new Int32Array(new SharedArrayBuffer(4))
  const code = `
    const { parentPort, workerData } = require('node:worker_threads')
    const compute = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
    compute(workerData.loadsMs)
    parentPort.on('message', (asked) => {
      if (asked === 'end') return parentPort.close()
      compute(${COMPUTES_MS})
      Atomics.add(workerData.computed, 0, 1)
    })
    parentPort.postMessage('ready')`
  const worker = new Worker(code, { eval: true, workerData: { loadsMs, computed } })
  const exit = once(worker, 'exit') as Promise<[number]>
  return { worker, computed, exit }
}

/** Of a thread that ended by itself; terminate() makes it 1. */
const BY_ITSELF = [0]

test('a thread that is not ready in time is given up, and ends by itself when it has loaded', async () => {
  const { worker, exit } = thread(COMPUTES_MS)
  await expect(readyThread(worker, 50)).rejects.toThrow('aborted')
  expect(await exit).toEqual(BY_ITSELF)
})

test('a thread that computes is ended after that', async () => {
  const { worker, computed, exit } = thread(0)
  expect(await readyThread(worker, 60_000)).toBe('ready')
  worker.postMessage('compute')
  await endThread(worker)
  expect(await exit).toEqual(BY_ITSELF)
  expect(computed[0]).toBe(1)
})

test('a thread that fails gives its error, and has nothing to end', async () => {
  const worker = new Worker("throw new Error('no such model')", { eval: true })
  await expect(readyThread(worker, 60_000)).rejects.toThrow('no such model')
  await endThread(worker)
})
