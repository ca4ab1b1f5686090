import { type DeepgramFarEnd, type SocketFault, SpeechScript, startDeepgramFarEnd } from '@parley/sandbox/testing'
import { type ListenOptions, virtualClock } from '@parley/voice-ports'
import { afterEach, describe, expect, it } from 'vitest'
import { listenTo, quiet, spoken, textOf } from '../testing.ts'
import { createDeepgramEar } from './index.ts'

const open: DeepgramFarEnd[] = []
afterEach(async () => {
  for (const far of open.splice(0)) await far.close()
})

const WELL = spoken('Well, we could')
const EIGHT = spoken('do it at eight.')
const lastsMs = ({ frames }: ReturnType<typeof spoken>) => frames.length * 20

interface Given extends Partial<ListenOptions> {
  readonly model?: string
  readonly script?: SpeechScript
  readonly faults?: readonly SocketFault[]
}

async function listens({ model = 'flux-general-en', script, faults = [], ...options }: Given = {}) {
  const clock = virtualClock()
  const far = await startDeepgramFarEnd({ clock, ...(script && { script }) })
  open.push(far)
  far.faults.next(...faults)
  const ear = createDeepgramEar({ apiKey: far.apiKey, baseUrl: far.url, model })
  return { far, ear, ...(await listenTo(ear, clock, [far], options)) }
}

/** One turn with a pause in it. */
function hesitating(pauseMs: number): SpeechScript {
  const from = lastsMs(WELL) + pauseMs
  const words = [...WELL.words, ...EIGHT.words.map(({ text, endMs }) => ({ text, endMs: endMs + from }))]
  return new SpeechScript([{ text: `${textOf(WELL)} ${textOf(EIGHT)}`, words }])
}

describe('Flux of Deepgram', () => {
  it('tells its own end of a turn: likely, then none after all, then certain', async () => {
    const { push, events, finals, ear } = await listens({ script: hesitating(600) })
    expect(ear.turns).toBe(true)
    await push([...WELL.frames, ...quiet(600), ...EIGHT.frames, ...quiet(1000)])
    const turns = events.flatMap((event) => (event.type === 'turn' ? [event] : []))
    expect(turns.map(({ state }) => state)).toEqual(['started', 'eager', 'resumed', 'eager', 'ended'])
    for (const { confidence } of turns) expect(confidence).toBeGreaterThan(0)
    expect(finals()).toEqual([`${textOf(WELL)} ${textOf(EIGHT)}`])
    expect(events.at(-1)?.type === 'turn' || events.at(-2)?.type === 'words').toBe(true)
  })

  it('makes the words so far final for finalize() and lets the turn go on', async () => {
    const { push, listening, events, finals } = await listens({ script: hesitating(600) })
    await push([...WELL.frames, ...quiet(200)])
    listening.finalize()
    await push([...quiet(400), ...EIGHT.frames, ...quiet(1000)])
    expect(finals()).toEqual([textOf(WELL), textOf(EIGHT)])
    const states = events.flatMap((event) => (event.type === 'turn' ? [event.state] : []))
    expect(states.filter((state) => state === 'ended')).toHaveLength(1)
  })

  it('settles where no more sound comes, by silence in its place', async () => {
    const { push, listening, advance, types, finals } = await listens({ script: hesitating(600) })
    await push(WELL.frames)
    listening.finalize()
    for (let ms = 0; ms < 700; ms += 50) await advance(50)
    expect(types().at(-1)).toBe('settled')
    expect(finals()).toEqual([textOf(WELL)])
  })

  it('is told another language of the call without another connection', async () => {
    const script = new SpeechScript([{ text: 'Perdone, no hablo inglés.', language: 'es' }])
    const { far, push, listening, finals, events } = await listens({ model: 'flux-general-multi', script })
    listening.setLanguage('es')
    await push([...spoken('Perdone, no hablo inglés.').frames, ...quiet(1500)])
    expect(finals()).toEqual(['Perdone, no hablo inglés.'])
    expect(events.map(({ type }) => type)).not.toContain('language')
    expect(far.upgrades).toHaveLength(1)
    expect(far.upgrades[0]!.query.getAll('language_hint')).toEqual(['en'])
  })

  it('tells another language where the language is a guess', async () => {
    const script = new SpeechScript([{ text: 'Perdone, no hablo inglés.', language: 'es' }])
    const { push, events } = await listens({ model: 'flux-general-en', languageIsGuess: true, script })
    await push([...spoken('Perdone, no hablo inglés.').frames, ...quiet(1500)])
    expect(events.filter(({ type }) => type === 'language')).toEqual([{ type: 'language', language: 'es' }])
  })

  it('leaves a language that it does not know to nova-3, and says that it ends no turns then', async () => {
    const { far, events } = await listens({ model: 'flux-general-multi', language: 'el' })
    expect(events).toEqual([{ type: 'ready', turns: false }])
    expect(far.upgrades[0]).toMatchObject({ path: '/v1/listen' })
  })

  it('stays open while it rings for a minute and no sound comes', async () => {
    const { advance, types } = await listens()
    for (let seconds = 0; seconds < 60; seconds++) await advance(1000)
    expect(types()).toEqual(['ready'])
  })

  it.each([
    ['INTERNAL_SERVER_ERROR', true],
    ['UNPARSABLE_CLIENT_MESSAGE', false],
  ])('that reports %s has failed, and is worth another attempt or not', async (code, retryable) => {
    const { push, failure } = await listens({ faults: [{ how: 'error', afterMs: 200, code }] })
    await push(quiet(400))
    expect(failure()).toMatchObject({ retryable, message: expect.stringContaining(code) })
  })
})
