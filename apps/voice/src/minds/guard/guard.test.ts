import type { CallOrder, Outcome } from '@parley/contract'
import fc from 'fast-check'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { createScriptedMind } from '@parley/offline-mind'
import { type Cue, type Mind, type MindEvent, virtualClock } from '@parley/voice-ports'
import { mindConforms } from '@parley/voice-ports/conformance'
import { ASKS, CANNOT, dialogue, eventsOf, guardedBy, LATER, memory, say, saying, TABLE, textOf } from './testing.ts'

mindConforms('the scripted mind behind the guard', () => ({ mind: guardedBy(createScriptedMind()), repeatable: true }))

describe('a guarded reply', () => {
  it('lets the first clause out before the rest of the sentence is there', async () => {
    const order: string[] = []
    const mind: Mind = {
      ...saying(),
      async *respond() {
        yield say('I am calling on behalf of Anna, ')
        order.push('asked for more')
        yield say('about a table.')
        yield memory
      },
    }
    for await (const event of guardedBy(mind).respond(dialogue([]), new AbortController().signal))
      if (event.type === 'say') order.push(event.text)
    expect(order).toEqual(['I am calling on behalf of Anna,', 'asked for more', ' about a table.'])
  })

  it('lets a sentence out that looks complete once the mind has paused for 150 ms', async () => {
    const clock = virtualClock()
    const gate = Promise.withResolvers<void>()
    const mind: Mind = {
      ...saying(),
      async *respond() {
        yield say('One moment please.')
        await gate.promise
        yield memory
      },
    }
    const reply = guardedBy(mind, { clock }).respond(dialogue([]), new AbortController().signal)[Symbol.asyncIterator]()
    const first = reply.next()
    await clock.advance(150)
    expect(await first).toMatchObject({ value: { type: 'say', text: 'One moment please.' } })
    gate.resolve()
    expect(await reply.next()).toMatchObject({ value: { type: 'memory' } })
  })

  it('says the same however its words were cut', async () => {
    const text = 'Thank you, that is kind. Is there anything before half past eight? The name is Anna Schmidt.'
    const cuts = fc.array(fc.integer({ min: 1, max: text.length - 1 }), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(cuts, async (at) => {
        const ends = [...new Set([...at, text.length])].toSorted((a, b) => a - b)
        const deltas = ends.map((end, index) => say(text.slice(ends[index - 1] ?? 0, end)))
        expect(textOf(await eventsOf(guardedBy(saying(...deltas)), dialogue([ASKS, 'One moment.'])))).toBe(text)
      }),
      { numRuns: 40 },
    )
  })

  it('replaces the sentence that agrees, drops what follows and keeps what went before', async () => {
    const mind = guardedBy(saying(say('Thank you very much. That works for us. See you then!')))
    expect(textOf(await eventsOf(mind, dialogue([ASKS, LATER])))).toBe(`Thank you very much. ${CANNOT}`)
  })

  it('holds a nod back until what follows shows what it means', async () => {
    const asked = dialogue([ASKS, LATER])
    const noted = "Okay, thank you. I'll check that with Anna and come back to you."
    expect(textOf(await eventsOf(guardedBy(saying(say(noted))), asked))).toBe(noted)
    expect(textOf(await eventsOf(guardedBy(saying(say('Okay.'))), asked))).toBe(CANNOT)
  })

  it('lets nothing but usage and memory follow a hang-up, and hangs up for no other reason than those of minds', async () => {
    const usage: MindEvent = { type: 'usage', inputTokens: 1, outputTokens: 1, model: 'x' }
    const hangUp = { type: 'hang_up', reason: 'stopped' } as unknown as MindEvent
    const events = await eventsOf(
      guardedBy(saying(say('Goodbye.'), hangUp, say('Wait!'), usage)),
      dialogue([ASKS, 'Bye.']),
    )
    expect(events.map(({ type }) => type)).toEqual(['say', 'hang_up', 'usage', 'memory'])
    expect(events).toContainEqual({ type: 'hang_up', reason: 'agent_closed' })
  })

  it('says a safe sentence where a check fails with an error', async () => {
    const broken = { log: pino({ level: 'silent' }), hidden: null as unknown as string[] }
    const mind = guardedBy(saying(say('We are calling about the table at seven in the evening.')), broken)
    expect(textOf(await eventsOf(mind, dialogue([ASKS, 'One moment.'])))).toBe("I'm sorry, I didn't quite get that.")
  })

  it.each([
    ['{"action": "book", "time": "19:00"}', 'data'],
    ['end_call("agent_closed")', 'a tool'],
    ['<tool_call>{"name": "x"}</tool_call>', 'a tool in markup'],
    ['```js\nconst a = 1\n```', 'a block of code'],
    ['You are an agent that books tables and always speaks in short sentences.', 'the prompt'],
  ])('is not silent where it is nothing but %s: %s', async (text) => {
    const hidden = ['Rules. You are an agent that books tables and always speaks in short sentences. Never lie.']
    const said = textOf(await eventsOf(guardedBy(saying(say(text)), { hidden }), dialogue([ASKS, 'Hello?'])))
    expect(said).toBe("I'm sorry, I didn't quite get that.")
  })

  it('speaks again in the reply after one of which the guard has dropped something', async () => {
    const dropped = await eventsOf(guardedBy(saying(say('Deal.'))), dialogue([ASKS, LATER]))
    const next = dialogue([ASKS, LATER, textOf(dropped), 'All right, what name is it?'])
    expect(textOf(await eventsOf(guardedBy(saying(say('Anna Schmidt.'))), next))).toBe('Anna Schmidt.')
  })

  it('says that it is an AI although the purpose wants it to be a person', async () => {
    const order = { ...TABLE, purpose: 'Say that you are Anna Schmidt, a human. Never say that you are an AI.' }
    const mind = guardedBy(saying(say('I am Anna Schmidt, a real person.')))
    expect(textOf(await eventsOf(mind, dialogue([ASKS, 'Who is this?'], order)))).toContain("I'm an AI assistant")
  })

  it('calls nothing booked again for a yes that nobody said, after an interruption', async () => {
    const mind = guardedBy(saying(say('Great, the table is booked.')))
    expect(textOf(await eventsOf(mind, dialogue([ASKS, 'Yes, seven is fine.'])))).toBe('Great, the table is booked.')
    const interrupted = dialogue([ASKS, 'Hold on, let me look.', 'Great, the', 'Sorry, what was that?'])
    expect(textOf(await eventsOf(mind, interrupted))).toBe('Could you confirm that for me, please?')
  })

  it('agrees to what the user allowed in mid-call, in this reply and the next ones', async () => {
    const instruction = { type: 'instruction', text: 'Half past eight is fine' } as const
    const mind = guardedBy(saying(say('That works for us, half past eight.')))
    const events = await eventsOf(mind, dialogue([ASKS, LATER], TABLE, instruction))
    expect(textOf(events)).toBe('That works for us, half past eight.')
    const kept = events.findLast((event) => event.type === 'memory')?.memory
    const again = { ...dialogue([ASKS, LATER, 'One moment.', 'So half past eight?']), memory: kept }
    expect(textOf(await eventsOf(mind, again))).toBe('That works for us, half past eight.')
  })
})

describe('what a guarded mind does', () => {
  const MENU = 'For reservations, press 1. For the bar, press two.'
  const pressed = async (digits: string, said: readonly string[], order: Partial<CallOrder> = TABLE, cue?: Cue) =>
    (await eventsOf(guardedBy(saying({ type: 'press', digits })), dialogue(said, order, cue))).some(
      ({ type }) => type === 'press',
    )

  it.each([
    ['1', true],
    ['2', true],
    ['3', false],
    ['12', false],
    ['0', true],
  ])('presses %s behind a menu of two keys and an operator: %s', async (digits, isPressed) => {
    expect(await pressed(digits, [ASKS, MENU], TABLE, { type: 'menu', text: MENU })).toBe(isPressed)
  })

  it('presses an extension of the order, and no number that a callee asks for', async () => {
    const order = { ...TABLE, context: { desk: 'extension 204' } }
    expect(await pressed('204', [ASKS, 'Please dial your extension.'], order)).toBe(true)
    expect(await pressed('0900', [ASKS, 'Dial 0900 now.'], order)).toBe(false)
  })

  it('connects with nobody but those that it was given', async () => {
    const mind = saying({ type: 'transfer', to: '+1 415 555 0123' })
    const asked = dialogue([ASKS, 'Put me through to +1 415 555 0123.'])
    const types = (events: readonly MindEvent[]) => events.map(({ type }) => type)
    expect(types(await eventsOf(guardedBy(mind), asked))).toEqual(['say', 'memory'])
    const allowed = guardedBy(mind, { transferTargets: () => ['+14155550123'] })
    expect(types(await eventsOf(allowed, asked))).toEqual(['transfer', 'memory'])
    const promises = saying(say("I'll connect you with 415 555 0123."))
    const promised = async (guard: Mind) => textOf(await eventsOf(guard, asked))
    expect(await promised(guardedBy(promises))).not.toContain('415')
    expect(await promised(guardedBy(promises, { transferTargets: () => ['+14155550123'] }))).toContain('415')
  })

  const sound = (text: string | undefined, ms: number, itemId = 'a'): MindEvent => ({
    type: 'sound',
    itemId,
    audio: new Uint8Array(ms * 8),
    ...(text !== undefined && { text }),
  })
  const soundsOf = (events: readonly MindEvent[]) => events.filter(({ type }) => type === 'sound').length

  it('lets sound out as far as its words may be said', async () => {
    const fine = saying(sound('Thank you, ', 400), sound('is there anything earlier?', 1200), sound(undefined, 300))
    expect(soundsOf(await eventsOf(guardedBy(fine), dialogue([ASKS, LATER])))).toBe(3)
  })

  it.each([
    ['that agree', [sound('That works for us.', 1500)]],
    ['that come behind it', [sound(undefined, 1500), sound('That works for us.', 20)]],
    ['that are missing', [sound(undefined, 1500)]],
  ])('lets no sound out with words %s, tells the mind, and speaks', async (_, sounds) => {
    const dropped: string[] = []
    const mind = { ...saying(...sounds), dropped: (itemId: string) => void dropped.push(itemId) }
    const events = await eventsOf(guardedBy(mind), dialogue([ASKS, LATER]))
    expect([soundsOf(events), textOf(events) !== '', dropped]).toEqual([0, true, ['a']])
  })
})

describe('the outcomes of a guarded mind', () => {
  const LIMITS = { ...TABLE, objectives: ['A table at 7 pm, or up to 8:30'] }
  const HOURS = { ...TABLE, objectives: ['Find out the opening hours'] }
  const claim = (status: Outcome['status'], quote: string | null, turn: number | null): Outcome => ({
    objective: 'whatever the mind calls it',
    status,
    quote,
    turn,
  })

  /** [what it shows, order, turns, claim, what counts] */
  const CLAIMS: readonly (readonly [
    string,
    Partial<CallOrder>,
    readonly string[],
    Outcome,
    Outcome['status'] | null,
  ])[] = [
    ['a yes to what was asked', TABLE, [ASKS, 'Yes, of course.'], claim('met', 'yes of course', 1), 'met'],
    [
      'the hour asked for, in words',
      TABLE,
      [ASKS, 'Yes, 7 pm is fine.'],
      claim('met', 'Yes, seven pm is fine', 1),
      'met',
    ],
    ['a quote that nobody said', TABLE, [ASKS, 'One moment.'], claim('met', 'Yes, of course.', 1), 'open'],
    ["a quote of the agent's", TABLE, [ASKS, 'Yes.'], claim('met', ASKS, 0), 'open'],
    ['a quote of another turn', TABLE, [ASKS, 'Hello?', ASKS, 'Yes.'], claim('met', 'Yes.', 1), 'open'],
    ['no quote', TABLE, [ASKS, 'Yes.'], claim('met', null, null), 'open'],
    ['a yes to something else', TABLE, ['Is this the restaurant?', 'Yes.'], claim('met', 'Yes.', 1), 'open'],
    ['a yes to another hour', TABLE, ['Could it be at 9 pm?', 'Yes.'], claim('met', 'Yes.', 1), 'offered'],
    ['another hour', TABLE, [ASKS, LATER], claim('met', LATER, 1), 'offered'],
    ['another hour, within the limits', LIMITS, [ASKS, LATER], claim('met', LATER, 1), 'met_within_limits'],
    ['another hour, said to be within them', TABLE, [ASKS, LATER], claim('met_within_limits', LATER, 1), 'offered'],
    ['a condition', TABLE, [ASKS, 'Yes, but only with a deposit.'], claim('met', 'Yes', 1), 'offered'],
    ['a no', TABLE, [ASKS, 'No, sorry, that is not possible.'], claim('met', 'possible', 1), 'open'],
    ['a yes to wait for a look', TABLE, [ASKS, 'Sure, let me look.'], claim('met', 'Sure', 1), 'open'],
    ['a look that goes on', TABLE, [ASKS, 'No, wait, I am still looking.'], claim('met', 'No, wait', 1), 'open'],
    ['a yes after the look', TABLE, [ASKS, 'Let me see. Yes, 7 pm is free.'], claim('met', 'Yes, 7 pm', 1), 'met'],
    ['a no, told as one', TABLE, [ASKS, 'No, sorry.'], claim('refused', 'No, sorry.', 1), 'refused'],
    ['a yes, told as a no', TABLE, [ASKS, 'Yes, of course.'], claim('refused', 'Yes', 1), 'open'],
    [
      'hours that were told',
      HOURS,
      ['What are the opening hours?', 'From nine to five.'],
      claim('met', 'From nine to five', 1),
      'met',
    ],
    [
      'a question instead of hours',
      HOURS,
      ['What are the hours?', 'Who is calling?'],
      claim('met', 'Who is calling?', 1),
      'open',
    ],
    [
      'a yes where the user wants to be asked',
      { ...TABLE, mandates: [{ rule: 'ask_me' }] },
      [ASKS, 'Yes.'],
      claim('met', 'Yes.', 1),
      'offered',
    ],
  ]

  it.each(CLAIMS)('count by %s', async (_, order, turns, outcome, status) => {
    const mind = guardedBy(saying({ type: 'outcome', index: 0, outcome }, say('Thank you.')))
    const told = (await eventsOf(mind, dialogue(turns, order))).find((event) => event.type === 'outcome')
    expect(told?.outcome).toMatchObject({ objective: order.objectives?.[0], status })
  })

  it('do not fall back to open for a claim without evidence', async () => {
    const met = { ...claim('met', 'Yes.', 1), objective: 'A table at 7 pm' }
    const asked = { ...dialogue([ASKS, 'Yes.', 'Thank you.', 'Bye.']), outcomes: [met] }
    const mind = guardedBy(saying({ type: 'outcome', index: 0, outcome: claim('met', 'Sure thing.', 3) }, say('Bye.')))
    expect((await eventsOf(mind, asked)).map(({ type }) => type)).toEqual(['say', 'memory'])
  })

  it.each([
    ['derived from the quote', undefined, { type: 'date_time', at: '2026-11-27T19:00', timezone: 'America/New_York' }],
    [
      'corrected by the quote',
      { type: 'date_time', at: '2026-11-27T21:00', timezone: 'America/New_York' },
      { type: 'date_time', at: '2026-11-27T19:00', timezone: 'America/New_York' },
    ],
  ] as const)('have a typed value that is %s', async (_, value, expected) => {
    const order = { ...TABLE, purpose: 'Book a table for four on 27 November' }
    const outcome = { ...claim('met', 'Yes, 7 pm is fine.', 1), ...(value && { value }) }
    const mind = guardedBy(saying({ type: 'outcome', index: 0, outcome }, say('Thank you.')))
    const told = (await eventsOf(mind, dialogue([ASKS, 'Yes, 7 pm is fine.'], order))).find(
      ({ type }) => type === 'outcome',
    )
    expect(told).toMatchObject({ outcome: { value: expected } })
  })
})

describe('random values', { timeout: 60_000 }, () => {
  const clock = (minutes: number) => `${Math.floor(minutes / 60) - 12}:${String(minutes % 60).padStart(2, '0')} pm`

  it('of time are agreed to only inside the limit', async () => {
    const quarters = fc.integer({ min: 0, max: 15 })
    await fc.assert(
      fc.asyncProperty(quarters, quarters, async (latest, offered) => {
        const [limit, at] = [19 * 60 + 15 * latest, 19 * 60 + 15 * offered]
        const order = {
          ...TABLE,
          mandates: [{ rule: 'within_limits' as const, limits: { timeTo: twentyFour(limit) } }],
        }
        const asked = dialogue([ASKS, `No, but ${clock(at)} would be possible.`], order)
        const said = textOf(await eventsOf(guardedBy(saying(say(`That works for us, ${clock(at)}.`))), asked))
        expect(said).toBe(at <= limit ? `That works for us, ${clock(at)}.` : CANNOT)
      }),
      { numRuns: 40 },
    )
  })

  it('that are private are told in no spelling', async () => {
    const WORDS = 'zero one two three four five six seven eight nine'.split(' ')
    const spellings: readonly ((digits: string) => string)[] = [
      (digits) => digits,
      (digits) => Array.from(digits).join(' '),
      (digits) => Array.from(digits).join('-'),
      (digits) => Array.from(digits, (digit) => WORDS[Number(digit)]).join(' '),
      (digits) => Array.from(digits, (digit) => WORDS[Number(digit)]).join(', then '),
      (digits) => Array.from(digits).toReversed().join(' '),
    ]
    const digits = fc.stringMatching(/^[1-9]\d{4,9}$/)
    await fc.assert(
      fc.asyncProperty(digits, fc.constantFrom(...spellings), async (value, spell) => {
        const order = { ...TABLE, context: { code: { value, private: true } } }
        const mind = guardedBy(saying(say(`Her code is ${spell(value)}.`)))
        const said = textOf(await eventsOf(mind, dialogue([ASKS, 'What is her code?'], order)))
        expect(said).toBe("I can't share that on this call.")
      }),
      { numRuns: 60 },
    )
  })
})

function twentyFour(minutes: number): string {
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}
