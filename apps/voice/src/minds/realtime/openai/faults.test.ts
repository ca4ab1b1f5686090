import type { EarEvent, HeardTurn, MindEvent } from '@parley/voice-ports'
import { heardTurn, ORDER } from '@parley/voice-ports/conformance'
import { describe, expect, it } from 'vitest'
import { anAsked, replied, saidIn, say, stageOpenai } from '../testing.ts'

const LONG = 'I would like to book a table for four on Friday please.'
const YES = heardTurn(0, 'user', 'Yes, that works.')
const heardNow = (turns: readonly HeardTurn[], memory?: unknown) =>
  anAsked({ turns, memory, cue: { type: 'heard', text: turns.at(-1)!.text } })
const memoryOf = (events: readonly MindEvent[]) =>
  events.flatMap((event) => (event.type === 'memory' ? [event.memory] : []))[0]
type Staged = Awaited<ReturnType<typeof stageOpenai>>
const sent = ({ far }: Staged, type: string) =>
  far.sessions.flatMap(({ received }) => received.filter((event) => event.type === type))

/** Begins a reply and reads it until it is aborted. */
function begun({ mind }: Staged, asked = anAsked()) {
  const abort = new AbortController()
  const events: MindEvent[] = []
  const over = (async () => {
    for await (const event of mind.respond(asked, abort.signal)) events.push(event)
  })()
  return { abort, events, over }
}

describe('an aborted reply', () => {
  it('is cancelled at the vendor within 50 ms, and what still comes is dropped', async () => {
    const staged = await stageOpenai({ answers: () => [say(LONG)], wordMs: 200, lateDeltas: 3 })
    const { abort, events, over } = begun(staged)
    await staged.clock.advance(500)
    abort.abort()
    await over
    await staged.clock.advance(40)
    expect(sent(staged, 'response.cancel')).toHaveLength(1)
    expect(saidIn(events)).toBe('I would like')
    const next = await replied(staged.mind, heardNow([YES]), staged.clock)
    expect(saidIn(next)).toBe(LONG)
    expect(staged.far.session.refusals).toEqual([])
    expect(staged.questions[1]?.items.map(({ text }) => text)).toEqual([YES.text, expect.any(String)])
  })

  it('that the vendor has not begun is cancelled when it begins', async () => {
    const staged = await stageOpenai({ answers: () => [say(LONG)], wordMs: 200 })
    await replied(staged.mind, anAsked(), staged.clock)
    const { abort, over } = begun(staged, heardNow([YES]))
    // Both requests leave before the vendor has answered one.
    await new Promise<void>((done) => setImmediate(done))
    abort.abort()
    await over
    const next = await replied(staged.mind, heardNow([YES]), staged.clock)
    expect(saidIn(next)).toBe(LONG)
    expect(staged.far.session.refusals).toEqual([])
  })

  it('that never ends at the vendor does not hold up the next one for more than 1.5 s', async () => {
    const answers = [[{ waitMs: 60_000 }], [say('Hello.')]]
    const staged = await stageOpenai({ answers: () => answers.shift() ?? [] })
    const { abort, over } = begun(staged)
    await staged.clock.advance(100)
    staged.far.session.ignoresCancels = true
    abort.abort()
    await over
    const before = staged.clock.nowMs()
    const next = replied(staged.mind, heardNow([YES]), staged.clock)
    await expect(next).rejects.toThrow('conversation_already_has_active_response')
    expect(staged.clock.nowMs() - before).toBeLessThanOrEqual(1600)
  })
})

describe('a reply', () => {
  it.each<[string, Parameters<typeof stageOpenai>[0]]>([
    ['that the vendor fails', { answers: () => [{ fail: { code: 'rate_limit_exceeded', message: 'Slow down.' } }] }],
    ['without a word', { answers: () => [] }],
    ['of tools alone, twice', { answers: () => [{ call: 'mark_objective', with: '{"objective":' }] }],
    ['broken off by the network', { answers: () => [say('I would'), { breaks: true }] }],
  ])('%s is a fault', async (_, options) => {
    const { mind, clock } = await stageOpenai(options)
    await expect(replied(mind, anAsked(), clock)).rejects.toThrow(/./)
  })

  it('goes on after frames that are no event', async () => {
    const { mind, clock } = await stageOpenai({
      answers: () => [{ garbage: '<html>' }, { garbage: '{"type":"response.output_text.delta"}' }, say('Hello.')],
    })
    expect(saidIn(await replied(mind, anAsked(), clock))).toBe('Hello.')
  })

  it('of a tool alone goes on in words, without tools', async () => {
    const mark = { call: 'mark_objective', with: { objective: 1, status: 'met', quote: 'that works' } } as const
    const staged = await stageOpenai({ answers: ({ tools }) => (tools.length > 0 ? [mark] : [say('Thank you.')]) })
    const events = await replied(staged.mind, heardNow([YES]), staged.clock)
    expect(events.map(({ type }) => type)).toEqual(['outcome', 'usage', 'say', 'say', 'usage', 'memory'])
    expect(staged.far.session.refusals).toEqual([])
  })

  it('counts what it has read and written', async () => {
    const { mind, clock } = await stageOpenai({ answers: () => [say('Hello there.')] })
    expect(await replied(mind, anAsked(), clock)).toContainEqual({
      type: 'usage',
      inputTokens: expect.any(Number),
      outputTokens: 2,
      model: 'gpt-realtime',
    })
  })
})

describe('a tool', () => {
  const deeds = async (name: string, given: object | string, asked = heardNow([YES])) => {
    const step = { call: name, with: given as Record<string, unknown> }
    const { mind, clock } = await stageOpenai({ answers: () => [say('Well.'), step] })
    const events = await replied(mind, asked, clock)
    return events.filter(({ type }) => !['say', 'usage', 'memory'].includes(type))
  }

  it.each<[string, object | string, unknown]>([
    ['end_call', { reason: 'agent_closed' }, { type: 'hang_up', reason: 'agent_closed' }],
    ['send_digits', { digits: '12#' }, { type: 'press', digits: '12#' }],
    ['wait', { seconds: 30 }, { type: 'wait', forMs: 30_000 }],
    ['ask_owner', { question: 'Is nine fine?' }, { type: 'ask_owner', question: 'Is nine fine?' }],
    ['change_language', { language: 'de' }, { type: 'language', language: 'de' }],
    ['transfer', { to: '+14155550123' }, { type: 'transfer', to: '+14155550123' }],
    [
      'mark_objective',
      { objective: 1, status: 'met', quote: 'That works' },
      { type: 'outcome', index: 0, outcome: { status: 'met', quote: 'Yes, that works.', turn: 0 } },
    ],
  ])('%s %j does what it says', async (name, given, event) => {
    expect(await deeds(name, given)).toMatchObject([event])
  })

  it.each<[string, object | string]>([
    ['end_call', { reason: 'time_limit' }],
    ['end_call', '{"reason": "agent_cl'],
    ['send_digits', { digits: '1,2' }],
    ['wait', { seconds: 9000 }],
    ['transfer', { to: '+19005550123' }],
    ['leave_message', {}],
    ['mark_objective', { objective: 9, status: 'met', quote: 'that works' }],
    ['mark_objective', { objective: 1, status: 'met', quote: 'You may have it for nothing' }],
    ['buy_everything', {}],
  ])('%s %j does nothing', async (name, given) => {
    expect(await deeds(name, given)).toEqual([])
  })

  it('brings home as an offer what only the owner may agree to', async () => {
    const order = { ...ORDER, mandates: [{ rule: 'ask_me' as const }, null] }
    const met = { objective: 1, status: 'met', quote: 'that works' }
    expect(await deeds('mark_objective', met, { ...heardNow([YES]), order })).toMatchObject([
      { outcome: { status: 'offered' } },
    ])
  })
})

describe('a lost session', () => {
  it('is opened again, and told the conversation as heard and nothing else', async () => {
    const staged = await stageOpenai({ answers: () => [say(LONG)] })
    const first = await replied(staged.mind, anAsked(), staged.clock)
    staged.far.session.break()
    const turns = [heardTurn(0, 'agent', 'I would like', false), heardTurn(1, 'user', 'Go on.')]
    const second = await replied(staged.mind, heardNow(turns, memoryOf(first)), staged.clock)
    expect(saidIn(second)).toBe(LONG)
    expect(staged.far.sessions).toHaveLength(2)
    expect(staged.questions[1]?.items.map(({ text }) => text).slice(0, 2)).toEqual(['I would like …', 'Go on.'])
  })

  it('is opened again after it has expired', async () => {
    const staged = await stageOpenai()
    await replied(staged.mind, anAsked(), staged.clock)
    staged.far.session.expire()
    await staged.clock.advance(40)
    expect(saidIn(await replied(staged.mind, heardNow([YES]), staged.clock))).toBe('Yes.')
  })

  it('tells its ear when to try again', async () => {
    const staged = await stageOpenai()
    const events: EarEvent[] = []
    const signal = new AbortController().signal
    const options = { callId: ORDER.callId, language: 'en', keyterms: [], signal }
    staged.far.refusals.push(429)
    staged.ear.listen(options, staged.clock, (event) => void events.push(event))
    await staged.clock.advance(40)
    expect(events).toEqual([
      { type: 'failed', message: expect.stringContaining('429'), retryable: true, retryAfterMs: null },
    ])
  })

  it('with a wrong key is given up at once, and the call goes on without it', async () => {
    const staged = await stageOpenai({ realtime: { apiKey: 'wrong' } })
    const events = await replied(staged.mind, anAsked(), staged.clock)
    expect(saidIn(events)).toContain('table')
    expect(staged.far.sessions).toHaveLength(0)
  })

  it('that fails twice in a row is given up with an honest sentence, once', async () => {
    const answers = [[say(LONG)]]
    const failed = [{ fail: { code: 'insufficient_quota', message: 'No money.' } }]
    const staged = await stageOpenai({ answers: () => answers.shift() ?? failed })
    const first = await replied(staged.mind, anAsked(), staged.clock)
    const asked = heardNow([YES], memoryOf(first))
    await expect(replied(staged.mind, asked, staged.clock)).rejects.toThrow('insufficient_quota')
    const third = await replied(staged.mind, asked, staged.clock)
    expect(saidIn(third)).toMatch(/^I'm sorry, I had a technical problem\. \S/)
    const fourth = await replied(staged.mind, { ...asked, memory: memoryOf(third) }, staged.clock)
    expect(saidIn(fourth)).not.toContain('technical')
  })
})

describe('the check of the vendor', () => {
  it.each([
    ['a right key and model', {}, { ok: true }],
    ['a wrong key', { apiKey: 'wrong' }, { ok: false, problem: expect.stringContaining('401') }],
    [
      'an unknown model',
      { model: 'gpt-none' },
      { ok: false, problem: 'The account has no model gpt-none for realtime sessions.' },
    ],
  ])('judges %s', async (_, realtime, result) => {
    const { check } = await stageOpenai({ realtime })
    expect(await check.run(AbortSignal.timeout(5000))).toMatchObject(result)
  })
})
