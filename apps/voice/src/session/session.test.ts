import type { Turn } from '@parley/contract'
import { describe, expect, it } from 'vitest'
import { createSimulatedCarrier } from '../carriers/simulated/index.ts'
import type { Mind } from '../minds/port.ts'
import { createScriptedEar, createScriptedMouth } from '../speech/scripted/index.ts'
import { anOrder, factSink, mindThat, quietLog, timeParts } from './fakes.ts'
import { CallSession } from './session.ts'

/** A whole call with a callee of the simulated network. */
async function call(ending: string, mind: Mind, seconds = 180, changes = {}) {
  const { clock, ticker } = timeParts()
  const mouth = createScriptedMouth({ binary: null })
  const carrier = createSimulatedCarrier({ speak: (text, options) => mouth.speak(text, options), rng: () => 0.5 })
  const report = factSink()
  const order = anOrder({ callee: `+1212555${ending}`, ...changes })
  const session = new CallSession(order, { carrier, ear: createScriptedEar(), mouth, mind, clock, ticker, report, log: quietLog() })
  for (let second = 0; second < seconds && !report.facts.some(({ type }) => type === 'wrapped_up'); second++) await clock.advance(1000)
  const turns = new Map<number, Turn>()
  for (const fact of report.facts) if (fact.type === 'turn') turns.set(fact.turn.index, fact.turn)
  const ended = report.facts.find((fact) => fact.type === 'ended')
  return { session, facts: report.facts, turns: [...turns.values()], ended }
}

const bookingMind = () =>
  mindThat(({ cue, turns }) => {
    if (cue.type === 'opening') return [{ type: 'say', text: 'I would like to book a table for two at seven. Is that possible?' }]
    if (cue.type === 'voicemail') return [{ type: 'say', text: 'Please call Ann back about a table for two.' }]
    if (cue.type === 'heard' && turns.length < 5) return [{ type: 'say', text: 'Thank you. And under which name should I ask?' }]
    return [
      { type: 'say', text: 'That is all I needed. Thank you and goodbye.' },
      { type: 'hang_up', reason: 'agent_closed' },
    ]
  })

describe('a whole call', () => {
  it('talks with a helpful callee to the goodbye', async () => {
    const { turns, ended } = await call('0100', bookingMind())
    expect(ended).toMatchObject({ reason: 'agent_closed' })
    expect(turns[0]).toMatchObject({ speaker: 'agent', text: 'Hello, this is an AI assistant calling on behalf of Ann Smith.' })
  })
})
