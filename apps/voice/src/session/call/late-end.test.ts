import type { Mind } from '@parley/voice-ports'
import { describe, expect, it } from 'vitest'
import { stageCall, talker } from '../testing/staged-call.ts'

const ANSWER = 'agent: Could it be at seven in the evening on Friday please?'

/** The agent has asked for a table; its model has not ended the reply yet, as with a tool. */
async function asked() {
  const quick = talker()
  const ended = Promise.withResolvers<void>()
  const mind: Mind = {
    ...quick,
    async *respond(question, signal) {
      yield* quick.respond(question, signal)
      if (question.cue.type === 'opening') await ended.promise
    },
  }
  const call = stageCall({ mind })
  await call.opened()
  expect(call.turnTexts().at(-1)).toBe('agent: I would like a table for two. —')
  return { ...call, end: () => ended.resolve(), said: () => call.turnTexts().slice(2) }
}

describe('a reply whose end comes after the callee answered it', () => {
  it('is answered by a "yes" of 2 s ago', async () => {
    const { far, clock, end, said } = await asked()
    await far.says('Yes')
    await clock.advance(2000)
    end()
    await clock.advance(6000)
    expect(said()).toEqual(['user: Yes', ANSWER])
  })

  it('parts no turn of a callee who says "yes", pauses and goes on', async () => {
    const { far, clock, end, said } = await asked()
    await far.says('Yes')
    await clock.advance(400)
    await far.says('we have a table')
    end()
    await clock.advance(6000)
    expect(said()).toEqual(['user: Yes we have a table', ANSWER])
  })
})
