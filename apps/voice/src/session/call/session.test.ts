import { describe, expect, it } from 'vitest'
import type { Ear, Mind, Mouth } from '@parley/voice-ports'
import { textEar } from '../testing/fakes.ts'
import { say, stageCall, talker } from '../testing/staged-call.ts'

describe('a session', () => {
  it('reports its facts in order from dialing to wrapped_up', async () => {
    const call = stageCall()
    await call.opened()
    await call.far.says('Yes we have one.')
    await call.clock.advance(6000)
    await call.far.says('Very well bye.')
    await call.over()
    expect(call.turnTexts()).toEqual([
      'agent: Hello, this is an AI assistant calling on behalf of Ann Smith.',
      'agent: I would like a table for two.',
      'user: Yes we have one.',
      'agent: Could it be at seven in the evening on Friday please?',
      'user: Very well bye.',
      'agent: Thank you, goodbye.',
    ])
    expect([...new Set(call.types())]).toEqual([
      'dialing',
      'placed',
      'ringing',
      'answered',
      'phase',
      'turn',
      'ended',
      'wrapped_up',
    ])
    expect(call.ended()).toMatchObject({
      reason: 'agent_closed',
      message: 'The agent said goodbye and ended the call.',
    })
    expect(call.facts().at(-1)).toMatchObject({ type: 'wrapped_up', language: 'en', outcomes: [{ status: 'met' }] })
    expect(call.far.hangUps).toBe(1)
  })

  it('starts the disclosure within 20 ms of the answer', async () => {
    const call = stageCall()
    await call.answer()
    await call.clock.advance(100)
    expect(call.far.framesHeard).toBeGreaterThan(0)
    await call.clock.advance(300)
    expect(call.far.words[0]).toEqual({ text: 'Hello,', atMs: expect.closeTo(320, -2) })
    expect(call.turns()[0]?.startMs).toBeLessThanOrEqual(20)
  })

  it("answers 500 to 520 ms after the end of the callee's speech", async () => {
    const call = stageCall()
    await call.opened()
    await call.far.says('We have one at eight')
    await call.clock.advance(3000)
    const [callee, agent] = call.turns().slice(-2)
    expect(agent!.startMs - callee!.endMs!).toBeGreaterThanOrEqual(500)
    expect(agent!.startMs - callee!.endMs!).toBeLessThanOrEqual(520)
  })

  it('reports a turn repeatedly while it grows, until it was heard', async () => {
    const call = stageCall()
    await call.opened()
    const growing = call.facts().filter((fact) => fact.type === 'turn' && fact.turn.index === 0)
    expect(growing.length).toBeGreaterThan(8)
    expect(growing[0]).toMatchObject({ turn: { text: 'Hello,', endMs: null, heard: false } })
    expect(growing.at(-1)).toMatchObject({ turn: { heard: true, endMs: expect.any(Number) } })
  })

  it('opens the ear when the leg rings', async () => {
    let opened = false
    const ear = textEar
    const call = stageCall({
      ears: [{ ...ear, listen: (...args) => ((opened = true), ear.listen(...args)) }],
    })
    await call.clock.advance(100)
    expect(opened).toBe(false)
    call.far.ring()
    expect(opened).toBe(true)
  })
})

describe('an interrupted sentence', () => {
  it('is kept by transcript and mind only as far as the callee heard it', async () => {
    const mind = talker()
    const call = stageCall({ mind })
    await call.opened()
    await call.far.says('Yes we have one.')
    await call.clock.advance(500 + 1600)
    await call.far.says('No not on a Friday')
    await call.clock.advance(2000)
    const cut = call.turns()[3]
    expect(cut).toMatchObject({ speaker: 'agent', text: 'Could it be at seven in', heard: false })
    expect(call.far.words.map(({ text }) => text).join(' ')).toContain(cut!.text)
    expect(mind.asked.at(-1)!.turns[3]).toMatchObject({ index: 3, speaker: 'agent', text: cut!.text, heard: false })
    expect(mind.asked.at(-1)!.cue).toEqual({ type: 'heard', text: 'No not on a Friday' })
  })

  it('resumes as one turn after a cough', async () => {
    const call = stageCall()
    await call.opened()
    await call.far.says('Yes we have one.')
    await call.clock.advance(1500)
    // Sound without a word, 900 ms long.
    await call.far.says('  ')
    await call.clock.advance(8000)
    expect(call.turnTexts().at(-1)).toBe('agent: Could it be at seven in the evening on Friday please?')
    const said = call.far.words.map(({ text }) => text).join(' ')
    expect(said.slice(said.indexOf('Could'))).toMatch(/^(Could it be at seven )?.*evening on Friday please\?$/)
  })

  it('leaves no memory of a discarded reply', async () => {
    const mind = talker()
    const call = stageCall({ mind })
    await call.opened()
    await call.far.says('We have one at eight.')
    await call.clock.advance(380)
    await call.far.says('Or one at nine.')
    await call.clock.advance(3000)
    const heard = mind.asked.filter(({ cue }) => cue.type === 'heard')
    expect(heard.map(({ cue, memory }) => ['text' in cue && cue.text, memory])).toEqual([
      ['We have one at eight.', 1],
      ['We have one at eight. Or one at nine.', 1],
    ])
    expect(call.turnTexts().filter((turn) => turn.startsWith('agent: Could'))).toHaveLength(1)
  })
})

describe('replies of the mind', () => {
  it('press keys after the sentence before them and report phases and outcomes', async () => {
    const outcome = { objective: 'a table for two', status: 'met', quote: 'Yes we have one.', turn: 2 } as const
    const mind = talker(({ cue }) =>
      cue.type === 'heard'
        ? [
            { type: 'phase', phase: 'objective 1 of 1' },
            { type: 'outcome', index: 0, outcome },
            say('One moment.'),
            { type: 'press', digits: '12#' },
          ]
        : undefined,
    )
    const call = stageCall({ mind })
    await call.opened()
    await call.far.says('Yes we have one.')
    await call.clock.advance(800)
    expect(call.far.digits).toBe('')
    await call.clock.advance(1000)
    expect(call.far.digits).toBe('12#')
    expect(call.facts()).toContainEqual(expect.objectContaining({ type: 'phase', phase: 'objective 1 of 1' }))
    expect(call.facts()).toContainEqual(expect.objectContaining({ type: 'outcomes', outcomes: [outcome] }))
  })

  it('follow an instruction of the user', async () => {
    const call = stageCall()
    await call.opened()
    call.session.instruct('You may go up to 150.')
    await call.clock.advance(2000)
    expect(call.turnTexts().at(-1)).toBe('agent: About instruction.')
  })

  it("begin in the language of the callee's country", async () => {
    const mind = talker()
    const call = stageCall({ mind, order: { callee: '+34911234567', language: 'auto' } })
    await call.opened()
    expect(call.turnTexts()[0]).toBe(
      'agent: Hola, soy un asistente de inteligencia artificial y llamo en nombre de Ann Smith.',
    )
    expect(mind.asked.map(({ language }) => language)).toEqual(['es'])
  })

  it('switch to the language heard only when the order says auto', async () => {
    for (const [chosen, answered] of [
      ['auto', 'es'],
      ['en', 'en'],
    ] as const) {
      const mind = talker()
      const call = stageCall({ mind, order: { language: chosen } })
      await call.opened()
      await call.far.says('Perdone, no hablo inglés. ¿Habla usted español?')
      await call.clock.advance(2000)
      expect(mind.asked.at(-1)).toMatchObject({ cue: { type: 'heard' }, language: answered })
    }
  })

  it('follow a disclosure that announces the recording', async () => {
    const call = stageCall({ order: { record: true } })
    await call.opened()
    expect(call.turnTexts()[0]).toBe(
      'agent: Hello, this is an AI assistant calling on behalf of Ann Smith. This call is recorded.',
    )
  })
})

describe('a failure', () => {
  it('of the mind is bridged by a phrase and retried once', async () => {
    let failures = 1
    const mind = talker(({ cue }) => {
      if (cue.type === 'heard' && failures-- > 0) throw new Error('out of thoughts')
      return undefined
    })
    const call = stageCall({ mind })
    await call.opened()
    await call.far.says('We have one at eight')
    failures = 1
    await call.clock.advance(9000)
    expect(call.turnTexts().slice(-1)).toEqual(['agent: Could it be at seven in the evening on Friday please?'])
  })

  it('by two empty replies makes the agent ask the callee to repeat', async () => {
    const mind = talker(({ cue }) => (cue.type === 'heard' ? [{ type: 'memory', memory: 1 }] : undefined))
    const call = stageCall({ mind })
    await call.opened()
    await call.far.says('We have one at eight')
    await call.clock.advance(9000)
    expect(call.turnTexts().slice(-2)).toEqual([
      'agent: One moment, please.',
      "agent: I'm sorry, I didn't catch that. Could you say it again?",
    ])
  })

  it('of the mouth ends the call as interrupted', async () => {
    const mute: Mouth = {
      name: 'mute',
      wordTimes: true,
      open: () => {
        throw new Error('no voice')
      },
    }
    const call = stageCall({ mouth: mute })
    await call.opened()
    await call.over()
    expect(call.ended()).toMatchObject({ reason: 'interrupted' })
  })

  it('of the ear reopens the ear', async () => {
    const ear = textEar
    let opened = 0
    const call = stageCall({
      ears: [
        {
          ...ear,
          listen(options, clock, onEvent) {
            const failed = { type: 'failed', message: 'gone', retryable: true, retryAfterMs: null } as const
            if (opened++ === 0) clock.after(3000, () => onEvent(failed))
            return ear.listen(options, clock, onEvent)
          },
        },
      ],
    })
    await call.opened()
    await call.far.says('Yes we have one.')
    await call.clock.advance(3000)
    expect(opened).toBe(2)
    expect(call.turnTexts()).toContain('user: Yes we have one.')
  })

  it('of the conclusion falls back to the outcomes that the session knows', async () => {
    const mind: Mind = { ...talker(), conclude: () => Promise.reject(new Error('no idea')) }
    const call = stageCall({ mind })
    await call.opened()
    call.far.end('remote')
    await call.over()
    expect(call.facts().at(-1)).toMatchObject({
      type: 'wrapped_up',
      outcomes: [{ objective: 'a table for two', status: 'open' }],
      summary: { type: 'pending', actionRequired: true, nextSteps: ['Still open: a table for two'] },
    })
  })

  it('of the session ends its call as interrupted', async () => {
    const ear: Ear = {
      ...textEar,
      listen: () => {
        throw new Error('a fault')
      },
    }
    const call = stageCall({ ears: [ear] })
    await call.answer()
    await call.over()
    expect(call.ended()).toMatchObject({ reason: 'interrupted' })
  })
})
