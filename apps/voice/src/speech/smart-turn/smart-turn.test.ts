import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeMulaw } from '@parley/voice-ports'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COLUMNS, logMel, MELS, SAMPLES } from './features.ts'
import { createSmartTurn, type SmartTurn, waitFor } from './index.ts'

const log = pino({ level: 'silent' })

describe('logMel', () => {
  // Made with numpy from the definition: its FFT, Slaney's bands, a periodic Hann window, reflected edges.
  const expected = [
    [0, 0, -0.30813],
    [10, 200, 1.52108],
    [10, 300, 1.6024],
    [17, 500, 0.13725],
    [60, 499, -0.05084],
    [79, 799, -0.12624],
  ] as const

  it('gives the values of the definition for two tones that begin one after the other', () => {
    const features = logMel(
      Float32Array.from({ length: SAMPLES }, (_, i) => {
        const t = i / 16_000
        const low = t > 2 ? 0.4 * Math.sin(2 * Math.PI * 440 * t) : 0
        return low + (t > 5 ? 0.1 * Math.sin(2 * Math.PI * 2500 * t + 1) : 0)
      }),
    )
    expect(features).toHaveLength(MELS * COLUMNS)
    for (const [mel, column, value] of expected) expect(features[mel * COLUMNS + column]).toBeCloseTo(value, 4)
  })

  it('gives one finite value everywhere for silence', () => {
    const features = logMel(new Float32Array(SAMPLES))
    expect(new Set(features).size).toBe(1)
    expect(features[0]).toBeTypeOf('number')
    expect(Number.isFinite(features[0])).toBe(true)
  })
})

it('a turn that sounds complete waits shortly, and a surely incomplete one longest', () => {
  expect(waitFor(1)).toBe(300)
  expect(waitFor(0.5)).toBe(300)
  expect(waitFor(0.49)).toBeGreaterThanOrEqual(1500)
  expect(waitFor(0)).toBe(3000)
})

describe('createSmartTurn', () => {
  let dir: string
  let turnEnd: SmartTurn
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'parley-smart-turn-'))
    await writeFile(join(dir, 'model.onnx'), brightnessModel('input_features'))
    turnEnd = await createSmartTurn(join(dir, 'model.onnx'), log)
  })
  afterAll(async () => {
    await turnEnd.close()
    await rm(dir, { recursive: true, force: true })
  })

  const ask = (audio: Uint8Array, signal = new AbortController().signal) =>
    turnEnd.predict({ text: 'yes', language: 'en', turns: [], audio }, signal)
  const tone = (seconds: number) =>
    encodeMulaw(
      Float64Array.from({ length: seconds * 8000 }, (_, i) => 8000 * Math.sin((2 * Math.PI * 440 * i) / 8000)),
    )
  const noise = (seconds: number) =>
    encodeMulaw(Float64Array.from({ length: seconds * 8000 }, (_, i) => ((i * 7919) % 4001) - 2000))

  it('asks the model about the sound before the pause', async () => {
    expect(await ask(noise(8))).toBe(300)
    expect(await ask(tone(8))).toBeGreaterThan(1500)
  })

  it('takes a turn shorter and one longer than the window', async () => {
    expect(await ask(tone(0.02))).toBeTypeOf('number')
    expect(await ask(noise(12))).toBe(300)
    expect(await ask(new Uint8Array())).toBeTypeOf('number')
  })

  it('answers each of many that ask at once', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, (_, nth) => ask(nth % 2 ? noise(1) : tone(1))))
    expect(answers.every((wait) => wait !== null)).toBe(true)
  })

  it('a pause that is over gets no answer', async () => {
    const abort = new AbortController()
    const answer = ask(noise(8), abort.signal)
    abort.abort()
    expect(await answer).toBeNull()
    expect(await ask(noise(8), abort.signal)).toBeNull()
  })

  it('refuses a file that is no model, one of another kind, and one that is not there', async () => {
    await writeFile(join(dir, 'text.onnx'), 'not a model')
    await writeFile(join(dir, 'other.onnx'), brightnessModel('waveform'))
    await expect(createSmartTurn(join(dir, 'text.onnx'), log)).rejects.toThrow(/protobuf/i)
    await expect(createSmartTurn(join(dir, 'other.onnx'), log)).rejects.toThrow('not smart-turn version 3')
    await expect(createSmartTurn(join(dir, 'missing.onnx'), log)).rejects.toThrow(/missing\.onnx/)
  })
})

/**
 * An ONNX model with smart-turn's shapes: the sigmoid of 8 x (the mean of all features - 0.5), so that sound with energy
 * in every band counts as complete. Written by the fields of onnx.proto.
 */
function brightnessModel(input: string): Uint8Array {
  const shape = (...dims: number[]) => field(2, Buffer.concat(dims.map((dim) => field(1, number(1, dim)))))
  const value = (name: string, ...dims: number[]) =>
    Buffer.concat([text(1, name), field(2, field(1, Buffer.concat([number(1, 1), shape(...dims)])))])
  const node = (type: string, inputs: string[], output: string, attributes = Buffer.alloc(0)) =>
    field(1, Buffer.concat([...inputs.map((name) => text(1, name)), text(2, output), text(4, type), attributes]))
  const constant = (name: string, at: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeFloatLE(at)
    return field(5, Buffer.concat([number(1, 1), number(1, 1), number(2, 1), text(8, name), field(9, bytes)]))
  }
  // ReduceMean over everything, keeping the dimensions.
  const keep = field(5, Buffer.concat([text(1, 'keepdims'), number(3, 1), number(20, 2)]))
  const reshaped = field(5, Buffer.concat([text(1, 'axis'), number(3, 1), number(20, 2)]))
  const graph = Buffer.concat([
    node('ReduceMean', [input], 'mean', keep),
    node('Sub', ['mean', 'half'], 'over'),
    node('Mul', ['over', 'eight'], 'scaled'),
    node('Sigmoid', ['scaled'], 'probability'),
    node('Flatten', ['probability'], 'logits', reshaped),
    text(2, 'brightness'),
    constant('half', 0.5),
    constant('eight', 8),
    field(11, value(input, 1, MELS, COLUMNS)),
    field(12, value('logits', 1, 1)),
  ])
  const opset = field(8, Buffer.concat([text(1, ''), number(2, 13)]))
  return Buffer.concat([number(1, 8), field(7, graph), opset])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  return Buffer.from([...bytes, rest])
}

const number = (tag: number, value: number) => Buffer.concat([varint(tag * 8), varint(value)])
const field = (tag: number, bytes: Buffer) => Buffer.concat([varint(tag * 8 + 2), varint(bytes.length), bytes])
const text = (tag: number, value: string) => field(tag, Buffer.from(value))
