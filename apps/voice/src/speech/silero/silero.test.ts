import { encodeMulaw, FRAME_BYTES, FRAME_MS, type Judged, voiceShape } from '@parley/voice-ports'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SpeechDetector } from '@parley/voice-ports'
import { espeak } from '../local/espeak.ts'
import { findEspeak } from '../local/index.ts'
import { createSileroDetector } from './index.ts'
import { Windows } from './windows.ts'

let detector: SpeechDetector

beforeAll(async () => {
  detector = await createSileroDetector(pino({ level: 'silent' }))
})
afterAll(() => detector.close())

/** The verdicts on a sound, pushed frame by frame. */
async function judge(audio: Uint8Array): Promise<Judged[]> {
  const judged: Judged[] = []
  const windows = Math.floor(audio.length / 256)
  await new Promise<void>((resolve) => {
    const judging = detector.open((one) => {
      judged.push(one)
      if (judged.length < windows) return push()
      judging.close()
      resolve()
    })
    let at = 0
    // Two frames at a time, so that none is dropped for being late.
    const push = () => {
      for (let frames = 0; frames < 2 && at < audio.length; frames++, at += FRAME_BYTES)
        judging.push(audio.subarray(at, at + FRAME_BYTES), (at / FRAME_BYTES + 1) * FRAME_MS)
    }
    push()
  })
  return judged
}

const mean = (judged: readonly Judged[]) => judged.reduce((sum, { speech }) => sum + speech, 0) / judged.length

it('speech is judged likely, noise and silence unlikely', async () => {
  const binary = await findEspeak()
  if (binary === null) throw new Error('espeak-ng is not installed: the suite installs it.')
  const { audio } = await espeak(binary, 'We have a table for two at seven.', 'en', voiceShape('friendly'))
  let state = 1
  const noise = Float64Array.from({ length: 16_000 }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return (state / 2 ** 31) * 3000
  })
  expect(mean(await judge(audio.subarray(0, audio.length - (audio.length % 1280))))).toBeGreaterThan(0.6)
  expect(mean(await judge(encodeMulaw(noise)))).toBeLessThan(0.2)
  expect(mean(await judge(encodeMulaw(new Float64Array(8000))))).toBeLessThan(0.2)
})

it('two legs at once are judged as each would be alone', async () => {
  const low = encodeMulaw(Float64Array.from({ length: 5120 }, (_, at) => 5000 * Math.sin(at * 0.1)))
  const high = encodeMulaw(Float64Array.from({ length: 5120 }, (_, at) => 5000 * Math.sin(at * 0.9 + at * at * 1e-5)))
  const alone = [await judge(low), await judge(high)]
  const together = await Promise.all([judge(low), judge(high)])
  for (const [nth, verdicts] of together.entries())
    for (const [at, { endsMs, speech }] of verdicts.entries()) {
      expect(endsMs).toBe(alone[nth]?.[at]?.endsMs)
      expect(speech).toBeCloseTo(alone[nth]?.[at]?.speech ?? -1, 3)
    }
})

it('windows of 32 ms carry the end of the one before, and a gap starts anew', () => {
  const windows = new Windows()
  const frame = encodeMulaw(Float64Array.from({ length: FRAME_BYTES }, (_, at) => at * 100))
  expect(windows.push(frame, 20)).toEqual([])
  const [first] = windows.push(frame, 40)
  expect(first).toMatchObject({ endsMs: 32, isFirst: true })
  windows.push(frame, 60)
  const [second] = windows.push(frame, 80)
  expect(second).toMatchObject({ endsMs: 64, isFirst: false })
  expect(second?.samples.slice(0, 32)).toEqual(first?.samples.slice(-32))
  windows.push(frame, 500)
  expect(windows.push(frame, 520)).toMatchObject([{ endsMs: 512, isFirst: true }])
})
