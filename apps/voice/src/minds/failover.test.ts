import { createScriptedMind } from '@parley/offline-mind'
import { spoken, words } from '@parley/sandbox/testing'
import { type Cue, type Mind, type MindEvent, virtualClock, type VirtualClock } from '@parley/voice-ports'
import { aCallState, Conversation, heardTurn, mindConforms, ORDER } from '@parley/voice-ports/conformance'
import { describe, expect, it } from 'vitest'
import { type FailoverMind, failoverMind } from './failover.ts'
import { ModelFailure } from './language-model/failure.ts'
import { createLanguageModelMind } from './language-model/index.ts'
import { openModels, quiet, saidOf, settingsOf, take } from './language-model/testing.ts'

type Step = readonly [atMs: number, MindEvent | ModelFailure]

const say = (text: string): MindEvent => ({ type: 'say', text })
const memory = (value: unknown = null): MindEvent => ({ type: 'memory', memory: value })
const broken = new ModelFailure('broken', 'The connection broke off in the answer.')
const late = new ModelFailure('late', 'Nothing that can be spoken came in time.')
const refused = new ModelFailure('refused', 'The vendor answered 401', { status: 401 })

/** A model whose replies are timed steps, one list for each time it is asked. */
function model(name: string, clock: VirtualClock, replies: readonly (readonly Step[])[]) {
  const log = { asked: 0, memories: [] as unknown[] }
  const mind: Mind = {
    name,
    async *respond(asked, signal) {
      const steps = replies[Math.min(log.asked++, replies.length - 1)] ?? []
      log.memories.push(asked.memory)
      const startMs = clock.nowMs()
      for (const [atMs, event] of steps) {
        if (atMs > 0)
          await new Promise<void>((resolve) => {
            clock.after(startMs + atMs - clock.nowMs(), resolve)
            signal.addEventListener('abort', () => resolve())
          })
        if (signal.aborted) return
        if (event instanceof Error) throw event
        yield event
      }
    },
    conclude: () => Promise.reject(broken),
  }
  return { mind, log }
}

const TURNS = [heardTurn(0, 'agent', 'Hello.'), heardTurn(1, 'agent', 'A table?'), heardTurn(2, 'user', 'Yes.')]
const heard = (text = 'Yes.', changes: Parameters<typeof aCallState>[0] = {}) => ({
  ...aCallState({ turns: TURNS, memory: { by: 'model', model: 'kept', last: null }, ...changes }),
  cue: { type: 'heard', text } as const,
})

function stage(...replies: readonly (readonly (readonly Step[])[])[]) {
  const clock = virtualClock()
  const models = replies.map((each, index) => model(`model ${index}`, clock, each))
  const minds = models.map(({ mind }) => mind)
  const mind = failoverMind(minds, { clock, log: quiet, last: createScriptedMind() })
  return { clock, mind, logs: models.map(({ log }) => log) }
}

async function reply(
  { mind, clock }: { mind: FailoverMind; clock: VirtualClock },
  asked: Parameters<Mind['respond']>[0] = heard(),
) {
  const taken = take(mind.respond(asked, new AbortController().signal))
  let over = false
  void taken.then(() => (over = true))
  while (!over) await clock.advance(10)
  const { events, error } = await taken
  return { events, error, said: saidOf(events) }
}

describe('failoverMind', () => {
  it('asks the next model when one fails before its first clause: nothing of the first is heard', async () => {
    const on = stage(
      [
        [
          [0, say('I would li')],
          [100, broken],
        ],
      ],
      [
        [
          [0, say('Is seven possible?')],
          [0, memory('two')],
        ],
      ],
    )
    const { said, events } = await reply(on)
    expect(said).toBe('Is seven possible?')
    expect(events.at(-1)).toEqual({ type: 'memory', memory: { by: 'model', model: 'two', last: null } })
    expect(on.logs.map(({ memories }) => memories)).toEqual([['kept'], ['kept']])
    expect(on.mind.counts).toMatchObject({ asked: 1, failed: 1, lastResort: 0 })
  })

  it('does not change the model once a clause is out', async () => {
    const on = stage(
      [
        [
          [0, say('I would like to book a table, ')],
          [100, broken],
        ],
      ],
      [[[0, say('Hello?')]]],
    )
    const { said, error } = await reply(on)
    expect([said, error]).toEqual(['I would like to book a table, ', broken])
    expect(on.logs[1]?.asked).toBe(0)
  })

  it('lets the first clause out as soon as it stands, and a whole sentence 150 ms behind it', async () => {
    const { clock, mind } = stage([
      [
        [0, say('Good.')],
        [5000, memory()],
      ],
    ])
    const events = mind.respond(heard(), new AbortController().signal)
    const first = events[Symbol.asyncIterator]().next()
    await clock.advance(200)
    expect(await first).toMatchObject({ value: say('Good.') })
  })

  it('asks the second model as well when the first is slow, and counts it', async () => {
    const on = stage(
      [
        [
          [3000, say('One.')],
          [3000, memory()],
        ],
      ],
      [
        [
          [100, say('Two.')],
          [100, memory()],
        ],
      ],
    )
    expect((await reply(on)).said).toBe('Two.')
    expect(on.mind.counts).toMatchObject({ hedged: 1, wonBySecond: 1, failed: 0 })
  })

  it('asks a model whose connection broke at once a second time, and one that was late only once', async () => {
    const mended = stage([
      [[0, broken]],
      [
        [0, say('Seven?')],
        [0, memory()],
      ],
    ])
    expect((await reply(mended)).said).toBe('Seven?')
    const slow = stage([[[4000, late]], [[0, say('Seven?')]]])
    expect((await reply(slow)).events).toContainEqual({ type: 'hang_up', reason: 'agent_closed' })
    expect(slow.logs[0]?.asked).toBe(1)
  })

  it('skips a model after a refusal for a minute, after 429 for Retry-After, after two failures for 15 s', async () => {
    const busy = new ModelFailure('busy', 'Too many requests.', { status: 429, retryAfterMs: 7000 })
    for (const [failure, skippedMs, asked] of [
      [refused, 60_000, 1],
      [busy, 7000, 1],
      [late, 15_000, 2],
    ] as const) {
      const works: Step[] = [
        [0, say('Two.')],
        [0, memory()],
      ]
      const on = stage([[[0, failure]]], [works])
      for (let turn = 0; turn < 4; turn++) expect((await reply(on)).said).toBe('Two.')
      expect(on.logs[0]?.asked).toBe(asked)
      await on.clock.advance(skippedMs)
      await reply(on)
      expect(on.logs[0]?.asked).toBe(asked + 1)
    }
  })

  it('ends without an event when it is aborted', async () => {
    const { clock, mind } = stage([[[5000, say('One.')]]], [[[5000, say('Two.')]]])
    const abort = new AbortController()
    const taken = take(mind.respond(heard(), abort.signal))
    await clock.advance(2000)
    abort.abort()
    expect(await taken).toEqual({ events: [], error: null })
  })
})

describe('asked ahead', () => {
  const ahead = (text = 'Yes.') => ({ ...heard(text), ahead: true })
  const works: Step[] = [
    [0, say('Seven?')],
    [0, memory()],
  ]
  const busy = new ModelFailure('busy', 'Too many requests.', { status: 429 })
  const unable = new ModelFailure('broken', 'The vendor answered 501', { status: 501 })

  it.each([
    ['501', unable, 2],
    ['429', busy, 1],
    ['401', refused, 1],
  ])(
    'fails where the vendor answers %s, and the reply that is needed is still asked of it',
    async (_, failure, asks) => {
      const on = stage([...Array.from({ length: asks }, (): Step[] => [[0, failure]]), works])
      const first = await reply(on, ahead())
      expect([first.said, first.events, first.error]).toEqual(['', [], failure])
      expect(on.logs[0]?.asked).toBe(asks)
      // Not asked ahead again for a while.
      expect((await reply(on, ahead())).error).toBeInstanceOf(ModelFailure)
      expect(on.logs[0]?.asked).toBe(asks)
      expect((await reply(on)).said).toBe('Seven?')
      expect(on.mind.counts).toMatchObject({ failed: asks, lastResort: 0 })
    },
  )

  it('is answered by the next model, and asks none that does not reply when it is needed', async () => {
    const on = stage([[[0, refused]]], [works])
    expect((await reply(on)).said).toBe('Seven?')
    expect((await reply(on, ahead())).said).toBe('Seven?')
    expect(on.logs.map(({ asked }) => asked)).toEqual([1, 2])
  })

  it('and replying, a model is tried again as one that has not failed', async () => {
    const fails: Step[] = [[0, late]]
    const on = stage([fails, works, fails, works], [works])
    await reply(on)
    expect((await reply(on, ahead())).said).toBe('Seven?')
    await reply(on)
    expect(on.logs.map(({ asked }) => asked)).toEqual([3, 2])
    await reply(on)
    // Two failures, but not in a row.
    expect(on.logs.map(({ asked }) => asked)).toEqual([4, 2])
  })

  it('of a vendor that concludes or observes nothing is a reply all the same', async () => {
    const on = stage([works])
    await on.mind.conclude({ ...heard(), endReason: 'agent_closed' }, new AbortController().signal)
    await on.mind.conclude({ ...heard(), endReason: 'agent_closed' }, new AbortController().signal)
    expect(on.mind.counts.failed).toBe(2)
    expect((await reply(on, ahead())).said).toBe('Seven?')
    expect((await reply(on)).said).toBe('Seven?')
  })
})

describe('the last resort', () => {
  const dead = () => stage([[[0, refused]]])
  const cued = (cue: Cue) => ({ ...aCallState({ turns: [heardTurn(0, 'agent', 'Hello, I am an AI.')] }), cue })

  it('leads a call from its beginning to its end when no model answers', async () => {
    const { mind } = dead()
    const call = new Conversation(mind)
    await call.go({ type: 'opening' })
    for (const text of ['Yes, seven is fine.', 'Yes.', 'From nine to five.', 'No, that is all. Goodbye.'])
      if (!call.ended) await call.go({ type: 'heard', text })
    expect(call.ended).toBe(true)
    expect(call.outcomes.some(({ outcome }) => outcome.status === 'met')).toBe(true)
    const concluded = await mind.conclude({ ...call.state(), endReason: 'agent_closed' }, new AbortController().signal)
    expect(concluded.outcomes.some(({ status }) => status === 'met')).toBe(true)
  })

  it.each([
    ['en', /technical problem/],
    ['de', /technisches Problem/],
    ['ja', /技術的な問題/],
    ['pt-BR', /problema técnico/],
  ])('tells the truth and hangs up in a call that a model began (%s)', async (language, truth) => {
    const { said, events } = await reply(dead(), heard('Yes.', { language }))
    expect(said).toMatch(truth)
    expect(events.map(({ type }) => type)).toEqual(['say', 'hang_up', 'memory'])
  })

  it('still confirms an opt-out, leaves a message and ends in time', async () => {
    const optOut = await reply(dead(), heard('Do not call me again.'))
    expect(optOut.events).toContainEqual({ type: 'hang_up', reason: 'opted_out' })
    const message = await reply(dead(), cued({ type: 'voicemail' }))
    expect(message.said).toContain('table')
    expect(message.events).toContainEqual({ type: 'hang_up', reason: 'voicemail' })
    const time = await reply(dead(), { ...heard(), cue: { type: 'time_nearly_up' } })
    expect(time.events).toContainEqual({ type: 'hang_up', reason: 'time_limit' })
  })

  it('concludes by the record of a call that models led, in the language of the reader', async () => {
    const outcomes = [
      { objective: 'Table at 7 pm', status: 'met' as const, quote: 'Yes.', turn: 2 },
      { objective: 'Find out the opening hours', status: 'open' as const, quote: null, turn: null },
    ]
    const order = { ...ORDER, readerLanguage: 'de' }
    const ended = { ...heard('Yes.', { outcomes, order }), endReason: 'callee_hung_up' as const }
    const concluded = await dead().mind.conclude(ended, new AbortController().signal)
    expect(concluded.outcomes).toEqual(outcomes)
    expect(concluded.summary).toMatchObject({
      type: 'pending',
      insights: ['Table at 7 pm: "Yes."'],
      nextSteps: ['Noch offen: Find out the opening hours'],
      actionRequired: true,
    })
  })

  it('settles nothing in the record of a call in which nobody spoke', async () => {
    const outcomes = [{ objective: 'Table at 7 pm', status: 'met' as const, quote: 'Yes.', turn: 2 }]
    const ended = { ...heard('Yes.', { outcomes, turns: [] }), endReason: 'no_answer' as const }
    const concluded = await dead().mind.conclude(ended, new AbortController().signal)
    expect(concluded.outcomes.map(({ status }) => status)).toEqual(['open', 'open'])
    expect(concluded.summary.type).toBe('failed')
  })
})

const models = openModels()

describe('fail-over between vendors', () => {
  it('goes on with another vendor in the same reply, with the same turns', async () => {
    const clock = virtualClock()
    const openai = await models.farEnd(() => ({ steps: [...words('I would li'), { type: 'drop' }] }), clock)
    const anthropic = await models.farEnd(() => spoken('Is seven possible?'), clock)
    const minds = await Promise.all([
      createLanguageModelMind(settingsOf(openai, 'openai'), { clock, log: quiet }),
      createLanguageModelMind(settingsOf(anthropic, 'anthropic'), { clock, log: quiet }),
    ])
    const mind = failoverMind(minds, { clock, log: quiet, last: createScriptedMind() })
    const { events } = await take(mind.respond(heard(), new AbortController().signal))
    expect(saidOf(events)).toBe('Is seven possible?')
    const [first, second] = [openai, anthropic].map(({ exchanges }) => exchanges[0]?.request)
    expect(second?.messages).toEqual(first?.messages)
  })

  it('observes with the next model where one fails', async () => {
    const clock = virtualClock()
    const down = await models.farEnd(() => ({ status: 500 }), clock)
    const said = { outcomes: [], opted_out: null, language: 'de' }
    const up = await models.farEnd(() => ({ steps: [{ type: 'say', text: JSON.stringify(said) }] }), clock)
    const minds = await Promise.all(
      [down, up].map((far) => createLanguageModelMind(settingsOf(far, 'openai'), { clock, log: quiet })),
    )
    const mind = failoverMind(minds, { clock, log: quiet, last: createScriptedMind() })
    const events = []
    for await (const event of mind.observe?.(heard(), new AbortController().signal) ?? []) events.push(event)
    expect(events).toContainEqual({ type: 'language', language: 'de' })
  })
})

const refusing = await models.farEnd(() => ({ status: 401 }))
mindConforms('no model answers', async () => {
  const clock = virtualClock()
  const model = await createLanguageModelMind(settingsOf(refusing, 'openai'), { clock, log: quiet })
  return { mind: failoverMind([model], { clock, log: quiet, last: createScriptedMind() }), repeatable: false }
})
