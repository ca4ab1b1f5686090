import { systemClock, virtualClock, type Clock, type Mouth } from '@parley/voice-ports'
import { mouthConforms } from '@parley/voice-ports/conformance'
import { type MouthFarEnd, startCartesiaFarEnd, startDeepgramSpeakFarEnd } from '@parley/sandbox/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { checkCartesia, createCartesiaMouth } from '../cartesia/index.ts'
import { checkDeepgramMouth } from '../deepgram/mouth-check.ts'
import { createDeepgramMouth } from '../deepgram/mouth.ts'
import { failed, hear, TEXT, until } from '../testing/listening.ts'
import { voiceTables } from '../voices.ts'

const voices = voiceTables(null)
const VOICE = { language: 'en', voiceId: 'warm' }
const { signal } = new AbortController()

const VENDORS = [
  {
    name: 'Cartesia',
    start: startCartesiaFarEnd,
    make: ({ apiKey, url: baseUrl }: MouthFarEnd, clock: Clock) =>
      createCartesiaMouth({ apiKey, baseUrl, model: 'sonic-3', voices: voices.cartesia, clock }),
    check: checkCartesia,
    key: 'CARTESIA_API_KEY',
    /** Of another language. */
    inGerman: { text: 'Guten Tag.', voice: '15a9cd88-84b0-4a8b-95f2-5d583b54c72e', language: 'de' },
  },
  {
    name: 'Deepgram',
    start: startDeepgramSpeakFarEnd,
    make: ({ apiKey, url: baseUrl }: MouthFarEnd, clock: Clock) =>
      createDeepgramMouth({ apiKey, baseUrl, model: 'aura-2', voices: voices.deepgram, clock }),
    check: checkDeepgramMouth,
    key: 'DEEPGRAM_API_KEY',
    inGerman: { text: 'Guten Tag.', voice: 'aura-2-aurelia-de' },
  },
] as const

describe.each(VENDORS)('the mouth of $name', ({ name, start, make, check, key, inGerman }) => {
  let far: MouthFarEnd
  beforeAll(async () => {
    far = await start()
  })
  afterAll(() => far.close())
  afterEach(() => far.faults.clear())
  const made = (clock: Clock = systemClock()): Mouth => make(far, clock)
  /** A mouth without times of words has only its sound to tell. */
  const whole = async (mouth: Mouth) => {
    const speaking = mouth.open(VOICE)
    const { text, ms } = await hear(speaking)
    speaking.close()
    return { text: mouth.wordTimes ? text : TEXT, ms }
  }

  mouthConforms(name, () => made())

  it('keeps one connection for all texts, and one for the voice of another language', async () => {
    const { opened } = far.connections
    const speaking = made().open(VOICE)
    await hear(speaking)
    await hear(speaking, 'Another text.')
    expect(far.connections.opened).toBe(opened + 1)
    speaking.setLanguage('de')
    await hear(speaking, 'Guten Tag.')
    expect(far.texts.at(-1)).toMatchObject(inGerman)
    speaking.close()
    await until(() => expect(far.connections.open).toBe(0))
  })

  it('cancels an aborted text at the vendor, and speaks the next one from its beginning', async () => {
    const speaking = made().open(VOICE)
    const abort = new AbortController()
    const chunks = speaking.speak(TEXT.repeat(5), { signal: abort.signal })[Symbol.asyncIterator]()
    await chunks.next()
    abort.abort()
    await until(() => expect(far.texts.at(-1)).toMatchObject({ state: 'cancelled' }))
    const { ms } = await hear(speaking)
    expect(ms).toBe((await whole(made())).ms)
    speaking.close()
  })

  it.each(['odd', 'disordered'] as const)('speaks the whole text from messages that are %s', async (how) => {
    const { ms } = await whole(made())
    far.faults.set('text', { how })
    expect(await whole(made())).toEqual({ text: TEXT, ms })
  })

  it.each([
    ['a broken connection', { how: 'dropped', afterMs: 900 }, 'broken'],
    ['garbage', { how: 'garbage', afterMs: 900 }, 'broken'],
    ['an error of the vendor', { how: 'error', message: 'internal', code: 500 }, 'broken'],
  ] as const)('fails in mid-text on %s, and speaks the next text', async (_, fault, kind) => {
    far.faults.set('text', fault)
    const speaking = made().open(VOICE)
    await expect(hear(speaking)).rejects.toMatchObject({ kind })
    expect((await hear(speaking)).ms).toBeGreaterThan(1000)
    speaking.close()
  })

  it.each([
    [401, 'refused'],
    [402, 'refused'],
    [429, 'busy'],
    [503, 'broken'],
  ])('fails on the status %i as %s', async (status, kind) => {
    far.faults.set('connect', { how: 'status', status }, Infinity)
    const speaking = made().open(VOICE)
    await expect(hear(speaking)).rejects.toMatchObject({ kind })
    speaking.close()
  })

  it('gives up a text without a first sound after 2.5 s', async () => {
    const clock = virtualClock()
    const speaking = made(clock).open(VOICE)
    far.faults.set('text', { how: 'silent', afterMs: 0 })
    const late = failed(hear(speaking))
    await until(() => expect(far.texts.at(-1)).toMatchObject({ state: 'lost' }))
    await clock.advance(2500)
    expect(await late).toMatchObject({ kind: 'late' })
    speaking.close()
  })

  it('is checked by a request that names the variable of a wrong key', async () => {
    expect(await check({ apiKey: far.apiKey, baseUrl: far.url }, signal)).toMatchObject({ ok: true })
    expect(await check({ apiKey: 'wrong', baseUrl: far.url }, signal)).toMatchObject({
      ok: false,
      problem: `${name} refuses the key in ${key}.`,
    })
  })
})

describe('the mouth of Deepgram', () => {
  let far: MouthFarEnd
  beforeAll(async () => {
    far = await startDeepgramSpeakFarEnd()
  })
  afterAll(() => far.close())
  const made = () => {
    const { apiKey, url: baseUrl } = far
    return createDeepgramMouth({ apiKey, baseUrl, model: 'aura-2', voices: voices.deepgram, clock: systemClock() })
  }

  it('has no voice for some languages, and says so', async () => {
    expect(() => made().open({ language: 'hi', voiceId: 'warm' })).toThrow('no voice for the language "hi"')
    const speaking = made().open(VOICE)
    speaking.setLanguage('el')
    await expect(hear(speaking)).rejects.toMatchObject({ kind: 'unable' })
    speaking.setLanguage('en')
    expect((await hear(speaking)).ms).toBeGreaterThan(1000)
    speaking.close()
  })

  it('fails over to a new connection when it was flushed too often in a minute', async () => {
    const speaking = made().open(VOICE)
    for (let count = 0; count < 20; count++) await hear(speaking, 'Yes.')
    await expect(hear(speaking, 'Yes.')).rejects.toMatchObject({ kind: 'busy' })
    expect((await hear(speaking, 'Yes.')).ms).toBeGreaterThan(100)
    speaking.close()
  })
})
