import { systemClock, virtualClock } from '@parley/voice-ports'
import { mouthConforms } from '@parley/voice-ports/conformance'
import { type MouthFarEnd, startElevenLabsFarEnd } from '@parley/sandbox/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { SpeechFailure } from '../failure.ts'
import { failed, hear, TEXT, until } from '../testing/listening.ts'
import { voiceTables } from '../voices.ts'
import { checkElevenLabs, createElevenLabsMouth } from './index.ts'

let far: MouthFarEnd
beforeAll(async () => {
  far = await startElevenLabsFarEnd()
})
afterAll(() => far.close())
afterEach(() => far.faults.clear())

const made = (changes: Partial<Parameters<typeof createElevenLabsMouth>[0]> = {}) =>
  createElevenLabsMouth({
    apiKey: far.apiKey,
    baseUrl: far.url,
    model: 'eleven_flash_v2_5',
    voices: voiceTables(null).elevenlabs,
    clock: systemClock(),
    ...changes,
  })
const VOICE = { language: 'en', voiceId: 'warm' }

mouthConforms('ElevenLabs', () => made())

describe('createElevenLabsMouth()', () => {
  it('opens one connection with the voice, keeps it for all texts and counts their characters', async () => {
    const before = far.connections.opened
    const spoken: unknown[] = []
    const speaking = made().open({ ...VOICE, onSpoken: (each) => void spoken.push(each) })
    await until(() => expect(far.connections.opened).toBe(before + 1))
    for (const text of ['One.', 'Two.', 'Three.']) await hear(speaking, text)
    speaking.close()
    await until(() => expect(far.connections.open).toBe(0))
    expect(far.connections.opened).toBe(before + 1)
    expect(far.texts.slice(-3)).toMatchObject([
      { text: 'One.', voice: 'EXAVITQu4vr4xnSDxMaL', language: 'en', state: 'done' },
      { text: 'Two.' },
      { text: 'Three.' },
    ])
    expect(spoken).toEqual([4, 4, 6].map((characters) => ({ mouth: 'ElevenLabs', characters })))
  })

  it('connects again when the language changes', async () => {
    const speaking = made().open(VOICE)
    await hear(speaking)
    speaking.setLanguage('de')
    await hear(speaking, 'Guten Tag.')
    speaking.close()
    expect(far.texts.at(-1)).toMatchObject({ text: 'Guten Tag.', language: 'de' })
    await until(() => expect(far.connections.open).toBe(0))
  })

  it('cancels an aborted text at the vendor', async () => {
    const speaking = made().open(VOICE)
    const abort = new AbortController()
    const chunks = speaking.speak(TEXT.repeat(5), { signal: abort.signal })[Symbol.asyncIterator]()
    await chunks.next()
    abort.abort()
    await until(() => expect(far.texts.at(-1)).toMatchObject({ state: 'cancelled' }))
    speaking.close()
  })

  it.each(['odd', 'disordered'] as const)('speaks the whole text from messages that are %s', async (how) => {
    far.faults.set('text', { how })
    const speaking = made().open(VOICE)
    const { text, ms } = await hear(speaking)
    speaking.close()
    expect(text).toBe(TEXT)
    const other = made().open(VOICE)
    expect(ms).toBe((await hear(other)).ms)
    other.close()
  })

  it.each([
    ['a broken connection', { how: 'dropped', afterMs: 900 }, 'broken'],
    ['garbage', { how: 'garbage', afterMs: 900 }, 'broken'],
    ['an end without a sound', { how: 'empty' }, 'broken'],
    ['an account that is used up', { how: 'error', message: 'quota_exceeded', code: 1008 }, 'refused'],
    ['too many requests', { how: 'error', message: 'too_many_concurrent_requests', code: 1008 }, 'busy'],
  ] as const)('fails in mid-text on %s, and speaks the next text', async (_, fault, kind) => {
    far.faults.set('text', fault)
    const speaking = made().open(VOICE)
    await expect(hear(speaking)).rejects.toMatchObject({ kind })
    expect((await hear(speaking)).text).toBe(TEXT)
    speaking.close()
  })

  it.each([
    ['a wrong key', { apiKey: 'wrong' }, 'refused'],
    ['an address where nobody is', { baseUrl: 'http://127.0.0.1:1' }, 'broken'],
  ])('fails on %s, and tells so before anything is said', async (_, changes, kind) => {
    const failed: Error[] = []
    const speaking = made(changes).open({ ...VOICE, onFailed: (error) => void failed.push(error) })
    await until(() => expect(failed).toMatchObject([{ kind }]))
    await expect(hear(speaking)).rejects.toBeInstanceOf(SpeechFailure)
    speaking.close()
  })

  it.each([
    [429, 'busy'],
    [500, 'broken'],
  ])('fails on the status %i as %s', async (status, kind) => {
    far.faults.set('connect', { how: 'status', status }, Infinity)
    const speaking = made().open(VOICE)
    await expect(hear(speaking)).rejects.toMatchObject({ kind })
    speaking.close()
  })

  it('is unable to speak in a voice that does not exist', async () => {
    const voices = voiceTables('{"elevenlabs":{"warm":{"any":"unknown"}}}').elevenlabs
    const speaking = made({ voices }).open(VOICE)
    await expect(hear(speaking)).rejects.toMatchObject({ kind: 'unable' })
    speaking.close()
  })

  it('gives up a text without a first sound after 2.5 s, and one that stops after 2 s', async () => {
    const clock = virtualClock()
    const speaking = made({ clock }).open(VOICE)
    for (const [afterMs, waitMs] of [
      [0, 2500],
      [600, 2000],
    ] as const) {
      far.faults.set('text', { how: 'silent', afterMs })
      const { length } = far.texts
      const late = failed(hear(speaking))
      await until(() => expect(far.texts[length]).toMatchObject({ state: 'lost' }))
      await clock.advance(waitMs)
      expect(await late).toMatchObject({ kind: 'late' })
    }
    speaking.close()
  })

  it('gives up a connection that is not accepted within 3 s', async () => {
    far.faults.set('connect', { how: 'silent' })
    const clock = virtualClock()
    const speaking = made({ clock }).open(VOICE)
    const late = failed(hear(speaking))
    await clock.advance(3000)
    expect(await late).toMatchObject({ kind: 'late' })
    speaking.close()
  })

  it('connects again when the vendor closes a quiet connection', async () => {
    const clock = virtualClock()
    const speaking = made({ clock }).open(VOICE)
    await hear(speaking)
    const { opened } = far.connections
    await clock.advance(60_000)
    far.drop()
    await until(() => expect(far.connections.opened).toBe(opened + 1))
    expect((await hear(speaking)).text).toBe(TEXT)
    speaking.close()
  })
})

describe('checkElevenLabs()', () => {
  const { signal } = new AbortController()
  it('is content with a key that the vendor takes, and names the variable of one that it does not', async () => {
    expect(await checkElevenLabs({ apiKey: far.apiKey, baseUrl: far.url }, signal)).toMatchObject({ ok: true })
    expect(await checkElevenLabs({ apiKey: 'wrong', baseUrl: far.url }, signal)).toEqual({
      ok: false,
      problem: 'ElevenLabs refuses the key in ELEVENLABS_API_KEY.',
      mend: 'Set ELEVENLABS_API_KEY to a key of your account.',
    })
  })
})
