import { describe, expect, it } from 'vitest'
import type { MindEvent } from '@parley/voice-ports'
import { Reply, type ReplySink } from './reply.ts'
import { steadyMouth } from '../testing/fakes.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))
const voice = (text: string, signal: AbortSignal) =>
  steadyMouth.speak(text, { language: 'en', voiceId: 'default', signal })

/** A reply whose mind gives one event at a time, and a list of what comes of it. */
function setUp(speak = voice) {
  const log: string[] = []
  const given: (() => void)[] = []
  const events: (MindEvent | Error | null)[] = []
  const sink: ReplySink = {
    sentence: (text) => void log.push(`sentence ${text}`),
    sound: () => void log.push('sound'),
    sentenceDone: () => void log.push('done'),
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
  const reply = new Reply(mind, speak, {
    ready: () => void log.push('READY'),
    closes: (reason) => void log.push(`CLOSES ${reason}`),
    failed: (error) => void log.push(`FAILED ${String(error)}`),
    broken: () => void log.push('BROKEN'),
  })
  const give = async (...more: (MindEvent | Error | null)[]) => {
    events.push(...more)
    given.shift()?.()
    await settled()
  }
  return { reply, log, give, sink }
}

const say = (text: string): MindEvent => ({ type: 'say', text })

describe('Reply', () => {
  it('is ready at its first sound and holds everything back until it is used', async () => {
    const { reply, log, give, sink } = setUp()
    await give({ type: 'phase', phase: 'x' })
    expect(log).toEqual([])
    await give(say('One. Two.'))
    expect(log).toEqual(['READY'])
    reply.use(sink)
    expect(log.slice(1)).toEqual(['phase', 'sentence One.', 'sound', 'done', 'sentence Two.', 'sound', 'done'])
    await give(say('Three.'), { type: 'memory', memory: 7 }, null)
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
      yield { audio: new Uint8Array(), words: [] }
    })
    await give(say('Goodbye.'), { type: 'hang_up', reason: 'agent_closed' })
    expect(log).toEqual(['CLOSES agent_closed'])
  })

  it('emits nothing more once it is discarded', async () => {
    const { reply, log, give } = setUp()
    await give(say('One.'))
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
})
