import { systemClock, virtualClock } from '@parley/voice-ports'
import { mouthConforms } from '@parley/voice-ports/conformance'
import { createUntimedMouth } from '@parley/sandbox'
import { type MouthFarEnd, startOpenAiSpeechFarEnd } from '@parley/sandbox/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { failed, hear, TEXT, until } from '../testing/listening.ts'
import { voiceTables } from '../voices.ts'
import { checkOpenAiMouth } from './mouth-check.ts'
import { createOpenAiMouth, type OpenAiMouthOptions } from './mouth.ts'

let far: MouthFarEnd
beforeAll(async () => {
  far = await startOpenAiSpeechFarEnd()
})
afterAll(() => far.close())
afterEach(() => far.faults.clear())

const made = (changes: Partial<OpenAiMouthOptions> = {}) =>
  createOpenAiMouth({
    apiKey: far.apiKey,
    baseUrl: `${far.url}/v1`,
    model: 'gpt-4o-mini-tts',
    voices: voiceTables(null).openai,
    clock: systemClock(),
    ...changes,
  })
const VOICE = { language: 'en', voiceId: 'warm' }

mouthConforms('OpenAI', () => made())

describe('createOpenAiMouth()', () => {
  it('speaks in the voice of Settings, as long as the text, and counts its characters', async () => {
    const spoken: unknown[] = []
    const { ms } = await hear(made().open({ ...VOICE, onSpoken: (each) => void spoken.push(each) }))
    expect(far.texts.at(-1)).toMatchObject({ text: TEXT, voice: 'sage', state: 'done' })
    const direct = await hear(createUntimedMouth().open({ language: 'en', voiceId: 'default' }))
    expect(Math.abs(ms - direct.ms)).toBeLessThan(250)
    expect(spoken).toEqual([{ mouth: 'OpenAI', characters: TEXT.length }])
  })

  it('puts samples together that the network tore apart', async () => {
    const { ms } = await hear(made().open(VOICE))
    far.faults.set('text', { how: 'odd' })
    expect(Math.abs((await hear(made().open(VOICE))).ms - ms)).toBeLessThan(5)
  })

  it('ends the request of an aborted text', async () => {
    const abort = new AbortController()
    const speaking = made().open(VOICE)
    const chunks = speaking.speak(TEXT.repeat(20), { signal: abort.signal })[Symbol.asyncIterator]()
    await chunks.next()
    abort.abort()
    await until(() => expect(far.texts.at(-1)).toMatchObject({ state: 'cancelled' }))
  })

  it.each([
    ['a broken connection', 'text', { how: 'dropped', afterMs: 900 }, 'broken'],
    ['a connection that is reset', 'connect', { how: 'reset' }, 'broken'],
    ['the status 401', 'connect', { how: 'status', status: 401 }, 'refused'],
    ['the status 429', 'connect', { how: 'status', status: 429 }, 'busy'],
    ['the status 500', 'connect', { how: 'status', status: 500 }, 'broken'],
  ] as const)('fails on %s, and speaks the next text', async (_, point, fault, kind) => {
    const speaking = made().open(VOICE)
    far.faults.set(point, fault)
    await expect(hear(speaking)).rejects.toMatchObject({ kind })
    expect((await hear(speaking)).ms).toBeGreaterThan(1000)
  })

  it('gives up a text without a first sound after 2.5 s, and one that stops after 2 s', async () => {
    const clock = virtualClock()
    for (const [afterMs, waitMs] of [
      [0, 2500],
      [600, 2000],
    ] as const) {
      far.faults.set('text', { how: 'silent', afterMs })
      const { length } = far.texts
      let came = 0
      const late = failed(
        (async () => {
          const chunks = made({ clock }).open(VOICE).speak(TEXT, { signal: new AbortController().signal })
          for await (const { audio } of chunks) came += audio.length
        })(),
      )
      await until(() => expect(far.texts[length]).toMatchObject({ state: 'lost' }))
      await until(() => expect(came).toBeGreaterThanOrEqual(afterMs === 0 ? 0 : 4000))
      await clock.advance(waitMs)
      expect(await late).toMatchObject({ kind: 'late' })
    }
  })

  it('is checked by a request that names the variable of a wrong key', async () => {
    const { signal } = new AbortController()
    const baseUrl = `${far.url}/v1`
    expect(await checkOpenAiMouth({ apiKey: far.apiKey, baseUrl }, signal)).toMatchObject({ ok: true })
    expect(await checkOpenAiMouth({ apiKey: 'wrong', baseUrl }, signal)).toMatchObject({
      ok: false,
      problem: 'OpenAI refuses the key in OPENAI_API_KEY.',
    })
  })
})
