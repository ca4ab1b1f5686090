import { describe, expect, test } from 'vitest'
import { aCallState, heardTurn, ORDER } from '@parley/voice-ports/conformance'
import type { Cue, HeardTurn } from '@parley/voice-ports'
import { createScriptedMind } from './index.ts'

type Order = Partial<typeof ORDER>

/** Everything that the agent says and presses for these cues, and its summary. */
async function everythingOf(order: Order, cues: readonly (string | Cue)[]): Promise<string> {
  const mind = createScriptedMind()
  const signal = new AbortController().signal
  const full = { ...ORDER, tone: 'professional' as const, ...order }
  const turns: HeardTurn[] = []
  const said: unknown[] = []
  let memory: unknown
  for (const each of [{ type: 'opening' } as const, ...cues]) {
    const cue: Cue = typeof each === 'string' ? { type: 'heard', text: each } : each
    if (cue.type === 'heard') turns.push(heardTurn(turns.length, 'user', cue.text))
    for await (const event of mind.respond(
      { ...aCallState({ order: full, turns: [...turns], memory }), cue },
      signal,
    )) {
      if (event.type === 'say') turns.push(heardTurn(turns.length, 'agent', event.text))
      if (event.type === 'say' || event.type === 'press') said.push(event)
      if (event.type === 'memory') ({ memory } = event)
    }
  }
  const { summary } = await mind.conclude(
    { ...aCallState({ order: full, turns, memory }), endReason: 'agent_closed' },
    signal,
  )
  return JSON.stringify([said, summary])
}

const hide = (value: unknown) => ({ value, private: true })
const QUESTIONS = [
  'What is the name?',
  'What is the booking number?',
  'What is the shoe size?',
  'What is the insurance?',
  'I need a phone number.',
  'What is the date of birth?',
  'Which one is the gate code?',
  'Is it QX73 or something else?',
  'Yes.',
]
const CUES: readonly (string | Cue)[] = [
  ...QUESTIONS,
  { type: 'voicemail' },
  { type: 'screening', text: 'Who is calling and why?' },
]

describe('a value marked private', () => {
  test.each<[string, Order]>([
    [
      'under any name',
      { context: { 'booking number': hide('QX73'), 'shoe size': hide('QX73'), insurance: hide('QX73') } },
    ],
    [
      'deep in objects and lists',
      { context: { guest: { trip: [{ 'booking number': hide('QX73') }, { list: [hide(['QX73', 'QX73'])] }] } } },
    ],
    ['around a whole object', { context: { guest: hide({ 'booking number': 'QX73', insurance: { name: 'QX73' } }) } }],
    [
      'and in the purpose too',
      {
        context: { ref: hide('QX73') },
        purpose: 'Cancel booking QX73',
        objectives: ['Confirm that QX73 is cancelled'],
      },
    ],
    [
      'also used in the purpose, in another spelling',
      { context: { ref: hide('QX-73') }, purpose: 'Ask about booking qx 73' },
    ],
    ['as a telephone number', { context: { phone: hide('QX73') } }],
    ['in a list with other values', { context: { insurance: [hide('QX73'), 'Acme'] } }],
  ])('is never said: %s', async (_, order) => {
    const said = await everythingOf(
      order,
      CUES.filter((cue) => cue !== 'Is it QX73 or something else?'),
    )
    expect(said).not.toMatch(/qx[\s-]*73/i)
    expect(said).not.toMatch(/object Object|"?private"?:|\bvalue\b/)
  })

  test('is not repeated to a callee who guesses it', async () => {
    const said = await everythingOf(
      { context: { 'booking number': hide('QX73') }, objectives: ['A table at 7 pm'] },
      CUES,
    )
    expect(said.replaceAll('Is it QX73 or something else?', '')).not.toContain('QX73')
  })

  test('does not hide values that are not private', async () => {
    const context = { insurance: { value: 'Acme Health', private: false }, 'shoe size': hide('QX73') }
    const said = await everythingOf({ context }, ['What insurance do you have?'])
    expect(said).toContain('Acme Health')
  })
})

test('a value under a private-looking key of any language is never said, even from the purpose', async () => {
  const context = {
    Kontonummer: 'QX73',
    'numéro de compte': 'QX73',
    口座番号: 'QX73',
    accountNumber: 'QX73',
    number: '5',
  }
  const said = await everythingOf({ context, purpose: 'Ask about account QX73' }, [
    'What is the account number?',
    ...CUES.slice(0, 7),
  ])
  expect(said).not.toContain('QX73')
})

test('an unmarked booking number is said, a date of birth only when marked as not private', async () => {
  const context = { 'booking number': 'AB12', 'date of birth': { value: '4 May 1980', private: false } }
  const said = await everythingOf({ context }, ['What is the booking number?', 'And the date of birth?'])
  expect(said).toContain('AB12')
  expect(said).toContain('4 May 1980')
  const unmarked = await everythingOf({ context: { 'date of birth': '4 May 1980' } }, ['And the date of birth?'])
  expect(unmarked).not.toContain('4 May')
})
