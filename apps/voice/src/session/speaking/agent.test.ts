import { describe, expect, it } from 'vitest'
import type { Mind, MindEvent, Mouth, Observation } from '@parley/voice-ports'
import {
  createScriptedMouth,
  createStallingMouth,
  createTroubledMind,
  createUntimedMouth,
  type Trouble,
} from '@parley/sandbox'
import { dialOptions } from '../call/leg-control.ts'
import { Figures, NO_PRICES } from '../reporting/figures.ts'
import { Transcript } from '../reporting/transcript.ts'
import { anOrder, mindThat, quietLog, steadyMouth, virtualTime } from '../testing/fakes.ts'
import { FarEnd } from '../testing/far-end.ts'
import { say, stageCall, talker } from '../testing/staged-call.ts'
import { Agent } from './agent.ts'
import { Playback } from './playback.ts'

const nothing = () => undefined
const QUESTION = 'Could it be at seven in the evening on Friday please?'
const MEMORY: MindEvent = { type: 'memory', memory: 1 }

/** Counts its voices, and can break them. */
function watched(mouth: Mouth) {
  const voices: { open: boolean; languages: string[]; said: string[]; fail(): void }[] = []
  const watching: Mouth = {
    ...mouth,
    open(options) {
      const speaking = mouth.open(options)
      const voice = {
        open: true,
        languages: [options.language],
        said: [] as string[],
        fail: () => options.onFailed?.(new Error('The connection broke.')),
      }
      voices.push(voice)
      return {
        speak(text, more) {
          voice.said.push(text)
          return speaking.speak(text, more)
        },
        setLanguage(language) {
          voice.languages.push(language)
          speaking.setLanguage(language)
        },
        close() {
          voice.open = false
          speaking.close()
        },
      }
    },
  }
  return { mouth: watching, voices }
}

/** Answers what is heard with these events. */
const answering = (...events: readonly MindEvent[]) =>
  talker(({ cue }) => (cue.type === 'heard' ? [...events, MEMORY] : undefined))

describe("the agent's voice", () => {
  it('is opened while it rings, speaks the whole call, and is closed at its end', async () => {
    const { mouth, voices } = watched(steadyMouth)
    const call = stageCall({ mouth })
    await call.clock.advance(500)
    expect(voices).toHaveLength(0)
    call.far.ring()
    expect(voices).toHaveLength(1)
    await call.clock.advance(100)
    expect(voices[0]!.said).toEqual(['Hello, this is an AI assistant calling on behalf of Ann Smith.'])
    call.far.answer()
    await call.clock.advance(9000)
    await call.far.says('Yes we have one.')
    await call.clock.advance(5000)
    expect(voices[0]!.said.at(-1)).toBe(QUESTION)
    expect(voices[0]!.open).toBe(true)
    call.far.end('remote')
    await call.over()
    expect(voices.map(({ open }) => open)).toEqual([false])
  })

  it('is opened again when its connection breaks', async () => {
    const { mouth, voices } = watched(steadyMouth)
    const call = stageCall({ mouth })
    await call.opened()
    voices[0]!.fail()
    await call.far.says('Yes we have one.')
    await call.clock.advance(6000)
    expect(voices.map(({ said }) => said.length)).toEqual([2, 1])
    expect(call.turnTexts().at(-1)).toBe(`agent: ${QUESTION}`)
  })

  it('changes its language with the callee', async () => {
    const { mouth, voices } = watched(steadyMouth)
    const call = stageCall({ mouth, order: { language: 'auto' } })
    await call.opened()
    await call.far.says('Perdone, no hablo inglés. ¿Habla usted español?')
    await call.clock.advance(3000)
    expect(voices.map(({ languages }) => languages)).toEqual([['en', 'es']])
  })

  it('without word times leaves a turn that says its end is estimated, until it was heard out', async () => {
    const call = stageCall({ mouth: createUntimedMouth() })
    await call.opened()
    await call.far.says('Yes we have one.')
    await call.clock.advance(500 + 1600)
    await call.far.says('No not on a Friday')
    await call.clock.advance(6000)
    const [disclosure] = call.turns()
    const cut = call.turns()[3]!
    expect(disclosure).toMatchObject({ heard: true, estimated: false })
    expect(cut).toMatchObject({ speaker: 'agent', heard: false, estimated: true })
    expect(QUESTION.startsWith(cut.text)).toBe(true)
    expect(cut.text.split(' ').length).toBeGreaterThan(2)
  })

  it('with word times leaves turns that say nothing of estimates', async () => {
    const call = stageCall({ mouth: createScriptedMouth() })
    await call.opened()
    expect(call.turns().every((turn) => !('estimated' in turn))).toBe(true)
  })

  it('that stalls in mid-sentence ends with what was heard, and the call goes on', async () => {
    const call = stageCall({ mouth: createStallingMouth(900) })
    await call.answer()
    await call.clock.advance(16_000)
    expect(call.turns()[0]!.text).toMatch(/^Hello, this/)
    await call.far.says('Who is there?')
    await call.clock.advance(9000)
    expect(call.turnTexts().filter((turn) => turn.startsWith('agent:')).length).toBeGreaterThan(1)
    expect(call.ended()).toBeUndefined()
  })
})

describe('a troubled mind', () => {
  const said = async (trouble: Trouble) => {
    const troubled = createTroubledMind(trouble)
    const mind: Mind = {
      ...talker(),
      respond: (asked, signal) =>
        asked.cue.type === 'heard' ? troubled.respond(asked, signal) : talker().respond(asked, signal),
    }
    const call = stageCall({ mind })
    await call.opened()
    await call.far.says('Yes we have one.')
    await call.clock.advance(12_000)
    const turns = call.turnTexts()
    return { call, said: turns.slice(turns.indexOf('user: Yes we have one.') + 1) }
  }
  const ASKED_AGAIN = ['agent: One moment, please.', "agent: I'm sorry, I didn't catch that. Could you say it again?"]

  it.each([
    ['half a sentence', ASKED_AGAIN],
    ['an empty reply', ASKED_AGAIN],
    ['markup', ['agent: Hello I would like a table .']],
    ['deltas cut in odd places', ['agent: Dr. Braun says 7.30 p.m. is fine . Is it?']],
    ['a tool before speech', ['agent: I am calling.']],
  ] as const)('with %s is heard as %j', async (trouble, expected) => {
    expect((await said(trouble)).said.slice(0, expected.length)).toEqual(expected)
  })

  it('presses the key that it gave before its words', async () => {
    expect((await said('a tool before speech')).call.far.digits).toBe('1')
  })
})

describe('what a mind asks for besides speech', () => {
  it('is asked with the time, the zone, the time left, outcomes and times of turns', async () => {
    const mind = talker(({ cue }) =>
      cue.type === 'opening'
        ? [
            {
              type: 'outcome',
              index: 0,
              outcome: { objective: 'a table for two', status: 'met', quote: null, turn: null },
            },
            say('I would like a table.'),
            MEMORY,
          ]
        : undefined,
    )
    const call = stageCall({ mind, order: { timezone: 'Europe/Berlin', limitSeconds: 120 } })
    await call.opened()
    await call.far.says('Yes we have one.')
    await call.clock.advance(3000)
    const asked = mind.asked.at(-1)!
    expect(asked).toMatchObject({
      timezone: 'Europe/Berlin',
      now: expect.any(Date),
      outcomes: [{ objective: 'a table for two', status: 'met' }],
    })
    expect(asked.timeLeftMs).toBeGreaterThan(100_000)
    expect(asked.timeLeftMs).toBeLessThan(112_000)
    const [disclosure, , answer] = asked.turns
    expect(disclosure!.startMs).toBeLessThan(100)
    expect(answer!.startMs).toBeGreaterThan(disclosure!.endMs!)
  })

  it('a question for the user is told at once and once, with the summary too, and the callee is told so', async () => {
    const call = stageCall({ mind: answering({ type: 'ask_owner', question: 'Is half past eight fine?' }) })
    await call.opened()
    await call.far.says('Would half past eight be fine?')
    await call.clock.advance(4000)
    expect(call.turnTexts().at(-1)).toBe('agent: I will pass that question on.')
    await call.far.says('Would it?')
    await call.clock.advance(4000)
    const asked = call.facts().filter(({ type }) => type === 'asks_owner')
    expect([asked, call.ended()]).toMatchObject([[{ question: 'Is half past eight fine?' }], undefined])
    call.far.end('remote')
    await call.over()
    expect(call.facts().at(-1)).toMatchObject({
      type: 'wrapped_up',
      summary: { actionRequired: true, nextSteps: ['Answer their question: "Is half past eight fine?"'] },
    })
  })

  it('a question for the user beside words is not spoken of by the agent itself', async () => {
    const call = stageCall({ mind: answering(say('I will ask.'), { type: 'ask_owner', question: 'Is it?' }) })
    await call.opened()
    await call.far.says('Would half past eight be fine?')
    await call.clock.advance(4000)
    expect(call.turnTexts().at(-1)).toBe('agent: I will ask.')
  })

  it('a transfer that nobody can make leaves the call as it is', async () => {
    const call = stageCall({ mind: answering(say('One moment.'), { type: 'transfer', to: '+12125550101' }) })
    await call.opened()
    await call.far.says('Put me through please.')
    await call.clock.advance(4000)
    expect(call.turnTexts().at(-1)).toBe('agent: One moment.')
    expect(call.ended()).toBeUndefined()
  })

  it('a transfer waits for the words before it, and a wait is told at once and bounded', async () => {
    const { clock, ticker } = virtualTime()
    const log: string[] = []
    const far = new FarEnd(clock)
    const playback: Playback = new Playback({
      clock,
      ticker,
      leg: far.dial(
        dialOptions(anOrder({}), 'en', null),
        null,
        (event) => event.type === 'mark' && playback.marked(event.name),
      ),
      events: { heard: nothing, itemHeard: nothing, played: nothing, stalled: nothing },
    })
    const events = { ready: nothing, closes: nothing, failed: nothing, press: nothing, outcomes: nothing }
    const agent = new Agent(
      {
        figures: new Figures({ prices: NO_PRICES }),
        order: anOrder(),
        mind: mindThat(() => [say('One moment.'), { type: 'wait', forMs: 1e9 }, { type: 'transfer', to: '+1' }]),
        mouth: steadyMouth,
        clock,
        playback,
        transcript: new Transcript(clock, nothing),
        log: quietLog(),
        timeLeftMs: () => 1000,
        events: {
          ...events,
          phase: nothing,
          language: nothing,
          optedOut: nothing,
          transfer: (to) => void log.push(`transfer to ${to} at ${clock.nowMs()}`),
          wait: (forMs) => void log.push(`wait ${forMs} at ${clock.nowMs()}`),
        },
      },
      'en',
    )
    agent.ask(1, { type: 'opening' })
    await clock.advance(100)
    far.answer()
    agent.play(1)
    await clock.advance(3000)
    expect(log).toEqual(['wait 300000 at 100', expect.stringMatching(/^transfer to \+1 at 7\d\d$/)])
  })

  it('tokens are logged once at the end of the call, also of replies that were discarded', async () => {
    const used = (inputTokens: number): MindEvent => ({ type: 'usage', inputTokens, outputTokens: 10, model: 'small' })
    const mind: Mind = {
      ...answering(used(100), say(QUESTION)),
      async *observe() {
        yield { type: 'usage', inputTokens: 5, outputTokens: 1, model: 'tiny' } satisfies Observation
      },
    }
    const call = stageCall({ mind })
    await call.opened()
    await call.far.says('We have one at eight.')
    await call.clock.advance(380)
    await call.far.says('Or one at nine.')
    await call.clock.advance(3000)
    call.far.end('remote')
    await call.over()
    const logged = call.logged().filter((line) => JSON.stringify(line).includes('tokens used'))
    expect(logged).toEqual([
      expect.objectContaining({
        msg: 'tokens used',
        tokens: [
          { model: 'small', inputTokens: 200, outputTokens: 20 },
          { model: 'tiny', inputTokens: 5, outputTokens: 1 },
        ],
      }),
    ])
  })
})

describe('an observing mind', () => {
  it('looks at each turn of the callee and never delays a word', async () => {
    const asked: string[] = []
    const mind: Mind = {
      ...talker(),
      async *observe({ cue, turns }, signal) {
        asked.push(cue.type === 'heard' ? `${cue.text} (${turns.length})` : cue.type)
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
        yield { type: 'language', language: 'es' } satisfies Observation
      },
    }
    const call = stageCall({ mind })
    await call.opened()
    await call.far.says('Yes we have one.')
    await call.clock.advance(6000)
    expect(call.turnTexts().at(-1)).toBe(`agent: ${QUESTION}`)
    expect(asked).toEqual(['Yes we have one. (3)'])
  })

  it('reports outcomes and an opt-out that the speaking mind missed', async () => {
    const outcome = { objective: 'a table for two', status: 'refused', quote: 'Never call us.', turn: 2 } as const
    const mind: Mind = {
      ...talker(),
      async *observe() {
        yield { type: 'outcome', index: 0, outcome } satisfies Observation
        yield { type: 'opted_out', quote: 'Never call us.' } satisfies Observation
      },
    }
    const call = stageCall({ mind })
    await call.opened()
    await call.far.says('Never call us.')
    await call.over()
    expect(call.facts()).toContainEqual(expect.objectContaining({ type: 'outcomes', outcomes: [outcome] }))
    expect(call.facts()).toContainEqual(expect.objectContaining({ type: 'opted_out', quote: 'Never call us.' }))
    expect(call.ended()).toMatchObject({ reason: 'opted_out' })
  })
})

describe('a mind that speaks by itself', () => {
  const BLOCK = new Uint8Array(8 * 300).fill(0x20)
  const sounds = (itemId: string, text: string): MindEvent[] =>
    text.split(' ').map((word) => ({ type: 'sound', itemId, audio: BLOCK, text: `${word} ` }))

  function speaking() {
    const log: string[] = []
    const mind: Mind = {
      ...talker(({ cue }) =>
        cue.type === 'heard' ? [...sounds(`to ${cue.text}`, 'Could it be at seven on Friday?'), MEMORY] : undefined,
      ),
      heard: (itemId, heardMs) => void log.push(`${itemId}: ${heardMs} ms`),
      dropped: (itemId) => void log.push(`${itemId}: dropped`),
    }
    const { mouth, voices } = watched(steadyMouth)
    return { call: stageCall({ mind, mouth }), log, voices }
  }

  it('is heard without the mouth, and told so', async () => {
    const { call, log, voices } = speaking()
    await call.opened()
    await call.far.says('Hello.')
    await call.clock.advance(5000)
    expect(call.turnTexts().at(-1)).toBe('agent: Could it be at seven on Friday?')
    expect(voices[0]!.said).toHaveLength(2)
    expect(log).toEqual(['to Hello.: 2100 ms'])
  })

  it('is told how much was heard when it is interrupted, and keeps just those words', async () => {
    const { call, log } = speaking()
    await call.opened()
    await call.far.says('Hello.')
    await call.clock.advance(1500)
    await call.far.says('No not on a Friday')
    await call.clock.advance(600)
    expect(log).toEqual([expect.stringMatching(/^to Hello\.: 1[0-9]00 ms$/)])
    const cut = call.turns()[3]!
    expect(cut).toMatchObject({ heard: false, estimated: true })
    expect('Could it be at seven on Friday?'.startsWith(cut.text)).toBe(true)
  })

  it('is told that an early reply was discarded', async () => {
    const { call, log } = speaking()
    await call.opened()
    await call.far.says('We have one at eight.')
    await call.clock.advance(380)
    await call.far.says('Or one at nine.')
    await call.clock.advance(6000)
    expect(log).toEqual(['to We have one at eight.: dropped', 'to We have one at eight. Or one at nine.: 2100 ms'])
  })
})
