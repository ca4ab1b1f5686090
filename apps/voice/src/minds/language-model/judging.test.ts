import type { ModelAnswer } from '@parley/sandbox/testing'
import type { EndedCall, Observation } from '@parley/voice-ports'
import { aCallState, heardTurn, ORDER } from '@parley/voice-ports/conformance'
import { describe, expect, it } from 'vitest'
import { openModels, PROVIDERS } from './testing.ts'

const models = openModels()
const live = () => new AbortController().signal
const json = (value: unknown): ModelAnswer => ({ steps: [{ type: 'say', text: JSON.stringify(value) }] })

const TURNS = [
  heardTurn(0, 'agent', 'Is a table at seven possible?'),
  heardTurn(1, 'user', 'Sorry, seven is full. Half past seven would do.'),
  heardTurn(2, 'agent', 'I pass that on. When do you open?'),
  heardTurn(3, 'user', 'From nine to five.'),
]
const judged = (objective: number, status: string, quote: string | null, offer: string | null = null) => ({
  objective,
  status,
  quote,
  offer,
  value: null,
})
const OFFERED = judged(1, 'offered', 'Half past seven would do', '7:30 pm')
const HOURS = judged(2, 'met', 'from nine to five')
const SUMMARY = {
  type: 'success',
  title: 'Offered: half past seven',
  description: 'They have no table at seven.',
  insights: ['They open from nine to five.'],
  next_steps: ['Decide on half past seven.'],
  action: 'Decide on half past seven.',
}
const ended = (changes: Partial<EndedCall> = {}): EndedCall => ({
  ...aCallState({ turns: TURNS }),
  endReason: 'agent_closed',
  ...changes,
})

async function concluded(answers: readonly ModelAnswer[], call = ended()) {
  const { far, mind } = await models.stage(({ index }) => answers[index])
  const conclusion = await mind.conclude(call, live()).catch((error: unknown) => error)
  return { conclusion, requests: far.exchanges.map(({ request }) => request) }
}

describe('the conclusion by a language model', () => {
  it.each(PROVIDERS)('is asked for by schema, and told with the turns of its quotes (%s)', async (provider) => {
    const { far, mind } = await models.stage(() => json({ outcomes: [OFFERED, HOURS], summary: SUMMARY }), provider)
    const { outcomes, summary } = await mind.conclude(ended(), live())
    expect(far.exchanges[0]?.request.schema).toMatchObject({ properties: { outcomes: {}, summary: {} } })
    expect(outcomes).toEqual([
      { objective: 'Table at 7 pm', status: 'offered', quote: 'Half past seven would do', turn: 1, offer: '7:30 pm' },
      // Written differently, the whole turn is the evidence.
      { objective: 'Find out the opening hours', status: 'met', quote: 'From nine to five.', turn: 3 },
    ])
    // Not every objective is met.
    expect(summary).toMatchObject({ type: 'pending', actionRequired: true, actionText: 'Decide on half past seven.' })
  })

  it('is made by the model for judging, as are outcomes while the call runs; the other one speaks', async () => {
    const told = json({ outcomes: [OFFERED, HOURS], summary: SUMMARY, opted_out: null, language: null })
    const answer = (request: { readonly schema?: unknown }): ModelAnswer =>
      request.schema ? told : { steps: [{ type: 'say', text: 'What are your hours?' }] }
    const { far, mind } = await models.stage(answer, 'openai', { observerModel: 'gpt-4.1-nano' })
    const cue = { type: 'heard', text: 'From nine to five.' } as const
    const used = []
    for await (const event of mind.respond({ ...ended(), cue }, live())) if (event.type === 'usage') used.push(event)
    for await (const event of mind.observe?.({ ...ended(), cue }, live()) ?? [])
      if (event.type === 'usage') used.push(event)
    used.push(...((await mind.conclude(ended(), live())).usage ?? []))
    expect(far.exchanges.map(({ request }) => request.model)).toEqual(['gpt-4.1-mini', 'gpt-4.1-nano', 'gpt-4.1-nano'])
    expect(used.map(({ model, task }) => [model, task])).toEqual([
      ['gpt-4.1-mini', undefined],
      ['gpt-4.1-nano', 'judging'],
      ['gpt-4.1-nano', 'judging'],
    ])
  })

  it('repairs an answer that does not fit, once, and says what is wrong with it', async () => {
    const { conclusion, requests } = await concluded([
      json({ outcomes: 'none' }),
      json({ outcomes: [], summary: SUMMARY }),
    ])
    expect(conclusion).toMatchObject({ outcomes: [{ status: 'open' }, { status: 'open' }] })
    expect(requests).toHaveLength(2)
    expect(requests[1]?.messages.at(-1)?.text).toMatch(/does not fit: .*outcomes/s)
  })

  it('fails after one repair, so that the record of the call concludes', async () => {
    const { conclusion, requests } = await concluded([json({}), json({}), json({})])
    expect(conclusion).toMatchObject({ name: 'ModelFailure', kind: 'unusable' })
    expect(requests).toHaveLength(2)
  })

  it('asks in words where a server knows no schemas', async () => {
    const fenced = `Here it is:\n\`\`\`json\n${JSON.stringify({ outcomes: [HOURS], summary: SUMMARY })}\n\`\`\``
    const answers = [
      { status: 400, message: 'response_format is not supported' },
      { steps: [{ type: 'say' as const, text: fenced }] },
    ]
    const { conclusion, requests } = await concluded(answers)
    expect(conclusion).toMatchObject({ outcomes: [{ status: 'open' }, { status: 'met', turn: 3 }] })
    expect(requests[1]?.schema).toBeNull()
    expect(requests[1]?.messages.at(-1)?.text).toContain('JSON schema')
  })

  it('drops objectives that were not ordered, and an offer that nobody names', async () => {
    const outcomes = [judged(7, 'met', 'From nine to five.'), judged(1, 'offered', null), HOURS]
    const { conclusion } = await concluded([json({ outcomes, summary: SUMMARY })])
    expect(conclusion).toMatchObject({ outcomes: [{ status: 'open' }, { status: 'met' }] })
  })

  it('names no turn where the callee never said the quote: the guard then opens it', async () => {
    const { conclusion } = await concluded([
      json({ outcomes: [judged(1, 'met', 'Yes, seven it is')], summary: SUMMARY }),
    ])
    expect(conclusion).toMatchObject({ outcomes: [{ status: 'met', turn: null }, { status: 'open' }] })
    const own = await concluded([json({ outcomes: [judged(1, 'met', 'I pass that on')], summary: SUMMARY })])
    expect(own.conclusion).toMatchObject({ outcomes: [{ turn: null }, {}] })
  })

  it('is given up at once when it is aborted, and its connection is closed', async () => {
    const { far, mind } = await models.stage(() => ({ steps: [{ type: 'stall' }] }))
    const abort = new AbortController()
    const conclusion = mind.conclude(ended(), abort.signal).catch((error: unknown) => error)
    await expect.poll(() => far.exchanges.length).toBe(1)
    abort.abort()
    expect(await conclusion).toMatchObject({ name: 'ModelFailure' })
    await expect.poll(() => far.exchanges[0]?.abandoned).toBe(true)
  })

  it('fails when it is late, without a second try', async () => {
    const { far, mind, clock } = await models.stage(() => ({ steps: [{ type: 'stall' }] }))
    const conclusion = mind.conclude(ended(), live()).catch((error: unknown) => error)
    await expect.poll(() => far.exchanges.length).toBe(1)
    await clock.advance(8000)
    expect(await conclusion).toMatchObject({ kind: 'late' })
    expect(far.exchanges).toHaveLength(1)
  })

  it('settles nothing where nobody spoke', async () => {
    const call = ended({ turns: [heardTurn(0, 'agent', 'Hello?')] })
    const { conclusion } = await concluded([json({ outcomes: [HOURS], summary: SUMMARY })], call)
    expect(conclusion).toMatchObject({ outcomes: [{ status: 'open' }, { status: 'open' }] })
  })

  it.each([
    [{ ...ORDER, readerLanguage: 'el' }, 'Greek'],
    [ORDER, 'German'],
  ])('is written in the language of the reader, else of the call', async (order, language) => {
    const { requests } = await concluded([json({ outcomes: [], summary: SUMMARY })], ended({ order, language: 'de' }))
    expect(requests[0]?.messages.at(-1)?.text).toContain(`action in ${language};`)
  })

  it('tells no private value of the order', async () => {
    const order = { ...ORDER, context: { gate: { value: '8642', private: true } } }
    const summary = { ...SUMMARY, description: 'The gate opens with 8642.', insights: ['Gate: 8 6 4 2'] }
    const { conclusion } = await concluded([json({ outcomes: [], summary })], ended({ order }))
    expect(JSON.stringify(conclusion)).not.toMatch(/8\s?6\s?4\s?2/)
  })
})

describe('the observer of a language model', () => {
  async function observed(answer: unknown, changes: Parameters<typeof aCallState>[0] = {}) {
    const { far, mind } = await models.stage(() => json(answer))
    const asked = { ...aCallState({ turns: TURNS, ...changes }), cue: { type: 'heard', text: '' } as const }
    const events: Observation[] = []
    for await (const event of mind.observe?.(asked, live()) ?? []) events.push(event)
    return { events: events.filter(({ type }) => type !== 'usage'), all: events, far }
  }

  it('tells outcomes that are new, opt-out and language, and what it has used', async () => {
    const outcomes = [
      {
        objective: 'Table at 7 pm',
        status: 'offered' as const,
        quote: 'Half past seven would do',
        turn: 1,
        offer: '7:30 pm',
      },
    ]
    const { events, all } = await observed(
      { outcomes: [OFFERED, HOURS], opted_out: null, language: 'de' },
      { outcomes },
    )
    expect(events).toMatchObject([
      { type: 'outcome', index: 1, outcome: { status: 'met', turn: 3 } },
      { type: 'language', language: 'de' },
    ])
    expect(all.at(-1)?.type).toBe('usage')
  })

  it('tells an opt-out only in words that the callee said', async () => {
    const none = { outcomes: [], language: null }
    expect((await observed({ ...none, opted_out: 'Never call again' })).events).toEqual([])
    expect((await observed({ ...none, opted_out: 'seven is full' })).events).toEqual([
      { type: 'opted_out', quote: 'seven is full' },
    ])
    const turns = [...TURNS, heardTurn(4, 'user', 'Do not call me again.')]
    expect((await observed({ ...none, opted_out: null }, { turns })).events).toEqual([
      { type: 'opted_out', quote: 'Do not call me again.' },
    ])
  })

  it('asks nothing where there are no words', async () => {
    const { far, all } = await observed({}, { turns: [heardTurn(0, 'user', '…')] })
    expect([far.exchanges.length, all]).toEqual([0, []])
  })
})
