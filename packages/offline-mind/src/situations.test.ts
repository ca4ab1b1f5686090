import { FAILED_END_REASONS, PHASES, type EndReason } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { aCallState, heardTurn, ORDER } from '@parley/voice-ports/conformance'
import type { Asked, Cue, HeardTurn, MindEvent } from '@parley/voice-ports'
import { createScriptedMind } from './index.ts'

const mind = createScriptedMind()
const { signal } = new AbortController()

async function ask(
  asked: Partial<Asked> & { readonly cue: Cue },
): Promise<{ events: MindEvent[]; said: string; memory: unknown }> {
  const events: MindEvent[] = []
  for await (const event of mind.respond({ ...aCallState(), ...asked }, signal)) events.push(event)
  const said = events.flatMap((event) => (event.type === 'say' ? [event.text] : [])).join(' ')
  const memory = events.find((event) => event.type === 'memory')?.memory
  return { events, said, memory }
}

const agent = (index: number, text: string, heard = true) => heardTurn(index, 'agent', text, heard)
const user = (index: number, text: string) => heardTurn(index, 'user', text)
const conclude = (turns: readonly HeardTurn[], memory: unknown, endReason: EndReason, order = ORDER) =>
  mind.conclude({ ...aCallState({ order, turns, memory }), endReason }, signal)

describe('a question that was cut off or not understood', () => {
  const opened = () => ask({ cue: { type: 'opening' } })

  test('settles nothing on a yes when it was cut off before it began', async () => {
    const { memory } = await opened()
    const turns = [agent(0, "I'm calling to book", false), user(1, 'Yes.')]
    const { events, said } = await ask({ cue: { type: 'heard', text: 'Yes.' }, turns, memory })
    expect(said).toBe('Would a table at 7 pm be possible?')
    expect(events.filter(({ type }) => type === 'outcome')).toEqual([])
  })

  test('is asked four times at most', async () => {
    let { memory, said } = await opened()
    const asked: string[] = []
    for (let turn = 0; turn < 4; turn++) {
      const turns = [agent(2 * turn, said), user(2 * turn + 1, 'Sorry, could you repeat that?')]
      const reply = await ask({ cue: { type: 'heard', text: 'Sorry, could you repeat that?' }, turns, memory })
      asked.push(reply.said)
      ;({ memory, said } = reply)
    }
    expect(asked.map((text) => text.includes('a table at 7 pm'))).toEqual([true, true, true, false])
  })

  test('is answered by a yes before its last word', async () => {
    const { memory } = await opened()
    const turns = [
      agent(0, "I'm calling to book a table for four on Friday. Would a table at 7 pm be", false),
      user(1, 'Yes.'),
    ]
    const { events } = await ask({ cue: { type: 'heard', text: 'Yes.' }, turns, memory })
    expect(events.find(({ type }) => type === 'outcome')).toMatchObject({
      index: 0,
      outcome: { status: 'met', quote: 'Yes.', turn: 1 },
    })
  })
})

describe('the opening', () => {
  test('reports the phase, says the purpose and asks about the first objective', async () => {
    const { events, said } = await ask({ cue: { type: 'opening' } })
    expect(events.slice(0, 2)).toEqual([
      { type: 'phase', phase: PHASES.greeting },
      { type: 'phase', phase: 'objective 1 of 2' },
    ])
    expect(said).toBe("I'm calling to book a table for four on Friday. Would a table at 7 pm be possible?")
  })

  test('switches to the language in which the callee answered', async () => {
    const turns = [user(0, '¿Sí, dígame?'), agent(1, 'Hello, this is an AI assistant.')]
    const { events, said } = await ask({ cue: { type: 'opening' }, turns })
    expect(events).toContainEqual({ type: 'language', language: 'es' })
    expect(said).toMatch(/^Llamo por lo siguiente/)
  })

  test("apologizes in the call's language and continues in English when that language is not supported", async () => {
    const { said, events } = await ask({
      cue: { type: 'opening' },
      language: 'it',
      order: { ...ORDER, language: 'it' },
    })
    expect(said).toMatch(/^Mi dispiace.*I only speak English, Spanish, French and German/)
    expect(events).toContainEqual({ type: 'language', language: 'en' })
  })

  test('asks for the booking when the objectives only ask questions', async () => {
    const order = { ...ORDER, objectives: ['Ask about parking'] }
    const { said, memory } = await ask({ cue: { type: 'opening' }, order })
    expect(said).toBe("I'm calling to book a table for four on Friday. Would that be possible?")
    const turns = [agent(0, said), user(1, 'Yes, of course.')]
    const next = await ask({ cue: { type: 'heard', text: 'Yes, of course.' }, order, turns, memory })
    expect(next.said).toMatch(/could you tell me about parking\?$/)
    expect(next.events.filter(({ type }) => type === 'outcome')).toEqual([])
  })

  test('ends the call when the callee opted out before it', async () => {
    const { events } = await ask({ cue: { type: 'opening' }, turns: [user(0, 'Take me off your list.')] })
    expect(events).toContainEqual({ type: 'hang_up', reason: 'opted_out' })
  })
})

test('a menu without a fitting key is heard twice more, then key 0 is pressed', async () => {
  const cue: Cue = { type: 'menu', text: 'For English, press 1.' }
  const pressed: string[] = []
  let memory: unknown
  for (let round = 0; round < 3; round += 1) {
    const heard = await ask({ cue, memory })
    ;({ memory } = heard)
    pressed.push(heard.events.flatMap((event) => (event.type === 'press' ? [event.digits] : [])).join(''))
  }
  expect(pressed).toEqual(['', '', '0'])
})

describe('the conclusion', () => {
  test.each(FAILED_END_REASONS)('of an unanswered call has type failed: %s', async (endReason) => {
    const { outcomes, summary } = await conclude([], undefined, endReason)
    expect(outcomes.map(({ status }) => status)).toEqual(['open', 'open'])
    expect(summary).toMatchObject({ type: 'failed', actionRequired: false, insights: [] })
    expect(summary.nextSteps.length).toBe(1)
  })

  test("counts the callee's last words before the hang-up", async () => {
    const order = { ...ORDER, objectives: ['Table at 7 pm'] }
    const { memory, said } = await ask({ cue: { type: 'opening' }, order })
    const turns = [agent(0, said), user(1, 'Yes, seven is fine. Bye.')]
    const { outcomes, summary } = await conclude(turns, memory, 'callee_hung_up', order)
    expect(outcomes).toEqual([
      { objective: 'Table at 7 pm', status: 'met', quote: 'Yes, seven is fine. Bye.', turn: 1, offer: null },
    ])
    expect(summary).toMatchObject({ type: 'success', title: 'Table for four agreed for Friday 7 pm' })
  })

  test('reports an offer that was not agreed to', async () => {
    const order = { ...ORDER, objectives: ['Table at 7 pm'] }
    const opened = await ask({ cue: { type: 'opening' }, order })
    const turns = [agent(0, opened.said), user(1, 'Only eight is free.')]
    const offered = await ask({
      cue: { type: 'heard', text: 'Only eight is free.' },
      order,
      turns,
      memory: opened.memory,
    })
    const { outcomes, summary } = await conclude(
      [...turns, agent(2, offered.said)],
      offered.memory,
      'carrier_dropped',
      order,
    )
    expect(outcomes).toEqual([
      {
        objective: 'Table at 7 pm',
        status: 'offered',
        quote: 'Only eight is free.',
        turn: 1,
        offer: 'a table at 8 pm',
      },
    ])
    expect(summary).toMatchObject({
      type: 'pending',
      nextSteps: ['They offer a table at 8 pm: accept it or ask for something else.'],
    })
  })

  test('of a call that the callee hung up at once has type failed', async () => {
    const { memory, said } = await ask({ cue: { type: 'opening' } })
    const { summary } = await conclude([agent(0, said, false)], memory, 'callee_hung_up')
    expect(summary).toMatchObject({ type: 'failed', description: 'The callee hung up without saying anything.' })
  })
})
