import { parentPort, workerData } from 'node:worker_threads'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { z } from 'zod'
import { END } from '../model-thread.ts'
import { CONTEXT_SAMPLES, type Window, WINDOW_SAMPLES, Windows } from './windows.ts'

// Runs the Silero model for all calls of the process, in a thread of its own, so that no frame waits for it.

/** What the detector posts: sound of a leg, or the end of the leg. */
export type Asked =
  | { readonly id: number; readonly audio: Uint8Array; readonly endsMs: number }
  | { readonly id: number; readonly closed: true }
export interface Answered {
  readonly id: number
  readonly endsMs: number
  readonly speech: number
}

/** Numbers in the model's state, of each of its two layers. */
const STATE = 128
const LAYERS = 2
/** Legs judged in one run. */
const BATCH_MAX = 64
/** Windows of one leg that may wait, half a second: older ones are dropped, since a late verdict is of no use. */
const WAITING_MAX = 16

interface Leg {
  readonly windows: Windows
  readonly waiting: Window[]
  readonly state: Float32Array
}

const port = parentPort
if (!port) throw new Error('The detector runs in a worker thread.')
const { model } = z.object({ model: z.string() }).parse(workerData)
const session = await InferenceSession.create(model, {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
})
const rate = new Tensor('int64', BigInt64Array.of(8000n), [])
const legs = new Map<number, Leg>()
let running = false

port.on('message', (asked: Asked | typeof END) => {
  if (asked === END) {
    legs.clear()
    return port.close()
  }
  if ('closed' in asked) return void legs.delete(asked.id)
  const leg = legs.get(asked.id) ?? open(asked.id)
  leg.waiting.push(...leg.windows.push(asked.audio, asked.endsMs))
  while (leg.waiting.length > WAITING_MAX) leg.waiting.shift()
  if (!running) void run()
})
port.postMessage('ready')

function open(id: number): Leg {
  const leg = { windows: new Windows(), waiting: [], state: new Float32Array(LAYERS * STATE) }
  legs.set(id, leg)
  return leg
}

async function run(): Promise<void> {
  running = true
  for (let batch = nextBatch(); batch.length > 0; batch = nextBatch()) await judge(batch)
  running = false
}

interface Due {
  readonly id: number
  readonly leg: Leg
  readonly window: Window
}

/** The oldest window of each leg that has one. */
function nextBatch(): Due[] {
  const batch: Due[] = []
  for (const [id, leg] of legs) {
    const window = batch.length < BATCH_MAX ? leg.waiting.shift() : undefined
    if (window) batch.push({ id, leg, window })
  }
  return batch
}

async function judge(batch: readonly Due[]): Promise<void> {
  const length = CONTEXT_SAMPLES + WINDOW_SAMPLES
  const input = new Float32Array(batch.length * length)
  const state = new Float32Array(LAYERS * batch.length * STATE)
  for (const [at, { leg, window }] of batch.entries()) {
    if (window.isFirst) leg.state.fill(0)
    input.set(window.samples, at * length)
    for (let layer = 0; layer < LAYERS; layer++)
      state.set(leg.state.subarray(layer * STATE, (layer + 1) * STATE), (layer * batch.length + at) * STATE)
  }
  const { output, stateN } = await session.run({
    input: new Tensor('float32', input, [batch.length, length]),
    state: new Tensor('float32', state, [LAYERS, batch.length, STATE]),
    sr: rate,
  })
  for (const [at, { id, leg, window }] of batch.entries()) {
    for (let layer = 0; layer < LAYERS; layer++) {
      const from = (layer * batch.length + at) * STATE
      leg.state.set(numbersOf(stateN).subarray(from, from + STATE), layer * STATE)
    }
    port?.postMessage({ id, endsMs: window.endsMs, speech: numbersOf(output)[at] ?? 0 } satisfies Answered)
  }
}

function numbersOf(tensor: Tensor | undefined): Float32Array {
  if (tensor?.data instanceof Float32Array) return tensor.data
  throw new Error('The model gave no numbers.')
}
