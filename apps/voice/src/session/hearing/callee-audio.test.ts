import { describe, expect, it } from 'vitest'
import {
  type Clock,
  FRAME_MS,
  type Frame,
  frameTicker,
  silentFrame,
  type VirtualClock,
  virtualClock,
} from '@parley/voice-ports'
import { Figures, NO_PRICES } from '../reporting/figures.ts'
import { CallSound } from '../reporting/sound.ts'
import { stageCall } from '../testing/staged-call.ts'
import { CalleeAudio } from './callee-audio.ts'

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

describe('a line that stalls', () => {
  /** The words of a call whose line stalls for this long behind the first word of "Yes. We have one at eight". */
  async function stalledFor(ms: number, silence: 'sent' | 'left_out') {
    const call = stageCall()
    call.far.capabilities = { ...call.far.capabilities, silence }
    await call.opened()
    const spoken = call.far.says('Yes. We have one at eight')
    call.far.delaysMs.push(...Array.from({ length: 15 }, () => 0))
    for (let lateMs = ms; lateMs > 0; lateMs -= FRAME_MS) call.far.delaysMs.push(lateMs)
    await spoken
    await call.clock.advance(6000)
    return call.turns().flatMap(({ speaker, text }) => (speaker === 'user' ? [text] : []))
  }

  it('parts no turn within 1 s where the carrier sends silence too', async () => {
    expect(await stalledFor(900, 'sent')).toEqual(['Yes. We have one at eight'])
  })

  it('is taken for a pause where the carrier leaves silence out, and after 1 s anywhere', async () => {
    expect((await stalledFor(900, 'left_out')).length).toBeGreaterThan(1)
    expect((await stalledFor(3000, 'sent')).length).toBeGreaterThan(1)
  })
})

/** The callee's sound alone, and the frames that were heard of it, each with its end. */
function alone(
  carrier: 'sends silence' | 'leaves silence out',
  more: (clock: VirtualClock) => Partial<Clock> = () => ({}),
) {
  const clock = virtualClock()
  const heard: { readonly frame: Frame; readonly endsMs: number }[] = []
  const audio = new CalleeAudio({
    clock: { ...clock, ...more(clock) },
    sound: new CallSound(clock, () => null),
    ticker: frameTicker(clock),
    figures: new Figures({ prices: NO_PRICES }),
    leavesOutSilence: () => carrier === 'leaves silence out',
    guard: (task) => task(),
    onFault: (error) => {
      throw error
    },
    hearing: { hear: (frame, { endsMs }) => void heard.push({ frame, endsMs }) },
  })
  return { clock, audio, heard }
}

it('is late once a carrier that sends silence has sent nothing for 60 ms, until silence takes its place', async () => {
  const { clock, audio } = alone('sends silence')
  await clock.advance(FRAME_MS)
  audio.push(silentFrame(), 0)
  const isLateAfter = async (ms: number) => {
    await clock.advance(ms)
    return audio.isLate
  }
  expect([await isLateAfter(59), await isLateAfter(1), await isLateAfter(939)]).toEqual([false, true, true])
  expect(await isLateAfter(1)).toBe(false)
})

describe('a stall of the process', () => {
  /** Five frames come in time; the next ones wait to be read when the clock goes on 200 ms later. */
  async function stalled(waiting: number) {
    const reads: (() => void)[] = []
    const { clock, audio, heard } = alone('leaves silence out', () => ({ whenRead: (task) => void reads.push(task) }))
    const spoken = { audio: new Uint8Array(160).fill(0x10) }
    const push = (at: number) => audio.push(spoken, at * FRAME_MS)
    for (let at = 0; at < 5; at++) {
      await clock.advance(FRAME_MS)
      push(at)
    }
    await clock.advance(200)
    for (let at = 5; at < 5 + waiting; at++) push(at)
    for (const task of reads.splice(0)) task()
    return heard.map(({ frame }) => (frame === spoken ? 'speech' : Buffer.compare(frame.audio, silentFrame().audio)))
  }

  it('puts no silence in the place of frames that wait to be read', async () => {
    expect(await stalled(10)).toEqual(Array.from({ length: 15 }, () => 'speech'))
  })

  it('puts silence in the place of frames that did not come', async () => {
    const heard = await stalled(0)
    expect(heard.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 'speech'))
    expect(heard.slice(5)).toEqual(Array.from({ length: 10 }, () => 0))
  })

  it('moves no frame to an earlier time, though the clock stands at a task that is due', async () => {
    let stalledMs = 0
    const { clock, audio, heard } = alone('sends silence', (time) => ({
      arrivalMs: () => time.nowMs() + stalledMs,
    }))
    await clock.advance(FRAME_MS)
    audio.push(silentFrame(), 0)
    // 500 ms are gone, and the clock has not gone on yet.
    stalledMs = 500
    for (let at = 1; at <= 25; at++) audio.push(silentFrame(), at * FRAME_MS)
    expect(heard.map(({ endsMs }) => endsMs)).toEqual(Array.from({ length: 26 }, (_, at) => (at + 1) * FRAME_MS))
  })
})
