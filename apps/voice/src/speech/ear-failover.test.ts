import { SpeechScript, startDeepgramFarEnd, startOpenaiTranscription } from '@parley/sandbox/testing'
import { FRAME_MS, type Frame, levelDbm0, virtualClock } from '@parley/voice-ports'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { type Heard, KeptEar } from '../session/hearing/kept-ear.ts'
import { createDeepgramEar } from './deepgram/index.ts'
import { createOpenaiEar } from './openai/index.ts'
import { quiet, spoken, textOf, timeWith } from './testing.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const LONG = spoken('Yes, we have a table for four at eight, would that be fine with you?')
const SURE = spoken('Sure, that is fine.')
const plain = (text: string) => text.toLowerCase().replaceAll(/[.,?]/g, '')

/** The ear of a call: Deepgram first, then OpenAI, before the same speech. */
async function kept() {
  const clock = virtualClock()
  const script = new SpeechScript([LONG, SURE].map((each) => ({ text: textOf(each), words: each.words })))
  const deepgram = await startDeepgramFarEnd({ clock, script })
  const openai = await startOpenaiTranscription({ clock, script })
  const { advance } = timeWith(clock, [deepgram, openai])
  const heard: Heard[] = []
  const told = { ready: [] as string[], broken: 0, lost: 0 }
  const ear = new KeptEar({
    ears: [
      createDeepgramEar({ apiKey: deepgram.apiKey, baseUrl: deepgram.url, model: 'nova-3' }),
      createOpenaiEar({ apiKey: openai.apiKey, baseUrl: openai.url, model: 'gpt-live-transcribe' }),
    ],
    clock,
    log: pino({ level: 'silent' }),
    after: (delayMs, task) => void clock.after(delayMs, task),
    language: () => 'en',
    keyterms: [],
    onEvent: (event) => void heard.push(event),
    onReady: ({ name }) => void told.ready.push(name),
    onFed: () => undefined,
    onBroken: () => void told.broken++,
    onLost: () => void told.lost++,
  })
  closing.push(async () => {
    ear.close()
    await Promise.all([deepgram.close(), openai.close()])
  })
  ear.open()
  await advance(0)
  const push = async (frames: readonly Frame[], isSpeaking = true) => {
    for (const frame of frames) {
      ear.push(frame, isSpeaking, levelDbm0(frame.audio))
      await advance(FRAME_MS)
    }
  }
  const words = () => heard.flatMap((event) => (event.type === 'words' ? [event] : []))
  const finals = () => words().flatMap(({ text, final }) => (final ? [text] : []))
  return { deepgram, openai, ear, advance, push, told, heard, words, finals }
}

const middle = LONG.frames.length / 2

describe('Deepgram, then OpenAI', () => {
  it('in a call whose connection breaks in mid-word: the words before it stay, and none is lost or doubled', async () => {
    const { deepgram, ear, push, told, words, finals, advance } = await kept()
    await push(LONG.frames.slice(0, middle))
    const before = words().at(-1)!.text
    expect(before.split(' ').length).toBeGreaterThan(4)
    deepgram.faults.next({ how: 'refused', status: 503 })
    deepgram.drop()
    await push([...LONG.frames.slice(middle), ...quiet(200)])
    ear.finalize()
    await advance(1500)
    expect(told).toEqual({ ready: ['Deepgram nova-3', 'OpenAI gpt-live-transcribe'], broken: 2, lost: 0 })
    expect(finals()).toEqual([textOf(LONG)])
    const counts = words().map(({ text }) => text.split(' ').length)
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
    for (const { text } of words()) expect(plain(textOf(LONG))).toContain(plain(text))
  })

  it('goes on with Deepgram where a second connection is taken', async () => {
    const { deepgram, ear, push, told, finals, advance } = await kept()
    await push(LONG.frames.slice(0, middle))
    deepgram.drop()
    await push([...LONG.frames.slice(middle), ...quiet(1000)])
    ear.finalize()
    await advance(1000)
    expect(told).toEqual({ ready: ['Deepgram nova-3', 'Deepgram nova-3'], broken: 1, lost: 0 })
    expect(finals()).toEqual([textOf(LONG)])
  })

  it('leaves Deepgram at once where it refuses the key, and answers the finalize() that was owed', async () => {
    const { deepgram, ear, push, told, finals, heard, advance } = await kept()
    await push([...LONG.frames, ...quiet(100)])
    deepgram.faults.next({ how: 'refused', status: 401 })
    deepgram.drop()
    ear.finalize()
    await push(quiet(2500))
    expect(told).toMatchObject({ ready: ['Deepgram nova-3', 'OpenAI gpt-live-transcribe'], lost: 0 })
    expect(finals()).toEqual([textOf(LONG)])
    expect(heard.filter(({ type }) => type === 'settled')).toHaveLength(1)
    await push([...SURE.frames, ...quiet(200)])
    ear.finalize()
    await advance(500)
    expect(finals()).toEqual([textOf(LONG), textOf(SURE)])
  })
})
