import { describe, expect, it } from 'vitest'
import { FRAME_MS } from '@parley/voice-ports'
import { stageCall } from '../testing/staged-call.ts'

type Call = ReturnType<typeof stageCall>

/** Jitter of 0 to 100 ms, the same in each run. */
const JITTER_MS = Array.from({ length: 3000 }, (_, at) => (at * 37) % 101)

/** The callee speaks twice; the turns and what was recorded. */
async function held(faults: (far: Call['far']) => void) {
  const call = stageCall({ order: { record: true } })
  faults(call.far)
  await call.opened()
  await call.far.says('We have one at eight')
  await call.clock.advance(6000)
  await call.far.says('Yes it is for four')
  await call.clock.advance(6000)
  call.far.end('remote')
  await call.over()
  return { turns: call.turns(), recorded: call.recording.channels()! }
}

/** Pauses between the end of a turn of the callee and the answer to it. */
const answersMs = (turns: Awaited<ReturnType<typeof held>>['turns']) =>
  turns.flatMap(({ speaker, startMs }, at) => {
    const before = turns[at - 1]
    return speaker === 'agent' && before?.speaker === 'user' ? [startMs - before.endMs!] : []
  })

/** When the recorded callee is first and last loud, in ms. */
const loudMs = (channel: Uint8Array) => [channel.findIndex(isLoud) / 8, channel.findLastIndex(isLoud) / 8]
const isLoud = (code: number) => (code & 0x7f) < 0x40

describe("the callee's sound", () => {
  it('ends a turn at the same time with and without jitter of arrival', async () => {
    const even = await held(() => undefined)
    const jittered = await held((far) => void far.delaysMs.push(...JITTER_MS))
    expect(answersMs(even.turns)).toHaveLength(2)
    answersMs(jittered.turns).forEach((ms, at) =>
      expect(Math.abs(ms - answersMs(even.turns)[at]!)).toBeLessThan(FRAME_MS),
    )
    const ends = ({ turns }: typeof even) => turns.flatMap(({ speaker, endMs }) => (speaker === 'user' ? endMs! : []))
    ends(jittered).forEach((ms, at) => expect(Math.abs(ms - ends(even)[at]!)).toBeLessThanOrEqual(FRAME_MS))
  })

  it('is recorded the same with and without jitter of arrival', async () => {
    const [even] = (await held(() => undefined)).recorded
    const [jittered] = (await held((far) => void far.delaysMs.push(...JITTER_MS))).recorded
    loudMs(jittered).forEach((ms, at) => expect(Math.abs(ms - loudMs(even)[at]!)).toBeLessThanOrEqual(FRAME_MS))
    const spoken = (channel: Uint8Array) =>
      Buffer.from(channel.slice(channel.findIndex(isLoud), channel.findLastIndex(isLoud)))
    expect(spoken(jittered).equals(spoken(even))).toBe(true)
  })

  it('ends a turn as soon where the carrier sends no frames in silence', async () => {
    const even = await held(() => undefined)
    const dtx = await held((far) => void (far.dtx = true))
    answersMs(dtx.turns).forEach((ms, at) =>
      expect(Math.abs(ms - answersMs(even.turns)[at]!)).toBeLessThanOrEqual(FRAME_MS),
    )
    expect(dtx.turns.map(({ text }) => text)).toEqual(even.turns.map(({ text }) => text))
  })
})
