import { type ModelAnswer, type ModelRequest, type ModelStep, spoken, startModelFarEnd } from '@parley/sandbox/testing'
import { systemClock } from '@parley/voice-ports'
import { mindConforms } from '@parley/voice-ports/conformance'
import { afterAll } from 'vitest'
import { createLanguageModelMind } from './index.ts'
import { PROVIDERS, quiet, settingsOf } from './testing.ts'

// A model that is good enough: it answers by the last words of the callee, as a large one would.

const heardIn = ({ messages }: ModelRequest) =>
  [
    ...messages
      .map(({ text }) => text)
      .join('\n')
      .matchAll(/<callee_said>(.*?)<\/callee_said>/gs),
  ].map(([, text = '']) => text)

const json = (value: unknown): ModelAnswer => ({ steps: [{ type: 'say', text: JSON.stringify(value) }] })

function answer(request: ModelRequest): ModelAnswer {
  const last = heardIn(request).at(-1) ?? ''
  const cue = request.messages.at(-1)?.text ?? ''
  const isOptOut = /off your list|not call me/i.test(last)
  if (request.schema !== null) {
    if (!cue.includes('The call is over'))
      return json({ outcomes: [], opted_out: isOptOut ? last : null, language: null })
    return json(conclusion(request))
  }
  if (isOptOut && !cue.includes('server has said'))
    return spoken('Understood, you will not be called again. Goodbye.', ['end_call', { reason: 'opted_out' }])
  if (cue.includes('beep')) return spoken('This is a message for you from Anna.', ['leave_message', {}])
  if (cue.includes('nearly up'))
    return spoken('Thank you for your time. Goodbye.', ['end_call', { reason: 'agent_closed' }])
  if (cue.includes('recorded menu')) return { steps: [{ type: 'call', name: 'send_digits', input: { digits: '1' } }] }
  if (/^hold on/i.test(last)) return spoken('Of course.', ['wait', { seconds: 60 }])
  if (/^goodbye/i.test(last)) return spoken('Goodbye.', ['end_call', { reason: 'agent_closed' }])
  if (/^from nine/i.test(last))
    return {
      steps: [
        {
          type: 'call',
          name: 'mark_objective',
          input: { objective: 2, status: 'met', quote: last },
        } satisfies ModelStep,
        ...spoken('Thank you. Is there anything else?').steps,
      ],
    }
  return spoken('I would like to book a table for four. Would seven be possible?')
}

/** Only what a callee said in so many words is met; every other answer stays open. */
function conclusion(request: ModelRequest) {
  const hours = heardIn(request).find((text) => /^from nine/i.test(text))
  const isMet = hours !== undefined
  const hoursMet = { objective: 2, status: isMet ? 'met' : 'open', quote: hours ?? null, offer: null, value: null }
  return {
    outcomes: [{ objective: 1, status: 'open', quote: null, offer: null, value: null }, hoursMet],
    summary: {
      type: 'pending',
      title: 'A table was asked for',
      description: 'The table is open.',
      insights: [],
      next_steps: ['Call again'],
      action: 'Call again',
    },
  }
}

const far = await startModelFarEnd({ answer })
afterAll(() => far.close())

for (const provider of PROVIDERS)
  mindConforms(`${provider}, over the far end`, async () => ({
    mind: await createLanguageModelMind(settingsOf(far, provider), { clock: systemClock(), log: quiet }),
    repeatable: false,
  }))
