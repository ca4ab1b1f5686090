import { describe, expect, it } from 'vitest'
import type { MindEvent } from '@parley/voice-ports'
import { steadySpeech, virtualTime } from '../testing/fakes.ts'
import { Reply, type ReplyOptions, type ReplySink } from './reply.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))
type Speak = ReplyOptions['speak']
const voice: Speak = async function* (text) {
  yield steadySpeech(text)
}

/** A reply whose mind gives one event at a time, and a list of what comes of it. */
function setUp(speak: Speak = voice) {
  const { clock } = virtualTime()
  const log: string[] = []
  const given: (() => void)[] = []
  const events: (MindEvent | Error | null)[] = []
  const sink: ReplySink = {
    sentence: ({ text }) => void log.push(`sentence ${text}`),
    sound: () => void log.push('sound'),
    sentenceDone: () => void log.push('done'),
    item: (itemId) => void log.push(`item ${itemId}`),
    itemText: (delta) => void log.push(`words ${delta}`),
    deed: (deed) => void log.push(deed.type),
    memory: (memory) => void log.push(`memory ${String(memory)}`),
    end: () => void log.push('end'),
  }
  async function* mind(): AsyncGenerator<MindEvent> {
    while (true) {
      if (events.length === 0) await new Promise<void>((resolve) => given.push(resolve))
      const event = events.shift()
      if (event === null) return
      if (event instanceof Error) throw event
      if (event) yield event
    }
  }
  const reply = new Reply({
    ask: mind,
    speak,
    language: 'en',
    clock,
    events: {
      ready: () => void log.push('READY'),
      closes: (reason) => void log.push(`CLOSES ${reason}`),
      failed: (error) => void log.push(`FAILED ${String(error)}`),
      broken: () => void log.push('BROKEN'),
      dropped: (itemId) => void log.push(`DROPPED ${itemId}`),
    },
  })
  const give = async (...more: (MindEvent | Error | null)[]) => {
    events.push(...more)
    given.shift()?.()
    await settled()
  }
  return { reply, log, give, sink, clock }
}

const say = (text: string): MindEvent => ({ type: 'say', text })
const OUTCOME: MindEvent = {
  type: 'outcome',
  index: 0,
  outcome: { objective: 'x', status: 'met', quote: null, turn: null },
}

describe('Reply', () => {
  it('is ready at its first sound and holds everything back until it is used', async () => {
    const { reply, log, give, sink } = setUp()
    await give({ type: 'phase', phase: 'x' })
    expect(log).toEqual([])
    await give(say('One. Two. '), say('Th'))
    expect(log).toEqual(['READY'])
    reply.use(sink)
    expect(log.slice(1)).toEqual(['phase', 'sentence One.', 'sound', 'done', 'sentence Two.', 'sound', 'done'])
    await give(say('ree.'), { type: 'memory', memory: 7 }, null)
    expect(log.slice(8)).toEqual(['memory 7', 'sentence Three.', 'sound', 'done', 'end'])
  })

  it('presses keys after the sentences before them and passes an opt-out on at once', async () => {
    const { reply, log, give, sink } = setUp()
    await give(say('One.'), { type: 'press', digits: '1' }, { type: 'opted_out', quote: 'no' }, null)
    reply.use(sink)
    expect(log.filter((one) => one !== 'opted_out')).toEqual([
      'READY',
      'sentence One.',
      'sound',
      'done',
      'press',
      'end',
    ])
    expect(log.indexOf('opted_out')).toBeLessThan(log.indexOf('press'))
  })

  it('without speech is ready when it is complete', async () => {
    const { log, give } = setUp()
    await give({ type: 'press', digits: '1' })
    expect(log).toEqual([])
    await give(null)
    expect(log).toEqual(['READY'])
  })

  it('announces the end of the call before its sentence is spoken', async () => {
    const { log, give } = setUp(async function* () {
      await new Promise(() => undefined)
      yield { audio: new Uint8Array() }
    })
    await give(say('Goodbye.'), { type: 'hang_up', reason: 'agent_closed' })
    expect(log).toEqual(['CLOSES agent_closed'])
  })

  it('emits nothing more once it is discarded', async () => {
    const { reply, log, give } = setUp()
    await give(say('One. Two.'))
    reply.discard()
    await give(say('Two.'), { type: 'memory', memory: 7 }, new Error('late'))
    expect(log).toEqual(['READY'])
  })

  it.each([
    ['is empty', [null]],
    ['has nothing but a memory', [{ type: 'memory', memory: 1 } as const, null]],
    ['breaks before its first sound', [{ type: 'phase', phase: 'x' } as const, new Error('gone')]],
  ])('fails when it %s', async (_, events) => {
    const { log, give } = setUp()
    await give(...events)
    expect(log).toEqual([expect.stringMatching(/^FAILED/)])
  })

  it('is used as far as it got when it fails after its first sound', async () => {
    const { reply, log, give, sink } = setUp()
    await give(say('One.'), new Error('gone'))
    reply.use(sink)
    expect(log).toEqual(['READY', 'BROKEN', 'sentence One.', 'sound', 'done', 'end'])
  })

  it.each([
    ['markup only', [say('<think>Hm.</think>'), say(' **🙂** '), null]],
    ['an outcome and its costs only', [OUTCOME, { type: 'usage', inputTokens: 9, outputTokens: 1, model: 'x' }, null]],
    ['half a sentence', [say('I would like to book a ta'), new Error('gone')]],
  ] as const)('fails when it has %s', async (_, events) => {
    const { log, give } = setUp()
    await give(...events)
    expect(log).toEqual([expect.stringMatching(/^FAILED/)])
  })

  it('leaves out a sentence that broke off in its middle', async () => {
    const { reply, log, give, sink } = setUp()
    await give(say('That is fine. I would like to book a ta'), new Error('gone'))
    reply.use(sink)
    expect(log.filter((entry) => entry.startsWith('sentence'))).toEqual(['sentence That is fine.'])
  })

  it('is spoken sentence by sentence however its deltas are cut, and without markup', async () => {
    const { reply, log, give, sink } = setUp()
    reply.use(sink)
    for (const delta of [
      'D',
      'r. Br',
      'aun says 7',
      '.30 p',
      '.m. is *',
      '*fine*',
      '* \ud83d',
      '\ude42. Is',
      ' it',
      '?',
    ])
      await give(say(delta))
    await give(null)
    expect(log.filter((entry) => entry.startsWith('sentence'))).toEqual([
      'sentence Dr. Braun says 7.30 p.m. is fine .',
      'sentence Is it?',
    ])
  })

  it('speaks its first clause before its sentence is complete', async () => {
    const { log, give } = setUp()
    await give(say('Good morning, this is'))
    expect(log).toEqual(['READY'])
  })

  it('speaks a sentence after 150 ms without more, while a slow tool is written', async () => {
    const { log, give, clock } = setUp()
    await give(say('That is fine.'))
    await clock.advance(149)
    expect(log).toEqual([])
    await clock.advance(1)
    expect(log).toEqual(['READY'])
  })

  it('speaks a sentence at once when an outcome follows it, and after an outcome that came first', async () => {
    const { log, give } = setUp()
    await give(OUTCOME, say('That is fine.'))
    expect(log).toEqual([])
    await give(OUTCOME)
    expect(log).toEqual(['READY'])
  })

  it('keeps the order of a key before the words', async () => {
    const { reply, log, give, sink } = setUp()
    await give({ type: 'press', digits: '1' }, say('I am calling.'), { type: 'transfer', to: '+12125550100' }, null)
    reply.use(sink)
    expect(log).toEqual(['READY', 'press', 'sentence I am calling.', 'sound', 'done', 'transfer', 'end'])
  })

  it('speaks each sentence in the language told before it', async () => {
    const languages: string[] = []
    const { give } = setUp(async function* (text, language) {
      languages.push(`${language} ${text}`)
      yield steadySpeech(text)
    })
    await give(say('Sorry. '), { type: 'language', language: 'es' }, say('Buenos días.'), null)
    expect(languages).toEqual(['en Sorry.', 'es Buenos días.'])
  })

  describe('with sound of its own', () => {
    const sound = (itemId: string, text?: string): MindEvent => ({
      type: 'sound',
      itemId,
      audio: new Uint8Array(160),
      ...(text !== undefined && { text }),
    })

    it('plays it without the mouth', async () => {
      const { reply, log, give, sink } = setUp(() => {
        throw new Error('The mouth was asked.')
      })
      await give(sound('a', 'Good'), sound('a', ' morning.'), sound('b'), null)
      reply.use(sink)
      const item = (...words: string[]) => words.flatMap((word) => [`words ${word}`, 'sound'])
      expect(log).toEqual(['READY', 'item a', ...item('Good', ' morning.'), 'done', 'item b', 'sound', 'done', 'end'])
    })

    it('tells of each item that it will not be heard when it is discarded unused', async () => {
      const { reply, log, give } = setUp()
      await give(sound('a'), sound('a'), sound('b'))
      reply.discard()
      reply.discard()
      expect(log).toEqual(['READY', 'DROPPED a', 'DROPPED b'])
    })

    it('leaves that to the playback when it was used', async () => {
      const { reply, log, give, sink } = setUp()
      await give(sound('a'))
      reply.use(sink)
      reply.discard()
      expect(log.filter((entry) => entry.startsWith('DROPPED'))).toEqual([])
    })
  })
})
