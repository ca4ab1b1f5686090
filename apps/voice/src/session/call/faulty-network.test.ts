import { createScriptedMind } from '@parley/offline-mind'
import { createTestNetwork, type NetworkFaults } from '@parley/sandbox/testing'
import { voiceOf } from '@parley/voice-ports'
import { describe, expect, it } from 'vitest'
import { anOrder, factSink, quietLog, steadyMouth, textEar, virtualTime } from '../testing/fakes.ts'
import { CallSession } from './session.ts'

/** The same dice in each run. */
function dice(): () => number {
  let state = 7
  return () => (state = (state * 16807) % 2147483647) / 2147483647
}

/** A whole call with the helpful callee, over a network with faults. */
async function called(faults: NetworkFaults, callee = '+12125550100') {
  const { clock, ticker } = virtualTime()
  const carrier = createTestNetwork({ speak: voiceOf(steadyMouth), rng: dice(), faults })
  const report = factSink()
  const order = anOrder({ callee })
  const adapters = { carrier, ears: [textEar], mouth: steadyMouth, mind: createScriptedMind(), clock, ticker, report }
  const session = new CallSession(order, { ...adapters, log: quietLog() })
  const types = () => report.facts.map(({ type }) => type)
  for (let second = 0; second < 400 && !types().includes('wrapped_up'); second++) await clock.advance(1000)
  const placed = report.facts.find((fact) => fact.type === 'placed')
  const turns = new Map(report.facts.flatMap((fact) => (fact.type === 'turn' ? [[fact.turn.index, fact.turn]] : [])))
  return {
    session,
    turns: [...turns.values()],
    ended: report.facts.find((fact) => fact.type === 'ended'),
    standing: await carrier.ask(placed?.carrierCallId ?? '', new AbortController().signal),
  }
}

describe('a session on a network', () => {
  const faulty: readonly [string, NetworkFaults][] = [
    ['without faults', {}],
    ['with 80 ms of jitter', { jitterMs: 80 }],
    ['that sends nothing in silence', { dtx: true }],
    ['that loses 2 % of its frames', { loss: 0.02 }],
    ['that loses every fifth mark', { losesMarkEvery: 5 }],
    ['that returns our voice 700 ms late', { echo: { delayMs: 700, lossDb: 22 } }],
    ['that loses `ended` and two hang-ups', { losesEnded: true, failedHangUps: 2 }],
    ['with all of it', { jitterMs: 60, dtx: true, loss: 0.01, losesMarkEvery: 7, losesEnded: true, failedHangUps: 1 }],
  ]
  it.each(faulty)('%s leads its call to the end and books what the network counted', async (_, faults) => {
    const { turns, ended, standing } = await called(faults)
    expect(ended).toMatchObject({ reason: 'agent_closed' })
    expect(standing).toMatchObject({ state: 'ended', connectedMs: ended!.connectedSeconds * 1000 })
    const spoken = turns.filter(({ speaker }) => speaker === 'agent')
    expect(spoken.length).toBeGreaterThan(2)
    expect(turns.filter(({ speaker }) => speaker === 'user').length).toBeGreaterThan(1)
  })

  it('that returns our voice 700 ms late lets the agent finish its sentences', async () => {
    const { turns } = await called({ echo: { delayMs: 700, lossDb: 22 } })
    const cut = turns.filter(({ speaker, heard }) => speaker === 'agent' && !heard)
    expect(cut.map(({ text }) => text)).toEqual([])
  })

  it('that judges a voicemail leaves its message after the beep', async () => {
    const { turns, ended } = await called({}, '+12125550103')
    expect(ended).toMatchObject({ reason: 'voicemail' })
    expect(turns.filter(({ speaker }) => speaker === 'agent').length).toBeGreaterThan(0)
  })
})
