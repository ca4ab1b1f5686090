import { describe, expect, test } from 'vitest'
import { aCallState, heardTurn, ORDER } from '@parley/voice-ports/conformance'
import type { Cue, HeardTurn, MindEvent } from '@parley/voice-ports'
import { createScriptedMind } from '../index.ts'

const GARDEN =
  'Anyway, my daughter is coming over from the coast with the children, and I still have to bake something, and the oven has been humming.'
const { signal } = new AbortController()

/** A call in which a test decides how much of each reply is heard. */
function aCall(order: Partial<typeof ORDER> = {}) {
  const mind = createScriptedMind()
  const turns: HeardTurn[] = []
  const events: MindEvent[] = []
  let memory: unknown
  let saying = ''
  const respond = async (cue: Cue): Promise<string> => {
    const made: MindEvent[] = []
    const asked = { ...aCallState({ order: { ...ORDER, ...order }, turns: [...turns], memory }), cue }
    for await (const event of mind.respond(asked, signal)) made.push(event)
    events.push(...made)
    memory = made.find((event) => event.type === 'memory')?.memory
    saying = made.flatMap((event) => (event.type === 'say' ? [event.text] : [])).join(' ')
    return saying
  }
  const add = (speaker: HeardTurn['speaker'], text: string, heard: boolean) =>
    turns.push(heardTurn(turns.length, speaker, text, heard))
  return {
    events,
    open: () => respond({ type: 'opening' }),
    silence: () => respond({ type: 'silence', count: 1 }),
    /**
     * The callee hears the reply up to and including these words (all without them, nothing for ''), then says this.
     */
    says(text: string, upTo: string = saying): Promise<string> {
      const heard = saying.slice(0, saying.indexOf(upTo) + upTo.length)
      if (upTo !== '' && heard !== '') add('agent', heard, heard === saying)
      add('user', text, true)
      return respond({ type: 'heard', text })
    },
  }
}

const settled = (events: readonly MindEvent[]) =>
  events.flatMap((event) => (event.type === 'outcome' ? [event.outcome] : []))

describe('a callee who talks over every reply', () => {
  test('is asked three times, then again after 2, 4 and 8 turns', async () => {
    const call = aCall()
    await call.open()
    const replies: string[] = []
    for (let turn = 0; turn < 20; turn++) replies.push(await call.says(GARDEN, 'Would'))
    const tries = replies.flatMap((reply, at) => (reply === '' ? [] : [at]))
    expect(tries).toEqual([0, 1, 4, 9, 18])
    expect(new Set(replies.filter((reply) => reply !== ''))).toEqual(new Set(['Would a table at 7 pm be possible?']))
  })

  test('neither ends the call nor settles an objective in 200 turns', async () => {
    const call = aCall({ purpose: 'Ask about the hours', objectives: ['Are you open on Sunday?'] })
    await call.open()
    for (let turn = 0; turn < 200; turn++) await call.says(GARDEN, 'open')
    expect(call.events.filter(({ type }) => type === 'hang_up')).toEqual([])
    expect(settled(call.events)).toEqual([])
  })

  test('gets a reply at once after a question about the call', async () => {
    const call = aCall()
    await call.open()
    for (let turn = 0; turn < 3; turn++) await call.says(GARDEN, 'Would')
    expect(await call.says(GARDEN, 'Would')).toBe('')
    expect(await call.says('Sorry, what was it that you wanted?')).not.toBe('')
  })

  test('is asked again after a silence', async () => {
    const call = aCall()
    await call.open()
    for (let turn = 0; turn < 4; turn++) await call.says(GARDEN, 'Would')
    expect(await call.silence()).toBe('Would a table at 7 pm be possible?')
  })

  test('settles the objective after hearing a question to its end', async () => {
    const call = aCall()
    await call.open()
    for (let turn = 0; turn < 4; turn++) await call.says(GARDEN, 'Would')
    await call.silence()
    await call.says('Yes, seven is fine.')
    expect(settled(call.events)).toMatchObject([{ status: 'met', quote: 'Yes, seven is fine.' }])
  })
})

describe('a question that was not heard', () => {
  test('is asked again and not settled by a "yes"', async () => {
    const call = aCall()
    await call.open()
    expect(await call.says('Yes.', '')).toBe('Would a table at 7 pm be possible?')
    expect(settled(call.events)).toEqual([])
  })
})

describe('a question cut off after most of it', () => {
  const order = { purpose: 'Ask about the hours', objectives: ['Are you open on Sunday?'] }

  test.each([
    'Yes.',
    'Yes, from nine.',
    'On Sunday we open at ten, and in the winter we close earlier than in the summer, so come before four.',
  ])('is answered by "%s"', async (text) => {
    const call = aCall(order)
    await call.open()
    await call.says(text, 'Are you open on')
    expect(settled(call.events)).toMatchObject([{ status: 'met', quote: text }])
  })

  test('is asked again when the callee speaks of other things', async () => {
    const call = aCall(order)
    await call.open()
    expect(await call.says(GARDEN, 'Are you open on')).toBe('Are you open on Sunday?')
    expect(settled(call.events)).toEqual([])
  })
})

test('a message that was cut off is delivered again as a whole', async () => {
  const call = aCall({ purpose: 'Remind them of the appointment on Friday at 3 pm', objectives: [] })
  const opening = await call.open()
  expect(opening).toMatch(/3 pm.*\?$/)
  expect(await call.says('Well, it is raining.', 'like')).toMatch(/3 pm/)
})
