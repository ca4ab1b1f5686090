import { createScriptedEar, type ScriptedEarOptions } from '@parley/sandbox'
import { beep, type Ear, type ListenOptions, type Pause } from '@parley/voice-ports'
import { describe, expect, it } from 'vitest'
import { textEar } from '../testing/fakes.ts'
import { say, stageCall, talker } from '../testing/staged-call.ts'

const ASKED = 'agent: Could it be at seven in the evening on Friday please?'

/** A conversation of two answers. */
async function converse(...ears: readonly Ear[]) {
  const mind = talker()
  const call = stageCall({ ears, mind })
  await call.opened()
  await call.far.says('Yes, we have one.')
  await call.clock.advance(8000)
  await call.far.says('At seven. But only if you pay.')
  await call.clock.advance(8000)
  const heard = mind.asked.flatMap(({ cue }) => (cue.type === 'heard' ? [cue.text] : []))
  return { call, texts: call.turnTexts().slice(2), heard }
}

describe('a conversation loses and doubles no answer', () => {
  const ears: [string, ScriptedEarOptions][] = [
    ['brings its finals at once', {}],
    ['brings its finals 1.5 s late', { finalsLateMs: 1500 }],
    ['revises and punctuates its partials', { revises: true }],
    ['does both', { revises: true, finalsLateMs: 1500 }],
    ['never settles', { neverSettles: true }],
    ['drops its connection every 7 s', { dropsAfterFrames: 350 }],
    ['drops its connection and asks for 2 s', { dropsAfterFrames: 500, retryAfterMs: 2000 }],
  ]
  it.each(ears)('when the ear %s', async (_, options) => {
    const { texts } = await converse(createScriptedEar(options))
    expect(texts).toEqual(['user: Yes, we have one.', ASKED, 'user: At seven. But only if you pay.', ASKED])
  })

  it('when its final comes later than the ear had promised', async () => {
    const { texts } = await converse({ ...createScriptedEar({ finalsLateMs: 1500 }), settlesWithinMs: 200 })
    expect(texts).toEqual(['user: Yes, we have one.', ASKED, 'user: At seven. But only if you pay.', ASKED])
  })

  it('when the first ear is of no use and the second takes over', async () => {
    const useless = createScriptedEar({ dropsAfterFrames: 300, retryable: false })
    const { texts, call } = await converse(useless, createScriptedEar())
    expect(texts).toEqual(['user: Yes, we have one.', ASKED, 'user: At seven. But only if you pay.', ASKED])
    expect(call.ended()).toBeUndefined()
  })
})

it('a turn is held open while the ear that broke in it is replaced within 5 s', async () => {
  const mind = talker()
  const first = createScriptedEar({ retryable: false })
  const second = createScriptedEar()
  const late: Ear = {
    ...second,
    listen: (options, clock, onEvent) =>
      second.listen(options, clock, (event) => {
        if (event.type === 'ready') clock.after(4800, () => onEvent(event))
        else onEvent(event)
      }),
  }
  const call = stageCall({ ears: [first, late], mind })
  await call.opened()
  await call.far.say('Yes, we have a table at seven.')
  await call.clock.advance(1600)
  first.lose()
  await call.clock.advance(14_000)
  expect(call.turnTexts().slice(2)).toEqual(['user: Yes, we have a table at seven.', ASKED])
  expect(mind.asked.at(-1)).toMatchObject({ cue: { type: 'heard', text: 'Yes, we have a table at seven.' } })
})

it('an ear is told the language, the names of the order, and a change of language', async () => {
  const told: (ListenOptions | string)[] = []
  const ear: Ear = {
    ...textEar,
    listen(options, clock, onEvent) {
      told.push(options)
      return { ...textEar.listen(options, clock, onEvent), setLanguage: (language) => void told.push(language) }
    },
  }
  const call = stageCall({ ears: [ear], order: { language: 'auto', purpose: 'Book a table at Chez Nous' } })
  await call.opened()
  await call.far.says('No hablo inglés, ¿habla usted español?')
  await call.clock.advance(1000)
  expect(told).toEqual([expect.objectContaining({ language: 'en', keyterms: ['Ann Smith', 'Chez Nous'] }), 'es'])
})

describe('a speakerphone', () => {
  it.each([10, 20, 35])('whose echo comes %i frames late is not taken for the callee', async (frames) => {
    const mind = talker()
    const call = stageCall({ mind })
    call.far.echoFrames = frames
    await call.opened()
    await call.far.says('Yes, we have one.')
    await call.clock.advance(7000)
    expect(call.turnTexts()).toEqual([
      'agent: Hello, this is an AI assistant calling on behalf of Ann Smith.',
      'agent: I would like a table for two.',
      'user: Yes, we have one.',
      ASKED,
    ])
    expect(mind.asked.map(({ cue }) => cue.type)).toEqual(['opening', 'heard'])
  })
})

describe('a beep after a conversation has begun', () => {
  const answered = async () => {
    const mind = talker()
    const call = stageCall({ mind })
    await call.opened()
    await call.far.says('Yes, this is Sam.')
    await call.clock.advance(2000)
    return { mind, call, messages: () => mind.asked.filter(({ cue }) => cue.type === 'voicemail').length }
  }

  it('and behind the words of a recorder gets the message, once', async () => {
    const { call, messages } = await answered()
    await call.far.says('I cannot take your call, please leave a message after the tone.')
    await call.clock.advance(800)
    call.far.sounds(beep(400))
    await call.clock.advance(1000)
    expect(messages()).toBe(1)
    call.far.sounds(beep(400))
    await call.over()
    expect(messages()).toBe(1)
    expect(call.turnTexts().at(-1)).toBe('agent: About voicemail.')
    expect(call.ended()).toMatchObject({ reason: 'voicemail' })
  })

  it('without such words gets none', async () => {
    const { call, messages } = await answered()
    await call.far.says('We have a table at eight, is that all right for you?')
    call.far.sounds(beep(400))
    await call.clock.advance(4000)
    expect(messages()).toBe(0)
  })
})

describe('the port for the end of a turn', () => {
  function predicting(answer: () => Promise<number | null>) {
    const asked: Pause[] = []
    const turnEnd = { name: 'test', predict: (pause: Pause) => (asked.push(pause), answer()) }
    return { asked, turnEnd }
  }

  /** How long after an unfinished sentence the agent speaks. */
  async function delayWith(answer: () => Promise<number | null>) {
    const { asked, turnEnd } = predicting(answer)
    const call = stageCall({ turnEnd })
    await call.opened()
    await call.far.says('We could do seven or')
    await call.clock.advance(5000)
    const [callee, agent] = call.turns().slice(-2)
    return { delayMs: agent!.startMs - callee!.endMs!, asked }
  }

  it('is asked once a pause, with the words, the turns before and the sound', async () => {
    const { asked, delayMs } = await delayWith(() => Promise.resolve(250))
    expect(asked).toEqual([expect.objectContaining({ text: 'We could do seven or', language: 'en' })])
    expect(asked[0]!.turns.map(({ speaker }) => speaker)).toEqual(['agent', 'agent', 'user'])
    expect(asked[0]!.audio.length).toBe(8000 * 8)
    expect(delayMs).toBeLessThan(400)
  })

  it.each<[string, () => Promise<number | null>]>([
    ['cannot tell', () => Promise.resolve(null)],
    ['fails', () => Promise.reject(new Error('no model'))],
    ['never answers', () => new Promise(() => undefined)],
  ])('leaves the end to the words when it %s', async (_, answer) => {
    const { delayMs } = await delayWith(answer)
    expect(delayMs).toBeGreaterThanOrEqual(1500)
    expect(delayMs).toBeLessThan(1600)
  })
})

it('a mind that takes 3 s is bridged by one phrase', async () => {
  const mind = talker()
  const call = stageCall({
    mind: {
      ...mind,
      async *respond(asked, signal) {
        if (asked.cue.type === 'heard') await new Promise<void>((resolve) => void call.clock.after(3000, resolve))
        yield* mind.respond(asked, signal)
      },
    },
  })
  await call.opened()
  await call.far.says('Yes, we have one.')
  await call.clock.advance(9000)
  expect(call.turnTexts().slice(2)).toEqual(['user: Yes, we have one.', 'agent: One moment, please.', ASKED])
})

it('a callee who asks to hold is waited for, and heard when they are back', async () => {
  const mind = talker(({ cue }) => (cue.type === 'silence' ? [say('Take your time.')] : undefined))
  const call = stageCall({ mind, order: { limitSeconds: 1200 } })
  await call.opened()
  await call.far.says('Hold on, let me check.')
  await call.clock.advance(200_000)
  expect(call.ended()).toBeUndefined()
  await call.far.says('Yes, we have one.')
  await call.clock.advance(6000)
  expect(call.turnTexts().slice(-2)).toEqual(['user: Yes, we have one.', ASKED])
})
