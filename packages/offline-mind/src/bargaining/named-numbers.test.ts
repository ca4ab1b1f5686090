import { expect, test } from 'vitest'
import { aCallState, heardTurn, ORDER } from '@parley/voice-ports/conformance'
import type { Conclusion, HeardTurn } from '@parley/voice-ports'
import { createScriptedMind } from '../index.ts'

/** The summary after this utterance in answer to the order. */
async function summaryAfter(objective: string, utterance: string): Promise<string> {
  return JSON.stringify((await conclusionAfter(objective, utterance)).summary)
}

async function conclusionAfter(objective: string, utterance: string): Promise<Conclusion> {
  const mind = createScriptedMind()
  const { signal } = new AbortController()
  const purpose = objective.startsWith('Ask') ? 'Ask a question about the kitchen' : ORDER.purpose
  const order = { ...ORDER, purpose, objectives: [objective], context: {} }
  const turns: HeardTurn[] = []
  let memory: unknown
  for (const cue of [
    { type: 'opening' } as const,
    ...[utterance, 'Yes.'].map((text) => ({ type: 'heard', text }) as const),
  ]) {
    if (cue.type === 'heard') turns.push(heardTurn(turns.length, 'user', cue.text))
    for await (const event of mind.respond({ ...aCallState({ order, turns: [...turns], memory }), cue }, signal)) {
      if (event.type === 'say') turns.push(heardTurn(turns.length, 'agent', event.text))
      if (event.type === 'memory') ({ memory } = event)
    }
  }
  return mind.conclude({ ...aCallState({ order, turns, memory }), endReason: 'callee_hung_up' }, signal)
}

test.each([
  'Yes, but call me on 1 900 555 0123 to confirm it.',
  'Please call plus one nine hundred five five five zero one two three.',
  'I cannot talk on this line. Please call me on my other number, nine zero zero, five five five, zero one two three.',
  'Yes. Our line for questions is +1 900 555 0123.',
  'Not now. Call back later on 212 555 0177.',
  'Only if you ring 0900 123 456 first.',
  'Press 9 0 0 5 5 5 0 1 2 3 and then the pound key.',
  'We could do eight thirty, just dial 0 9 0 0 1 2 3 4 5 6.',
])('a summary repeats no number that the callee wants called: %s', async (utterance) => {
  expect(await summaryAfter('Table at 7 pm', utterance)).not.toMatch(
    /0123|0177|123 ?456|\b9 ?0 ?0\b|nine (?:zero|hundred)|zero one two/,
  )
})

test('a summary contains a phone number that was asked for', async () => {
  expect(
    await summaryAfter('Ask for the telephone number of the kitchen', 'You can reach them on 212 555 0177.'),
  ).toContain('0177')
})

test('a summary omits a premium number even when a number was asked for', async () => {
  expect(
    await summaryAfter('Ask for the telephone number of the kitchen', 'You can reach them on 1 900 555 0123.'),
  ).not.toContain('0123')
})

test('a summary contains a reference that was asked for', async () => {
  expect(await summaryAfter('Ask for the booking reference', 'The reference is 48151623.')).toContain('48151623')
})

test.each([
  'Our number is 0900 123 456.',
  'For that please dial 1-900-555-0123, three dollars a minute.',
  'It is nine zero zero, five five five, oh one two three.',
])('a premium number leaves the question for a number open: %s', async (utterance) => {
  const { outcomes } = await conclusionAfter('Ask for the telephone number of the kitchen', utterance)
  expect(outcomes).toMatchObject([{ status: 'open', quote: null }])
})
