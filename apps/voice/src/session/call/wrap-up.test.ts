import type { Outcome } from '@parley/contract'
import { describe, expect, it } from 'vitest'
import { createLog } from '../../log.ts'
import { aCallState, heardTurn } from '@parley/voice-ports/conformance'
import type { Mind } from '@parley/voice-ports'
import { conclude } from './wrap-up.ts'

const speechless: Mind = {
  name: 'speechless',
  async *respond() {},
  conclude: () => Promise.reject(new Error('no words')),
}

const summaryOf = (...known: readonly Partial<Outcome>[]) => summaryWith([], ...known)

async function summaryWith(questions: readonly string[], ...known: readonly Partial<Outcome>[]) {
  const outcomes = known.map((one): Outcome => ({
    objective: 'A table at 7 pm',
    status: 'open',
    quote: 'Half past eight.',
    turn: 1,
    offer: null,
    ...one,
  }))
  const turns = [heardTurn(1, 'user', 'Half past eight.')]
  const ended = { ...aCallState({ outcomes, turns }), endReason: 'callee_hung_up', questions } as const
  return (await conclude(speechless, ended, new AbortController().signal, createLog('silent'))).summary
}

describe('conclude without a mind', () => {
  it('asks the user to accept or refuse an offer', async () => {
    const text = 'They offer a table at 8:30 pm for "A table at 7 pm": accept it or ask for something else.'
    expect(await summaryOf({ status: 'offered', offer: 'a table at 8:30 pm' }, { status: 'met' })).toMatchObject({
      type: 'pending',
      nextSteps: [text],
      actionRequired: true,
      actionText: text,
    })
  })

  it('reports an objective met within limits as success with the agreed offer', async () => {
    expect(
      await summaryOf({ status: 'met_within_limits', offer: 'a table at 8:30 pm' }, { status: 'met' }),
    ).toMatchObject({
      type: 'success',
      insights: [
        'A table at 7 pm (agreed: a table at 8:30 pm): "Half past eight."',
        'A table at 7 pm: "Half past eight."',
      ],
      actionRequired: false,
      actionText: null,
    })
  })

  it('asks the user to settle open objectives', async () => {
    expect(await summaryOf({ status: 'open' })).toMatchObject({
      type: 'pending',
      actionText: 'Call again or settle the open points another way.',
    })
  })

  it("asks the user to answer the callee's questions, which the agent promised to pass on", async () => {
    expect(await summaryWith(['May we call back?'], { status: 'met' })).toMatchObject({
      type: 'success',
      nextSteps: ['Answer their question: "May we call back?"'],
      actionRequired: true,
      actionText: 'Answer their question: "May we call back?"',
    })
  })
})
