import { type ModelAnswer, type ModelRequest, type ModelStep, spoken, words } from '@parley/sandbox/testing'
import type { Asked, Cue, MindEvent } from '@parley/voice-ports'
import { aCallState, heardTurn } from '@parley/voice-ports/conformance'
import { describe, expect, it } from 'vitest'
import { openModels, PROVIDERS, saidOf, take } from './testing.ts'

const models = openModels()

const heard = (text: string, changes: Parameters<typeof aCallState>[0] = {}): Asked => ({
  ...aCallState({ turns: [heardTurn(0, 'agent', 'Hello.'), heardTurn(1, 'user', text)], ...changes }),
  cue: { type: 'heard', text },
})
const cued = (cue: Cue): Asked => ({ ...aCallState({ turns: [heardTurn(0, 'agent', 'Hello.')] }), cue })
const live = () => new AbortController().signal
const typesOf = (events: readonly MindEvent[]) => events.map(({ type }) => type)
const call = (name: string, input: unknown): ModelStep => ({ type: 'call', name, input })

async function reply(answers: readonly ModelAnswer[], asked = heard('Yes, that works.')) {
  const { far, mind } = await models.stage(({ index }) => answers[index])
  const taken = await take(mind.respond(asked, live()))
  return { ...taken, said: saidOf(taken.events), requests: far.exchanges.map(({ request }) => request) }
}

describe('a reply of a language model', () => {
  it.each(PROVIDERS)('gives each word as it comes, and what it has used (%s)', async (provider) => {
    const steps = [
      ...words('Good, thank you. '),
      { type: 'wait', ms: 1000 } as const,
      ...words('Until when are you open?'),
    ]
    const { far, mind, clock } = await models.stage(() => ({ steps, usage: { input: 900, output: 12 } }), provider)
    const reply = mind.respond(heard('Seven is fine.'), live())[Symbol.asyncIterator]()
    let early = ''
    while (!early.includes('you.')) {
      const { value } = await reply.next()
      if (value?.type === 'say') early += value.text
    }
    // The second sentence does not exist yet.
    expect(early.trim()).toBe('Good, thank you.')
    const rest = take({ [Symbol.asyncIterator]: () => reply })
    await clock.advance(1000)
    const { events, error } = await rest
    expect(error).toBeNull()
    expect(saidOf(events)).toBe('Until when are you open?')
    const [request] = far.exchanges.map((exchange) => exchange.request)
    expect(events.at(-2)).toEqual({ type: 'usage', inputTokens: 900, outputTokens: 12, model: request?.model })
    expect(events.at(-1)?.type).toBe('memory')
  })

  it.each(PROVIDERS)('closes the connection of an aborted reply within 50 ms (%s)', async (provider) => {
    const steps = [...words('I would like to '), { type: 'wait', ms: 60_000 } as const, ...words('book a table.')]
    const { far, mind, clock } = await models.stage(() => ({ steps }), provider)
    const abort = new AbortController()
    const reply = mind.respond(heard('Yes?'), abort.signal)[Symbol.asyncIterator]()
    let said = ''
    while (said.trim() !== 'I would like to') {
      const { value } = await reply.next()
      if (value?.type === 'say') said += value.text
    }
    // Nothing comes by itself for a minute.
    const under = reply.next()
    const abortedAtMs = clock.nowMs()
    abort.abort()
    await clock.advance(50)
    expect(await under).toEqual({ done: true, value: undefined })
    await expect.poll(() => far.exchanges[0]?.abandoned).toBe(true)
    expect(far.exchanges[0]?.closedAtMs).toBeLessThanOrEqual(abortedAtMs + 50)
  })

  it.each(PROVIDERS)('uses its connections again in later turns (%s)', async (provider) => {
    const { far, mind } = await models.stage(() => spoken('All right.'), provider)
    for (let turn = 0; turn < 6; turn++) await take(mind.respond(heard('Yes.'), live()))
    expect(far.exchanges).toHaveLength(6)
    // A second one may be opened while the first is being freed.
    expect(far.connections).toBeLessThanOrEqual(2)
  })

  it('asks for nothing when it is aborted before', async () => {
    const { far, mind } = await models.stage(() => spoken('Hello.'))
    expect(await take(mind.respond(heard('Yes?'), AbortSignal.abort()))).toEqual({ events: [], error: null })
    expect(far.exchanges).toEqual([])
  })

  it('offers every tool and bounds the answer', async () => {
    const { requests } = await reply([spoken('All right.')])
    expect(requests[0]?.tools.toSorted()).toEqual([
      'ask_owner',
      'change_language',
      'end_call',
      'leave_message',
      'mark_objective',
      'send_digits',
      'transfer',
      'wait',
    ])
    expect(requests[0]?.maxTokens).toBe(500)
  })
})

describe('tools of a language model', () => {
  it('notes an outcome with the turn of its quote, while the words go on', async () => {
    const told = {
      objective: 1,
      status: 'met_within_limits',
      quote: 'half past seven',
      offer: '7:30 pm',
      value: { type: 'date_time', text: '2026-11-20T19:30', unit: null },
    }
    const { events, said } = await reply(
      [{ steps: [call('mark_objective', told), ...words('Half past seven then. Thank you.')] }],
      heard('Only at half past seven.'),
    )
    expect(said).toBe('Half past seven then. Thank you.')
    expect(events).toContainEqual({
      type: 'outcome',
      index: 0,
      outcome: {
        objective: 'Table at 7 pm',
        status: 'met_within_limits',
        quote: 'half past seven',
        turn: 1,
        offer: '7:30 pm',
        value: { type: 'date_time', at: '2026-11-20T19:30', timezone: 'America/New_York' },
      },
    })
  })

  it('drops an outcome of an objective that is not ordered', async () => {
    const { events } = await reply([
      { steps: [call('mark_objective', { objective: 9, status: 'met', quote: 'Yes' }), ...words('Fine.')] },
    ])
    expect(typesOf(events)).not.toContain('outcome')
  })

  it.each(PROVIDERS)('presses keys where they stood among the words (%s)', async (provider) => {
    const steps = [...words('One moment.'), call('send_digits', { digits: '1 2#' }), ...words(' I am still here.')]
    const { mind } = await models.stage(() => ({ steps }), provider)
    const { events } = await take(mind.respond(heard('Press one two and hash.'), live()))
    const at = events.findIndex(({ type }) => type === 'press')
    expect(events[at]).toEqual({ type: 'press', digits: '12#' })
    expect(saidOf(events.slice(0, at))).toBe('One moment.')
    expect(saidOf(events.slice(at)).trim()).toBe('I am still here.')
  })

  it.each([
    ['arguments that are no JSON', { type: 'raw_call', name: 'end_call', input: '{"reason": 7' }],
    ['a reason that is none', call('end_call', { reason: 'bored' })],
    ['a tool that is none', call('delete_account', {})],
    ['keys that are none', call('send_digits', { digits: 'abc' })],
    ['a placeholder of no vault', call('send_digits', { digits: '[[private 1]]' })],
    ['a wait of no time', call('wait', { seconds: -3 })],
  ] as const)('never acts on a call with %s', async (_, step) => {
    const { events, said, error } = await reply([{ steps: [step, ...words('All right, thank you.')] }])
    expect(error).toBeNull()
    expect(said).toBe('All right, thank you.')
    expect(typesOf(events).filter((type) => !['say', 'phase', 'usage', 'memory'].includes(type))).toEqual([])
  })

  it('asks once more for words when the model only noted something: no dead air', async () => {
    const mark = call('mark_objective', { objective: 2, status: 'met', quote: 'From nine to five' })
    const answers = [{ steps: [mark] }, spoken('Thank you. And a table at seven?')]
    const { events, said, requests } = await reply(answers, heard('From nine to five.'))
    expect(said).toBe('Thank you. And a table at seven?')
    expect(events[0]).toMatchObject({ type: 'outcome', index: 1, outcome: { turn: 1 } })
    expect(requests[1]?.tools).toEqual([])
    expect(events.filter(({ type }) => type === 'usage')).toHaveLength(2)
  })

  it.each([
    ['a wait', call('wait', { seconds: 60 }), { type: 'wait', forMs: 60_000 }],
    [
      'a question for the owner',
      call('ask_owner', { question: 'Which table?' }),
      { type: 'ask_owner', question: 'Which table?' },
    ],
    ['a transfer', call('transfer', { to: '+12025550100' }), { type: 'transfer', to: '+12025550100' }],
  ] as const)('takes %s for an answer without words', async (_, step, event) => {
    const { events, requests } = await reply([{ steps: [step] }])
    expect(events).toContainEqual(event)
    expect(requests).toHaveLength(1)
  })

  it('tells a change of language before the words in it', async () => {
    const { events } = await reply(
      [{ steps: [call('change_language', { language: 'de' }), ...words('Guten Tag.')] }],
      heard('Sprechen Sie Deutsch?'),
    )
    expect(typesOf(events).slice(0, 2)).toEqual(['language', 'say'])
    const same = await reply([{ steps: [call('change_language', { language: 'en-US' }), ...words('Hello.')] }])
    expect(typesOf(same.events)).not.toContain('language')
  })
})

describe('the end of a call by a language model', () => {
  it('hangs up last, wherever the model called for it', async () => {
    const { events } = await reply([{ steps: [call('end_call', { reason: 'agent_closed' }), ...words('Goodbye.')] }])
    const types = typesOf(events)
    expect(types.slice(types.indexOf('hang_up'))).toEqual(['hang_up', 'usage', 'memory'])
    expect(saidOf(events)).toBe('Goodbye.')
  })

  it('does not hang up behind a question', async () => {
    const { events } = await reply([spoken('Would eight be possible?', ['end_call', { reason: 'agent_closed' }])])
    expect(typesOf(events)).not.toContain('hang_up')
  })

  it.each([
    'Thank you. Goodbye!',
    'Vielen Dank, auf Wiederhören.',
    'ありがとうございました。失礼いたします。',
    'Merci, au revoir.',
  ])('hangs up behind its goodbye where the model forgot to: %s', async (goodbye) => {
    const { events } = await reply([spoken(goodbye)])
    expect(events).toContainEqual({ type: 'hang_up', reason: 'agent_closed' })
  })

  it.each(['Please buy the table.', 'Before I say goodbye, one more thing.', 'Shall we say goodbye?'])(
    'does not take this for a goodbye: %s',
    async (words) => expect(typesOf((await reply([spoken(words)])).events)).not.toContain('hang_up'),
  )

  it.each([
    [{ type: 'time_nearly_up' }, 'time_limit'],
    [{ type: 'voicemail' }, 'voicemail'],
    [{ type: 'silence', count: 3 }, 'silence'],
  ] as const)('ends at the cue %j also where the model does not', async (cue, reason) => {
    const { events } = await reply([spoken('Thank you, goodbye.')], cued(cue))
    expect(events).toContainEqual({ type: 'hang_up', reason })
  })

  it('does not talk to an answering machine that only the model noticed', async () => {
    const answers = [spoken('Please call Anna back about Friday.', ['leave_message', {}])]
    const { events } = await reply(answers, heard('Leave your message after the tone.'))
    expect(events).toContainEqual({ type: 'hang_up', reason: 'voicemail' })
  })

  it('tells an opt-out once and ends the call, also where the model goes on', async () => {
    const asked = heard('Take me off your list and do not call me again.')
    const { events } = await reply([spoken('But it is a very good offer.')], asked)
    expect(events.filter(({ type }) => type === 'opted_out')).toEqual([
      { type: 'opted_out', quote: 'Take me off your list and do not call me again.' },
    ])
    expect(events).toContainEqual({ type: 'hang_up', reason: 'opted_out' })
    const told = await reply([spoken('Understood. Goodbye.', ['end_call', { reason: 'opted_out' }])], asked)
    expect(told.events.filter(({ type }) => type === 'opted_out')).toHaveLength(1)
  })
})

describe('what a language model remembers', () => {
  const lastOf = (requests: readonly ModelRequest[]) => JSON.stringify(requests.at(-1)?.messages)

  it('asks anew after an early reply was discarded, with nothing of it', async () => {
    const { far, mind } = await models.stage(({ index }) =>
      index === 0 ? spoken('Seven then.') : spoken('Eight then.'),
    )
    const abort = new AbortController()
    for await (const event of mind.respond(heard('Seven'), abort.signal)) if (event.type === 'say') abort.abort()
    const { events } = await take(mind.respond(heard('Seven is full, but eight is free.'), live()))
    expect(saidOf(events)).toBe('Eight then.')
    expect(lastOf(far.exchanges.map(({ request }) => request))).not.toContain('Seven then')
  })

  it('speaks again after a guard dropped a whole reply', async () => {
    const { mind } = await models.stage(() => spoken('Is seven possible?'))
    await take(mind.respond(heard('Hello?'), live()))
    // Nothing of it was heard, and its memory was not kept.
    const { events } = await take(mind.respond(cued({ type: 'silence', count: 1 }), live()))
    expect(saidOf(events)).toBe('Is seven possible?')
  })

  it("keeps the owner's instructions in its memory, if the reply was used", async () => {
    const { far, mind } = await models.stage(() => spoken('And is there parking?'))
    const { events } = await take(mind.respond(cued({ type: 'instruction', text: 'Ask about parking.' }), live()))
    const memory = events.flatMap((event) => (event.type === 'memory' ? [event.memory] : []))[0]
    await take(mind.respond(heard('Yes.', { memory }), live()))
    expect(lastOf(far.exchanges.map(({ request }) => request))).toContain('Ask about parking.')
    await take(mind.respond(heard('Yes.'), live()))
    expect(lastOf(far.exchanges.map(({ request }) => request))).not.toContain('Ask about parking.')
  })
})
