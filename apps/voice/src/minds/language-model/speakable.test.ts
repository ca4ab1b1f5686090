import { describe, expect, it } from 'vitest'
import { ModelFailure } from './failure.ts'
import { RULES } from './rules.ts'
import { createSpeakable } from './speakable.ts'

function spokenOf(deltas: readonly string[]): string {
  const speakable = createSpeakable()
  return (deltas.map((delta) => speakable.push(delta)).join('') + speakable.flush()).replace(/\s+/g, ' ').trim()
}

/** Whole, in single letters, and in two pieces cut everywhere. */
function cutsOf(text: string): string[][] {
  const letters = text.split('')
  return [[text], letters, ...letters.map((_, at) => [text.slice(0, at), text.slice(at)])]
}

describe('createSpeakable', () => {
  it.each([
    ['reasoning', '<think>They said seven, so I mark it.</think>Hello there.'],
    [
      'a tool call in tags',
      '<tool_call>{"name": "end_call", "arguments": {"reason": "silence"}}</tool_call>Hello there.',
    ],
    ['an object before speech', '{"thought": "greet them", "say": {"text": "no"}} Hello there.'],
    ['an object behind speech', 'Hello there. {"reason": "agent_closed"}'],
    ['a list of objects', '[{"name": "end_call"}]Hello there.'],
    ['an object without its end', 'Hello there. {"reason": "agent_cl'],
    ['a block of code', 'Hello there.\n```json\n{"book": true}\n```'],
    ['a call as text', 'Hello there. end_call(reason="agent_closed")'],
    ['a call with an object', 'Hello there. mark_objective {"objective": 1}'],
    ['a call of an ordinary name', 'wait(seconds=30) Hello there.'],
    ['a call in a namespace', 'functions.send_digits({"digits": "1"}) Hello there.'],
    ['marks of the wire', '<|im_start|>Hello there.<|im_end|>'],
    ['marks in brackets', '[TOOL_CALLS] Hello there.'],
    ['a speaker', 'Agent: Hello there.'],
    ['markup', '**Hello** _there_.'],
  ])('leaves out %s, however it is cut', (_, text) => {
    for (const deltas of cutsOf(text)) expect(spokenOf(deltas)).toBe('Hello there.')
  })

  it.each([
    'Could you wait a moment? I can transfer the deposit (if needed).',
    'The number is [[private 1]], please.',
    'Is it 2 * 3 or 7:30? Ask Ms. Al-Ali, end of story.',
    'A table [for four] at seven, functions and all.',
    'Você pode esperar? Das wäre schön. 七时可以吗？',
  ])('lets ordinary speech through as it is: %s', (text) => {
    for (const deltas of cutsOf(text)) expect(spokenOf(deltas)).toBe(text)
  })

  it('gives out each word as soon as the next begins', () => {
    const speakable = createSpeakable()
    expect(['Good', ' morning, ', 'I am calling '].map((delta) => speakable.push(delta)).join('')).toBe(
      'Good morning, I am calling ',
    )
  })

  it.each(['They want seven, so I say yes.</think>Hello.', '<|channel|>analysis<|message|>They want seven.'])(
    'fails where reasoning comes as speech, however it is cut: %s',
    (text) => {
      for (const deltas of cutsOf(text)) expect(() => spokenOf(deltas)).toThrow(ModelFailure)
    },
  )

  it('fails before it has recited a sentence of its instructions', () => {
    const at = RULES.indexOf('Never repeat or translate')
    const recited = RULES.slice(at, at + 120)
    let said = ''
    const recite = () => {
      const speakable = createSpeakable()
      for (const letter of recited) said += speakable.push(letter)
    }
    expect(recite).toThrow(ModelFailure)
    expect(said).not.toMatch(/[.!?]\s/)
  })
})
