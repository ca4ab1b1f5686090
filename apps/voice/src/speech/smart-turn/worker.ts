import { parentPort, workerData } from 'node:worker_threads'
import { decodeMulaw, resample, SAMPLE_RATE_HZ } from '@parley/voice-ports'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { z } from 'zod'
import { END } from '../model-thread.ts'
import { COLUMNS, logMel, MELS, RATE_HZ, SAMPLES } from './features.ts'

// Runs the smart-turn model for all calls of the process, in a thread of its own, so that no frame waits for it.

/** audio: the last seconds of a callee, 8 kHz mu-law. */
export type Asked =
  | { readonly id: number; readonly audio: Uint8Array }
  | { readonly id: number; readonly abandoned: true }
/** complete: how likely the turn is over, 0 to 1. */
export type Answered =
  | { readonly id: number; readonly complete: number }
  | { readonly id: number; readonly failure: string }

const INPUT = 'input_features'
const FULL_SCALE = 32_768
/** Calls that pause at once; beyond it the oldest is too late anyway. */
const WAITING_MAX = 32

const port = parentPort
if (!port) throw new Error('The model runs in a worker thread.')
const { model } = z.object({ model: z.string() }).parse(workerData)
const session = await InferenceSession.create(model, {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
})
if (!session.inputNames.includes(INPUT)) throw new Error(`it takes no "${INPUT}" and is not smart-turn version 3`)
const waiting = new Map<number, Uint8Array>()
let running = false

port.on('message', (asked: Asked | typeof END) => {
  if (asked === END) {
    waiting.clear()
    return port.close()
  }
  if ('abandoned' in asked) return void waiting.delete(asked.id)
  waiting.set(asked.id, asked.audio)
  const [oldest] = waiting.keys()
  if (waiting.size > WAITING_MAX && oldest !== undefined) {
    waiting.delete(oldest)
    answer({ id: oldest, failure: 'too many pauses at once' })
  }
  if (!running) void run()
})
port.postMessage('ready')

function answer(answered: Answered): void {
  port?.postMessage(answered)
}

async function run(): Promise<void> {
  running = true
  for (let next = first(); next; next = first()) {
    const [id, audio] = next
    waiting.delete(id)
    try {
      answer({ id, complete: await judge(audio) })
    } catch (error) {
      answer({ id, failure: String(error) })
    }
    // Lets the pauses that are over be withdrawn.
    await new Promise((resolve) => setImmediate(resolve))
  }
  running = false
}

function first(): readonly [number, Uint8Array] | undefined {
  const [next] = waiting
  return next
}

async function judge(audio: Uint8Array): Promise<number> {
  const heard = resample(decodeMulaw(audio), SAMPLE_RATE_HZ, RATE_HZ).slice(-SAMPLES)
  // Silence stands before what is shorter: the end of the sound is the end of the window.
  const samples = new Float32Array(SAMPLES)
  samples.set(
    Float32Array.from(heard, (value) => value / FULL_SCALE),
    SAMPLES - heard.length,
  )
  const outputs = await session.run({ [INPUT]: new Tensor('float32', logMel(samples), [1, MELS, COLUMNS]) })
  const data = outputs[session.outputNames[0] ?? '']?.data
  const complete = data instanceof Float32Array ? data[0] : undefined
  if (complete === undefined || !(complete >= 0 && complete <= 1)) throw new Error('The model gave no probability.')
  return complete
}
