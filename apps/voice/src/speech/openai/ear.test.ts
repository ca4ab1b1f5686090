import { CALL_LANGUAGES } from '@parley/contract'
import { runCheck } from '@parley/contract/checks'
import {
  type OpenaiTranscriptionFarEnd,
  type SocketFault,
  SpeechScript,
  startOpenaiTranscription,
} from '@parley/sandbox/testing'
import { type ListenOptions, virtualClock } from '@parley/voice-ports'
import { afterEach, describe, expect, it } from 'vitest'
import { listenTo, quiet, spoken, textOf } from '../testing.ts'
import { checkOpenaiEar, createOpenaiEar } from './index.ts'

const open: OpenaiTranscriptionFarEnd[] = []
afterEach(async () => {
  for (const far of open.splice(0)) await far.close()
})

const YES = spoken('Yes, we have a table at eight.')
const SURE = spoken('Sure, that is fine.')
const inEnglish = (...all: ReturnType<typeof spoken>[]) =>
  new SpeechScript(all.map((each) => ({ text: textOf(each), words: each.words })))

interface Given extends Partial<ListenOptions> {
  readonly model?: string
  readonly script?: SpeechScript
  readonly faults?: readonly SocketFault[]
}

async function listens({ model = 'gpt-live-transcribe', script, faults = [], ...options }: Given = {}) {
  const clock = virtualClock()
  const far = await startOpenaiTranscription({ clock, ...(script && { script }) })
  open.push(far)
  far.faults.next(...faults)
  const ear = createOpenaiEar({ apiKey: far.apiKey, baseUrl: far.url, model })
  return { far, ...(await listenTo(ear, clock, [far], options)) }
}

const MODELS = ['gpt-live-transcribe', 'gpt-realtime-whisper', 'gpt-transcribe', 'gpt-4o-mini-transcribe', 'whisper-1']

describe('the ear of OpenAI', () => {
  it.each(MODELS)('is taken by the vendor with %s, in each language, with terms', async (model) => {
    for (const language of CALL_LANGUAGES) {
      const spokenOne = language === 'auto' ? { language: 'en', languageIsGuess: true } : { language }
      const { types, listening, advance } = await listens({ model, keyterms: ['Dr. Braun'], ...spokenOne })
      listening.setLanguage('fr')
      await advance(100)
      expect(types()).toEqual(['ready'])
    }
  })

  it('gives the words of a model that does not stream once finalize() was called', async () => {
    const { push, listening, advance, words, types } = await listens({
      model: 'gpt-transcribe',
      script: inEnglish(YES),
    })
    await push([...quiet(7000), ...YES.frames, ...quiet(200)])
    expect(types()).toEqual(['ready'])
    listening.finalize()
    await advance(100)
    expect(words().at(-1)).toBe(`${textOf(YES)} |`)
    expect(types().at(-1)).toBe('settled')
  })

  it('settles silence at once, without having it transcribed', async () => {
    const { push, listening, types } = await listens({ model: 'gpt-4o-mini-transcribe' })
    await push(quiet(1000))
    listening.finalize()
    expect(types()).toEqual(['ready', 'settled'])
  })

  it('answers finalize() in order, also where the second one comes before the vendor has answered the first', async () => {
    const { push, listening, advance, events, finals } = await listens({
      script: inEnglish(YES, SURE),
      faults: [{ how: 'late', ms: 400 }],
    })
    await advance(500)
    await push([...YES.frames, ...quiet(200)])
    listening.finalize()
    await push([...quiet(60)])
    listening.finalize()
    await advance(1000)
    expect(finals()).toEqual([textOf(YES)])
    expect(events.filter(({ type }) => type === 'settled')).toHaveLength(2)
  })

  it('settles in time where the vendor is late, and gives the words then', async () => {
    const { push, listening, advance, types, finals } = await listens({
      script: inEnglish(YES),
      faults: [{ how: 'late', ms: 2000 }],
      model: 'gpt-transcribe',
    })
    await advance(4000)
    await push([...YES.frames, ...quiet(200)])
    listening.finalize()
    await advance(1500)
    expect(types().at(-1)).toBe('settled')
    await advance(1000)
    expect(finals()).toEqual([textOf(YES)])
  })

  it('reads on behind garbage', async () => {
    const { push, listening, advance, finals } = await listens({
      script: inEnglish(YES),
      faults: [{ how: 'garbage', afterMs: 400 }],
    })
    await push([...YES.frames, ...quiet(200)])
    listening.finalize()
    await advance(100)
    expect(finals()).toEqual([textOf(YES)])
  })

  it('tells another language where the language is a guess and the model knows it', async () => {
    const script = new SpeechScript([{ text: '¿Quién es usted?', language: 'es' }])
    const { push, listening, advance, events } = await listens({
      model: 'gpt-transcribe',
      languageIsGuess: true,
      script,
    })
    await push([...spoken('¿Quién es usted?').frames, ...quiet(800)])
    listening.finalize()
    await advance(100)
    expect(events.filter(({ type }) => type === 'language')).toEqual([{ type: 'language', language: 'es' }])
  })
})

describe('a failure of OpenAI', () => {
  it.each([
    [401, false, null],
    [429, true, 7000],
    [500, true, 7000],
  ])('with status %i is worth another attempt or not', async (status, retryable, retryAfterMs) => {
    const { events } = await listens({ faults: [{ how: 'refused', status, message: 'No.', retryAfter: '7' }] })
    const message = `OpenAI refuses the connection with status ${status}: No.`
    expect(events).toEqual([{ type: 'failed', message, retryable, retryAfterMs }])
  })

  it('by a model that it does not have says so, and is not tried again', async () => {
    const { events } = await listens({ model: 'gpt-9' })
    const message = "OpenAI reports: Invalid value: 'gpt-9'."
    expect(events).toEqual([{ type: 'failed', message, retryable: false, retryAfterMs: null }])
  })

  it.each(['session_expired', 'server_error', 'transcription_failed'])('%s is worth another attempt', async (code) => {
    const { push, listening, advance, failure } = await listens({
      script: inEnglish(YES),
      faults: [{ how: 'error', afterMs: 300, code }],
    })
    await push([...YES.frames, ...quiet(200)])
    listening.finalize()
    await advance(100)
    expect(failure()).toMatchObject({ retryable: true })
  })

  it.each([
    { how: 'dropped', afterMs: 300 },
    { how: 'half_frame', afterMs: 300 },
    { how: 'closed', afterMs: 300, code: 1011, reason: 'keepalive ping timeout' },
  ] as const)('by a connection that is $how is worth another attempt', async (fault) => {
    const { push, failure } = await listens({ script: inEnglish(YES), faults: [fault] })
    await push(YES.frames)
    expect(failure()).toMatchObject({ retryable: true })
  })

  it('comes when two commits in a row are not answered at all', async () => {
    const { push, listening, advance, failure, types } = await listens({
      faults: [{ how: 'late', ms: 60_000 }],
      script: inEnglish(YES, SURE),
    })
    for (const { frames } of [YES, SURE]) {
      await push(frames)
      expect(failure()).toBeUndefined()
      listening.finalize()
      await advance(1500)
    }
    expect(failure()).toMatchObject({ retryable: true, message: 'OpenAI does not answer any more.' })
    expect(types().filter((type) => type === 'settled')).toHaveLength(2)
  })
})

describe('the check of the ear of OpenAI', () => {
  it.each([
    ['a key and a model that the vendor takes', {}, true, /it hears with gpt-live-transcribe/, /^$/],
    ['another key', { apiKey: 'wrong' }, false, /refuses the key/, /OPENAI_API_KEY/],
    ['another model', { model: 'gpt-9' }, false, /may not use the model gpt-9/, /OPENAI_EAR_MODEL/],
    ['no vendor', { baseUrl: 'http://127.0.0.1:1/v1' }, false, /./, /OPENAI_BASE_URL/],
  ])('says how it is with %s', async (_, changes, ok, says, mend) => {
    const far = await startOpenaiTranscription()
    open.push(far)
    const options = { apiKey: far.apiKey, baseUrl: far.url, model: 'gpt-live-transcribe', ...changes }
    const told = await runCheck({ part: 'ear openai', ...checkOpenaiEar(options) })
    expect(told).toMatchObject({ ok, says: expect.stringMatching(says) })
    expect(told.mend ?? '').toMatch(mend)
  })
})
