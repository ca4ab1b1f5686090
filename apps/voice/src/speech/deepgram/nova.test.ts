import { CALL_LANGUAGES } from '@parley/contract'
import {
  type DeepgramFarEnd,
  type DeepgramFarEndOptions,
  type SocketFault,
  SpeechScript,
  startDeepgramFarEnd,
} from '@parley/sandbox/testing'
import { type ListenOptions, virtualClock } from '@parley/voice-ports'
import { afterEach, describe, expect, it } from 'vitest'
import { listenTo, quiet, spoken, textOf } from '../testing.ts'
import { createDeepgramEar } from './index.ts'

const open: DeepgramFarEnd[] = []
afterEach(async () => {
  for (const far of open.splice(0)) await far.close()
})

const YES = spoken('Yes, we have a table at eight.')
const SURE = spoken('Sure, that is fine.')
const SORRY = spoken('Perdone, no hablo inglés.')
const inEnglish = (...all: ReturnType<typeof spoken>[]) =>
  new SpeechScript(all.map((each) => ({ text: textOf(each), words: each.words })))

interface Given extends DeepgramFarEndOptions, Partial<ListenOptions> {
  readonly model?: string
  readonly faults?: readonly SocketFault[]
}

async function listens({ model = 'nova-3', faults = [], script, manners, ...options }: Given = {}) {
  const clock = virtualClock()
  const far = await startDeepgramFarEnd({ clock, ...(script && { script }), ...(manners && { manners }) })
  open.push(far)
  far.faults.next(...faults)
  const ear = createDeepgramEar({ apiKey: far.apiKey, baseUrl: far.url, model })
  return { far, ...(await listenTo(ear, clock, [far], options)) }
}

describe('a nova of Deepgram', () => {
  it('is asked for telephone sound, with the terms of the call, and not to be trained with it', async () => {
    const { far } = await listens({ keyterms: ['Market Street House', 'Dr. Braun'] })
    const [asked] = far.upgrades
    expect(asked).toMatchObject({ path: '/v1/listen', headers: { authorization: `Token ${far.apiKey}` } })
    expect(Object.fromEntries(asked!.query)).toMatchObject({
      model: 'nova-3',
      encoding: 'mulaw',
      sample_rate: '8000',
      channels: '1',
      interim_results: 'true',
      language: 'en',
      endpointing: '300',
      utterance_end_ms: '1000',
      mip_opt_out: 'true',
    })
    expect(asked!.query.getAll('keyterm')).toEqual(['Market Street House', 'Dr. Braun'])
  })

  it('gets keywords where it is a nova-2, and no more terms than it takes', async () => {
    const { far } = await listens({ model: 'nova-2', keyterms: ['Market Street House'] })
    expect(far.upgrades[0]!.query.getAll('keywords')).toEqual(['Market', 'Street', 'House'])
    const many = await listens({ keyterms: Array.from({ length: 50 }, (_, at) => `${at}`.padEnd(60, 'x')) })
    expect(many.far.upgrades[0]!.query.getAll('keyterm')).toHaveLength(20)
  })

  it.each(CALL_LANGUAGES.filter((language) => language !== 'auto'))('is opened for calls in %s', async (language) => {
    for (const model of ['nova-3', 'nova-2', 'flux-general-en', 'flux-general-multi']) {
      for (const languageIsGuess of [false, true]) {
        const { types } = await listens({ model, language, languageIsGuess })
        expect(types()).toEqual(['ready'])
      }
    }
  })

  it('stays open while it rings for a minute and no sound comes', async () => {
    const { advance, types } = await listens()
    for (let seconds = 0; seconds < 60; seconds++) await advance(1000)
    expect(types()).toEqual(['ready'])
  })

  it('gives the words of speech that the vendor makes final in parts as one utterance', async () => {
    const { push, listening, advance, finals } = await listens({
      script: inEnglish(YES),
      manners: { finalEveryWords: 3 },
    })
    await push([...YES.frames, ...quiet(200)])
    listening.finalize()
    await advance(100)
    expect(finals()).toEqual(['Yes, we have a table at eight.'])
  })

  it('ends an utterance by itself where nobody calls finalize()', async () => {
    const { push, finals } = await listens({ script: inEnglish(YES, SURE) })
    await push([...YES.frames, ...quiet(1000), ...SURE.frames, ...quiet(1000)])
    expect(finals()).toEqual([textOf(YES), textOf(SURE)])
  })

  it('settles in time where the vendor is late, and does not repeat the words then', async () => {
    const { push, listening, advance, types, finals } = await listens({
      script: inEnglish(YES, SURE),
      faults: [{ how: 'late', ms: 900 }],
    })
    await push([...YES.frames, ...quiet(200)])
    listening.finalize()
    await advance(800)
    expect(types().at(-1)).toBe('settled')
    await push([...quiet(1200), ...SURE.frames, ...quiet(1500)])
    expect(finals().join(' ').replaceAll(/[.,]/g, '').toLowerCase()).toBe(
      'yes we have a table at eight sure that is fine',
    )
  })

  it('reads on behind garbage and messages that it does not know', async () => {
    const { push, listening, advance, finals } = await listens({
      script: inEnglish(YES),
      faults: [{ how: 'garbage', afterMs: 400 }],
    })
    await push([...YES.frames, ...quiet(200)])
    listening.finalize()
    await advance(100)
    expect(finals()).toEqual([textOf(YES)])
  })

  it('loses no word where messages come out of order', async () => {
    const { push, finals } = await listens({
      script: inEnglish(YES),
      manners: { finalEveryWords: 2 },
      faults: [{ how: 'out_of_order' }],
    })
    await push([...YES.frames, ...quiet(3000)])
    expect(finals().join(' ').split(' ').toSorted()).toEqual(textOf(YES).split(' ').toSorted())
  })

  it('sends what was said in the old language and what comes in the new one to their own connections', async () => {
    const script = new SpeechScript([
      { text: textOf(YES), words: YES.words },
      { text: textOf(SORRY), words: SORRY.words, language: 'es' },
    ])
    const { far, push, listening, words, finals } = await listens({ script })
    await push(YES.frames)
    listening.setLanguage('es')
    await push([...quiet(400), ...SORRY.frames, ...quiet(1500)])
    expect(finals()).toEqual([textOf(YES), textOf(SORRY)])
    expect(words().at(0)).toMatch(/^yes/)
    expect(far.upgrades.map(({ query }) => query.get('language'))).toEqual(['en', 'es'])
  })

  it('tells another language where the language is a guess, once, and needs no other connection for it', async () => {
    const script = new SpeechScript([{ text: '¿Quién es usted, por favor?', language: 'es' }])
    const { far, push, events, listening } = await listens({ script, languageIsGuess: true })
    await push([...spoken('¿Quién es usted, por favor?').frames, ...quiet(1500)])
    expect(events.filter(({ type }) => type === 'language')).toEqual([{ type: 'language', language: 'es' }])
    listening.setLanguage('es')
    await push(quiet(200))
    expect(far.upgrades).toHaveLength(1)
    expect(far.upgrades[0]!.query.get('language')).toBe('multi')
  })
})

describe('a failure of Deepgram', () => {
  it.each([
    [401, undefined, false, null],
    [403, undefined, false, null],
    [400, undefined, false, null],
    [402, undefined, true, null],
    [429, '7', true, 7000],
    [500, undefined, true, null],
    [503, '2', true, 2000],
  ])('with status %i is worth another attempt or not', async (status, retryAfter, retryable, retryAfterMs) => {
    const fault = { how: 'refused', status, message: 'No.', ...(retryAfter !== undefined && { retryAfter }) } as const
    const { events } = await listens({ faults: [fault] })
    const message = `Deepgram refuses the connection with status ${status}: No.`
    expect(events).toEqual([{ type: 'failed', message, retryable, retryAfterMs }])
  })

  it.each([
    [1011, 'NET-0001', true],
    [1011, 'NET-0000', true],
    [1008, 'DATA-0000', false],
    [1000, '', true],
  ])('with close code %i (%s) names the reason', async (code, reason, retryable) => {
    const { push, failure } = await listens({ faults: [{ how: 'closed', afterMs: 200, code, reason }] })
    await push(quiet(300))
    expect(failure()).toMatchObject({ retryable, message: expect.stringContaining(`code ${code}`) })
    expect(failure()).toMatchObject({ message: expect.stringContaining(reason) })
  })

  it.each([
    { how: 'dropped', afterMs: 300 },
    { how: 'half_frame', afterMs: 300 },
  ] as const)('by a connection that is $how in mid-word is worth another attempt', async (fault) => {
    const { push, failure, types } = await listens({ script: inEnglish(YES), faults: [fault] })
    await push(YES.frames)
    expect(failure()).toMatchObject({ retryable: true })
    expect(types().at(-1)).toBe('failed')
  })

  it('comes when the vendor does not open the connection, or says nothing for 12 s of sound', async () => {
    const closed = await listens({ faults: [{ how: 'never_opens' }] })
    await closed.advance(4400)
    expect(closed.types()).toEqual([])
    await closed.advance(200)
    expect(closed.failure()).toMatchObject({ retryable: true, message: expect.stringContaining('in time') })

    const mute = await listens({ faults: [{ how: 'mute' }] })
    await mute.push(quiet(11_900))
    expect(mute.types()).toEqual(['ready'])
    await mute.push(quiet(200))
    expect(mute.failure()).toMatchObject({ retryable: true, message: expect.stringContaining('nothing for 12 s') })
  })

  it('comes when there is no vendor', async () => {
    const far = await startDeepgramFarEnd()
    await far.close()
    const ear = createDeepgramEar({ apiKey: 'key', baseUrl: far.url, model: 'nova-3' })
    const told = await new Promise((resolve) => {
      const options = { language: 'en', keyterms: [], signal: new AbortController().signal }
      ear.listen(options, virtualClock(), resolve)
    })
    expect(told).toMatchObject({ type: 'failed', retryable: true, message: expect.stringContaining('ECONNREFUSED') })
  })
})
