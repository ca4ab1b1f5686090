import { isMet, type Outcome } from '@parley/contract'
import { createScriptedMind } from '@parley/offline-mind'
import { ORDERS, playWith } from '@parley/offline-mind/samples'
import type { HeardTurn, Mind } from '@parley/voice-ports'
import { describe, expect, it } from 'vitest'
import { guardedBy } from './testing.ts'

type Mutation = (outcome: Outcome, turns: readonly HeardTurn[]) => Outcome

/** What a mind could get wrong about a result, and what no evidence may come of. */
const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'quotes what nobody said': (outcome) => ({
    ...outcome,
    status: 'met',
    quote: 'Certainly, I have put that in for you.',
  }),
  'quotes another turn': (outcome) => ({ ...outcome, status: 'met', turn: (outcome.turn ?? 0) + 40 }),
  'quotes the agent': (outcome, turns) => {
    const agent = turns.find(({ speaker }) => speaker === 'agent')
    return { ...outcome, status: 'met', quote: agent?.text ?? '', turn: agent?.index ?? 0 }
  },
  'quotes nothing': (outcome) => ({ ...outcome, status: 'met_within_limits', quote: null, turn: null }),
}

/** The scripted mind with one fault in what it concludes. */
function mutated(mutation: Mutation): Mind {
  const mind = createScriptedMind()
  return {
    ...mind,
    async conclude(ended, signal) {
      const { outcomes, summary } = await mind.conclude(ended, signal)
      const wrong = outcomes.map((outcome) => mutation(outcome, ended.turns))
      return { outcomes: wrong, summary: { ...summary, type: 'success' } }
    },
  }
}

const SOME = ORDERS.filter((_, at) => at % 4 === 0)

describe.each(Object.entries(MUTATIONS))('a mind that %s', (_, mutation) => {
  it.each(SOME)('has got nothing: $title', async (row) => {
    const { outcomes, summary } = await playWith(guardedBy(mutated(mutation)), row, row.utterances)
    expect(outcomes.filter(isMet)).toEqual([])
    expect(summary.type === 'success' && outcomes.length > 0).toBe(false)
  })
})

describe('a mind that calls every result met', () => {
  it.each(ORDERS)('has got what it would have got by the rules, and no more: $title', async (row) => {
    const right = await playWith(createScriptedMind(), row, row.utterances)
    const boasting = mutated((outcome) => ({ ...outcome, status: 'met' }))
    const { outcomes } = await playWith(guardedBy(boasting), row, row.utterances)
    const got = outcomes.map(isMet)
    expect(got.map((isGot, index) => isGot && !isMet(right.outcomes[index] ?? { status: 'open' }))).toEqual(
      got.map(() => false),
    )
  })
})
